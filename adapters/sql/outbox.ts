import type {
  Delivery,
  HandlerTransaction,
  OutboxTransaction,
  OwnedMessage,
  StorageOutbox,
} from '../../src/storage/outbox.ts'
import { checkStatement, compiler, type SqlDatabase, type SqlTraits, type SqlTransaction } from './database.ts'
import {
  type DeliveryQueries,
  deliveryQueries,
  toClaim,
  toClaimed,
  toCounts,
  toDelivery,
  toDeliveryRow,
  toReceiverPage,
  toSettledRow,
} from './deliveries.ts'
import { fromMessageRow, type MessageQueries, type NewMessageRow, toMessageRows, toPlaced } from './messages.ts'
import type { DocumentsTable } from './tables.ts'
import { toUserKey } from './user-rows.ts'

type DocumentRow = DocumentsTable & { readonly text: string }
type Named = Pick<DocumentsTable, 'kind' | 'name'>

/** The row of a removed document keeps its version, without a text, so that no version comes twice. */
function documentQueries(traits: SqlTraits) {
  const { kysely } = traits
  const sql = compiler(traits)
  const documents = kysely
    .selectFrom('documents')
    .select(['kind', 'name', 'text', 'version'])
    .where('text', 'is not', null)
    .$narrowType<{ text: string }>()
  const isNamed = 'kind = :kind and name = :name and text is not null'
  return {
    ofKind: sql<Pick<DocumentsTable, 'kind'>, DocumentRow>((bind) =>
      documents.where('kind', '=', bind('kind')).orderBy('name'),
    ),
    one: sql<Named, DocumentRow>((bind) => documents.where('kind', '=', bind('kind')).where('name', '=', bind('name'))),
    /** These three return a row if they have written. */
    create: sql<Omit<DocumentRow, 'version'>, unknown>(
      `insert into laurels.documents as d (kind, name, text, version) values (:kind, :name, :text, 1)
        on conflict (kind, name) do update set text = excluded.text, version = d.version + 1 where d.text is null
        returning version`,
    ),
    replace: sql<DocumentRow, unknown>(
      `update laurels.documents set text = :text, version = version + 1
        where ${isNamed} and version = :version returning version`,
    ),
    remove: sql<Omit<DocumentsTable, 'text'>, unknown>(
      `update laurels.documents set text = null where ${isNamed} and version = :version returning version`,
    ),
  }
}

/** The outbox of any SQL database. Locks are taken in one order: users, messages, deliveries. */
export function sqlOutbox(traits: SqlTraits): (messages: MessageQueries, database: SqlDatabase) => StorageOutbox {
  const [deliveries, documents] = [deliveryQueries(traits), documentQueries(traits)]
  return (messages, database) => outboxOf({ messages, deliveries, documents }, database)
}

interface OutboxQueries {
  readonly messages: MessageQueries
  readonly deliveries: DeliveryQueries
  readonly documents: ReturnType<typeof documentQueries>
}

