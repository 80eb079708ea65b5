// The engine imports every query.
import '../../src/index.ts'
import { compiler, type SqlTraits, STATEMENTS } from '../../src/sql/database.ts'
import type { Storage } from '../../src/storage/storage.ts'

/** A statement's text, with the values of its parameters. */
export type Sent = readonly [text: string, values: unknown[]]

/** The first statement that a query sends. */
export async function statementOf(traits: SqlTraits, query: (storage: Storage) => unknown): Promise<Sent> {
  const compile = compiler(traits)
  const sent: Sent[] = []
  const send: Storage['all'] = async (statement, params) => {
    const { text, toValues } = compile(statement)
    sent.push([text, toValues(params)])
    return []
  }
  await query({ all: send, page: send, chunk: send, change: send } as unknown as Storage)
  const [first] = sent
  if (first === undefined) throw new Error('The query sends no statement')
  return first
}

/** The text of every statement, compiled for a database. */
export function textsOf(traits: SqlTraits): readonly string[] {
  const compile = compiler(traits)
  return STATEMENTS.map((statement) => compile(statement).text)
}
