import type { Logger } from '../../runtime/context.ts'
import { untilWritten } from '../../runtime/database-clock.ts'
import type { OutboxTransaction, StoredDocument } from '../../storage/outbox.ts'
import type { Storage } from '../../storage/storage.ts'
import {
  IDLE,
  OF_WEBHOOKS,
  placeAll,
  readSubscription,
  type StoredSubscription,
  SUBSCRIPTION,
  toDocument,
} from '../stored-subscription.ts'
import type { Send } from './send.ts'
import {
  readWebhook,
  type SecretBox,
  type StoredWebhook,
  toWebhookDocument,
  WEBHOOK,
  webhookReceiver,
} from './stored-webhook.ts'

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
  /** True if every webhook may lead to internal addresses. */
  readonly allowInternal: boolean
  /** True if messages name their tenant. */
  readonly multiTenant: boolean
  /** All message types. */
  readonly knownTypes: readonly string[]
  /** Stores the message types that subscriptions and webhooks want now. */
  wantTypes(): Promise<void>
}

/**
 * The types that any webhook wants, and the position up to which messages became deliveries. It is stored as a
 * subscription, so that no message is removed before.
 */
export type Checkpoint = Pick<StoredSubscription, 'types' | 'position' | 'version'>

export function toCheckpointDocument({ types, position, version }: Checkpoint): StoredDocument {
  return toDocument({ ...IDLE, name: OF_WEBHOOKS, types, position, version })
}

/** The stored webhooks, the oldest first. */
export interface Registry {
  list(): Promise<readonly StoredWebhook[]>
  read(): Promise<Registered>
  /** The newest position, after every stored message got one. */
  head(): Promise<number>
  /**
   * Changes the webhooks and the types that they want in one transaction. `change` is called again if another process
   * wrote first. Its errors are thrown. It writes nothing if it returns `null`.
   */
  change<T>(change: (webhooks: readonly StoredWebhook[]) => RegistryChange<T> | null): Promise<T | null>
}

/** The checkpoint and the webhooks. A change of a webhook writes the checkpoint too. */
export interface Registered {
  /** `null`: there is no webhook. */
  readonly checkpoint: Checkpoint | null
  readonly webhooks: readonly StoredWebhook[]
}

export interface RegistryChange<T> {
  readonly put?: StoredWebhook
  /** Removes its deliveries too. */
  readonly remove?: StoredWebhook
  readonly result: T
}

export function createRegistry({ storage }: Pick<WebhooksContext, 'storage'>): Registry {
  const list = async (): Promise<readonly StoredWebhook[]> => {
    const webhooks = (await storage.documents(WEBHOOK)).map(readWebhook)
    return webhooks.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }
  const read = async (): Promise<Registered> => {
    const document = await storage.document(SUBSCRIPTION, OF_WEBHOOKS)
    return document === null
      ? { checkpoint: null, webhooks: [] }
      : { checkpoint: readSubscription(document), webhooks: await list() }
  }
  const head = (): Promise<number> => placeAll(storage)

  /** Every change writes the checkpoint, so that the slower of two concurrent changes is retried. */
  async function write(tx: OutboxTransaction, stored: Checkpoint | null, next: Checkpoint | null): Promise<boolean> {
    if (next !== null) return tx.putDocument(toCheckpointDocument(next))
    return stored === null || tx.removeDocument({ kind: SUBSCRIPTION, name: OF_WEBHOOKS, version: stored.version })
  }

  async function change<T>(make: (webhooks: readonly StoredWebhook[]) => RegistryChange<T> | null): Promise<T | null> {
    return untilWritten('the webhooks', async () => {
      const { checkpoint: stored, webhooks } = await read()
      const made = make(webhooks)
      if (made === null) return null
      const { put, remove, result } = made
      const others = webhooks.filter(({ id }) => id !== put?.id && id !== remove?.id)
      const after = put === undefined ? others : [...others, put]
      const position = stored?.position ?? (await head())
      const next = after.length === 0 ? null : { types: typesOf(after), position, version: stored?.version ?? 0 }
      const isWritten = await storage.openTransaction(async (tx) => {
        if (!(await write(tx, stored, next))) return false
        if (put !== undefined) requireWritten(await tx.putDocument(toWebhookDocument(put)))
        if (remove === undefined) return true
        requireWritten(await tx.removeDocument({ kind: WEBHOOK, name: remove.id, version: remove.version }))
        await tx.removeReceiver(webhookReceiver(remove.id))
        return true
      })
      return isWritten ? result : undefined
    })
  }

  return { list, read, head, change }
}

/** No other change can come between, because each one writes the checkpoint first. */
function requireWritten(isWritten: boolean): void {
  if (!isWritten) throw new RangeError('A webhook was changed without its checkpoint')
}

function typesOf(webhooks: readonly StoredWebhook[]): readonly string[] {
  const wanted = webhooks.filter(({ disabled }) => disabled === null).flatMap(({ types }) => types)
  return [...new Set(wanted)].sort()
}
