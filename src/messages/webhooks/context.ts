import type { Logger } from '../../runtime/context.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Send } from './send.ts'
import type { SecretBox } from './stored-webhook.ts'

/** What everything about webhooks is given. */
export interface WebhooksContext {
  readonly storage: Storage
  readonly now: () => number
  /** The time of claims: the database's where it has a clock. */
  readonly leaseNow: () => number
  readonly newId: (now: number) => string
  readonly logger: Logger
  /** From 0 up to 1. */
  readonly random: () => number
  readonly send: Send
  /** null: the host gave no key, so no secret can be sealed or opened. */
  readonly secretBox: SecretBox | null
  /** Whether every webhook may lead to internal addresses. */
  readonly allowInternal: boolean
  /** Whether messages tell their tenant. */
  readonly multiTenant: boolean
  /** The types of messages that there are. */
  readonly knownTypes: readonly string[]
  /** Has the types written that subscriptions ask for now. */
  wantTypes(): Promise<void>
}
