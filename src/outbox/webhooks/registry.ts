import { GamificationError } from '../../errors.ts'
import type { OutboxTransaction } from '../../storage-outbox.ts'
import { placeAll } from '../positions.ts'
import type { WebhooksContext } from './context.ts'
import { CHECKPOINT, type Checkpoint, readCheckpoint, toCheckpointDocument } from './stored-checkpoint.ts'
import { readWebhook, receiverOf, type StoredWebhook, toDocument, WEBHOOK } from './stored-webhook.ts'

/** Which webhooks there are, the oldest first. */
export interface Registry {
  list(): Promise<readonly StoredWebhook[]>
  checkpoint(): Promise<Checkpoint | null>
  /** The newest position that any message has, those that are stored now included. */
  head(): Promise<number>
  /**
   * Writes what `change` makes of the webhooks, together with the types that they want. Asked again where another
   * process was faster; what it throws is thrown. null: nothing is to be written.
   */
  change<T>(change: (webhooks: readonly StoredWebhook[]) => RegistryChange<T> | null): Promise<T | null>
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
  const checkpoint = async (): Promise<Checkpoint | null> =>
    readCheckpoint(await storage.document(CHECKPOINT.kind, CHECKPOINT.name))

  const head = (): Promise<number> => placeAll(storage)

  /** The checkpoint is written with every change, so that of two changes at one time one is made again. */
  async function write(tx: OutboxTransaction, stored: Checkpoint | null, next: Checkpoint | null): Promise<boolean> {
    if (next !== null) return tx.putDocument(toCheckpointDocument(next))
    return stored === null || tx.removeDocument({ ...CHECKPOINT, version: stored.version })
  }

  async function change<T>(make: (webhooks: readonly StoredWebhook[]) => RegistryChange<T> | null): Promise<T | null> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const stored = await checkpoint()
      const webhooks = await list()
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
      return await storage.transact(work)
    } catch (error) {
      if (error instanceof Conflict) return false
      throw error
    }
  }

  return { list, checkpoint, head, change }
}

/** Undoes the transaction in which somebody else turns out to have been faster. */
class Conflict extends Error {}

function typesOf(webhooks: readonly StoredWebhook[]): readonly string[] {
  const wanted = webhooks.filter(({ disabled }) => disabled === null).flatMap(({ types }) => types)
  return [...new Set(wanted)].sort()
}
