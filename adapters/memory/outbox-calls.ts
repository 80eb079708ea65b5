import { GamificationError } from '../../src/errors.ts'
import type { Instant } from '../../src/rules/calendar.ts'
import { compareCodePoints } from '../../src/rules/position.ts'
import type {
  DeliveriesOptions,
  Delivery,
  OutboxTransaction,
  PlacedMessage,
  ReadMessagesOptions,
  StorageOutbox,
  StoredDocument,
  WrittenMessage,
} from '../../src/storage/outbox.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import { transactionOver, withinTime } from '../sql/calls.ts'
import { freeze } from './freeze.ts'
import {
  claimDeliveries,
  documentOf,
  dueDeliveries,
  keyOf,
  newestFirst,
  type Outbox,
  placeOfPosition,
  replayDeliveries,
  settleDelivery,
  writeMessages,
} from './outbox.ts'
import { idOf, type Memory } from './write.ts'

export function outboxes(open: () => Memory): Omit<StorageOutbox, 'openTransaction'> {
  const outbox = (): Outbox => open().outbox
  return {
    placeMessages: async (limit) => place(outbox(), limit),
    newestPosition: async () => outbox().head,
    readMessages: async (options) => read(outbox(), options),
    countMessages: async ({ after, types, most }) => read(outbox(), { after, types, limit: most }).length,
    dueMessages: async (now, limit) => dueMessages(outbox(), now, limit),
    removeMessages: async (upTo, before, limit) => {
      const known = outbox()
      const isOld = ({ position, at }: PlacedMessage): boolean => position <= upTo && at < before
      const old = new Set(known.placed.filter(isOld).slice(0, limit))
      known.placed = known.placed.filter((message) => !old.has(message))
      return old.size
    },
    documents: async (kind) =>
      [...outbox().documents.values()]
        .flatMap(({ document }) => (document?.kind === kind ? [document] : []))
        .sort((a, b) => compareCodePoints(a.name, b.name)),
    document: async (kind, name) => outbox().documents.get(documentOf({ kind, name }))?.document ?? null,
    dueUsers: async (now, limit) => dueUsers(open(), now, limit),
    dueReceivers: async (receivers, { now, leaseNow }) => {
      const due = { now, leaseNow, inOrder: false, limit: 1 }
      return receivers.filter((receiver) => dueDeliveries(outbox().deliveries, receiver, due).length > 0)
    },
    claimDeliveries: async (receiver, options) => claimDeliveries(outbox().deliveries, receiver, options),
    settleDeliveries: async (settled) => {
      for (const each of settled) settleDelivery(outbox().deliveries, each)
    },
    replayDeliveries: async (receiver, positions, now) =>
      replayDeliveries(outbox().deliveries, receiver, positions, now),
    deliveries: async (options) => listDeliveries(outbox(), options),
    countDeliveries: async (receiver) => {
      const counts = { waiting: 0, done: 0, dead: 0 }
      for (const each of newestFirst(outbox().deliveries, receiver)) counts[each.state] += 1
      return counts
    },
    removeDeliveries: async (before, limit) => {
      const { all } = outbox().deliveries
      const isOld = ({ state, at, nextAt }: Delivery): boolean =>
        state !== 'waiting' && at < before && (nextAt ?? at) < before
      const old = [...all].filter(([, delivery]) => isOld(delivery)).slice(0, limit)
      for (const [key] of old) all.delete(key)
      return old.length
    },
  }
}

function place(outbox: Outbox, limit: number): number {
  const next = [...outbox.waiting.values()].filter(({ due }) => due === null).slice(0, limit)
  for (const message of next) {
    outbox.head += 1
    outbox.waiting.delete(message.number)
    outbox.placed.push(freeze({ ...message, position: outbox.head }))
  }
  return next.length
}

function read(outbox: Outbox, { after, types, limit }: ReadMessagesOptions): PlacedMessage[] {
  const { placed } = outbox
  const found: PlacedMessage[] = []
  for (let place = placeOfPosition(outbox, after + 1); place < placed.length && found.length < limit; place += 1) {
    const message = placed[place]
    if (message !== undefined && (types === undefined || types.includes(message.type))) found.push(message)
  }
  return found
}

