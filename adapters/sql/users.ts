import { assign, compiler, insertText, OF_USER, type SqlTraits, type Statement } from './database.ts'
import { COLUMNS, type StateTable, type UserColumns, type UsersTable } from './tables.ts'
import { type NoticeRow, STEP_COLUMNS, type StateRow, type UserRow } from './user-rows.ts'

/** The columns of a user's row that a state is made of. */
export const USER_COLUMNS: readonly (keyof UserRow)[] = Object.keys(COLUMNS.users).filter(isOfState)

function isOfState(column: string): column is keyof UserRow {
  return !['tenant_id', 'user_id', 'notices_sent_until', 'next_notice_at'].includes(column)
}

export interface UserQueries {
  readonly load: Statement<UserColumns, UserRow & NoticeRow>
  /** The users who are other names of one user. */
  readonly names: Statement<{ readonly tenant_id: string; readonly merged_into: string }, Pick<UsersTable, 'user_id'>>
  readonly insert: Statement<StateTable, unknown>
  readonly update: Statement<StateRow, unknown>
  /**
   * As `update`, of `STEP_COLUMNS`. It names no column of an index: SQLite writes an index again if a statement names one
   * of its columns.
   */
  readonly step: Statement<StateRow, unknown>
  readonly tell: Statement<UserColumns & NoticeRow, unknown>
}

export function userQueries(traits: SqlTraits): UserQueries {
  const { kysely } = traits
  const sql = compiler(traits)
  /** Changes no row if the version is not `read_version` any more. */
  const update = (columns: readonly string[]): Statement<StateRow, unknown> =>
    sql(`update laurels.users set ${assign(columns)} where ${OF_USER} and version = :read_version`)
  return {
    load: sql((bind) =>
      kysely
        .selectFrom('users')
        .select([...USER_COLUMNS, 'notices_sent_until', 'next_notice_at'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),
    ),
    names: sql((bind) =>
      kysely
        .selectFrom('users')
        .select('user_id')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('merged_into', '=', bind('merged_into')),
    ),
    insert: sql(insertText('users', ['tenant_id', 'user_id', ...USER_COLUMNS])),
    update: update(USER_COLUMNS),
    step: update(STEP_COLUMNS),
    tell: sql(`update laurels.users set ${assign(['notices_sent_until', 'next_notice_at'])} where ${OF_USER}`),
  }
}
