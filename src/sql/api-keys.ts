import { GamificationError } from '../errors.ts'
import type { Instant } from '../rules/calendar.ts'
import { compareCodePoints } from '../rules/position.ts'
import { CHUNK, type Page } from '../storage/reads.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import { wait } from '../storage/steps.ts'
import type { Storage } from '../storage/storage.ts'
import { type None, type SqlTraits, statement } from './database.ts'
import { type ApiKeysTable, COLUMNS } from './tables.ts'
import { OTHER_NAMES } from './users.ts'

/** A stored API key: it has the hash of the secret body, not the body. */
export interface StoredKey {
  readonly id: string
  /** The part before the dot of the full key; unique. */
  readonly prefix: string
  /** SHA-256 of the body, in hex. */
  readonly hash: string
  /** `null` for an admin key. */
  readonly owner: UserKey | null
  /** Only admin keys are ever revoked. */
  readonly status: ApiKeysTable['status']
  readonly createdAt: Instant
  /** To the minute; only of admin keys. */
  readonly lastUsedAt: Instant | null
  /**
   * The rights of the key, such as `read` or `events:steps`. `null`: all that the game allows clients. Empty: the
   * stored value is unreadable, so the key has no rights.
   */
  readonly can: readonly string[] | null
  /** When it expires, or `null` if never. */
  readonly expiresAt: Instant | null
}

export interface ApplicationKeysOptions extends Page<string> {
  readonly user?: string
}

export type AdminKeyChange = Partial<Pick<StoredKey, 'prefix' | 'hash' | 'status'>> & { readonly lastUsedAt?: Instant }

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

