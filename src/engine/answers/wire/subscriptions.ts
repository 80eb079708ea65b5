import type { Count, InstantText } from './formats.ts'
import type { GamificationMessage } from './messages.ts'

/** How far a subscription is. */
export interface SubscriptionStatus {
  readonly name: string
  readonly types: readonly string[]
  /** Everything up to and including it was handed over. */
  readonly position: Count
  /** How many messages wait for it; no more than 10,000 are counted. */
  readonly behind: Count
  /** How many were put aside. */
  readonly deadLetters: Count
  /** How often handing over what comes next has failed. */
  readonly tries: Count
  /** ISO 8601; null: nothing has failed. */
  readonly nextTryAt: InstantText | null
  readonly lastError: string | null
  /** Whether a process hands over its messages now. */
  readonly isActive: boolean
  /** Whether what was before the subscription is still handed over. */
  readonly isCatchingUp: boolean
}

/** How many messages are handed over again. */
export interface RetriedDeadLetters {
  readonly retried: Count
}

/** A message that a subscription put aside. */
export interface DeadLetter {
  readonly message: GamificationMessage
  readonly position: Count
  readonly tries: Count
  readonly lastError: string | null
  readonly lastTryAt: InstantText | null
  /** Whether it waits to be handed over again. */
  readonly isRetried: boolean
}

/** What a subscription put aside, the newest first. */
export interface DeadLetters {
  /** The newest first. */
  readonly deadLetters: readonly DeadLetter[]
  /** To be sent as `before` for the next page; null: there are no more. */
  readonly next: Count | null
}