function dueMessages({ waiting }: Outbox, now: Instant, limit: number): WrittenMessage[] {
  return [...waiting.values()]
    .filter(({ due }) => due !== null && due <= now)
    .sort((a, b) => (a.due ?? 0) - (b.due ?? 0) || compareCodePoints(a.id, b.id) || a.number - b.number)
    .slice(0, limit)
}

function dueUsers({ users }: Memory, now: Instant, limit: number): UserKey[] {
  return [...users.values()]
    .flatMap(({ key, notices }) => (notices?.due != null && notices.due <= now ? [{ ...key, due: notices.due }] : []))
    .sort((a, b) => a.due - b.due || compareCodePoints(a.tenant, b.tenant) || compareCodePoints(a.user, b.user))
    .slice(0, limit)
    .map(({ tenant, user }) => ({ tenant, user }))
}

function listDeliveries(
  { deliveries }: Outbox,
  { receiver, state, before = Number.POSITIVE_INFINITY, limit }: DeliveriesOptions,
): readonly Delivery[] {
  return newestFirst(deliveries, receiver)
    .filter((each) => each.position < before && (state === undefined || each.state === state))
    .slice(0, limit)
}

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
type DocumentVersion = Pick<StoredDocument, 'kind' | 'name' | 'version'>

interface Begun {
  readonly tx: OutboxTransaction
  end(how: 'commit' | 'rollback'): Promise<void>
}

function begin(open: () => Memory, takeTurn: () => Promise<() => void>): Begun {
  const writes: Write[] = []
  // Only transactions write documents, one after the other, so a copy stays true.
  let documents: Outbox['documents'] | null = null
  let turn: Promise<() => void> | null = null
  let isOver = false

  const entered = async (): Promise<Outbox['documents']> => {
    if (isOver) throw transactionOver()
    turn ??= takeTurn()
    await turn
    if (isOver) throw transactionOver()
    documents ??= new Map(open().outbox.documents)
    return documents
  }
  /** Changes a document where its version is still the given one, 0 for none. */
  const change = async ({ kind, name, version }: DocumentVersion, text: string | null): Promise<boolean> => {
    const known = await entered()
    const id = documentOf({ kind, name })
    const stored = known.get(id)
    if (version !== (stored?.document?.version ?? 0)) return false
    const next = text === null ? version : (stored?.version ?? 0) + 1
    known.set(id, { document: text === null ? null : freeze({ kind, name, text, version: next }), version: next })
    return true
  }

  const tx: OutboxTransaction = {
    host: {
      query: async () => {
        const message = 'memory() has no tables, and so no statements: use sqlite() or postgres().'
        throw new GamificationError('storage_unusable', message)
      },
    },
    putDocument: (document) => change(document, document.text),
    removeDocument: async (document) => document.version !== 0 && change(document, null),
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
    replaceMessages: async (remove, write) => {
      await entered()
      const { users, outbox } = open()
      const isThere = remove.every(({ number }) => outbox.waiting.has(number))
      const areKnown = write.every(({ tenant, user }) => user === null || users.has(idOf({ tenant, user })))
      if (!isThere || !areKnown) return false
      const copies = freeze(structuredClone(write))
      writes.push((memory) => {
        for (const { number } of remove) memory.outbox.waiting.delete(number)
        writeMessages(memory.outbox, copies)
      })
      return true
    },
    putDeliveries: async (all) => {
      await entered()
      const copies = freeze(structuredClone(all))
      writes.push(({ outbox }) => {
        const isPlaced = (position: number): boolean =>
          outbox.placed[placeOfPosition(outbox, position)]?.position === position
        for (const each of copies) {
          const { all: known } = outbox.deliveries
          if (known.has(keyOf(each)) || isPlaced(each.position)) known.set(keyOf(each), each)
        }
      })
    },
    removeReceiver: async (receiver) => {
      await entered()
      writes.push(({ outbox: { deliveries } }) => {
        for (const each of newestFirst(deliveries, receiver)) deliveries.all.delete(keyOf(each))
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
      try {
        if (how === 'rollback' || documents === null) return
        const memory = open()
        memory.outbox.documents = documents
        for (const write of writes) write(memory)
      } finally {
        leave()
      }
    },
  }
}
