import type { WholeNumbers } from '../../answers/whole-numbers.ts'
import type { Context, DatabaseClock } from '../../runtime/context.ts'
import { untilWritten } from '../../runtime/documents.ts'
import { removeReceiver } from '../../sql/deliveries.ts'
import { loadDocument, loadDocuments, putDocument, removeDocument } from '../../sql/outbox.ts'
import type { Steps } from '../../storage/steps.ts'
import type { SqlTransaction, Storage } from '../../storage/storage.ts'
import type { StoredSubscription } from '../stored-subscription.ts'
import {
  assignAllPositions,
  IDLE,
  OF_WEBHOOKS,
  readSubscription,
  SUBSCRIPTION,
  toDocument,
} from '../stored-subscription.ts'
import type { Send } from './send.ts'
import type { SecretBox, StoredWebhook } from './stored-webhook.ts'
import { readWebhook, toWebhookDocument, WEBHOOK, webhookReceiver } from './stored-webhook.ts'

export interface WebhooksContext extends Pick<Context, 'storage' | 'now' | 'newId' | 'logger'> {
  readonly databaseClock: Pick<DatabaseClock, 'leaseNow'>
  readonly random: () => number
  readonly send: Send
  /** `null` if the host gave no key, so secrets cannot be encrypted or decrypted. */
  readonly secretBox: SecretBox | null
  readonly allowInternal: boolean
  readonly multiTenant: boolean
  /** `null` if scores keep their decimals. */
  readonly wholeNumbers: WholeNumbers | null
  /** Stores the message types that subscriptions and webhooks want now. */
  wantTypes(): Promise<void>
}

export interface Registered {
  /**
   * The wanted types of all webhooks, and the position up to which messages became deliveries. `null` if there is no
   * webhook.
   */
  readonly checkpoint: StoredSubscription | null
  readonly webhooks: readonly StoredWebhook[]
}

/** A webhook to store, or one to remove with its deliveries. */
export type RegistryChange = { readonly put: StoredWebhook } | { readonly remove: StoredWebhook }

export async function listWebhooks(storage: Storage): Promise<readonly StoredWebhook[]> {
  const webhooks = (await loadDocuments(storage, WEBHOOK)).map(readWebhook)
  return webhooks.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

export async function readRegistered(storage: Storage): Promise<Registered> {
  const document = await loadDocument(storage, SUBSCRIPTION, OF_WEBHOOKS)
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
    const first = { ...IDLE, name: OF_WEBHOOKS, version: 0 }
    const known = checkpoint ?? { ...first, position: await assignAllPositions(storage) }
    const next = after.length === 0 ? null : { ...known, types: typesOf(after) }
    const isWritten = await storage.transaction(function* (tx) {
      // Every change writes the checkpoint first, so that the slower of two concurrent changes is retried.
      if (!(yield* putCheckpoint(tx, next, known.version))) return false
      yield* putChange(tx, change)
      return true
    })
    return isWritten ? webhook : undefined
  })
  await wantTypes()
  return changed
}

function* putCheckpoint(tx: SqlTransaction, next: StoredSubscription | null, version: number): Steps<boolean> {
  if (next !== null) return yield* putDocument(tx, toDocument(next))
  return version === 0 || (yield* removeDocument(tx, { kind: SUBSCRIPTION, name: OF_WEBHOOKS, version }))
}

function* putChange(tx: SqlTransaction, change: RegistryChange): Steps<void> {
  const document = toWebhookDocument('put' in change ? change.put : change.remove)
  const isWritten = 'put' in change ? yield* putDocument(tx, document) : yield* removeDocument(tx, document)
  if (!isWritten) throw new RangeError('A webhook was changed without its checkpoint')
  if ('remove' in change) yield* removeReceiver(tx, webhookReceiver(change.remove.id))
}

function typesOf(webhooks: readonly StoredWebhook[]): readonly string[] {
  const wanted = webhooks.filter(({ disabled }) => disabled === null).flatMap(({ types }) => types)
  return [...new Set(wanted)].sort()
}
