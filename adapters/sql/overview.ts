import type { Backlog, FirstDays, StorageOverview, StoredActivity } from '../../src/storage/overview.ts'
import { CHUNK } from '../../src/storage/storage.ts'
import { compiler, type SqlDatabase, type SqlTraits } from './database.ts'
import { toKeyText } from './leaderboards.ts'
import type { LeaderboardEntriesTable } from './tables.ts'

/** `from_zone` and `before_zone` are as far away as a time zone can move a date; `first_day` and `last_day` are days. */
interface ActivityRead {
  readonly tenant_id: string
  readonly from: number
  readonly before: number
  readonly from_zone: number
  readonly before_zone: number
  readonly first_day: number
  readonly last_day: number
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

interface FirstDaysPage {
  readonly tenant_id: string
  readonly at: number
  readonly user_id: string
  readonly before: number
  readonly days: number
  readonly window: number
  readonly limit: number
}

/** `date` is null for a user without events. */
interface FirstDaysRow {
  readonly user_id: string
  readonly at: number
  readonly first_date: number
  readonly date: number | null
  readonly events: number
}

interface CompletionsPage {
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

interface RunsPage {
  readonly tenant_id: string
  readonly leaderboard: string
  readonly before: string
  readonly limit: number
}

interface EntriesRead {
  readonly tenant_id: string
  readonly leaderboard: string
  readonly run: string
  readonly at: number
  readonly most: number
}

type GroupsPage = EntriesRead & { readonly after: string; readonly limit: number }
type GroupRow = Pick<LeaderboardEntriesTable, 'group_key' | 'names'> & { readonly users: number }

interface WaitingRow {
  readonly of: 'users' | 'messages'
  readonly count: number
  readonly oldest: number | null
}

const OF_LEADERBOARD = 'tenant_id = :tenant_id and leaderboard = :leaderboard'

// Different keys are found one by one, each by a lookup after the key before, so no index is read as a whole.
function overviewQueries(traits: SqlTraits) {
  const sql = compiler(traits)
  const newest = `select max(run) from laurels.leaderboard_entries where ${OF_LEADERBOARD}`
  return {
    activity: sql<ActivityRead, ActivityRow>(ACTIVITY),
    firstDays: sql<FirstDaysPage, FirstDaysRow>(FIRST_DAYS),
    completions: sql<CompletionsPage, CompletionRow>(
      `select c.user_id, c.at, c.count, u.name from (
          select tenant_id, user_id, at, count from laurels.completions
            where tenant_id = :tenant_id and achievement = :achievement and (at, user_id) < (:at, :user_id)
            order by at desc, user_id desc limit :limit
        ) c join laurels.users u on u.tenant_id = c.tenant_id and u.user_id = c.user_id
        order by c.at desc, c.user_id desc`,
    ),
    runs: sql<RunsPage, { readonly run: string }>(
      `with recursive runs(run) as (
          select (${newest} and run < :before)
          union all select (${newest} and run < runs.run) from runs where runs.run is not null
        ) select run from runs where run is not null limit :limit`,
    ),
    groups: sql<GroupsPage, GroupRow>(groupsText(traits)),
    entries: sql<EntriesRead, { readonly count: number }>(
      `select count(*) as count from (
        select 1 from laurels.leaderboard_entries
          where ${OF_LEADERBOARD} and run = :run and (until is null or until > :at)
          order by group_key, minus_value, reached_at, user_id limit :most
      ) e`,
    ),
    backlog: sql<{ readonly now: number; readonly most: number }, WaitingRow>(
      `select 'users' as of, count(*) as count, min(next_notice_at) as oldest from (
        select next_notice_at from laurels.users where next_notice_at is not null and next_notice_at <= :now
          order by next_notice_at limit :most
      ) u union all select 'messages', count(*), min(at) from (
        select at from laurels.messages where position is null and due is null order by number limit :most
      ) m union all select 'messages', count(*), min(at) from (
        select at from laurels.messages where position is null and due is not null and due <= :now
          order by due limit :most
      ) d`,
    ),
  }
}

const WITHIN = 'tenant_id = :tenant_id and at >= :from and at < :before'
const FIRST_ACHIEVEMENT = 'select min(achievement) from laurels.completions where tenant_id = :tenant_id'
const COMPLETIONS = `with recursive had(achievement) as (
    ${FIRST_ACHIEVEMENT} union all
      select (${FIRST_ACHIEVEMENT} and achievement > had.achievement) from had where had.achievement is not null
  ) select coalesce(sum((
    select count(*) from laurels.completions c where c.tenant_id = :tenant_id and c.achievement = had.achievement
      and c.at >= :from and c.at < :before
  )), 0) from had where had.achievement is not null`
const NEW_USERS = `select count(*) from laurels.users u where u.tenant_id = :tenant_id and u.merged_into is null
  and u.created >= :from_zone and u.created < :before_zone
  and exists (select 1 from (
    select local_date from laurels.log l where l.tenant_id = u.tenant_id and l.user_id = u.user_id
      order by l.at, l.seq limit 1
  ) f where f.local_date >= :first_day and f.local_date < :last_day)`
const ACTIVITY = `select null as system, count(*) as events, count(distinct user_id) as users,
    (${NEW_USERS}) as new_users, (${COMPLETIONS}) as completions, null as sum
    from laurels.log where ${WITHIN} and value is not null and voided_by is null
  union all select system, null, null, null, null, sum(awarded) from laurels.awards where ${WITHIN} group by system`

// `created` is the instant of the first line, and no local date is further from it than two days.
const FIRST_DAYS = `select f.user_id, f.created as at, f.first_date, l.local_date as date, count(l.seq) as events
  from (
    select u.tenant_id, u.user_id, u.created, coalesce((
      select local_date from laurels.log l where l.tenant_id = u.tenant_id and l.user_id = u.user_id
        order by l.at, l.seq limit 1
    ), 0) as first_date from laurels.users u
      where u.tenant_id = :tenant_id and u.merged_into is null and (u.created, u.user_id) > (:at, :user_id)
        and u.created < :before
      order by u.created, u.user_id limit :limit
  ) f left join laurels.log l on l.tenant_id = f.tenant_id and l.user_id = f.user_id
    and l.at < f.created + :window and l.local_date between f.first_date and f.first_date + :days
    and l.value is not null and l.voided_by is null
  group by f.user_id, f.created, f.first_date, l.local_date order by f.created, f.user_id, l.local_date`

function groupsText({ byIndex }: SqlTraits): string {
  const ofRun = `${OF_LEADERBOARD} and run = :run`
  // The order of the index. For the first rows Postgres might read the table, and SQLite the tenant's rows.
  const inOrder = 'order by minus_value, reached_at, user_id'
  const next = `select min(group_key) from laurels.leaderboard_entries where ${ofRun}`
  return `with recursive places(place) as (
      select (${next} and group_key >= :after)
      union all select (${next} and group_key > places.place) from places where places.place is not null
    ), page as (select place from places where place is not null limit :limit)
    select place as group_key,
      (select names from laurels.leaderboard_entries${byIndex('laurels_leaderboard_order')}
        where ${ofRun} and group_key = page.place ${inOrder} limit 1) as names,
      (select count(*) from (
        select 1 from laurels.leaderboard_entries
          where ${ofRun} and group_key = page.place and (until is null or until > :at) ${inOrder} limit :most
      ) e) as users
      from page order by place`
}

const DAY = 86_400_000
/** No local date begins or ends further from the same date in UTC. */
const ZONE_MARGIN = 26 * 3_600_000
const LAST = { at: Number.MAX_SAFE_INTEGER, user: '' }
const LAST_TEXT = '\u{10ffff}'

export function sqlOverview(traits: SqlTraits): (database: SqlDatabase) => Omit<StorageOverview, 'name'> {
  const queries = overviewQueries(traits)
  const toRead = (tenant: string, leaderboard: string, run: string, { at, most }: Pick<EntriesRead, 'at' | 'most'>) => {
    return { tenant_id: tenant, leaderboard: toKeyText(leaderboard), run, at, most }
  }
  return ({ all }) => ({
    activity: async (tenant, from, before) => {
      const zones = { from_zone: from - ZONE_MARGIN, before_zone: before + DAY + ZONE_MARGIN }
      // The first date that does not begin before an instant, in UTC.
      const days = { first_day: Math.ceil(from / DAY), last_day: Math.ceil(before / DAY) }
      return toActivity(await all(queries.activity, { tenant_id: tenant, from, before, ...zones, ...days }))
    },
    firstDays: async (tenant, { from, before, after: { at, user } = { at: from, user: '' }, days, limit }) => {
      const page = { tenant_id: tenant, at, user_id: user, before, days, limit, window: (days + 2) * DAY }
      return toFirstDays(await all(queries.firstDays, page))
    },
    completions: async (tenant, achievement, { after = LAST, limit = CHUNK } = {}) => {
      const page = { tenant_id: tenant, achievement, at: after.at, user_id: after.user, limit }
      return (await all(queries.completions, page)).map(({ user_id: user, ...line }) => ({ user, ...line }))
    },
    leaderboardRuns: async (tenant, leaderboard, { before = LAST_TEXT, limit = CHUNK } = {}) => {
      const page = { tenant_id: tenant, leaderboard: toKeyText(leaderboard), before, limit }
      return (await all(queries.runs, page)).map(({ run }) => run)
    },
    leaderboardGroups: async (tenant, leaderboard, run, { after, limit, ...counted }) => {
      // A page begins with the given key, which is left out: the empty key, of a leaderboard without groups, comes after
      // no other key.
      const page = { after: after ?? '', limit: after === undefined ? limit : limit + 1 }
      const rows = await all(queries.groups, { ...toRead(tenant, leaderboard, run, counted), ...page })
      return rows
        .filter(({ group_key }) => group_key !== after)
        .slice(0, limit)
        .map(({ group_key: place, names, users }) => ({ place, group: groupOf(place, names), users }))
    },
    countEntries: async (tenant, leaderboard, run, counted) =>
      (await all(queries.entries, toRead(tenant, leaderboard, run, counted)))[0]?.count ?? 0,
    backlog: async (now, most) => toBacklog(await all(queries.backlog, { now, most }), most),
  })
}

function toActivity(rows: readonly ActivityRow[]): StoredActivity {
  const done = rows.find(({ system }) => system === null)
  return {
    events: done?.events ?? 0,
    users: done?.users ?? 0,
    newUsers: done?.new_users ?? 0,
    completions: done?.completions ?? 0,
    points: rows.flatMap(({ system, sum }) => (system === null ? [] : [{ system, sum: sum ?? 0 }])),
  }
}

function toFirstDays(rows: readonly FirstDaysRow[]): readonly FirstDays[] {
  return [...Map.groupBy(rows, ({ user_id }) => user_id).values()].flatMap((own) =>
    own.slice(0, 1).map(({ user_id: user, at, first_date: created }) => {
      const active = own.flatMap(({ date, events }) => (date === null ? [] : [{ date, events }]))
      return { user, at, created, active }
    }),
  )
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
