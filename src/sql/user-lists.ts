import { isGamificationError } from '../errors.ts'
import type { UserState } from '../rules/state.ts'
import { CHUNK, type Page } from '../storage/reads.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import type { Storage } from '../storage/storage.ts'
import { statement } from './database.ts'
import { toMap } from './stored-text.ts'
import { type StoredProgress, toUserState, type UserRow } from './user-rows.ts'
import { USER_COLUMNS } from './users.ts'

/** How many users one search looks at. */
export const LOOKED_AT = 10_000

export interface FindUsersOptions extends Page<string> {
  readonly search?: string
}

export interface FoundUsers {
  readonly users: readonly FoundUser[]
  /** The last user that was read, or `null` if there are no more users. */
  readonly last: string | null
}

export type FoundUser = ReadUser | DamagedRow

export interface ReadUser {
  readonly user: string
  /** Without the members that have tables of their own. */
  readonly state: Omit<UserState, 'totals' | 'tallies' | 'completions' | 'points'>
}

/** A user whose row cannot be read; `damage` says why. */
export interface DamagedRow {
  readonly user: string
  readonly damage: string
}

export interface TenantUsers {
  readonly tenant: string
  readonly users: number
}

export interface UserPointsTotal {
  readonly user: string
  readonly total: number
  readonly attributes: ReadonlyMap<string, string>
}

/** By which length of `UserState.streak` users are ordered. */
export type StreakLength = 'length' | 'longest'

export interface StreakCursor {
  readonly length: number
  readonly user: string
}

type NamedRow = UserRow & { readonly user_id: string }

interface UsersPage {
  readonly tenant: string
  readonly after: string
  readonly limit: number
}

interface StreaksPage {
  readonly tenant: string
  readonly length: number
  readonly user: string
  readonly limit: number
}

interface TotalRow {
  readonly user: string
  readonly attributes: string
  /** `null` if the user has no points. */
  readonly total: number | null
}

const ROWS = `select user_id, ${USER_COLUMNS.join(', ')} from laurels.users`
const AFTER = 'tenant_id = :tenant and user_id > :after'

const LIST = statement<UserKey & { readonly limit: number }, UserKey>(
  `select tenant_id as tenant, user_id as "user" from laurels.users
    where (tenant_id, user_id) > (:tenant, :user) order by tenant_id, user_id limit :limit`,
)

const PAGE = statement<UsersPage, NamedRow>(`${ROWS} where ${AFTER} order by user_id limit :limit`)

/** The last of the next `limit` users, and how many users these are. */
const SPAN = statement<UsersPage, { readonly last: string | null; readonly count: number }>(
  `select max(user_id) as last, count(*) as count from (
    select user_id from laurels.users where ${AFTER} order by user_id limit :limit
  ) n`,
)

/** The users up to `last` whose id or name matches a pattern. */
const SEARCH = statement<UsersPage & { readonly last: string; readonly pattern: string }, NamedRow>(
  `${ROWS} where ${AFTER} and user_id <= :last
    and (lower(user_id) like :pattern escape '!' or lower(name) like :pattern escape '!')
    order by user_id limit :limit`,
)

/** `> 0` is the condition of the partial index. */
const longest = (column: string): Statement<StreaksPage, NamedRow> =>
  statement(`${ROWS} where tenant_id = :tenant and ${column} > 0 and ${column} <= :length
    and (${column} < :length or user_id > :user) order by ${column} desc, user_id limit :limit`)
const LONGEST_STREAKS = { length: longest('streak_length'), longest: longest('streak_longest') }

/** For a join, Postgres would read the points of all users for each page. */
const POINTS_TOTALS = statement<UsersPage & { readonly system: string }, TotalRow>(
  `select u.user_id as "user", u.attributes, (select p.total from laurels.points p
      where p.tenant_id = u.tenant_id and p.user_id = u.user_id and p.system = :system) as total
    from laurels.users u
    where u.tenant_id = :tenant and u.user_id > :after and u.merged_into is null
    order by u.user_id limit :limit`,
)

/** Reads the counters of users. */
const TENANTS = statement<Omit<UsersPage, 'tenant'>, TenantUsers>(
  `select tenant_id as tenant, sum(count) as users from laurels.counters
    where tenant_id >= :after and kind = 'users' group by tenant_id having sum(count) > 0
    order by tenant_id limit :limit`,
)

