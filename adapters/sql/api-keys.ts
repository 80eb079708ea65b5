import { type RawBuilder, sql } from 'kysely'
import { GamificationError } from '../../src/errors.ts'
import { compareCodePoints } from '../../src/rules/position.ts'
import type { AdminKeyChange, ApplicationKeysOptions, Storage, StoredKey } from '../../src/storage/storage.ts'
import {
  type Bind,
  columnList,
  rawStatement,
  type SqlDatabase,
  type SqlTraits,
  type Statement,
  statement,
  tableOf,
} from './database.ts'
import { type ApiKeysTable, COLUMNS, type UserColumns } from './tables.ts'
import type { UserQueries } from './users.ts'

function toKeyRow(key: StoredKey): ApiKeysTable {
  const { id, prefix, hash, owner, status, createdAt, lastUsedAt, can, expiresAt } = key
  return {
    id,
    prefix,
    hash,
    tenant_id: owner?.tenant ?? null,
    user_id: owner?.user ?? null,
    kind: owner === null ? 'admin' : 'application',
    status,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    can: can === null ? null : JSON.stringify(can),
    expires_at: expiresAt,
  }
}

/** null: the row's kind and owner contradict each other, so it is no key. */
function toStoredKey(row: ApiKeysTable): StoredKey | null {
  const { id, prefix, hash, status, created_at, last_used_at, can, expires_at } = row
  const owner = ownerOf(row)
  if (owner === undefined) return null
  const times = { createdAt: created_at, lastUsedAt: last_used_at, expiresAt: expires_at }
  return { id, prefix, hash, owner, status, can: toCan(can), ...times }
}

/** A list that cannot be read allows nothing, not everything. */
function toCan(text: string | null): StoredKey['can'] {
  if (text === null) return null
  try {
    const can: unknown = JSON.parse(text)
    return Array.isArray(can) && can.every((item) => typeof item === 'string') ? can : []
  } catch {
    return []
  }
}

/**
 * The owner of a key: null for an admin key, undefined where the kind contradicts the owner. Only the kind makes an
 * admin key, so an application key that lost its user does not become one.
 */
function ownerOf({ kind, tenant_id: tenant, user_id: user }: ApiKeysTable): StoredKey['owner'] | undefined {
  if (kind === 'admin') return tenant === null && user === null ? null : undefined
  if (kind !== 'application' || tenant === null || user === null) return undefined
  return { tenant, user }
}

export interface AdminKeyColumns {
  readonly id: string
  readonly prefix: string | null
  readonly hash: string | null
  readonly status: ApiKeysTable['status'] | null
  readonly last_used_at: number | null
}

function toAdminKeyColumns(id: string, { prefix, hash, status, lastUsedAt }: AdminKeyChange): AdminKeyColumns {
  return {
    id,
    prefix: prefix ?? null,
    hash: hash ?? null,
    status: status ?? null,
    last_used_at: lastUsedAt ?? null,
  }
}

type None = Readonly<Record<string, never>>

export interface ApiKeyQueries {
  readonly find: Statement<Pick<ApiKeysTable, 'prefix'>, ApiKeysTable>
  /** The oldest first. */
  readonly admins: Statement<None, ApiKeysTable>
  /** Application keys after an id, in order of id: of a tenant, or of one of its users. */
  readonly ofTenant: Statement<KeysRead, ApiKeysTable>
  readonly ofUser: Statement<KeysRead & Pick<UserColumns, 'user_id'>, ApiKeysTable>
  /** Inserts keys of a JSON list, or an admin key unless `most` are there; both return the ids. */
  readonly insert: Statement<{ readonly rows: string }, KeyId>
  readonly insertAdmin: Statement<{ readonly rows: string; readonly most: number }, KeyId>
  /** Returns the row as it then is, if there is one. A parameter that is null leaves its column as it is. */
  readonly updateAdmin: Statement<AdminKeyColumns, ApiKeysTable>
  readonly removeAdmin: Statement<KeyId, KeyId>
  /** The keys in a JSON list of ids. */
  readonly removeApplications: Statement<{ readonly ids: string; readonly tenant_id: string }, KeyId>
}

type KeyId = Pick<ApiKeysTable, 'id'>

export interface KeysRead {
  readonly tenant_id: string
  readonly after: string
  readonly limit: number
}

const NAMES = Object.keys(COLUMNS.api_keys) as (keyof ApiKeysTable)[]

// Literals, because a database uses a partial index only where the text itself has the index's condition.
const ADMIN = sql.lit<ApiKeysTable['kind']>('admin')
const APPLICATION = sql.lit<ApiKeysTable['kind']>('application')

export function apiKeyQueries(traits: SqlTraits): ApiKeyQueries {
  return { ...reads(traits), ...writes(traits), updateAdmin: updateAdmin(traits) }
}

