import { CHUNK_BYTES } from '../../src/storage/storage.ts'
import type { LogTexts, SqlDatabase, Statement } from '../sql/database.ts'
import type { Connection } from './connection.ts'
import type { DatabaseHandle } from './database.ts'

export function toSqlDatabase({ readOne, write, openTransaction }: DatabaseHandle): SqlDatabase {
  const all: SqlDatabase['all'] = (statement, params) => readOne((connection) => connection.all(statement, params))
  const change: SqlDatabase['change'] = (statement, params) => write((connection) => connection.all(statement, params))
  const transaction: SqlDatabase['openTransaction'] = (work) =>
    openTransaction((begin) =>
      work({
        all: async (statement, params) => (await begin()).all(statement, params),
        ask: async (text, values) => (await begin()).ask(text, values),
      }),
    )
  return {
    all,
    // SQLite reads in the order of an index, and has one writer at a time.
    page: all,
    chunk: (statement, params) => readOne((connection) => chunk(connection, statement, params)),
    change,
    once: change,
    locked: (_, statement, params) => change(statement, params),
    transaction,
    openTransaction: transaction,
  }
}

/** The lines up to the one that brings their texts to `CHUNK_BYTES`. */
export function chunk<Params, Row extends LogTexts>(
  connection: Connection,
  statement: Statement<Params, Row>,
  params: Params,
): readonly Row[] {
  let size = 0
  return connection.until(statement, params, ({ profile, data }) => {
    size += (profile?.length ?? 0) + (data?.length ?? 0)
    return size >= CHUNK_BYTES
  })
}
