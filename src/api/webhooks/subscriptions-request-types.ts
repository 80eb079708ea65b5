/** Which messages a subscription gets, and from when on. */
export interface SubscribeOptions<Type extends string> {
  readonly types: readonly Type[]
  /**
   * `start`: also what happened before, made again from the logs, without what changes often (`….changed`) and without emails.
   * It is asked for when the subscription is new alone. Default `now`.
   */
  readonly from?: 'now' | 'start'
  /** After how many tries a message is put aside, so that others go on. Default: never. */
  readonly deadLetterAfter?: number
}

export interface DeadLettersRequest {
  /** 1 to 1,000; default 100. */
  readonly limit?: number
  /** Those before this position, the newest first. */
  readonly before?: number
}

export interface RetryRequest {
  /** Ids of messages; default: all that were put aside. */
  readonly ids?: readonly string[]
}

export interface WorkOptions {
  /** Ends it; what is under way is finished first. */
  readonly signal?: AbortSignal
  /** How often it is asked what other processes have written, and what is due by time: in milliseconds, default 1,000. */
  readonly pollMs?: number
}
