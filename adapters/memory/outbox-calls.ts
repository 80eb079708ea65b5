import { GamificationError } from '../../src/errors.ts'
import { compareCodePoints } from '../../src/rules/position.ts'
import { bound, inOpenTransaction, type MethodsOf, type Open, openSession } from '../../src/sql/calls.ts'
import type {
  Delivery,
  HandlerTransaction,
  OutboxTransaction,
  OwnedMessage,
  PlacedMessage,
  ReadMessagesOptions,
  StorageOutbox,
  StoredDocument,
} from '../../src/storage/outbox.ts'
import { createTurns } from '../../src/storage/turns.ts'
import { freeze } from './freeze.ts'
import { documentOf, dueDeliveries, indexOfPosition, keyOf, newestFirst, type Outbox, writeMessages } from './outbox.ts'
import { compareUsers } from './read.ts'
import { idOf, type Memory } from './write.ts'

export const MEMORY_OUTBOX: MethodsOf<Memory, Omit<StorageOutbox, 'openTransaction'>> = {
  assignPositions: ({ outbox }, limit) => {
    const next = [...outbox.waiting.values()].filter(({ due }) => due === null).slice(0, limit)
    for (const message of next) {
      outbox.head += 1
      outbox.waiting.delete(message.number)
      outbox.placed.push(freeze({ ...message, position: outbox.head }))
    }
    return next.length
  },
  newestPosition: ({ outbox }) => outbox.head,
  readMessages: ({ outbox }, options) => read(outbox, options),
  countMessages: ({ outbox }, { after, types, most }) => read(outbox, { after, types, limit: most }).length,
  dueMessages: ({ outbox }, now, limit) =>
    [...outbox.waiting.values()]
      .filter(({ due }) => due !== null && due <= now)
      .sort((a, b) => (a.due ?? 0) - (b.due ?? 0) || compareCodePoints(a.id, b.id) || a.number - b.number)
      .slice(0, limit),
  removeMessages: ({ outbox }, upTo, before, limit) => {
    const isOld = ({ position, at }: PlacedMessage): boolean => position <= upTo && at < before
    const old = new Set(outbox.placed.filter(isOld).slice(0, limit))
    outbox.placed = outbox.placed.filter((message) => !old.has(message))
    return old.size
  },
  documents: ({ outbox }, kind) =>
    [...outbox.documents.values()]
      .flatMap(({ document }) => (document?.kind === kind ? [document] : []))
      .sort((a, b) => compareCodePoints(a.name, b.name)),
  document: ({ outbox }, kind, name) => outbox.documents.get(documentOf({ kind, name }))?.document ?? null,
  dueUsers: ({ users }, now, limit) =>
    [...users.values()]
      .flatMap(({ key, notices }) => (notices?.due != null && notices.due <= now ? [{ ...key, due: notices.due }] : []))
      .sort((a, b) => a.due - b.due || compareUsers(a, b))
      .slice(0, limit)
      .map(({ tenant, user }) => ({ tenant, user })),
  nextDue: ({ users, outbox }) => {
    const due = [
      ...[...users.values()].map(({ notices }) => notices?.due ?? null),
      ...[...outbox.waiting.values()].map((message) => message.due ?? message.at),
      ...[...outbox.deliveries.all.values()].map(({ state, nextAt }) => (state === 'waiting' ? nextAt : null)),
    ].filter((at) => at !== null)
    return due.length === 0 ? null : Math.min(...due)
  },
  dueReceivers: ({ outbox: { deliveries } }, receivers, { now, leaseNow }) => {
    const due = { now, leaseNow, inOrder: false, limit: 1 }
    return receivers.filter((receiver) => dueDeliveries(deliveries, receiver, due).length > 0)
  },
  claimDeliveries: ({ outbox: { deliveries } }, receiver, options) => {
    const { claim, until } = options
    const claimed = dueDeliveries(deliveries, receiver, options)
    for (const each of claimed) deliveries.claims.set(each, { claim, until })
    return claimed
  },
  saveAttempts: ({ outbox: { deliveries } }, attempted) => {
    const { all, claims } = deliveries
    for (const { state, attempts, nextAt, log, claim, ...key } of attempted) {
      const stored = all.get(keyOf(key))
      if (stored === undefined || claims.get(stored)?.claim !== claim) continue
      all.set(keyOf(key), freeze({ ...stored, state, attempts, nextAt, log }))
    }
  },
  replayDeliveries: ({ outbox }, receiver, positions, now) => {
    const { all } = outbox.deliveries
    const again = positions
      .flatMap((position) => all.get(keyOf({ receiver, position })) ?? [])
      .filter(({ state }) => state !== 'waiting')
    for (const each of again) all.set(keyOf(each), freeze({ ...each, state: 'waiting', attempts: 0, nextAt: now }))
    return again.length
  },
  deliveries: ({ outbox }, { receiver, state, before = Number.POSITIVE_INFINITY, limit }) =>
    newestFirst(outbox.deliveries, receiver)
      .filter((each) => each.position < before && (state === undefined || each.state === state))
      .slice(0, limit),
  countDeliveries: ({ outbox }, receiver) => {
    const counts = { waiting: 0, done: 0, dead: 0 }
    for (const each of newestFirst(outbox.deliveries, receiver)) counts[each.state] += 1
    return counts
  },
  removeDeliveries: ({ outbox }, before, limit) => {
    const { all } = outbox.deliveries
    const isOld = ({ state, at, nextAt }: Delivery): boolean =>
      state !== 'waiting' && at < before && (nextAt ?? at) < before
    const old = [...all].filter(([, delivery]) => isOld(delivery)).slice(0, limit)
    for (const [key] of old) all.delete(key)
    return old.length
  },
}

