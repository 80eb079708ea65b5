import type { ReadUserOptions, UserView } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { toKeyText } from '../sql/leaderboard-rows.ts'
import type { Queries } from '../sql/queries.ts'
import { toUserColumns } from '../sql/user-rows.ts'
import { toLoadRow, toView, type ViewRows } from './load.ts'
import { quote } from './quote.ts'
import type { Reader } from './runner.ts'

/** More rows than any user has. */
const ALL = Number.MAX_SAFE_INTEGER

/** One statement, so that all of it is as of one moment. */
export async function readUser(
  reader: Reader,
  queries: Queries,
  schema: string,
  key: UserKey,
  { awards, periods, leaderboards, lookups = [] }: ReadUserOptions,
): Promise<UserView> {
  const request = JSON.stringify([toLoadRow({ ...key, lookups }, 0)])
  const texts = [`select ${quote(schema)}.load($1::text::jsonb) as "user"`]
  const values: unknown[] = [request]
  const append = (name: string, text: string, params: readonly unknown[]): void => {
    // Names in quotes may look like parameters.
    const shifted = text.replaceAll(/"(?:[^"]|"")*"|\$(\d+)/g, (found, place) =>
      place === undefined ? found : `$${Number(place) + values.length}`,
    )
    texts.push(`(select coalesce(json_agg(${name}), '[]') from (${shifted}) ${name}) as ${name}`)
    values.push(...params)
  }
  const user = toUserColumns(key)
  if (awards !== undefined) {
    const { system, limit = ALL } = awards
    const { ofUser, ofSystem } = queries.awards
    if (system === undefined) append('awards', ofUser.text, ofUser.toValues({ ...user, limit }))
    else append('awards', ofSystem.text, ofSystem.toValues({ ...user, limit, system }))
  }
  if (periods !== undefined) {
    const { streak, limit = ALL } = periods
    const { ofUser, ofStreak, ofStreaks } = queries.periods
    if (typeof streak === 'string') append('named', ofStreak.text, ofStreak.toValues({ ...user, streak, limit }))
    else append('periods', ofUser.text, ofUser.toValues({ ...user, limit }))
    if (streak === undefined) append('named', ofStreaks.text, ofStreaks.toValues(user))
  }
  if (leaderboards !== undefined) {
    const { leaderboard, run } = leaderboards
    const text = `select leaderboard, run, group_key, minus_value, reached_at, until, names
      from ${quote(schema)}.leaderboard_entries
      where tenant_id = $1 and user_id = $2 and ($3::text is null or leaderboard = $3) and ($4::text is null or run = $4)
      order by leaderboard, run`
    const wanted = leaderboard === undefined ? null : toKeyText(leaderboard)
    append('leaderboards', text, [key.tenant, key.user, wanted, run ?? null])
  }
  const answer = await reader.value<string>(
    `select row_to_json(view)::text as value from (${texts.join(', ')}) view`,
    values,
  )
  return toView(JSON.parse(answer) as ViewRows)
}
