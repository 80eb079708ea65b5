import type { Count, InstantText, Integer, Uuid } from './formats.ts'
/** A webhook as it is shown: without its secret. */
export interface Webhook {
  readonly id: Uuid
  readonly name: string | null
  readonly url: string
  /** Types of messages that it is sent. */
  readonly types: readonly string[]
  readonly order: 'user' | 'none'
  readonly serviceSignature: boolean
  /** Whether it may lead to internal addresses. */
  readonly allowInternal: boolean
  readonly status: 'active' | 'disabled'
  /** When it was disabled, and whether by a call or because it answered 410; null while it is active. */
  readonly disabled: { readonly at: InstantText; readonly because: 'update' | 'gone' } | null
  readonly created: InstantText
  /** How many wait, were delivered, and were given up, of the last 30 days. */
  readonly deliveries: { readonly waiting: Count; readonly done: Count; readonly dead: Count }
}

/** A webhook just made, or with a new secret. */
export interface CreatedWebhook extends Webhook {
  /** What signs. Shown this once. */
  readonly secret: string
}

/** A message on its way to a webhook, or what became of it. */
export interface WebhookDelivery {
  /** The message's, which the receiver sees as `webhook-id`. */
  readonly id: Uuid
  readonly type: string
  readonly at: InstantText
  readonly tenant: string | null
  readonly userId: string | null
  readonly state: 'waiting' | 'done' | 'dead'
  /** How often it was tried. */
  readonly tries: Count
  /** null unless it waits. */
  readonly nextTryAt: InstantText | null
  readonly lastTry: WebhookTry | null
}

/** One try of a delivery. */
export interface WebhookTry {
  readonly at: InstantText
  /** Of the answer; null: none came. */
  readonly status: Integer | null
  readonly durationMs: Count
  /** Why the answer does not count, or why there is none; null: the status says it. */
  readonly error: string | null
  /** The first 1,024 bytes of what was answered. */
  readonly answer: string
}

/** A page of deliveries, the newest first. */
export interface WebhookDeliveries {
  /** The newest first. */
  readonly deliveries: readonly WebhookDelivery[]
  /** To be sent as `before` for the next page; null: there are no more. */
  readonly before: Integer | null
}

/** What is sent again. */
export interface ReplayedDeliveries {
  /** How many deliveries are sent again. */
  readonly replayed: Count
}

/** The webhook that was deleted. */
export interface DeletedWebhook {
  readonly id: Uuid
}