function read(outbox: Outbox, { after, types, limit }: ReadMessagesOptions): PlacedMessage[] {
  return outbox.placed
    .slice(indexOfPosition(outbox, after + 1))
    .filter(({ type }) => types === undefined || types.includes(type))
    .slice(0, limit)
}

/** An open transaction. Its writes are kept aside until its work is done. */
interface Writing {
  readonly memory: Memory
  /** Only transactions write documents, one after the other, so a copy stays true. */
  readonly documents: Outbox['documents']
  readonly writes: ((memory: Memory) => void)[]
}

/** Transactions run one after the other, each from its first call on. */
export function createOpenTransactions(
  open: () => Memory,
): <T>(work: (tx: OutboxTransaction) => Promise<T>, deadline?: number) => Promise<T> {
  const turns = createTurns(
    1,
    () => new GamificationError('unavailable', 'Other transactions were open until the deadline.'),
  )

  const begin = (deadline: number): Promise<Open<Writing>> =>
    openSession((use) =>
      turns.take(async () => {
        const writing: Writing = { memory: open(), documents: new Map(open().outbox.documents), writes: [] }
        if ((await use(writing)) === 'rollback') return
        const memory = open()
        memory.outbox.documents = writing.documents
        for (const write of writing.writes) write(memory)
      }, deadline),
    )

  return async (work, deadline = Number.POSITIVE_INFINITY) => {
    open()
    return inOpenTransaction(
      () => begin(deadline),
      (enter) => work({ host: NO_STATEMENTS, ...bound(enter, TRANSACTION) }),
      deadline,
    )
  }
}

const NO_STATEMENTS: HandlerTransaction = {
  query: async () => {
    const message = 'memory() has no tables, and so no statements: use sqlite() or postgres().'
    throw new GamificationError('storage_unusable', message)
  },
}

const TRANSACTION: MethodsOf<Writing, Omit<OutboxTransaction, 'host'>> = {
  putDocument: ({ documents }, document) => changeDocument(documents, document, document.text),
  removeDocument: ({ documents }, document) => document.version !== 0 && changeDocument(documents, document, null),
  putMessages: ({ writes }, messages) => {
    const copies = freeze(structuredClone(messages))
    writes.push((memory) => {
      const known = copies.filter((message) => isOfKnown(memory, message))
      writeMessages(memory.outbox, known)
    })
  },
  replaceMessages: ({ memory, writes }, remove, write) => {
    const isThere = remove.every(({ number }) => memory.outbox.waiting.has(number))
    if (!isThere || !write.every((message) => isOfKnown(memory, message))) return false
    const copies = freeze(structuredClone(write))
    writes.push(({ outbox }) => {
      for (const { number } of remove) outbox.waiting.delete(number)
      writeMessages(outbox, copies)
    })
    return true
  },
  putDeliveries: ({ writes }, deliveries) => {
    const copies = freeze(structuredClone(deliveries))
    writes.push(({ outbox }) => {
      const { all } = outbox.deliveries
      const isPlaced = (position: number): boolean =>
        outbox.placed[indexOfPosition(outbox, position)]?.position === position
      for (const each of copies) if (all.has(keyOf(each)) || isPlaced(each.position)) all.set(keyOf(each), each)
    })
  },
  removeReceiver: ({ writes }, receiver) => {
    writes.push(({ outbox: { deliveries } }) => {
      for (const each of newestFirst(deliveries, receiver)) deliveries.all.delete(keyOf(each))
    })
  },
}

/** Returns whether a message is about no user, or about one who is there. */
function isOfKnown({ users }: Memory, { tenant, user }: OwnedMessage): boolean {
  return user === null || users.has(idOf({ tenant, user }))
}

/** Changes a document if its version is still the given one, 0 for a new document. */
function changeDocument(
  documents: Outbox['documents'],
  { kind, name, version }: Pick<StoredDocument, 'kind' | 'name' | 'version'>,
  text: string | null,
): boolean {
  const id = documentOf({ kind, name })
  const stored = documents.get(id)
  if (version !== (stored?.document?.version ?? 0)) return false
  const next = text === null ? version : (stored?.version ?? 0) + 1
  documents.set(id, { document: text === null ? null : freeze({ kind, name, text, version: next }), version: next })
  return true
}
