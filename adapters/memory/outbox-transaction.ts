import { GamificationError } from '../../src/errors.ts'
import type { OutboxTransaction, StoredDocument } from '../../src/storage-outbox.ts'
import { withinTime } from '../sql/within-time.ts'
import { findDelivery, newestFirst, putDelivery, removeDelivery } from './deliveries.ts'
import { freeze } from './freeze.ts'
import { documentOf, placeOfPosition, writeMessages } from './outbox.ts'
import { idOf, type Memory } from './write.ts'

/**
 * Transactions run one after the other, each from its first call on. The writes of a transaction are kept aside until
 * its `work` is done.
 */
export function createTransactions(
  open: () => Memory,
): <T>(work: (tx: OutboxTransaction) => Promise<T>, deadline?: number) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()

  const takeTurn = async (): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = last
    last = promise
    await before
    return resolve
  }

  return async (work, deadline = Number.POSITIVE_INFINITY) => {
    open()
    const { tx, end } = begin(open, takeTurn)
    try {
      const result = await withinTime(() => work(tx), deadline)
      await end('commit')
      return result
    } catch (error) {
      // A transaction that still waits for its turn will get it, and pass it on at once.
      void end('rollback')
      throw error
    }
  }
}

type Write = (memory: Memory) => void

interface Begun {
  readonly tx: OutboxTransaction
  end(how: 'commit' | 'rollback'): Promise<void>
}

function begin(open: () => Memory, takeTurn: () => Promise<() => void>): Begun {
  const writes: Write[] = []
  const versions = new Map<string, Known>()
  let turn: Promise<() => void> | null = null
  let isOver = false

  const entered = async (): Promise<void> => {
    if (!isOver) turn ??= takeTurn()
    await turn
    if (isOver) throw new GamificationError('storage_unusable', 'The transaction is over.')
  }
  const known = (id: string): Known => {
    const stored = open().outbox.documents.get(id)
    return versions.get(id) ?? { isThere: stored?.document != null, version: stored?.version ?? 0 }
  }
  const isStill = (document: Pick<StoredDocument, 'kind' | 'name' | 'version'>): boolean => {
    const { isThere, version } = known(documentOf(document))
    return document.version === (isThere ? version : 0)
  }

  const tx: OutboxTransaction = {
    host: {
      query: async () => {
        const message = 'memory() has no tables, and so no statements: use sqlite() or postgres().'
        throw new GamificationError('storage_unusable', message)
      },
    },
    putDocument: async ({ kind, name, text, version }) => {
      await entered()
      if (!isStill({ kind, name, version })) return false
      const id = documentOf({ kind, name })
      const next = known(id).version + 1
      const document = freeze({ kind, name, text, version: next })
      writes.push(({ outbox }) => outbox.documents.set(id, { document, version: next }))
      versions.set(id, { isThere: true, version: next })
      return true
    },
    removeDocument: async (document) => {
      await entered()
      if (document.version === 0 || !isStill(document)) return false
      const [id, { version }] = [documentOf(document), document]
      writes.push(({ outbox }) => outbox.documents.set(id, { document: null, version }))
      versions.set(id, { isThere: false, version })
      return true
    },
    putMessages: async (messages) => {
      await entered()
      const copies = freeze(structuredClone(messages))
      writes.push(({ outbox, users }) => {
        const isThere = (tenant: string, user: string): boolean => users.has(idOf({ tenant, user }))
        writeMessages(
          outbox,
          copies.filter(({ tenant, user }) => user === null || isThere(tenant, user)),
        )
      })
    },
    putDeliveries: async (all) => {
      await entered()
      const copies = freeze(structuredClone(all))
      writes.push(({ outbox }) => {
        const isPlaced = (position: number): boolean =>
          outbox.placed[placeOfPosition(outbox, position)]?.position === position
        for (const each of copies) {
          if (findDelivery(outbox.deliveries, each) !== null || isPlaced(each.position))
            putDelivery(outbox.deliveries, each)
        }
      })
    },
    removeReceiver: async (receiver) => {
      await entered()
      writes.push(({ outbox: { deliveries } }) => {
        for (const each of [...newestFirst(deliveries, receiver, Number.POSITIVE_INFINITY)])
          removeDelivery(deliveries, each)
      })
    },
  }
  return {
    tx,
    end: async (how) => {
      if (isOver) return
      isOver = true
      const leave = await turn
      if (leave === null) return
      if (how === 'commit') for (const write of writes) write(open())
      leave()
    },
  }
}

interface Known {
  readonly isThere: boolean
  readonly version: number
}