function outboxOf(
  { messages, deliveries, documents }: OutboxQueries,
  { all, change, transaction, openTransaction }: SqlDatabase,
): StorageOutbox {
  /** Locks the users of new messages. Messages about users who are not there are left out. */
  async function withUsers(tx: SqlTransaction, all: readonly OwnedMessage[]): Promise<readonly NewMessageRow[]> {
    const rows = toMessageRows(all)
    const owned = rows.filter(({ user_id }) => user_id !== '')
    if (owned.length === 0) return rows
    const there = new Set((await tx.all(messages.lockUsers, { rows: JSON.stringify(owned) })).map(userOf))
    return rows.filter((row) => row.user_id === '' || there.has(userOf(row)))
  }

  async function insert(tx: SqlTransaction, rows: readonly NewMessageRow[]): Promise<void> {
    if (rows.length > 0) await tx.all(messages.insert, { rows: JSON.stringify(rows) })
  }

  async function putDeliveries(tx: SqlTransaction, all: readonly Delivery[]): Promise<void> {
    if (all.length === 0) return
    const rows = all.map(toDeliveryRow)
    const given = JSON.stringify(rows)
    // A removal of their user or tenant waits for the messages, and then removes these deliveries too.
    const placed = new Set((await tx.all(deliveries.lockMessages, { rows: given })).map(({ position }) => position))
    // One whose message is not there any more goes on, but does not come again where it was removed meanwhile.
    const known = new Set((await tx.all(deliveries.lock, { rows: given })).map(deliveryOf))
    const put = rows.filter((row) => placed.has(row.position) || known.has(deliveryOf(row)))
    if (put.length > 0) await tx.all(deliveries.put, { rows: JSON.stringify(put) })
  }

  const toTransaction = (tx: SqlTransaction): OutboxTransaction => ({
    host: toHandlerTransaction(tx),
    putDocument: async (document) => {
      const statement = document.version === 0 ? documents.create : documents.replace
      return (await tx.all(statement, document)).length === 1
    },
    removeDocument: async (document) => (await tx.all(documents.remove, document)).length === 1,
    putMessages: async (all) => insert(tx, await withUsers(tx, all)),
    replaceMessages: async (remove, put) => {
      const rows = JSON.stringify(remove.map(({ id, number }) => ({ message_id: id, number })))
      const written = await withUsers(tx, put)
      if (written.length < put.length) return false
      if ((await tx.all(messages.lock, { rows })).length < remove.length) return false
      await tx.all(messages.remove, { rows })
      await insert(tx, written)
      return true
    },
    putDeliveries: (all) => putDeliveries(tx, all),
    removeReceiver: async (receiver) => {
      await tx.all(deliveries.removeReceiver, { receiver })
    },
  })

  return {
    placeMessages: async (limit) => {
      // A read first: without a message to place, no call waits for the head.
      if ((await all(messages.unplaced, {})).length === 0) return 0
      return transaction(async (tx) => {
        await tx.all(messages.lockHead, {})
        // A statement of its own, which sees all that was committed before the head was locked.
        const { length } = await tx.all(messages.place, { limit })
        if (length > 0) await tx.all(messages.advanceHead, { by: length })
        return length
      })
    },
    newestPosition: async () => (await all(messages.newest, {}))[0]?.position ?? 0,
    readMessages: async ({ after, types, limit }) => {
      const rows =
        types === undefined
          ? await all(messages.read, { after, limit })
          : await all(messages.ofTypes, { after, limit, types: JSON.stringify(types) })
      return rows.map(toPlaced)
    },
    countMessages: async ({ after, types, most }) => {
      const [found] = await all(messages.count, { after, types: JSON.stringify(types), limit: most })
      return found?.count ?? 0
    },
    dueMessages: async (now, limit) => (await all(messages.due, { now, limit })).map(fromMessageRow),
    removeMessages: async (upTo, before, limit) =>
      (await change(messages.removeOld, { up_to: upTo, before, limit })).length,
    documents: (kind) => all(documents.ofKind, { kind }),
    document: async (kind, name) => (await all(documents.one, { kind, name }))[0] ?? null,
    dueUsers: async (now, limit) => (await all(messages.dueUsers, { now, limit })).map(toUserKey),
    dueReceivers: async (receivers, { now, leaseNow }) => {
      const asked = JSON.stringify(receivers.map((receiver) => ({ receiver })))
      const due = await all(deliveries.dueReceivers, { receivers: asked, now, lease_now: leaseNow })
      return due.map(({ receiver }) => receiver)
    },
    claimDeliveries: async (receiver, options) => toClaimed(await change(deliveries.claim, toClaim(receiver, options))),
    settleDeliveries: async (settled) => {
      const rows = JSON.stringify(settled.map(toSettledRow))
      if (settled.length > 0) await change(deliveries.settle, { rows })
    },
    replayDeliveries: async (receiver, positions, now) => {
      const rows = JSON.stringify(positions.map((position) => ({ position })))
      return (await change(deliveries.replay, { receiver, rows, now })).length
    },
    deliveries: async (options) => {
      const { state } = options
      const asked = toReceiverPage(options)
      const rows =
        state === undefined
          ? await all(deliveries.ofReceiver, asked)
          : await all(deliveries.ofState, { ...asked, state })
      return rows.map(toDelivery)
    },
    countDeliveries: async (receiver) => toCounts(await all(deliveries.count, { receiver })),
    removeDeliveries: async (before, limit) => (await change(deliveries.removeOld, { before, limit })).length,
    openTransaction: (work) => openTransaction((tx) => work(toTransaction(tx))),
  }
}

function userOf({ tenant_id, user_id }: { readonly tenant_id: string; readonly user_id: string }): string {
  return JSON.stringify([tenant_id, user_id])
}

function deliveryOf({ receiver, position }: { readonly receiver: string; readonly position: number }): string {
  return JSON.stringify([receiver, position])
}

function toHandlerTransaction(tx: SqlTransaction): HandlerTransaction {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      checkStatement(text)
      // Only the host knows the type of the rows.
      return { rows: (await tx.ask(text, values)) as readonly Row[] }
    },
  }
}
