import { z } from 'zod'
import { GamificationError } from '../../errors.ts'
import type { OutboxTransaction, StoredDocument } from '../../storage/outbox.ts'
import { placeAll } from '../messages.ts'
import { OF_WEBHOOKS, SUBSCRIPTION } from '../stored-subscription.ts'
import type { WebhooksContext } from './context.ts'
import { readWebhook, receiverOf, type StoredWebhook, toDocument, WEBHOOK } from './stored-webhook.ts'

/** How far messages have become deliveries: a subscription among the others, so that nothing is removed before. */
const CHECKPOINT: Pick<StoredDocument, 'kind' | 'name'> = { kind: SUBSCRIPTION, name: OF_WEBHOOKS }

export interface Checkpoint {
  /** Those that any webhook wants. */
  readonly types: readonly string[]
  readonly position: number
  /** Of the document; 0: there is none, because there is no webhook. */
  readonly version: number
}

const schema = z.looseObject({ types: z.array(z.string()), position: z.number() })

function readCheckpoint(document: StoredDocument | null): Checkpoint | null {
  if (document === null) return null
  const parsed = schema.safeParse(JSON.parse(document.text))
  if (!parsed.success) throw new GamificationError('internal', 'The checkpoint of the webhooks is broken.')
  const { types, position } = parsed.data
  return { types, position, version: document.version }
}

export function toCheckpointDocument({ types, position, version }: Checkpoint): StoredDocument {
  const text = JSON.stringify({ types, position, owner: null, until: null, tries: 0, nextAt: null, lastError: null })
  return { ...CHECKPOINT, text, version }
}

/** Which webhooks there are, the oldest first. */
export interface Registry {
  list(): Promise<readonly StoredWebhook[]>
  read(): Promise<Registered>
  /** The newest position that any message has, those that are stored now included. */
  head(): Promise<number>
  /**
   * Writes what `change` makes of the webhooks, together with the types that they want. Asked again where another
   * process was faster; what it throws is thrown. null: nothing is to be written.
   */
  change<T>(change: (webhooks: readonly StoredWebhook[]) => RegistryChange<T> | null): Promise<T | null>
}

/** The checkpoint, and the webhooks as they were after it was read: a change of one writes the other too. */
export interface Registered {
  /** null: there is no webhook. */
  readonly checkpoint: Checkpoint | null
  readonly webhooks: readonly StoredWebhook[]
}

export interface RegistryChange<T> {
  readonly put?: StoredWebhook
  /** With everything that was on its way to it. */
  readonly remove?: StoredWebhook
  readonly result: T
}

const MOST_TRIES = 50

export function createRegistry({ storage }: Pick<WebhooksContext, 'storage'>): Registry {
  const list = async (): Promise<readonly StoredWebhook[]> => {
    const webhooks = (await storage.documents(WEBHOOK)).map(readWebhook)
    return webhooks.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }
  const read = async (): Promise<Registered> => {
    const checkpoint = readCheckpoint(await storage.document(CHECKPOINT.kind, CHECKPOINT.name))
    return { checkpoint, webhooks: checkpoint === null ? [] : await list() }
  }

  const head = (): Promise<number> => placeAll(storage)

  /** The checkpoint is written with every change, so that of two changes at one time one is made again. */
  async function write(tx: OutboxTransaction, stored: Checkpoint | null, next: Checkpoint | null): Promise<boolean> {
    if (next !== null) return tx.putDocument(toCheckpointDocument(next))
    return stored === null || tx.removeDocument({ ...CHECKPOINT, version: stored.version })
  }

  async function change<T>(make: (webhooks: readonly StoredWebhook[]) => RegistryChange<T> | null): Promise<T | null> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { checkpoint: stored, webhooks } = await read()
      const made = make(webhooks)
      if (made === null) return null
      const { put, remove, result } = made
      const others = webhooks.filter(({ id }) => id !== put?.id && id !== remove?.id)
      const after = put === undefined ? others : [...others, put]
      const position = stored?.position ?? (await head())
      const next = after.length === 0 ? null : { types: typesOf(after), position, version: stored?.version ?? 0 }
      const isWritten = await attempt(async (tx) => {
        if (!(await write(tx, stored, next))) return false
        if (put !== undefined && !(await tx.putDocument(toDocument(put)))) throw new Conflict()
        if (remove === undefined) return true
        if (!(await tx.removeDocument({ kind: WEBHOOK, name: remove.id, version: remove.version })))
          throw new Conflict()
        await tx.removeReceiver(receiverOf(remove.id))
        return true
      })
      if (isWritten) return result
    }
    throw new GamificationError(
      'unavailable',
      'Webhooks are changed by others all the time. Nothing was stored; try again.',
    )
  }

  async function attempt(work: (tx: OutboxTransaction) => Promise<boolean>): Promise<boolean> {
    try {
      return await storage.openTransaction(work)
    } catch (error) {
      if (error instanceof Conflict) return false
      throw error
    }
  }

  return { list, read, head, change }
}

/** Undoes the transaction in which somebody else turns out to have been faster. */
class Conflict extends Error {}

function typesOf(webhooks: readonly StoredWebhook[]): readonly string[] {
  const wanted = webhooks.filter(({ disabled }) => disabled === null).flatMap(({ types }) => types)
  return [...new Set(wanted)].sort()
}
