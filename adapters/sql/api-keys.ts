import { type RawBuilder, sql } from 'kysely'
import { compareCodePoints } from '../../src/rules/position.ts'
import type { ApplicationKeysOptions } from '../../src/storage.ts'
import { type Bind, bindAll, type Statement, statement } from './statement.ts'
import type { ApiKeysTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

type None = Readonly<Record<string, never>>

export interface ApiKeyQueries {
  readonly find: Statement<Pick<ApiKeysTable, 'prefix'>, ApiKeysTable>
  /** The oldest first. */
  readonly admins: Statement<None, ApiKeysTable>
  /** Application keys after an id, in order of id: of a tenant, or of one of its users. */
  readonly ofTenant: Statement<KeysRead, ApiKeysTable>
  readonly ofUser: Statement<KeysRead & Pick<UserColumns, 'user_id'>, ApiKeysTable>
  readonly countAdmins: Statement<None, { readonly count: number }>
  readonly insert: Statement<ApiKeysTable, unknown>
  /** Returns the row as it then is, if there is one. A parameter that is null leaves its column as it is. */
  readonly updateAdmin: Statement<AdminKeyColumns, ApiKeysTable>
  readonly removeAdmin: Statement<Pick<ApiKeysTable, 'id'>, unknown>
  readonly removeApplication: Statement<{ readonly id: string; readonly tenant_id: string }, unknown>
}

export interface KeysRead {
  readonly tenant_id: string
  readonly after: string
  readonly limit: number
}

export interface AdminKeyColumns {
  readonly id: string
  readonly prefix: string | null
  readonly hash: string | null
  readonly status: ApiKeysTable['status'] | null
  readonly last_used_at: number | null
}

const COLUMNS = [
  'id',
  'prefix',
  'hash',
  'tenant_id',
  'user_id',
  'kind',
  'status',
  'created_at',
  'last_used_at',
  'can',
  'expires_at',
] as const

// Literals, because a database uses a partial index only where the text itself has the index's condition.
const ADMIN = sql.lit<ApiKeysTable['kind']>('admin')
const APPLICATION = sql.lit<ApiKeysTable['kind']>('application')

export function apiKeyQueries(traits: SqlTraits): ApiKeyQueries {
  return { ...reads(traits), ...writes(traits), updateAdmin: updateAdmin(traits) }
}

function reads(traits: SqlTraits): Pick<ApiKeyQueries, 'find' | 'admins' | 'ofTenant' | 'ofUser' | 'countAdmins'> {
  const { kysely } = traits
  const ofApplications = (bind: Bind<KeysRead>) =>
    kysely
      .selectFrom('api_keys')
      .select(COLUMNS)
      .where('kind', '=', APPLICATION)
      .where('tenant_id', '=', bind('tenant_id'))
      .where('id', '>', bind('after'))
      .orderBy('id')
      .limit(bind('limit'))
  return {
    ofTenant: statement(traits, ofApplications),
    ofUser: statement<KeysRead & Pick<UserColumns, 'user_id'>, ApiKeysTable>(traits, (bind) =>
      ofApplications(bind).where('user_id', '=', bind('user_id')),
    ),
    find: statement(traits, (bind) =>
      kysely.selectFrom('api_keys').select(COLUMNS).where('prefix', '=', bind('prefix')),
    ),
    admins: statement(traits, () =>
      kysely.selectFrom('api_keys').select(COLUMNS).where('kind', '=', ADMIN).orderBy('created_at').orderBy('id'),
    ),
    countAdmins: statement(traits, () =>
      kysely
        .selectFrom('api_keys')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('kind', '=', ADMIN),
    ),
  }
}

function writes(traits: SqlTraits): Pick<ApiKeyQueries, 'insert' | 'removeAdmin' | 'removeApplication'> {
  const { kysely } = traits
  return {
    insert: statement(traits, (bind) => kysely.insertInto('api_keys').values(bindAll(bind, COLUMNS))),
    removeAdmin: statement(traits, (bind) =>
      kysely.deleteFrom('api_keys').where('id', '=', bind('id')).where('kind', '=', ADMIN),
    ),
    removeApplication: statement(traits, (bind) =>
      kysely
        .deleteFrom('api_keys')
        .where('id', '=', bind('id'))
        .where('kind', '=', APPLICATION)
        .where('tenant_id', '=', bind('tenant_id')),
    ),
  }
}

function updateAdmin(traits: SqlTraits): ApiKeyQueries['updateAdmin'] {
  const { kysely } = traits
  const lastUsed = sql.ref('last_used_at')
  const otherwise = <Value>(given: RawBuilder<Value | null>, column: string): RawBuilder<Value> =>
    sql`coalesce(${given}, ${sql.ref(column)})`
  return statement(traits, (bind) =>
    kysely
      .updateTable('api_keys')
      .set({
        prefix: otherwise(bind('prefix'), 'prefix'),
        hash: otherwise(bind('hash'), 'hash'),
        status: otherwise(bind('status'), 'status'),
        last_used_at: sql`case when ${lastUsed} > ${bind('last_used_at')} then ${lastUsed} else ${otherwise(bind('last_used_at'), 'last_used_at')} end`,
      })
      .where('id', '=', bind('id'))
      .where('kind', '=', ADMIN)
      .returning(COLUMNS),
  )
}

// No key has an empty id, so the empty text comes before all ids.
export function toKeysRead(tenant: string, { after = '', limit = 1_000 }: ApplicationKeysOptions): KeysRead {
  return { tenant_id: tenant, after, limit }
}

/** The first page of the keys of several users, in order of id. */
export function firstKeys(rows: readonly ApiKeysTable[], { limit }: KeysRead): readonly ApiKeysTable[] {
  return rows.toSorted((left, right) => compareCodePoints(left.id, right.id)).slice(0, limit)
}
