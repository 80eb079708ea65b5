import { type RawBuilder, sql } from 'kysely'
import { isGamificationError } from '../../src/errors.ts'
import {
  type FindUsersOptions,
  type FoundUser,
  type FoundUsers,
  LOOKED_AT,
  type TenantsOptions,
  type TenantUsers,
} from '../../src/storage/storage.ts'
import {
  type Bind,
  columnList,
  rawStatement,
  type SqlDatabase,
  type SqlTraits,
  type Statement,
  same,
  tableOf,
} from './database.ts'
import { type Progress, toUserState, type UserRow } from './user-rows.ts'
import { USER_COLUMNS } from './users.ts'

const CHUNK = 1_000

export type FoundRow = UserRow & { readonly user_id: string }

export interface UsersRead {
  readonly tenant_id: string
  readonly after: string
  readonly limit: number
}

export type SearchRead = UsersRead & { readonly last: string; readonly pattern: string }

export interface FoundUserQueries {
  readonly page: Statement<UsersRead, FoundRow>
  /** The last of the next `limit` users, and how many users these are. */
  readonly span: Statement<UsersRead, { readonly last: string | null; readonly count: number }>
  /** The users up to `last` whose id or name matches a pattern. */
  readonly search: Statement<SearchRead, FoundRow>
}

export function foundUserQueries(traits: SqlTraits): FoundUserQueries {
  const users = tableOf('users')
  const after = (bind: Bind<UsersRead>): RawBuilder<unknown> =>
    sql`tenant_id = ${bind('tenant_id')} and user_id > ${bind('after')}`
  const rows = sql`select user_id, ${columnList(USER_COLUMNS)} from ${users}`
  return {
    page: rawStatement(traits, (bind) => sql`${rows} where ${after(bind)} order by user_id limit ${bind('limit')}`),
    span: rawStatement(
      traits,
      (bind) => sql`select max(user_id) as last, count(*) as count from (
        select user_id from ${users} where ${after(bind)} order by user_id limit ${bind('limit')}
      ) n`,
    ),
    search: rawStatement(
      traits,
      (bind: Bind<SearchRead>) => sql`${rows} where ${after(bind)} and user_id <= ${bind('last')}
        and (lower(user_id) like ${bind('pattern')} escape '!' or lower(name) like ${bind('pattern')} escape '!')
        order by user_id limit ${bind('limit')}`,
    ),
  }
}

/** Lower case of the letters A to Z only: for others SQLite and Postgres differ. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

export async function findUsers(
  queries: FoundUserQueries,
  { all }: SqlDatabase,
  tenant: string,
  { search, after = '', limit = CHUNK }: FindUsersOptions = {},
): Promise<FoundUsers> {
  // One item more than the page says whether another page follows.
  const page = { tenant_id: tenant, after, limit: limit + 1 }
  if (search === undefined) return toFoundUsers(await all(queries.page, page), limit, null)
  const [span] = await all(queries.span, { ...page, limit: LOOKED_AT })
  const { last, count } = span ?? { last: null, count: 0 }
  const pattern = `%${lowerCase(search).replace(/[!%_]/g, '!$&')}%`
  const rows = await all(queries.search, { ...page, last: last ?? '', pattern })
  return toFoundUsers(rows, limit, count < LOOKED_AT ? null : last)
}

/** `rest`: the user after whom to go on when every row fits on the page; null: all users were looked at. */
function toFoundUsers(rows: readonly FoundRow[], limit: number, rest: string | null): FoundUsers {
  const page = rows.slice(0, limit)
  return { users: page.map(toFoundUser), last: rows.length > limit ? (page.at(-1)?.user_id ?? null) : rest }
}

const NO_PROGRESS: Progress = { totals: new Map(), tallies: new Map(), completions: new Map(), points: new Map() }

function toFoundUser(row: FoundRow): FoundUser {
  const user = row.user_id
  try {
    const { totals, tallies, completions, points, ...state } = toUserState(row, NO_PROGRESS)
    return { user, state }
  } catch (error) {
    if (!isGamificationError(error)) throw error
    return { user, damage: error.message }
  }
}

interface OfTenant {
  readonly tenant_id: string
}

export interface TenantQueries {
  /** Reads the counters of users. */
  readonly list: Statement<{ readonly after: string; readonly limit: number }, { tenant: string; users: number }>
  readonly removeKeys: Statement<OfTenant, unknown>
}

export function tenantQueries(traits: SqlTraits): TenantQueries {
  return {
    list: rawStatement(
      traits,
      (bind) => sql`select tenant_id as tenant, sum(count) as users from ${tableOf('counters')}
        where tenant_id >= ${bind('after')} and kind = 'users' group by tenant_id having sum(count) > 0
        order by tenant_id limit ${bind('limit')}`,
    ),
    // The condition on the kind is that of the partial index.
    removeKeys: rawStatement(
      traits,
      (bind) => sql`delete from ${tableOf('api_keys')} where kind = 'application' and ${same(bind, ['tenant_id'])}`,
    ),
  }
}

export async function listTenants(
  queries: TenantQueries,
  { all }: SqlDatabase,
  { after, limit = CHUNK }: TenantsOptions = {},
): Promise<readonly TenantUsers[]> {
  // The empty text is a tenant too: so a page begins with the given tenant, which is left out.
  const page = { after: after ?? '', limit: after === undefined ? limit : limit + 1 }
  const rows = await all(queries.list, page)
  return rows.filter(({ tenant }) => tenant !== after).slice(0, limit)
}
