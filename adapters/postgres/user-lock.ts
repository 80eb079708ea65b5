import type { UserKey } from '../../src/storage-rows.ts'
import { quote } from './quote.ts'
import type { Session } from './session.ts'

/**
 * SQL for the advisory lock of a user who may not be stored yet. Two users may share a lock, and then wait without
 * need.
 */
export function userLock(schema: string, tenant: string, user: string): string {
  const name = `laurels ${schema} `.replaceAll("'", "''")
  return `hashtextextended('${name}' || length(${tenant}) || ' ' || ${tenant} || ${user}, 0)`
}

export interface LockedUser {
  /** The id of the transaction. */
  readonly transaction: string
  /** 0: the user is not stored. */
  readonly version: number
}

/**
 * Takes locks in the order of all who write: first the lock of a user who may not be stored yet, then that of the
 * user's row.
 */
export async function lockUser(
  session: Session,
  schema: string,
  { tenant, user }: UserKey,
  strength: 'no key update' | 'update',
): Promise<LockedUser> {
  // As text: not every driver reads a column of the type void.
  const enter = `select pg_current_xact_id()::text as transaction,
    pg_advisory_xact_lock(${userLock(schema, '$1::text', '$2::text')})::text as locked`
  const lock = `select version::text from ${quote(schema)}.users where tenant_id = $1 and user_id = $2 for ${strength}`
  // Statements of their own, so that each sees what the one before waited for.
  const [entered] = (await session.query(enter, [tenant, user])) as readonly [Pick<LockedUser, 'transaction'>]
  const [row] = (await session.query(lock, [tenant, user])) as readonly { readonly version: string }[]
  return { transaction: entered.transaction, version: Number(row?.version ?? 0) }
}
