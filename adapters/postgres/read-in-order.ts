import type { Statement } from '../sql/statement.ts'
import { type Runner, toJsonText } from './runner.ts'

/**
 * Reads a page in the order of an index. Where Postgres has no statistics of a table it may expect few rows to be left,
 * and sort all that are, for each page again.
 */
export function readInOrder<Params, Row>(
  runner: Runner,
  { text, toValues }: Statement<Params, Row>,
  params: Params,
): Promise<readonly Row[]> {
  return runner.transaction(async (session) => {
    await session.query('set local enable_bitmapscan = off', [])
    const [row] = await session.query(toJsonText(text), toValues(params))
    return JSON.parse((row as { readonly json: string | null } | undefined)?.json ?? '[]')
  })
}
