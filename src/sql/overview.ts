import type { Day, Instant } from '../rules/calendar.ts'
import { CHUNK, type Page } from '../storage/reads.ts'
import type { Storage } from '../storage/storage.ts'
import { statement } from './database.ts'
import { toKeyText } from './leaderboards.ts'

export interface MetricUsers {
  readonly metric: string
  readonly users: number
}

export interface StoredActivity {
  /** Events that are not voided. */
  readonly events: number
  /** How many users have such an event. */
  readonly users: number
  /**
   * Users whose local date of creation, the date of the first line of the log, begins within these instants in UTC;
   * merged users are left out.
   */
  readonly newUsers: number
  /** Achievements that users have, and completed for the last time within these instants. */
  readonly completions: number
  /** The points that awards gave and took, for each points system that has any; in no order. */
  readonly points: readonly { readonly system: string; readonly sum: number }[]
}

/** The place of a user, or of a completion. */
export interface UserPlace {
  readonly at: Instant
  readonly user: string
}

export interface FirstDaysOptions {
  readonly from: Instant
  readonly before: Instant
  readonly after?: UserPlace
  /** The last day that is read, in days after the creation. */
  readonly days: number
  readonly limit: number
}

export interface FirstDays extends UserPlace {
  /** The local date of the first line of the log. */
  readonly created: Day
  /** The dates with events that are not voided, in order, and how many. */
  readonly active: readonly { readonly date: Day; readonly events: number }[]
}

export interface CompletionLine extends UserPlace {
  readonly name: string | null
  /** How often it was completed. */
  readonly count: number
}

export interface LeaderboardGroupsOptions {
  /** The place of a group. */
  readonly after?: string
  readonly limit: number
  readonly at: Instant
  readonly most: number
}

export interface StoredGroup {
  /** Its place among the groups of its run. Places are unique. */
  readonly place: string
  readonly group: string
  readonly users: number
}

export interface Backlog {
  readonly users: Waiting
  /** Messages that wait to be merged with others are included when they are due. */
  readonly messages: Waiting
}

export interface Waiting {
  /** No more than `most` are counted. */
  readonly count: number
  /** Since when the first of them waits, or `null` if none does. */
  readonly oldest: Instant | null
}

const WITHIN = 'tenant_id = :tenant and at >= :from and at < :before'
// Each recursion finds the different keys one by one, by a lookup after the previous key, so it reads no whole index.
const FIRST_ACHIEVEMENT = 'select min(achievement) from laurels.completions where tenant_id = :tenant'
const COMPLETIONS = `with recursive had(achievement) as (
    ${FIRST_ACHIEVEMENT} union all
      select (${FIRST_ACHIEVEMENT} and achievement > had.achievement) from had where had.achievement is not null
  ) select coalesce(sum((
    select count(*) from laurels.completions c where c.tenant_id = :tenant and c.achievement = had.achievement
      and c.at >= :from and c.at < :before
  )), 0) from had where had.achievement is not null`
const NEW_USERS = `select count(*) from laurels.users u where u.tenant_id = :tenant and u.merged_into is null
  and u.created >= :from_zone and u.created < :before_zone
  and exists (select 1 from (
    select local_date from laurels.log l where l.tenant_id = u.tenant_id and l.user_id = u.user_id
      order by l.at, l.seq limit 1
  ) f where f.local_date >= :first_day and f.local_date < :last_day)`

/** `from_zone` and `before_zone` are as far away as a time zone can move a date; `first_day` and `last_day` are days. */
interface ActivityRead {
  readonly tenant: string
  readonly from: number
  readonly before: number
  readonly from_zone: number
  readonly before_zone: number
  readonly first_day: number
  readonly last_day: number
}

/** One row about events, users and completions, whose `system` is null, and one for each points system with awards. */
type ActivityRow = { readonly [Name in keyof Omit<StoredActivity, 'points'>]: number | null } & {
  readonly system: string | null
  readonly sum: number | null
}

const ACTIVITY = statement<ActivityRead, ActivityRow>(
  `select null as system, count(*) as events, count(distinct user_id) as users,
    (${NEW_USERS}) as "newUsers", (${COMPLETIONS}) as completions, null as sum
    from laurels.log where ${WITHIN} and value is not null and voided_by is null
  union all select system, null, null, null, null, sum(awarded) from laurels.awards where ${WITHIN} group by system`,
)

interface FirstDaysPage {
  readonly tenant: string
  readonly at: number
  readonly user: string
  readonly before: number
  readonly days: number
  readonly window: number
  readonly limit: number
}

/** `date` is null for a user without events. */
type FirstDaysRow = Omit<FirstDays, 'active'> & { readonly date: number | null; readonly events: number }

