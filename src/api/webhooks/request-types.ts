/** What a webhook is sent, and how. */
export interface WebhookRequest<Type extends string = string> {
  /** `https://` or `http://`, at most 2,048 characters, without a user and a password in it. */
  readonly url: string
  /** 1 to 100 types of messages, as `achievement.completed`. */
  readonly types: readonly Type[]
  /** What signs: `whsec_` and base64 of 24 to 64 bytes, or 24 to 255 visible ASCII characters. Default: a new one. */
  readonly secret?: string
  /** For people: 1 to 255 characters. */
  readonly name?: string | null
  /**
   * `user`: the messages of one user in their order, each only when the one before is done or dead. `none`: each by itself.
   * Default `user`.
   */
  readonly order?: 'user' | 'none'
  /**
   * For a receiver that was written for the hosted service: sends its signature too (`X-Trophy-Signature`), and the fields of
   * `data` beside `type`. Default false.
   */
  readonly serviceSignature?: boolean
  /** Whether it may lead to this machine and its network. Not over HTTP. Default false. */
  readonly allowInternal?: boolean
}

/** What is left out stays. Another URL of another origin takes `allowInternal` away, unless it is given again. */
export interface WebhookUpdate<Type extends string = string> extends Partial<Omit<WebhookRequest<Type>, 'secret'>> {
  /** `disabled`: nothing is sent any more, and what waits is put aside. `active` begins again with what happens from then on. */
  readonly status?: 'active' | 'disabled'
}

export interface WebhookDeliveriesRequest {
  /** 1 to 100. Default 50. */
  readonly limit?: number
  /** `before` of the answer before. */
  readonly before?: number
  /** Default: all of them. */
  readonly state?: 'waiting' | 'done' | 'dead'
}

/** Which deliveries are sent again: those of these messages, or all in a state. Default: all that are dead. */
export interface WebhookReplayRequest {
  /** Ids of messages, 1 to 100. */
  readonly ids?: readonly string[]
  readonly state?: 'done' | 'dead'
}

export interface SecretRotation {
  /** The new secret. Default: one is made. */
  readonly secret?: string
  /** How long the old one signs too, 0 to 168. Default 24. */
  readonly overlapHours?: number
}