/** Only the kind makes an admin key, so an application key that lost its user does not become one. */
function toStoredKey(row: ApiKeysTable): StoredKey {
  const { id, prefix, hash, tenant_id, user_id, kind, status, created_at, last_used_at, can, expires_at } = row
  const owner = kind === 'admin' ? null : { tenant: tenant_id ?? '', user: user_id ?? '' }
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

type KeyId = Pick<ApiKeysTable, 'id'>
type AdminKeyColumns = KeyId & {
  readonly [Column in 'prefix' | 'hash' | 'status' | 'last_used_at']: ApiKeysTable[Column] | null
}

interface KeysPage {
  readonly tenant: string
  readonly after: string
  readonly limit: number
}

const COLUMN_NAMES = Object.keys(COLUMNS.api_keys) as (keyof ApiKeysTable)[]
const NAMES = COLUMN_NAMES.join(', ')
const UPDATED = ['prefix', 'hash', 'status'].map((column) => `${column} = coalesce(:${column}, ${column})`)

const KEYS_IN = `select ${NAMES} from laurels.api_keys`
/** The application keys of a tenant, or of one of its users. */
const applicationKeys = (owner: string): string =>
  `${KEYS_IN} where kind = 'application' and ${owner} and id > :after order by id limit :limit`
const insertText = ({ jsonRows }: SqlTraits): string =>
  `insert into laurels.api_keys (${NAMES}) select ${NAMES} from ${jsonRows(':rows', COLUMNS.api_keys)}`

// The kinds are literals, because a database uses a partial index only if the text has the condition of the index.
const KEYS = {
  find: statement<{ readonly prefix: string }, ApiKeysTable>(`${KEYS_IN} where prefix = :prefix`),
  admins: statement<None, ApiKeysTable>(`${KEYS_IN} where kind = 'admin' order by created_at, id`),
  ofTenant: statement<KeysPage, ApiKeysTable>(applicationKeys('tenant_id = :tenant')),
  ofUser: statement<KeysPage & { readonly user: string }, ApiKeysTable>(
    applicationKeys('tenant_id = :tenant and user_id = :user'),
  ),
  /** Waits for merges of the owners that are under way. */
  lockOwners: statement<{ readonly rows: string }, unknown>(
    ({ jsonRows, locking }) => `select u.user_id from laurels.users u where (u.tenant_id, u.user_id) in (
        select r.tenant_id, r.user_id from ${jsonRows(':rows', COLUMNS.api_keys)}
      ) order by u.tenant_id, u.user_id ${locking('for share of u')}`,
  ),
  insert: statement<{ readonly rows: string }, KeyId>(
    (traits) => `${insertText(traits)} where not exists (
        select 1 from laurels.users u
        where u.tenant_id = r.tenant_id and u.user_id = r.user_id and u.merged_into is not null
      ) returning id`,
  ),
  /** Inserts an admin key unless `most` are there. */
  insertAdmin: statement<{ readonly rows: string; readonly most: number }, KeyId>(
    (traits) => `${insertText(traits)}
      where (select count(*) from laurels.api_keys where kind = 'admin') < :most returning id`,
  ),
  /** Returns the row as it then is. A parameter that is null leaves its column unchanged. */
  updateAdmin: statement<AdminKeyColumns, ApiKeysTable>(
    `update laurels.api_keys set ${UPDATED.join(', ')}, last_used_at = case
        when last_used_at > :last_used_at then last_used_at else coalesce(:last_used_at, last_used_at) end
      where id = :id and kind = 'admin' returning ${NAMES}`,
  ),
  removeAdmin: statement<KeyId, KeyId>("delete from laurels.api_keys where id = :id and kind = 'admin' returning id"),
  removeApplications: statement<{ readonly ids: string; readonly tenant: string }, KeyId>(
    ({ jsonList }) => `delete from laurels.api_keys
      where id in ${jsonList(':ids')} and kind = 'application' and tenant_id = :tenant returning id`,
  ),
}

async function read<Params>(
  storage: Storage,
  query: Statement<Params, ApiKeysTable>,
  params: Params,
): Promise<readonly StoredKey[]> {
  return (await storage.all(query, params)).map(toStoredKey)
}

/** The key with this prefix; `null` if there is none. */
export async function findKey(storage: Storage, prefix: string): Promise<StoredKey | null> {
  return (await read(storage, KEYS.find, { prefix }))[0] ?? null
}

/** All admin keys, the oldest first (`createdAt`, then id). */
export function loadAdminKeys(storage: Storage): Promise<readonly StoredKey[]> {
  return read(storage, KEYS.admins, {})
}

/** Application keys in order of id, of a tenant or of one user and its aliases (`UserState.mergedInto`). */
export async function loadApplicationKeys(
  storage: Storage,
  tenant: string,
  { user, after = '', limit = CHUNK }: ApplicationKeysOptions = {},
): Promise<readonly StoredKey[]> {
  // No key has an empty id, so the empty text comes before all ids.
  const page = { tenant, after, limit }
  if (user === undefined) return read(storage, KEYS.ofTenant, page)
  const keys: StoredKey[] = []
  // The user's other names, and other names of these.
  const names = [user]
  for (const name of names) {
    keys.push(...(await read(storage, KEYS.ofUser, { ...page, user: name })))
    const others = await storage.all(OTHER_NAMES, { tenant, user: name })
    names.push(...others.map((other) => other.user))
  }
  return keys.sort((left, right) => compareCodePoints(left.id, right.id)).slice(0, limit)
}

/**
 * Stores an admin key if there are fewer than `most`, revoked ones included. Returns whether it was stored; concurrent
 * calls never exceed `most`. Rejects with `internal` for a known id or prefix, and for a key with an owner.
 */
export async function addAdminKey(storage: Storage, key: StoredKey, most: number): Promise<boolean> {
  if (key.owner !== null) throw new GamificationError('internal', `The admin key ${key.id} has an owner.`)
  const rows = JSON.stringify([toKeyRow(key)])
  return storage.transaction(function* (tx) {
    yield* wait(tx.lock('admin keys'))
    return (yield* wait(tx.all(KEYS.insertAdmin, { rows, most }))).length === 1
  })
}

/**
 * Stores application keys, but none of an owner who is another name (`UserState.mergedInto`). Returns the ids of the
 * stored keys. A key is stored before a concurrent merge of its owner, which may end it, or not at all. Rejects with
 * `internal` for a known id or prefix, or a missing owner, and then stores none.
 */
export async function addApplicationKeys(storage: Storage, keys: readonly StoredKey[]): Promise<readonly string[]> {
  // Without an owner it would be an admin key beyond the limit.
  const ownerless = keys.find(({ owner }) => owner === null)
  if (ownerless !== undefined) {
    throw new GamificationError('internal', `The application key ${ownerless.id} has no owner.`)
  }
  const rows = JSON.stringify(keys.map(toKeyRow))
  return storage.transaction(function* (tx) {
    yield* wait(tx.all(KEYS.lockOwners, { rows }))
    // A statement of its own, which sees a merge that the locks waited for.
    const inserted = yield* wait(tx.all(KEYS.insert, { rows }))
    const stored = new Set(inserted.map(({ id }) => id))
    return keys.map(({ id }) => id).filter((id) => stored.has(id))
  })
}

/**
 * Changes the given members of an admin key in one step; the next `findKey` of every process sees it. `lastUsedAt`
 * never goes back. Returns the changed key; `null` if there is none with this id.
 */
export async function updateAdminKey(storage: Storage, id: string, change: AdminKeyChange): Promise<StoredKey | null> {
  const { prefix = null, hash = null, status = null, lastUsedAt = null } = change
  const [row] = await storage.change(KEYS.updateAdmin, { id, prefix, hash, status, last_used_at: lastUsedAt })
  return row === undefined ? null : toStoredKey(row)
}

/** Deletes the admin key with this id. Returns whether there was one. */
export async function removeAdminKey(storage: Storage, id: string): Promise<boolean> {
  return (await storage.transaction((tx) => wait(tx.all(KEYS.removeAdmin, { id })))).length === 1
}

/** Deletes a tenant's application keys in one step. Returns the ids that existed. */
export async function removeApplicationKeys(
  storage: Storage,
  tenant: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const asked = { tenant, ids: JSON.stringify(ids) }
  const removed = await storage.transaction((tx) => wait(tx.all(KEYS.removeApplications, asked)))
  const known = new Set(removed.map(({ id }) => id))
  return [...new Set(ids)].filter((id) => known.has(id))
}
