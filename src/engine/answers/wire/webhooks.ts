/** A webhook as it is shown: without its secret. */
export interface Webhook {
  readonly id: string
  readonly name: string | null
  readonly url: string
  readonly types: readonly string[]
  readonly order: 'user' | 'none'
  readonly serviceSignature: boolean
  readonly allowInternal: boolean
  readonly status: 'active' | 'disabled'
  /** When it was disabled, and why; null while it is active. */
  readonly disabled: { readonly at: string; readonly because: 'update' | 'gone' } | null
  readonly created: string
  /** How many deliveries wait, were answered well, and were given up, of the last days. */
  readonly deliveries: { readonly waiting: number; readonly done: number; readonly dead: number }
}

/** A webhook just made, or with a new secret. */
export interface CreatedWebhook extends Webhook {
  /** What signs. Shown this once. */
  readonly secret: string
}

/** A message on its way to a webhook, or what became of it. */
export interface WebhookDelivery {
  /** The message's, which the receiver sees as `webhook-id`. */
  readonly id: string
  readonly type: string
  readonly at: string
  readonly tenant: string | null
  readonly userId: string | null
  readonly state: 'waiting' | 'done' | 'dead'
  /** How often it was tried. */
  readonly tries: number
  /** null unless it waits. */
  readonly nextTryAt: string | null
  readonly lastTry: WebhookTry | null
}

export interface WebhookTry {
  readonly at: string
  /** Of the answer; null: none came. */
  readonly status: number | null
  readonly durationMs: number
  /** Why the answer does not count, or why there is none; null: the status says it. */
  readonly error: string | null
  /** The first 1,024 bytes of what was answered. */
  readonly answer: string
}

export interface WebhookDeliveries {
  /** The newest first. */
  readonly deliveries: readonly WebhookDelivery[]
  /** To be sent as `before` for the next page; null: there are no more. */
  readonly before: number | null
}
