import type { Logger } from '../../runtime/context.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Send } from './send.ts'
import type { SecretBox } from './stored-webhook.ts'

/** The dependencies of the webhooks. */
export interface WebhooksContext {
  readonly storage: Storage
  readonly now: () => number
  /** The time of claims: the database's time if the database has a clock. */
  readonly leaseNow: () => number
  readonly newId: (now: number) => string
  readonly logger: Logger
  /** From 0 up to 1. */
  readonly random: () => number
  readonly send: Send
  /** `null`: the host gave no key, so secrets cannot be encrypted or decrypted. */
  readonly secretBox: SecretBox | null
  /** Whether every webhook may lead to internal addresses. */
  readonly allowInternal: boolean
  /** Whether messages name their tenant. */
  readonly multiTenant: boolean
  /** All message types. */
  readonly knownTypes: readonly string[]
  /** Stores the message types that subscriptions and webhooks want now. */
  wantTypes(): Promise<void>
}
