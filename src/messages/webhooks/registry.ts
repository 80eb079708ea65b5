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

export interface WebhooksContext {
  readonly storage: Storage
  readonly now: () => number
  /** The time of claims: the database's time if the database has a clock. */
  readonly leaseNow: () => number
  readonly newId: (now: number) => string
  readonly logger: Logger
  readonly random: () => number
  readonly send: Send
  /** `null`: the host gave no key, so secrets cannot be encrypted or decrypted. */
  readonly secretBox: SecretBox | null
  readonly allowInternal: boolean
  readonly multiTenant: boolean
  readonly knownTypes: readonly string[]
  /** Stores the message types that subscriptions and webhooks want now. */
  wantTypes(): Promise<void>
}

/** What webhooks want, and how far messages became deliveries. As a subscription, it keeps later messages stored. */
export type Checkpoint = Pick<StoredSubscription, 'types' | 'position' | 'version'>

export function toCheckpointDocument({ types, position, version }: Checkpoint): StoredDocument {
  return toDocument({ ...IDLE, name: OF_WEBHOOKS, types, position, version })
}

export interface Registered {
  /** `null`: there is no webhook. */
  readonly checkpoint: Checkpoint | null
  readonly webhooks: readonly StoredWebhook[]
}

/** A webhook to store, or one to remove with its deliveries. */
export type RegistryChange = { readonly put: StoredWebhook } | { readonly remove: StoredWebhook }

export async function listWebhooks(storage: Storage): Promise<readonly StoredWebhook[]> {
  const webhooks = (await storage.documents(WEBHOOK)).map(readWebhook)
  return webhooks.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

export async function readRegistered(storage: Storage): Promise<Registered> {
  const document = await storage.document(SUBSCRIPTION, OF_WEBHOOKS)
  return document === null
    ? { checkpoint: null, webhooks: [] }
    : { checkpoint: readSubscription(document), webhooks: await listWebhooks(storage) }
}

/** Changes a webhook and the wanted types in one transaction. `make` is called again if another process wrote first. */
export async function changeWebhooks(
  { storage, wantTypes }: Pick<WebhooksContext, 'storage' | 'wantTypes'>,
  make: (webhooks: readonly StoredWebhook[]) => RegistryChange | null,
): Promise<StoredWebhook | null> {
  const changed = await untilWritten('the webhooks', async () => {
    const { checkpoint, webhooks } = await readRegistered(storage)
    const change = make(webhooks)
    if (change === null) return null
    const webhook = 'put' in change ? change.put : change.remove
    const others = webhooks.filter(({ id }) => id !== webhook.id)
    const after = 'put' in change ? [...others, webhook] : others
    const { position, version } = checkpoint ?? { position: await placeAll(storage), version: 0 }
    const next = after.length === 0 ? null : { types: typesOf(after), position, version }
    const isWritten = await storage.openTransaction(async (tx) => {
      // Every change writes the checkpoint first, so that the slower of two concurrent changes is retried.
      if (!(await putCheckpoint(tx, next, version))) return false
      await putChange(tx, change)
      return true
    })
    return isWritten ? webhook : undefined
  })
  await wantTypes()
  return changed
}

async function putCheckpoint(tx: OutboxTransaction, next: Checkpoint | null, version: number): Promise<boolean> {
  if (next !== null) return tx.putDocument(toCheckpointDocument(next))
  return version === 0 || tx.removeDocument({ kind: SUBSCRIPTION, name: OF_WEBHOOKS, version })
}

async function putChange(tx: OutboxTransaction, change: RegistryChange): Promise<void> {
  const document = toWebhookDocument('put' in change ? change.put : change.remove)
  const isWritten = await ('put' in change ? tx.putDocument(document) : tx.removeDocument(document))
  if (!isWritten) throw new RangeError('A webhook was changed without its checkpoint')
  if ('remove' in change) await tx.removeReceiver(webhookReceiver(change.remove.id))
}

function typesOf(webhooks: readonly StoredWebhook[]): readonly string[] {
  const wanted = webhooks.filter(({ disabled }) => disabled === null).flatMap(({ types }) => types)
  return [...new Set(wanted)].sort()
}
