import type { OutboxTransaction, StorageOutbox, StoredDocument } from '../storage/outbox.ts'
import type { MethodsOf } from './calls.ts'
import { checkStatement, type SqlDatabase, type SqlTraits, type SqlTransaction, statement } from './database.ts'
import { DELIVERIES, putDeliveries, REMOVE_RECEIVER } from './deliveries.ts'
import { MESSAGES, putMessages, replaceMessages } from './messages.ts'

type Named = Pick<StoredDocument, 'kind' | 'name'>

// The row of a removed document keeps its version, without a text, so that no version comes twice.
const documents = ({ kysely }: SqlTraits) =>
  kysely
    .selectFrom('documents')
    .select(['kind', 'name', 'text', 'version'])
    .where('text', 'is not', null)
    .$narrowType<{ text: string }>()
const OF_KIND = statement<Pick<Named, 'kind'>, StoredDocument>((traits, bind) =>
  documents(traits).where('kind', '=', bind('kind')).orderBy('name'),
)
const ONE = statement<Named, StoredDocument>((traits, bind) =>
  documents(traits).where('kind', '=', bind('kind')).where('name', '=', bind('name')),
)

// These three return a row if they have written.
const STORED = 'kind = :kind and name = :name and text is not null and version = :version'
const CREATE = statement<StoredDocument, unknown>(
  `insert into laurels.documents as d (kind, name, text, version) values (:kind, :name, :text, 1)
    on conflict (kind, name) do update set text = excluded.text, version = d.version + 1 where d.text is null
    returning version`,
)
const REPLACE = statement<StoredDocument, unknown>(
  `update laurels.documents set text = :text, version = version + 1 where ${STORED} returning version`,
)
const REMOVE = statement<Omit<StoredDocument, 'text'>, unknown>(
  `update laurels.documents set text = null where ${STORED} returning version`,
)

/** The outbox of any SQL database. Locks are taken in one order: users, messages, deliveries. */
export const OUTBOX: MethodsOf<SqlDatabase, StorageOutbox> = {
  ...MESSAGES,
  ...DELIVERIES,
  documents: ({ all }, kind) => all(OF_KIND, { kind }),
  document: async ({ all }, kind, name) => (await all(ONE, { kind, name }))[0] ?? null,
  openTransaction: ({ openTransaction }, work) => openTransaction((tx) => work(toOutboxTransaction(tx))),
}

function toOutboxTransaction(tx: SqlTransaction): OutboxTransaction {
  return {
    host: {
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        checkStatement(text)
        // Only the host knows the type of the rows.
        return { rows: (await tx.ask(text, values)) as readonly Row[] }
      },
    },
    putDocument: async (document) => (await tx.all(document.version === 0 ? CREATE : REPLACE, document)).length === 1,
    removeDocument: async (document) => (await tx.all(REMOVE, document)).length === 1,
    putMessages: (messages) => putMessages(tx, messages),
    replaceMessages: (remove, write) => replaceMessages(tx, remove, write),
    putDeliveries: (deliveries) => putDeliveries(tx, deliveries),
    removeReceiver: async (receiver) => {
      await tx.all(REMOVE_RECEIVER, { receiver })
    },
  }
}
