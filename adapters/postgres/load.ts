import type { UserState } from '../../src/rules/state.ts'
import type { NoticeCursor } from '../../src/storage/outbox.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type { LoadedUser, ReadUserOptions, UserRequest, UserView } from '../../src/storage/storage.ts'
import { type AwardRow, fromAwardRow } from '../sql/awards.ts'
import { fromLeaderboardEntriesRow, sortRows, toKeyText } from '../sql/leaderboards.ts'
import { type ProgressRow, toNamedPeriod, toPeriod, toProgress } from '../sql/progress.ts'
import type { Queries } from '../sql/queries.ts'
import { type NoticeRow, toNoticeCursor, toUserColumns, toUserState, type UserRow } from '../sql/user-rows.ts'
import type { Reader } from './runner.ts'
import { quote } from './sql-text.ts'

type LeaderboardEntryRow = Parameters<typeof fromLeaderboardEntriesRow>[0]

/** What `load` answers. */
export interface LoadedRows {
  readonly epoch: number
  readonly users: readonly {
    /** The number of the user's request. */
    readonly n: number
    readonly user: (UserRow & NoticeRow) | null
    readonly progress: readonly ProgressRow[]
    readonly found: readonly (string | null)[]
  }[]
}

/** A request as `load` takes it. */
export interface LoadRow {
  readonly n: number
  readonly tenant_id: string
  readonly user_id: string
  readonly lookups: UserRequest['lookups']
}

export function toLoadRow({ tenant, user, lookups }: UserRequest, n: number): LoadRow {
  return { n, tenant_id: tenant, user_id: user, lookups }
}

export function toLoadedUser({ tenant, user }: UserRequest, rows: LoadedRows['users'][number]): LoadedUser {
  return {
    tenant,
    user,
    state: toState(rows),
    version: rows.user?.version ?? 0,
    found: rows.found,
    notices: notices(rows),
  }
}

/** A view as it is read; what was not asked for is absent. */
export interface ViewRows {
  readonly user: LoadedRows
  readonly awards?: readonly AwardRow[]
  readonly periods?: readonly Parameters<typeof toPeriod>[0][]
  readonly named?: readonly Parameters<typeof toNamedPeriod>[0][]
  readonly leaderboards?: readonly LeaderboardEntryRow[]
}

function toView(view: ViewRows): UserView {
  const { awards = [], periods = [], named = [], leaderboards = [] } = view
  const { epoch, users } = view.user
  const [rows] = users
  if (rows === undefined) {
    return { state: null, version: 0, epoch, awards: [], periods: [], leaderboards: [], found: [], notices: null }
  }
  return {
    state: toState(rows),
    version: rows.user?.version ?? 0,
    epoch,
    awards: awards.map(fromAwardRow),
    periods: [...periods.map(toPeriod), ...named.map(toNamedPeriod)],
    leaderboards: sortRows(leaderboards.map(fromLeaderboardEntriesRow)),
    found: rows.found,
    notices: notices(rows),
  }
}

function notices({ user }: LoadedRows['users'][number]): NoticeCursor | null {
  return user === null ? null : toNoticeCursor(user)
}

function toState({ user, progress }: LoadedRows['users'][number]): UserState | null {
  return user === null ? null : toUserState(user, toProgress(progress))
}

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
