import { sql as raw } from 'kysely'
import { GamificationError } from '../../src/errors.ts'
import { compareCodePoints } from '../../src/rules/position.ts'
import { CHUNK, type KeyStorage, type StoredKey } from '../../src/storage/storage.ts'
import { type Bind, compiler, type SqlDatabase, type SqlTraits, type Statement } from './database.ts'
import { type ApiKeysTable, COLUMNS } from './tables.ts'
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

type None = Readonly<Record<string, never>>
type KeyId = Pick<ApiKeysTable, 'id'>
type AdminKeyColumns = KeyId & {
  readonly [Column in 'prefix' | 'hash' | 'status' | 'last_used_at']: ApiKeysTable[Column] | null
}

interface KeysPage {
  readonly tenant_id: string
  readonly after: string
  readonly limit: number
}

const COLUMN_NAMES = Object.keys(COLUMNS.api_keys) as (keyof ApiKeysTable)[]
const NAMES = COLUMN_NAMES.join(', ')
// Literals, because a database uses a partial index only if the text itself has the condition of the index.
const ADMIN = raw.lit<ApiKeysTable['kind']>('admin')
const APPLICATION = raw.lit<ApiKeysTable['kind']>('application')

function keyQueries(traits: SqlTraits) {
  const sql = compiler(traits)
  const { kysely } = traits
  const keys = kysely.selectFrom('api_keys').select(COLUMN_NAMES)
  const ofTenant = (bind: Bind<KeysPage>) =>
    keys
      .where('kind', '=', APPLICATION)
      .where('tenant_id', '=', bind('tenant_id'))
      .where('id', '>', bind('after'))
      .orderBy('id')
      .limit(bind('limit'))
  const insert = `insert into laurels.api_keys (${NAMES})
    select ${NAMES} from ${traits.jsonRows(':rows', COLUMNS.api_keys)}`
  const updated = ['prefix', 'hash', 'status'].map((column) => `${column} = coalesce(:${column}, ${column})`)
  return {
    find: sql<{ readonly prefix: string }, ApiKeysTable>((bind) => keys.where('prefix', '=', bind('prefix'))),
    admins: sql<None, ApiKeysTable>(() => keys.where('kind', '=', ADMIN).orderBy('created_at').orderBy('id')),
    ofTenant: sql<KeysPage, ApiKeysTable>(ofTenant),
    ofUser: sql<KeysPage & { readonly user_id: string }, ApiKeysTable>((bind) =>
      ofTenant(bind).where('user_id', '=', bind('user_id')),
    ),
    insert: sql<{ readonly rows: string }, KeyId>(`${insert} returning id`),
    /** Inserts an admin key unless `most` are there. */
    insertAdmin: sql<{ readonly rows: string; readonly most: number }, KeyId>(
      `${insert} where (select count(*) from laurels.api_keys where kind = 'admin') < :most returning id`,
    ),
    /** Returns the row as it then is. A parameter that is null leaves its column as it is. */
    updateAdmin: sql<AdminKeyColumns, ApiKeysTable>(
      `update laurels.api_keys set ${updated.join(', ')}, last_used_at = case
          when last_used_at > :last_used_at then last_used_at else coalesce(:last_used_at, last_used_at) end
        where id = :id and kind = 'admin' returning ${NAMES}`,
    ),
    removeAdmin: sql<KeyId, KeyId>((bind) =>
      kysely.deleteFrom('api_keys').where('id', '=', bind('id')).where('kind', '=', ADMIN).returning('id'),
    ),
    removeApplications: sql<{ readonly ids: string; readonly tenant_id: string }, KeyId>(
      `delete from laurels.api_keys where id in ${traits.jsonList(':ids')} and kind = 'application'
        and tenant_id = :tenant_id returning id`,
    ),
  }
}

export function sqlKeys(traits: SqlTraits): (users: UserQueries, database: SqlDatabase) => KeyStorage {
  const queries = keyQueries(traits)
  return (users, { all, change, once, transaction }) => {
    const read = async <Params>(statement: Statement<Params, ApiKeysTable>, params: Params) =>
      (await all(statement, params)).flatMap((row) => toStoredKey(row) ?? [])
    return {
      findKey: async (prefix) => (await read(queries.find, { prefix }))[0] ?? null,
      adminKeys: () => read(queries.admins, {}),
      // No key has an empty id, so the empty text comes before all ids.
      applicationKeys: async (tenant, { user, after = '', limit = CHUNK } = {}) => {
        const page = { tenant_id: tenant, after, limit }
        if (user === undefined) return read(queries.ofTenant, page)
        const keys: StoredKey[] = []
        // The user's other names, and other names of these.
        const names = [user]
        for (const name of names) {
          keys.push(...(await read(queries.ofUser, { ...page, user_id: name })))
          const others = await all(users.names, { tenant_id: tenant, merged_into: name })
          names.push(...others.map(({ user_id }) => user_id))
        }
        return keys.sort((left, right) => compareCodePoints(left.id, right.id)).slice(0, limit)
      },
      addAdminKey: async (key, most) => {
        if (key.owner !== null) throw new GamificationError('internal', `The admin key ${key.id} has an owner.`)
        const rows = JSON.stringify([toKeyRow(key)])
        return transaction(async (tx) => {
          await tx.lock('admin keys')
          return (await tx.all(queries.insertAdmin, { rows, most })).length === 1
        })
      },
      addApplicationKeys: async (keys) => {
        // Without an owner it would be an admin key beyond the limit.
        const ownerless = keys.find(({ owner }) => owner === null)
        if (ownerless !== undefined) {
          throw new GamificationError('internal', `The application key ${ownerless.id} has no owner.`)
        }
        await once(queries.insert, { rows: JSON.stringify(keys.map(toKeyRow)) })
      },
      updateAdminKey: async (id, { prefix = null, hash = null, status = null, lastUsedAt = null }) => {
        const [row] = await change(queries.updateAdmin, { id, prefix, hash, status, last_used_at: lastUsedAt })
        return row === undefined ? null : toStoredKey(row)
      },
      removeAdminKey: async (id) => (await once(queries.removeAdmin, { id })).length === 1,
      removeApplicationKeys: async (tenant, ids) => {
        const asked = { tenant_id: tenant, ids: JSON.stringify(ids) }
        const removed = new Set((await once(queries.removeApplications, asked)).map(({ id }) => id))
        return [...new Set(ids)].filter((id) => removed.has(id))
      },
    }
  }
}
