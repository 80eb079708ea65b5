import { compiler, type SqlDatabase, type SqlTraits, STATEMENTS } from '../../src/sql/database.ts'
import { sqlStorage } from '../../src/sql/storage.ts'

/** A statement's text, with the values of its parameters. */
export type Sent = readonly [text: string, values: unknown[]]

/** The first statement that a call of the storage sends. */
export async function statementOf(
  traits: SqlTraits,
  call: (storage: ReturnType<typeof sqlStorage>) => Promise<unknown>,
): Promise<Sent> {
  const compile = compiler(traits)
  const sent: Sent[] = []
  const send: SqlDatabase['all'] = async (statement, params) => {
    const { text, toValues } = compile(statement)
    sent.push([text, toValues(params)])
    return []
  }
  const database = { all: send, page: send, chunk: send, change: send } as unknown as SqlDatabase
  await call(sqlStorage(database))
  const [first] = sent
  if (first === undefined) throw new Error('The call sends no statement')
  return first
}

/** The text of every statement, compiled for a database. */
export function textsOf(traits: SqlTraits): readonly string[] {
  const compile = compiler(traits)
  return STATEMENTS.map((statement) => compile(statement).text)
}
