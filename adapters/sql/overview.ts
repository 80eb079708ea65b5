import { sql } from 'kysely'
import type {
  Backlog,
  CompletionLine,
  CompletionsOptions,
  StorageOverview,
  StoredActivity,
  StoredGroup,
} from '../../src/storage/overview.ts'
import { rawStatement, type SqlDatabase, type SqlTraits, type Statement, tableOf } from './database.ts'
import { toKeyText } from './leaderboards.ts'
import type { LeaderboardEntriesTable } from './tables.ts'

interface OfTime {
  readonly tenant_id: string
  readonly from: number
  readonly before: number
}

/** One row about events, users and completions, whose `system` is null, and one for each points system with awards. */
interface ActivityRow {
  readonly system: string | null
  readonly events: number | null
  readonly users: number | null
  readonly new_users: number | null
  readonly completions: number | null
  readonly sum: number | null
}

interface CompletionsRead {
  readonly tenant_id: string
  readonly achievement: string
  readonly at: number
  readonly user_id: string
  readonly limit: number
}

interface CompletionRow {
  readonly user_id: string
  readonly at: number
  readonly count: number
  readonly name: string | null
}

export interface RunsRead {
  readonly tenant_id: string
  readonly leaderboard: string
  readonly before: string
  readonly limit: number
}

export interface EntriesRead {
  readonly tenant_id: string
  readonly leaderboard: string
  readonly run: string
  readonly at: number
  readonly most: number
}

export type GroupsRead = EntriesRead & { readonly after: string; readonly limit: number }

type GroupRow = Pick<LeaderboardEntriesTable, 'group_key' | 'names'> & { readonly users: number }

interface WaitingRow {
  readonly of: 'users' | 'messages'
  readonly count: number
  readonly oldest: number | null
}

export interface OverviewQueries {
  readonly activity: Statement<OfTime, ActivityRow>
  readonly completions: Statement<CompletionsRead, CompletionRow>
  readonly runs: Statement<RunsRead, { readonly run: string }>
  readonly groups: Statement<GroupsRead, GroupRow>
  readonly entries: Statement<EntriesRead, { readonly count: number }>
  readonly backlog: Statement<{ readonly now: number; readonly most: number }, WaitingRow>
}

// Different keys are found one by one, each by a lookup after the key before, so that no index is read as a whole.
export function overviewQueries(traits: SqlTraits): OverviewQueries {
  return {
    activity: activityStatement(traits),
    completions: rawStatement(traits, (bind) => {
      const page = sql`select tenant_id, user_id, at, count from ${tableOf('completions')}
        where tenant_id = ${bind('tenant_id')} and achievement = ${bind('achievement')}
          and (at, user_id) < (${bind('at')}, ${bind('user_id')})
        order by at desc, user_id desc limit ${bind('limit')}`
      return sql`select c.user_id, c.at, c.count, u.name from (${page}) c
        join ${tableOf('users')} u on u.tenant_id = c.tenant_id and u.user_id = c.user_id
        order by c.at desc, c.user_id desc`
    }),
    runs: rawStatement(traits, (bind) => {
      const newest = sql`select max(run) from ${tableOf('leaderboard_entries')}
        where tenant_id = ${bind('tenant_id')} and leaderboard = ${bind('leaderboard')}`
      return sql`with recursive runs(run) as (
          select (${newest} and run < ${bind('before')})
          union all select (${newest} and run < runs.run) from runs where runs.run is not null
        ) select run from runs where run is not null limit ${bind('limit')}`
    }),
    groups: groupsStatement(traits),
    entries: rawStatement(
      traits,
      (bind) => sql`select count(*) as count from (
        select 1 from ${tableOf('leaderboard_entries')} where tenant_id = ${bind('tenant_id')}
          and leaderboard = ${bind('leaderboard')} and run = ${bind('run')} and (until is null or until > ${bind('at')})
          order by group_key, minus_value, reached_at, user_id limit ${bind('most')}
      ) e`,
    ),
    backlog: backlogStatement(traits),
  }
}

const DAY = 86_400_000
/** No local date begins or ends further from the same date in UTC. */
const ZONE_MARGIN = 26 * 3_600_000