/** Before all others: no user has an empty id. */
export const FIRST_USER: UserKey = { tenant: '', user: '' }
/** Longer than any streak. */
const LONGEST = Number.MAX_SAFE_INTEGER

/** Users of all tenants in order of (tenant, user). */
export function loadUserKeys(
  storage: Storage,
  { after = FIRST_USER, limit = CHUNK }: Page<UserKey> = {},
): Promise<readonly UserKey[]> {
  return storage.all(LIST, { ...after, limit })
}

/**
 * Users of a tenant in order of user. `search` keeps users whose id or name contains a text, with A to Z as a to z. A
 * search looks at the next `LOOKED_AT` users only, so a page may be empty although more users follow.
 */
export async function findUsers(
  storage: Storage,
  tenant: string,
  { search, after = '', limit = CHUNK }: FindUsersOptions = {},
): Promise<FoundUsers> {
  // One item more than the page says whether another page follows.
  const page = { tenant, after, limit: limit + 1 }
  if (search === undefined) return toFoundUsers(await storage.all(PAGE, page), limit, null)
  const [span] = await storage.all(SPAN, { ...page, limit: LOOKED_AT })
  const { last, count } = span ?? { last: null, count: 0 }
  const pattern = `%${lowerCase(search).replace(/[!%_]/g, '!$&')}%`
  const rows = await storage.all(SEARCH, { ...page, last: last ?? '', pattern })
  return toFoundUsers(rows, limit, count < LOOKED_AT ? null : last)
}

/**
 * Users whose streak is above 0, the longest first, then in order of user. The current streak (`length`) is that
 * after the user's newest entry.
 */
export async function loadLongestStreaks(
  storage: Storage,
  tenant: string,
  by: StreakLength,
  { after = { length: LONGEST, user: '' }, limit = CHUNK }: Page<StreakCursor> = {},
): Promise<readonly ReadUser[]> {
  const rows = await storage.page(LONGEST_STREAKS[by], { ...after, tenant, limit })
  return rows.map((row) => ({ user: row.user_id, state: toPartialState(row) }))
}

/** Each user of a tenant with the total in one points system (0 without any), in order of user. */
export async function loadPointsTotals(
  storage: Storage,
  tenant: string,
  system: string,
  { after = '', limit = CHUNK }: Page<string> = {},
): Promise<readonly UserPointsTotal[]> {
  const rows = await storage.page(POINTS_TOTALS, { tenant, system, after, limit })
  return rows.map(({ user, total, attributes }) => {
    return { user, total: total ?? 0, attributes: toMap<string, string>(JSON.parse(attributes)) }
  })
}

/** Tenants that have users, in order, with the number of their users. */
export async function loadTenants(
  storage: Storage,
  { after, limit = CHUNK }: Page<string> = {},
): Promise<readonly TenantUsers[]> {
  // The empty text is a tenant too, so a page begins with the given tenant, which is left out.
  const rows = await storage.all(TENANTS, { after: after ?? '', limit: after === undefined ? limit : limit + 1 })
  return rows.filter(({ tenant }) => tenant !== after).slice(0, limit)
}

/** Lower case of the letters A to Z only, because SQLite and Postgres differ for others. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** `rest` is the user to continue after if every row fits on the page, or `null` if there are no more users. */
function toFoundUsers(rows: readonly NamedRow[], limit: number, rest: string | null): FoundUsers {
  const page = rows.slice(0, limit)
  return { users: page.map(toFoundUser), last: rows.length > limit ? (page.at(-1)?.user_id ?? null) : rest }
}

function toFoundUser(row: NamedRow): FoundUser {
  const user = row.user_id
  try {
    return { user, state: toPartialState(row) }
  } catch (error) {
    if (!isGamificationError(error)) throw error
    return { user, damage: error.message }
  }
}

const NO_PROGRESS: StoredProgress = { totals: new Map(), tallies: new Map(), completions: new Map(), points: new Map() }

function toPartialState(row: NamedRow) {
  const { totals, tallies, completions, points, ...state } = toUserState(row.user_id, row, NO_PROGRESS)
  return state
}
