import { GamificationError } from '../../src/errors.ts'
import type { AdminKeyChange, ApplicationKeysOptions, StoredKey } from '../../src/storage.ts'
import { toAdminKeyColumns, toKeyRow, toStoredKey } from '../sql/api-key-rows.ts'
import { firstKeys, toKeysRead } from '../sql/api-keys.ts'
import type { Queries } from '../sql/queries.ts'
import type { Statement } from '../sql/statement.ts'
import type { ApiKeysTable } from '../sql/tables.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'

export async function findKey(runner: Runner, { apiKeys }: Queries, prefix: string): Promise<StoredKey | null> {
  const [row] = await runner.all(apiKeys.find, { prefix })
  return row === undefined ? null : toStoredKey(row)
}

export async function loadAdminKeys(runner: Runner, { apiKeys }: Queries): Promise<readonly StoredKey[]> {
  return (await runner.all(apiKeys.admins, {})).flatMap((row) => toStoredKey(row) ?? [])
}

export async function loadApplicationKeys(
  runner: Runner,
  queries: Queries,
  tenant: string,
  options: ApplicationKeysOptions,
): Promise<readonly StoredKey[]> {
  const { apiKeys } = queries
  const { user } = options
  const read = toKeysRead(tenant, options)
  const rows: ApiKeysTable[] = []
  if (user === undefined) rows.push(...(await runner.all(apiKeys.ofTenant, read)))
  else {
    for (const name of await namesOf(runner, queries, tenant, user)) {
      rows.push(...(await runner.all(apiKeys.ofUser, { ...read, user_id: name })))
    }
  }
  return firstKeys(rows, read).flatMap((row) => toStoredKey(row) ?? [])
}

/** A user, and all other names of it, directly or by way of another name. */
async function namesOf(runner: Runner, { users }: Queries, tenant: string, user: string): Promise<readonly string[]> {
  const names = [user]
  for (const name of names) {
    const others = await runner.all(users.names, { tenant_id: tenant, merged_into: name })
    names.push(...others.map(({ user_id }) => user_id))
  }
  return names
}

const COLUMNS =
  'id text, prefix text, hash text, tenant_id text, user_id text, kind text, status text, created_at bigint, last_used_at bigint, can text, expires_at bigint'

/** Inserts keys, given as a JSON list of rows, where the condition `where` holds. */
function insertion(
  schema: string,
  where: string,
): Statement<{ readonly rows: string; readonly most: number }, { id: string }> {
  return {
    text: `insert into ${quote(schema)}.api_keys (id, prefix, hash, tenant_id, user_id, kind, status, created_at, last_used_at, can, expires_at)
      select r.* from jsonb_to_recordset($1::text::jsonb) as r(${COLUMNS}) where ${where} returning id`,
    toValues: ({ rows, most }) => [rows, most],
  }
}

/**
 * Takes a lock before it counts. The count is a statement of its own, and sees what others committed before the lock
 * was free.
 */
export async function addAdminKey(runner: Runner, schema: string, key: StoredKey, most: number): Promise<boolean> {
  if (key.owner !== null) throw new GamificationError('internal', `The admin key ${key.id} has an owner.`)
  const count = `(select count(*) from ${quote(schema)}.api_keys where kind = 'admin') < $2`
  const { text, toValues } = insertion(schema, count)
  return runner.transaction(async (session) => {
    await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))::text', [`laurels ${schema} admin keys`])
    const rows = await session.query(text, toValues({ rows: JSON.stringify([toKeyRow(key)]), most }))
    return rows.length === 1
  })
}

export async function addApplicationKeys(runner: Runner, schema: string, keys: readonly StoredKey[]): Promise<void> {
  for (const { id, owner } of keys) {
    // Without an owner it would be an admin key beyond the limit.
    if (owner === null) throw new GamificationError('internal', `The application key ${id} has no owner.`)
  }
  const rows = JSON.stringify(keys.map(toKeyRow))
  await runner.once(insertion(schema, '$2::int = 0'), { rows, most: 0 })
}

export async function updateAdminKey(
  runner: Runner,
  { apiKeys }: Queries,
  id: string,
  change: AdminKeyChange,
): Promise<StoredKey | null> {
  const [row] = await runner.change(apiKeys.updateAdmin, toAdminKeyColumns(id, change))
  return row === undefined ? null : toStoredKey(row)
}

export async function removeAdminKey(runner: Runner, { apiKeys }: Queries, id: string): Promise<boolean> {
  return (await runner.once(returning(apiKeys.removeAdmin), { id })).length === 1
}

export async function removeApplicationKeys(
  runner: Runner,
  schema: string,
  tenant: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const removal: Statement<{ readonly tenant: string; readonly ids: string }, { readonly id: string }> = {
    text: `delete from ${quote(schema)}.api_keys
      where id in (select jsonb_array_elements_text($1::text::jsonb)) and kind = 'application' and tenant_id = $2 returning id`,
    toValues: (params) => [params.ids, params.tenant],
  }
  const removed = new Set((await runner.once(removal, { tenant, ids: JSON.stringify(ids) })).map(({ id }) => id))
  return [...new Set(ids)].filter((id) => removed.has(id))
}

function returning<Params>({ text, toValues }: Statement<Params, unknown>): Statement<Params, { readonly id: string }> {
  return { text: `${text} returning id`, toValues }
}