/** The first date that does not begin before an instant, in UTC. */
function toFirstDay(from: number): number {
  return Math.ceil(from / DAY)
}

function activityStatement(traits: SqlTraits): OverviewQueries['activity'] {
  const [log, awards, completed] = [tableOf('log'), tableOf('awards'), tableOf('completions')]
  return rawStatement(traits, (bind) => {
    const ofTenant = sql`tenant_id = ${bind('tenant_id')}`
    const within = sql`${ofTenant} and at >= ${bind('from')} and at < ${bind('before')}`
    const first = sql`select min(achievement) from ${completed} where ${ofTenant}`
    const completions = sql`with recursive had(achievement) as (
        ${first} union all select (${first} and achievement > had.achievement) from had where had.achievement is not null
      ) select coalesce(sum((
        select count(*) from ${completed} c where c.tenant_id = ${bind('tenant_id')} and c.achievement = had.achievement
          and c.at >= ${bind('from')} and c.at < ${bind('before')}
      )), 0) from had where had.achievement is not null`
    const firstDate = sql`select local_date from ${log} l where l.tenant_id = u.tenant_id and l.user_id = u.user_id
      order by l.at, l.seq limit 1`
    const newUsers = sql`select count(*) from ${tableOf('users')} u where u.tenant_id = ${bind('tenant_id')} and u.merged_into is null
      and u.created >= ${bind('from', (from) => from - ZONE_MARGIN)}
      and u.created < ${bind('before', (before) => before + DAY + ZONE_MARGIN)}
      and exists (select 1 from (${firstDate}) f
        where f.local_date >= ${bind('from', toFirstDay)} and f.local_date < ${bind('before', toFirstDay)})`
    return sql<ActivityRow>`select null as system, count(*) as events, count(distinct user_id) as users,
        (${newUsers}) as new_users, (${completions}) as completions, null as sum
        from ${log} where ${within} and value is not null and voided_by is null
      union all select system, null, null, null, null, sum(awarded) from ${awards} where ${within} group by system`
  })
}

function groupsStatement(traits: SqlTraits): OverviewQueries['groups'] {
  const entries = tableOf('leaderboard_entries')
  return rawStatement(traits, (bind) => {
    const ofRun = sql`tenant_id = ${bind('tenant_id')} and leaderboard = ${bind('leaderboard')} and run = ${bind('run')}`
    // The order of the index. For the first rows Postgres might go through the table, and SQLite through the tenant's
    // rows.
    const inOrder = sql`order by minus_value, reached_at, user_id`
    const one = sql`${entries}${traits.byIndex('laurels_leaderboard_order')}`
    const next = sql`select min(group_key) from ${entries} where ${ofRun}`
    return sql<GroupRow>`with recursive places(place) as (
        select (${next} and group_key >= ${bind('after')})
        union all select (${next} and group_key > places.place) from places where places.place is not null
      ), page as (select place from places where place is not null limit ${bind('limit')})
      select place as group_key,
        (select names from ${one} where ${ofRun} and group_key = page.place ${inOrder} limit 1) as names,
        (select count(*) from (
          select 1 from ${entries} where ${ofRun} and group_key = page.place and (until is null or until > ${bind('at')})
            ${inOrder} limit ${bind('most')}
        ) e) as users
        from page order by place`
  })
}

function backlogStatement(traits: SqlTraits): OverviewQueries['backlog'] {
  const messages = tableOf('messages')
  return rawStatement(
    traits,
    (bind) => sql<WaitingRow>`select 'users' as of, count(*) as count, min(next_notice_at) as oldest from (
        select next_notice_at from ${tableOf('users')} where next_notice_at is not null and next_notice_at <= ${bind('now')}
          order by next_notice_at limit ${bind('most')}
      ) u union all select 'messages', count(*), min(at) from (
        select at from ${messages} where position is null and due is null order by number limit ${bind('most')}
      ) m union all select 'messages', count(*), min(at) from (
        select at from ${messages} where position is null and due is not null and due <= ${bind('now')}
          order by due limit ${bind('most')}
      ) d`,
  )
}

