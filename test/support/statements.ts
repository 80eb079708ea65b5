import type { SqlDatabase, SqlTraits } from '../../adapters/sql/database.ts'
import { allQueries } from '../../adapters/sql/queries.ts'
import { sqlStorage } from '../../adapters/sql/storage.ts'

/** A statement's text, with the values of its parameters. */
export type Sent = readonly [text: string, values: unknown[]]

/** The first statement that a call of the storage sends. */
export async function statementOf(
  traits: SqlTraits,
  call: (storage: ReturnType<ReturnType<typeof sqlStorage>>) => Promise<unknown>,
): Promise<Sent> {
  const sent: Sent[] = []
  const send: SqlDatabase['all'] = async ({ text, toValues }, params) => {
    sent.push([text, toValues(params)])
    return []
  }
  const database = { all: send, page: send, chunk: send, change: send, once: send } as unknown as SqlDatabase
  await call(sqlStorage(traits, allQueries(traits))(database))
  const [first] = sent
  if (first === undefined) throw new Error('The call sends no statement')
  return first
}

/** The text of every statement that is compiled for a database. */
export function textsOf(traits: SqlTraits): readonly string[] {
  const texts: string[] = []
  const qualifyNames = (text: string): string => {
    const spelled = traits.qualifyNames(text)
    texts.push(spelled)
    return spelled
  }
  sqlStorage({ ...traits, qualifyNames }, allQueries({ ...traits, qualifyNames }))
  return texts
}