function reads(traits: SqlTraits): Pick<ApiKeyQueries, 'find' | 'admins' | 'ofTenant' | 'ofUser'> {
  const { kysely } = traits
  const ofApplications = (bind: Bind<KeysRead>) =>
    kysely
      .selectFrom('api_keys')
      .select(NAMES)
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
    find: statement(traits, (bind) => kysely.selectFrom('api_keys').select(NAMES).where('prefix', '=', bind('prefix'))),
    admins: statement(traits, () =>
      kysely.selectFrom('api_keys').select(NAMES).where('kind', '=', ADMIN).orderBy('created_at').orderBy('id'),
    ),
  }
}

function writes(traits: SqlTraits): Omit<ApiKeyQueries, keyof ReturnType<typeof reads> | 'updateAdmin'> {
  const { kysely } = traits
  const keys = tableOf('api_keys')
  const insert = (rows: RawBuilder<string>): RawBuilder<KeyId> =>
    sql`insert into ${keys} (${columnList(NAMES)})
      select ${columnList(NAMES)} from ${traits.jsonRows(rows, COLUMNS.api_keys)}`
  const admins = sql`(select count(*) from ${keys} where kind = ${ADMIN})`
  return {
    insert: rawStatement(traits, (bind) => sql<KeyId>`${insert(bind('rows'))} returning id`),
    insertAdmin: rawStatement(
      traits,
      (bind) => sql<KeyId>`${insert(bind('rows'))} where ${admins} < ${bind('most')} returning id`,
    ),
    removeAdmin: statement(traits, (bind) =>
      kysely.deleteFrom('api_keys').where('id', '=', bind('id')).where('kind', '=', ADMIN).returning('id'),
    ),
    removeApplications: statement(traits, (bind) =>
      kysely
        .deleteFrom('api_keys')
        .where('id', 'in', traits.jsonList(bind('ids')))
        .where('kind', '=', APPLICATION)
        .where('tenant_id', '=', bind('tenant_id'))
        .returning('id'),
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
      .returning(NAMES),
  )
}

interface KeyQueries {
  readonly apiKeys: ApiKeyQueries
  readonly users: Pick<UserQueries, 'names'>
}

export type KeyStorage = Pick<
  Storage,
  | 'findKey'
  | 'adminKeys'
  | 'applicationKeys'
  | 'addAdminKey'
  | 'addApplicationKeys'
  | 'updateAdminKey'
  | 'removeAdminKey'
  | 'removeApplicationKeys'
>

export function sqlKeys(queries: KeyQueries, database: SqlDatabase): KeyStorage {
  const { all, change, once, locked } = database
  const { apiKeys } = queries
  return {
    findKey: async (prefix) => toKeys(await all(apiKeys.find, { prefix }))[0] ?? null,
    adminKeys: async () => toKeys(await all(apiKeys.admins, {})),
    applicationKeys: (tenant, options = {}) => applicationKeys(queries, database, tenant, options),
    addAdminKey: async (key, most) => {
      if (key.owner !== null) throw new GamificationError('internal', `The admin key ${key.id} has an owner.`)
      const rows = JSON.stringify([toKeyRow(key)])
      return (await locked('admin keys', apiKeys.insertAdmin, { rows, most })).length === 1
    },
    addApplicationKeys: async (keys) => {
      // Without an owner it would be an admin key beyond the limit.
      const ownerless = keys.find(({ owner }) => owner === null)
      if (ownerless !== undefined) {
        throw new GamificationError('internal', `The application key ${ownerless.id} has no owner.`)
      }
      await once(apiKeys.insert, { rows: JSON.stringify(keys.map(toKeyRow)) })
    },
    updateAdminKey: async (id, update) => {
      return toKeys(await change(apiKeys.updateAdmin, toAdminKeyColumns(id, update)))[0] ?? null
    },
    removeAdminKey: async (id) => (await once(apiKeys.removeAdmin, { id })).length === 1,
    removeApplicationKeys: async (tenant, ids) => {
      const asked = { tenant_id: tenant, ids: JSON.stringify(ids) }
      const removed = new Set((await once(apiKeys.removeApplications, asked)).map(({ id }) => id))
      return [...new Set(ids)].filter((id) => removed.has(id))
    },
  }
}

async function applicationKeys(
  { apiKeys, users }: KeyQueries,
  { all }: SqlDatabase,
  tenant: string,
  // No key has an empty id, so the empty text comes before all ids.
  { user, after = '', limit = 1_000 }: ApplicationKeysOptions,
): Promise<readonly StoredKey[]> {
  const read: KeysRead = { tenant_id: tenant, after, limit }
  if (user === undefined) return toKeys(await all(apiKeys.ofTenant, read))
  const rows: ApiKeysTable[] = []
  // The user's other names, and other names of these.
  const names = [user]
  for (const name of names) {
    rows.push(...(await all(apiKeys.ofUser, { ...read, user_id: name })))
    const others = await all(users.names, { tenant_id: tenant, merged_into: name })
    names.push(...others.map(({ user_id }) => user_id))
  }
  return toKeys(rows.toSorted((left, right) => compareCodePoints(left.id, right.id)).slice(0, limit))
}

function toKeys(rows: readonly ApiKeysTable[]): readonly StoredKey[] {
  return rows.flatMap((row) => toStoredKey(row) ?? [])
}