// `created` is the instant of the first line, and no local date is further from it than two days.
const FIRST_DAYS = statement<FirstDaysPage, FirstDaysRow>(
  `select f.user_id as "user", f.created as at, f.first_date as created, l.local_date as date, count(l.seq) as events
  from (
    select u.tenant_id, u.user_id, u.created, coalesce((
      select local_date from laurels.log l where l.tenant_id = u.tenant_id and l.user_id = u.user_id
        order by l.at, l.seq limit 1
    ), 0) as first_date from laurels.users u
      where u.tenant_id = :tenant and u.merged_into is null and (u.created, u.user_id) > (:at, :user)
        and u.created < :before
      order by u.created, u.user_id limit :limit
  ) f left join laurels.log l on l.tenant_id = f.tenant_id and l.user_id = f.user_id
    and l.at < f.created + :window and l.local_date between f.first_date and f.first_date + :days
    and l.value is not null and l.voided_by is null
  group by f.user_id, f.created, f.first_date, l.local_date order by f.created, f.user_id, l.local_date`,
)

interface CompletionsPage {
  readonly tenant: string
  readonly achievement: string
  readonly at: number
  readonly user: string
  readonly limit: number
}

const HOLDERS = statement<CompletionsPage, CompletionLine>(
  `select c.user_id as "user", c.at, c.count, u.name from (
      select tenant_id, user_id, at, count from laurels.completions
        where tenant_id = :tenant and achievement = :achievement and (at, user_id) < (:at, :user)
        order by at desc, user_id desc limit :limit
    ) c join laurels.users u on u.tenant_id = c.tenant_id and u.user_id = c.user_id
    order by c.at desc, c.user_id desc`,
)

interface OfLeaderboard {
  readonly tenant: string
  readonly leaderboard: string
}

interface EntriesRead extends OfLeaderboard {
  readonly run: string
  readonly at: number
  readonly most: number
}

const OF_LEADERBOARD = 'tenant_id = :tenant and leaderboard = :leaderboard'
const OF_RUN = `${OF_LEADERBOARD} and run = :run`
const NEWEST_RUN = `select max(run) from laurels.leaderboard_entries where ${OF_LEADERBOARD}`

const RUNS = statement<OfLeaderboard & { readonly before: string; readonly limit: number }, { readonly run: string }>(
  `with recursive runs(run) as (
      select (${NEWEST_RUN} and run < :before)
      union all select (${NEWEST_RUN} and run < runs.run) from runs where runs.run is not null
    ) select run from runs where run is not null limit :limit`,
)

// The order of the index. For the first rows Postgres might read the table, and SQLite the tenant's rows.
const IN_ORDER = 'order by minus_value, reached_at, user_id'
const NEXT_GROUP = `select min(group_key) from laurels.leaderboard_entries where ${OF_RUN}`

type GroupsPage = EntriesRead & { readonly after: string; readonly limit: number }
type GroupRow = Omit<StoredGroup, 'group'> & { readonly names: string | null }

const GROUPS = statement<GroupsPage, GroupRow>(
  ({ byIndex }) => `with recursive places(place) as (
      select (${NEXT_GROUP} and group_key >= :after)
      union all select (${NEXT_GROUP} and group_key > places.place) from places where places.place is not null
    ), page as (select place from places where place is not null limit :limit)
    select place,
      (select names from laurels.leaderboard_entries${byIndex('laurels_leaderboard_order')}
        where ${OF_RUN} and group_key = page.place ${IN_ORDER} limit 1) as names,
      (select count(*) from (
        select 1 from laurels.leaderboard_entries
          where ${OF_RUN} and group_key = page.place and (until is null or until > :at) ${IN_ORDER} limit :most
      ) e) as users
      from page order by place`,
)

const COUNT_ENTRIES = statement<EntriesRead, { readonly count: number }>(
  `select count(*) as count from (
    select 1 from laurels.leaderboard_entries where ${OF_RUN} and (until is null or until > :at)
      order by group_key, minus_value, reached_at, user_id limit :most
  ) e`,
)

interface WaitingRow {
  readonly of: 'users' | 'messages'
  readonly count: number
  readonly oldest: number | null
}

const BACKLOG = statement<{ readonly now: number; readonly most: number }, WaitingRow>(
  `select 'users' as of, count(*) as count, min(next_notice_at) as oldest from (
    select next_notice_at from laurels.users where next_notice_at is not null and next_notice_at <= :now
      order by next_notice_at limit :most
  ) u union all select 'messages', count(*), min(at) from (
    select at from laurels.messages where position is null and due is null order by number limit :most
  ) m union all select 'messages', count(*), min(at) from (
    select at from laurels.messages where position is null and due is not null and due <= :now
      order by due limit :most
  ) d`,
)

const METRIC_USERS = statement<{ readonly metrics: string }, MetricUsers>(
  ({ jsonList }) => `select metric, count(*) as users from laurels.totals where metric in ${jsonList(':metrics')}
    group by metric order by metric`,
)

const DAY = 86_400_000
/** No local date begins or ends further from the same date in UTC. */
const ZONE_MARGIN = 26 * 3_600_000
const LAST = { at: Number.MAX_SAFE_INTEGER, user: '' }
const LAST_TEXT = '\u{10ffff}'

