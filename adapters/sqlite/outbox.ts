import type { StorageOutbox } from '../../src/storage-outbox.ts'
import { type OutboxDatabase, sqlOutbox } from '../sql/outbox.ts'
import type { Transact, Use } from './database.ts'
import { queries } from './queries.ts'

export function outboxes(read: Use, write: Use, transact: Transact): StorageOutbox {
  const inTransaction: OutboxDatabase['transact'] = (work) =>
    transact((begin) => {
      return work({
        all: async (statement, params) => (await begin()).all(statement, params),
        ask: async (text, values) => (await begin()).ask(text, values),
      })
    })
  return sqlOutbox(queries, {
    read: (statement, params) => read((connection) => connection.all(statement, params)),
    write: (statement, params) => write((connection) => connection.all(statement, params)),
    transaction: inTransaction,
    transact: inTransaction,
  })
}
