import type { HandlerTransaction } from '../storage/outbox.ts'
import { type Steps, wait } from '../storage/steps.ts'
import type { Storage } from '../storage/storage.ts'
import type { OpenTransaction, SqlTransaction } from '../storage/transactions.ts'
import { checkStatement, statement } from './database.ts'

/** A small text that several processes write, each on the version that it has read. */
export interface StoredDocument {
  readonly kind: string
  readonly name: string
  readonly text: string
  /** From 1, incremented with each change. It is never used again for a name that was removed in the meantime. */
  readonly version: number
}

// Transactions of the outbox take locks in one order: users, messages, deliveries.

type Named = Pick<StoredDocument, 'kind' | 'name'>

// The row of a removed document keeps its version, without a text, so that no version comes twice.
const DOCUMENTS = 'select kind, name, text, version from laurels.documents where text is not null'
const OF_KIND = statement<Pick<Named, 'kind'>, StoredDocument>(`${DOCUMENTS} and kind = :kind order by name`)
const ONE = statement<Named, StoredDocument>(`${DOCUMENTS} and kind = :kind and name = :name`)

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

/** Documents of one kind, in order of name. */
export function loadDocuments(storage: Storage, kind: string): Promise<readonly StoredDocument[]> {
  return storage.all(OF_KIND, { kind })
}

/** One document, or `null` if there is none. */
export async function loadDocument(storage: Storage, kind: string, name: string): Promise<StoredDocument | null> {
  return (await storage.all(ONE, { kind, name }))[0] ?? null
}

/**
 * Writes a document if its stored version is `document.version` (0 if it does not exist), and gives it the next version.
 * Returns `false`, and writes nothing, if another process was faster. A document written on version 0 gets version 1. If
 * one of its name was removed before, read its version afterwards.
 */
export function* putDocument(tx: SqlTransaction, document: StoredDocument): Steps<boolean> {
  return (yield* wait(tx.all(document.version === 0 ? CREATE : REPLACE, document))).length === 1
}

/** Returns `false` if there is no such document, or it has another version. */
export function* removeDocument(tx: SqlTransaction, document: Omit<StoredDocument, 'text'>): Steps<boolean> {
  return (yield* wait(tx.all(REMOVE, document))).length === 1
}

/** The statements of the host's handler in an open transaction. */
export function toHandlerTransaction({ ask }: Pick<OpenTransaction, 'ask'>): HandlerTransaction {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      checkStatement(text)
      // Only the host knows the type of the rows.
      return { rows: (await ask(text, values)) as readonly Row[] }
    },
  }
}
