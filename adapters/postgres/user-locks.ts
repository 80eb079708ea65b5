import type { UserKey } from '../../src/storage/rows.ts'
import type { Session } from './session.ts'
import { quoteIdentifier } from './sql-text.ts'

/**
 * SQL for the advisory lock of a user who may not be stored yet. Two users may share a lock, and then wait without
 * need.
 */
function userLock(schema: string, tenant: string, user: string): string {
  const name = `laurels ${schema} `.replaceAll("'", "''")
  return `hashtextextended('${name}' || length(${tenant}) || ' ' || ${tenant} || ${user}, 0)`
}

export interface LockedRow {
  readonly transaction: string
  /** 0 if the user is not stored. */
  readonly version: number
}

/**
 * Takes locks in the order of all writers: first the lock of a user who may not be stored yet, then the lock of the
 * user's row.
 */
export async function lockUserRow(session: Session, schema: string, { tenant, user }: UserKey): Promise<LockedRow> {
  // As text: not every driver reads a column of the type void.
  const enter = `select pg_current_xact_id()::text as transaction,
    pg_advisory_xact_lock(${userLock(schema, '$1::text', '$2::text')})::text as locked`
  const lock = `select version::text from ${quoteIdentifier(schema)}.users where tenant_id = $1 and user_id = $2 for no key update`
  // Separate statements, so that each sees the commits that the one before waited for.
  const [entered] = (await session.query(enter, [tenant, user])) as readonly [Pick<LockedRow, 'transaction'>]
  const [row] = (await session.query(lock, [tenant, user])) as readonly { readonly version: string }[]
  return { transaction: entered.transaction, version: Number(row?.version ?? 0) }
}

/**
 * Locks a user with its aliases, and with the user whose alias it is, in order of their ids; merges lock users in that
 * order too. Returns the row of the user. An alias that was added after the read is not locked.
 */
export async function lockWithNames(session: Session, schema: string, key: UserKey): Promise<LockedRow> {
  const { tenant, user } = key
  const users = `${quoteIdentifier(schema)}.users`
  const text = `with recursive names (user_id) as (
      select $2::text collate "C"
      union select u.user_id from names n cross join lateral (
        select merged_into as user_id from ${users} where tenant_id = $1 and user_id = n.user_id
        union all select user_id from ${users} where tenant_id = $1 and merged_into = n.user_id
      ) u
    ) select user_id from names where user_id is not null`
  const names = (await session.query(text, [tenant, user])) as readonly { readonly user_id: string }[]
  let locked: LockedRow | null = null
  for (const id of names.map(({ user_id }) => user_id).sort()) {
    const row = await lockUserRow(session, schema, { tenant, user: id })
    if (id === user) locked = row
  }
  return locked ?? lockUserRow(session, schema, key)
}