const CHUNK = 1_000
/** After every place. */
const LAST = { at: Number.MAX_SAFE_INTEGER, user: '' }
/** After every text. */
const LAST_TEXT = '\u{10ffff}'

function toStoredActivity(rows: readonly ActivityRow[]): StoredActivity {
  const done = rows.find(({ system }) => system === null)
  return {
    events: done?.events ?? 0,
    users: done?.users ?? 0,
    newUsers: done?.new_users ?? 0,
    completions: done?.completions ?? 0,
    points: rows.flatMap(({ system, sum }) => (system === null ? [] : [{ system, sum: sum ?? 0 }])),
  }
}

export function toCompletionsRead(
  tenant: string,
  achievement: string,
  { after = LAST, limit = CHUNK }: CompletionsOptions = {},
): CompletionsRead {
  return { tenant_id: tenant, achievement, at: after.at, user_id: after.user, limit }
}

function toCompletionLine({ user_id: user, at, count, name }: CompletionRow): CompletionLine {
  return { user, at, name, count }
}

export function toRunsRead(
  tenant: string,
  leaderboard: string,
  { before = LAST_TEXT, limit = CHUNK }: { readonly before?: string; readonly limit?: number } = {},
): RunsRead {
  return { tenant_id: tenant, leaderboard: toKeyText(leaderboard), before, limit }
}

export function toEntriesRead(
  tenant: string,
  leaderboard: string,
  run: string,
  { at, most }: { readonly at: number; readonly most: number },
): EntriesRead {
  return { tenant_id: tenant, leaderboard: toKeyText(leaderboard), run, at, most }
}

/**
 * A page begins with the given key, which `toGroups` leaves out: after a key no page would find the empty one, which is
 * that of a leaderboard without groups.
 */
export function toGroupsRead(entries: EntriesRead, after: string | undefined, limit: number): GroupsRead {
  return { ...entries, after: after ?? '', limit: after === undefined ? limit : limit + 1 }
}

function toGroups(rows: readonly GroupRow[], after: string | undefined, limit: number): readonly StoredGroup[] {
  return rows
    .filter(({ group_key }) => group_key !== after)
    .slice(0, limit)
    .map(({ group_key: place, names, users }) => ({ place, group: groupOf(place, names), users }))
}

function groupOf(place: string, names: string | null): string {
  if (names === null) return place
  const [, group]: readonly [string, string] = JSON.parse(names)
  return group
}

function toBacklog(rows: readonly WaitingRow[], most: number): Backlog {
  const of = (name: WaitingRow['of']): Backlog['users'] => {
    const own = rows.filter((row) => row.of === name)
    const since = own.flatMap(({ oldest }) => (oldest === null ? [] : [oldest]))
    const count = own.reduce((sum, row) => sum + row.count, 0)
    return { count: Math.min(count, most), oldest: since.length === 0 ? null : Math.min(...since) }
  }
  return { users: of('users'), messages: of('messages') }
}

export function sqlOverview(overview: OverviewQueries, { all }: SqlDatabase): Omit<StorageOverview, 'name'> {
  return {
    activity: async (tenant, from, before) =>
      toStoredActivity(await all(overview.activity, { tenant_id: tenant, from, before })),
    completions: async (tenant, achievement, options) =>
      (await all(overview.completions, toCompletionsRead(tenant, achievement, options))).map(toCompletionLine),
    leaderboardRuns: async (tenant, leaderboard, options) =>
      (await all(overview.runs, toRunsRead(tenant, leaderboard, options))).map(({ run }) => run),
    leaderboardGroups: async (tenant, leaderboard, run, { after, limit, ...counted }) => {
      const asked = toGroupsRead(toEntriesRead(tenant, leaderboard, run, counted), after, limit)
      return toGroups(await all(overview.groups, asked), after, limit)
    },
    countEntries: async (tenant, leaderboard, run, counted) => {
      const [row] = await all(overview.entries, toEntriesRead(tenant, leaderboard, run, counted))
      return row?.count ?? 0
    },
    backlog: async (now, most) => toBacklog(await all(overview.backlog, { now, most }), most),
  }
}