/** The activity of a tenant's users from one instant (included) to another (excluded). */
export async function loadActivity(
  storage: Storage,
  tenant: string,
  from: Instant,
  before: Instant,
): Promise<StoredActivity> {
  const zones = { from_zone: from - ZONE_MARGIN, before_zone: before + DAY + ZONE_MARGIN }
  // The first date that does not begin before an instant, in UTC.
  const days = { first_day: Math.ceil(from / DAY), last_day: Math.ceil(before / DAY) }
  return toActivity(await storage.all(ACTIVITY, { tenant, from, before, ...zones, ...days }))
}

/**
 * The dates with events of users who were created from one instant on and before another. Returns at most `limit`
 * users after the given place, in order of creation and id. Merged users are left out.
 */
export async function loadFirstDays(
  storage: Storage,
  tenant: string,
  { from, before, after = { at: from, user: '' }, days, limit }: FirstDaysOptions,
): Promise<readonly FirstDays[]> {
  const page = { ...after, tenant, before, days, limit, window: (days + 2) * DAY }
  return toFirstDays(await storage.all(FIRST_DAYS, page))
}

/**
 * The users who have an achievement: the newest completion first, and at one instant in descending order of user.
 * Returns at most `limit` (default 1,000) after the given place.
 */
export function loadCompletions(
  storage: Storage,
  tenant: string,
  achievement: string,
  { after = LAST, limit = CHUNK }: Page<UserPlace> = {},
): Promise<readonly CompletionLine[]> {
  return storage.all(HOLDERS, { ...after, tenant, achievement, limit })
}

/**
 * Ids of the runs of a leaderboard that have an entry, in descending order. Returns at most `limit` (default 1,000)
 * below the given text.
 */
export async function loadLeaderboardRuns(
  storage: Storage,
  tenant: string,
  leaderboard: string,
  { before = LAST_TEXT, limit = CHUNK }: { readonly before?: string; readonly limit?: number } = {},
): Promise<readonly string[]> {
  const rows = await storage.all(RUNS, { tenant, leaderboard: toKeyText(leaderboard), before, limit })
  return rows.map(({ run }) => run)
}

/**
 * The groups of a run in which there is an entry, in order of their places, at most `limit` after the given place.
 * Entries whose `until` is not after `at` are not counted, and of no group more than `most` are.
 */
export async function loadLeaderboardGroups(
  storage: Storage,
  tenant: string,
  leaderboard: string,
  run: string,
  { after, limit, ...counted }: LeaderboardGroupsOptions,
): Promise<readonly StoredGroup[]> {
  // A page begins with the given key, which is left out: the empty key, of a leaderboard without groups, comes after
  // no other key.
  const page = { after: after ?? '', limit: after === undefined ? limit : limit + 1 }
  const rows = await storage.all(GROUPS, { tenant, leaderboard: toKeyText(leaderboard), run, ...counted, ...page })
  return rows
    .filter(({ place }) => place !== after)
    .slice(0, limit)
    .map(({ place, names, users }) => ({ place, group: groupOf(place, names), users }))
}

/**
 * The number of entries in all groups of a run, without entries whose `until` is not after `at`. Counts no more than
 * `most`.
 */
export async function countEntries(
  storage: Storage,
  tenant: string,
  leaderboard: string,
  run: string,
  counted: { readonly at: Instant; readonly most: number },
): Promise<number> {
  const [found] = await storage.all(COUNT_ENTRIES, { tenant, leaderboard: toKeyText(leaderboard), run, ...counted })
  return found?.count ?? 0
}

/**
 * The pending work of all tenants: users whose `due` (`NoticeCursor`) has come, and messages without a position that
 * could have one.
 */
export async function loadBacklog(storage: Storage, now: Instant, most: number): Promise<Backlog> {
  return toBacklog(await storage.all(BACKLOG, { now, most }), most)
}

/** How many users of all tenants have a total of each of these metrics, in order of metric. Omits those without users. */
export function countMetricUsers(storage: Storage, metrics: readonly string[]): Promise<readonly MetricUsers[]> {
  return storage.all(METRIC_USERS, { metrics: JSON.stringify(metrics) })
}

function toActivity(rows: readonly ActivityRow[]): StoredActivity {
  const done = rows.find(({ system }) => system === null)
  return {
    events: done?.events ?? 0,
    users: done?.users ?? 0,
    newUsers: done?.newUsers ?? 0,
    completions: done?.completions ?? 0,
    points: rows.flatMap(({ system, sum }) => (system === null ? [] : [{ system, sum: sum ?? 0 }])),
  }
}

function toFirstDays(rows: readonly FirstDaysRow[]): readonly FirstDays[] {
  return [...Map.groupBy(rows, ({ user }) => user).values()].flatMap((own) =>
    own.slice(0, 1).map(({ user, at, created }) => {
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
