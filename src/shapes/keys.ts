import type { Count, InstantText, Integer, Uuid } from './formats.ts'
import type { GamificationMessage } from './messages.ts'

/** An admin key without its secret. */
export interface AdminKey {
  readonly id: Uuid
  /**
   * The first 8 characters of the full key.
   *
   * @minLength 8
   * @maxLength 8
   */
  readonly prefix: string
  readonly status: 'active' | 'revoked'
  readonly created: InstantText
  /** When the key was last used, to the minute. `null` if never. */
  readonly lastUsed: InstantText | null
}

/** An admin key just made or rotated: the one answer with the full key. */
export interface CreatedAdminKey extends AdminKey {
  /** `{prefix}.{body}`: keep it, it is never shown again. */
  readonly key: string
}

/** A new application key. The full key is in no other answer. */
export interface CreatedApplicationKey extends Pick<ApplicationKey, 'id' | 'userId' | 'prefix'> {
  /** `{prefix}.{body}`: keep it, it is never shown again. */
  readonly key: string
}

/** An application key without its secret. */
export interface ApplicationKey {
  readonly id: Uuid
  /** The part of the full key before the dot, which is safe to log. */
  readonly prefix: string
  /** The user the key is for. */
  readonly userId: string
  /**
   * The rights of the key. `null`: all that the game allows clients. Empty: the stored value is unreadable, so the key
   * has no rights.
   */
  readonly can: readonly string[] | null
  readonly createdAt: InstantText
  /** The instant at which the key expires, or `null` if it never does. */
  readonly expiresAt: InstantText | null
}

/** Why one item of a request made no key. */
export interface ApplicationKeyIssue {
  /** Index in the request, from 0. */
  readonly index: Count
  readonly userId?: string
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** The application keys that were made. */
export interface CreateApplicationKeysResponse {
  readonly created: readonly CreatedApplicationKey[]
  readonly issues: readonly ApplicationKeyIssue[]
}

/** Why one key was not deleted. */
export interface DeletedKeyIssue {
  readonly id: Uuid
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** The application keys that were deleted. */
export interface DeleteApplicationKeysResponse {
  readonly deleted: readonly { readonly id: Uuid }[]
  readonly issues: readonly DeletedKeyIssue[]
}

/** The holder of a key. */
export type KeyHolder =
  | { readonly kind: 'admin'; readonly keyId: string }
  | {
      readonly kind: 'application'
      readonly keyId: string
      readonly tenant: string
      readonly userId: string
      /** The rights of the key. Absent for all that the game lets clients do. */
      readonly can?: readonly string[]
    }

/** The progress of a subscription. */
export interface SubscriptionStatus {
  readonly name: string
  readonly types: readonly string[]
  /** The position up to which messages were delivered, itself included. */
  readonly position: Count
  /** The number of waiting messages; at most 10,000 are counted. */
  readonly behind: Count
  /** The number of messages that were put aside. */
  readonly deadLetters: Count
  /** The number of failed attempts to deliver the next message. */
  readonly attempts: Count
  /** ISO 8601, or `null` if nothing has failed. */
  readonly nextAttemptAt: InstantText | null
  /**
   * The name and the code of the error that the handler threw, or `null` if no attempt failed. The logger of that
   * process has the message.
   */
  readonly lastError: string | null
  /** True if a process delivers its messages now. */
  readonly isActive: boolean
  /** True while messages from before the subscription are delivered. */
  readonly isCatchingUp: boolean
}

/** The number of messages that are delivered again. */
export interface RetriedDeadLetters {
  readonly retried: Count
}

/** A message that a subscription put aside. */
export interface DeadLetter {
  readonly message: GamificationMessage
  readonly position: Count
  readonly attempts: Count
  readonly lastError: string | null
  readonly lastAttemptAt: InstantText | null
  /** True if it waits for another delivery. */
  readonly isRetried: boolean
}

/** The messages that a subscription put aside, the newest first. */
export interface DeadLetters {
  /** The newest first. */
  readonly deadLetters: readonly DeadLetter[]
  /** Send it as `before` to get the next page. `null` on the last page. */
  readonly next: Count | null
}

/** A webhook, without its secret. */
export interface Webhook {
  readonly id: Uuid
  readonly name: string | null
  readonly url: string
  /** The types of messages that it receives. */
  readonly types: readonly string[]
  readonly order: 'user' | 'none'
  readonly serviceSignature: boolean
  /** True if it may use internal addresses. */
  readonly allowInternal: boolean
  readonly status: 'active' | 'disabled'
  /** When it was disabled, and whether by a call or because it answered 410; null while it is active. */
  readonly disabled: { readonly at: InstantText; readonly because: 'update' | 'gone' } | null
  readonly created: InstantText
  /** The numbers of waiting, delivered and dead deliveries of the last 30 days. */
  readonly deliveries: { readonly waiting: Count; readonly done: Count; readonly dead: Count }
}

/** A webhook just made, or with a new secret. */
export interface CreatedWebhook extends Webhook {
  /** The signing secret. Only this answer contains it. */
  readonly secret: string
}

/** A delivery of a message to a webhook, with its outcome. */
export interface WebhookDelivery {
  /** Id of the message, which the receiver sees as `webhook-id`. */
  readonly id: Uuid
  readonly type: string
  readonly at: InstantText
  readonly tenant: string | null
  readonly userId: string | null
  readonly state: 'waiting' | 'done' | 'dead'
  /** The number of attempts. */
  readonly attempts: Count
  /** `null` unless the delivery waits. */
  readonly nextAttemptAt: InstantText | null
  readonly lastAttempt: WebhookAttempt | null
}

/** One attempt of a delivery. */
export interface WebhookAttempt {
  readonly at: InstantText
  /** The HTTP status of the response; `null` if there is none. */
  readonly status: Integer | null
  readonly durationMs: Count
  /** Why the response does not count, or why there is none. `null` if the status tells enough. */
  readonly error: string | null
  /** The first 1,024 bytes of the response. */
  readonly answer: string
}

/** A page of deliveries, the newest first. */
export interface WebhookDeliveries {
  /** The newest first. */
  readonly deliveries: readonly WebhookDelivery[]
  /** Send it as `before` to get the next page. `null` on the last page. */
  readonly before: Integer | null
}

/** The deliveries to send again. */
export interface ReplayedDeliveries {
  /** The number of deliveries that are sent again. */
  readonly replayed: Count
}

/** The webhook that was deleted. */
export interface DeletedWebhook {
  readonly id: Uuid
}
