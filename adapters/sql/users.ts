import { assign, compiler, insertText, OF_USER, type SqlTraits, type Statement } from './database.ts'
import { COLUMNS, type ProfileColumn, type StateTable, type UserColumns, type UsersTable } from './tables.ts'
import type { NoticeChange, NoticeRow, StepColumn, StepRow, UserRow } from './user-rows.ts'

type Guarded<Row> = Row & { readonly read_version: number }

const PROFILE = [
  'email',
  'name',
  'tz',
  'subscribed_to_emails',
  'device_tokens',
  'attributes',
  'notifications',
  'personal_streak',
] as const satisfies readonly ProfileColumn[]
type StateColumn = Exclude<keyof UserRow, ProfileColumn>
const STATE = Object.keys(COLUMNS.users).filter(isOfState)

function isOfState(column: string): column is StateColumn {
  return ![...PROFILE, 'tenant_id', 'user_id', 'notices_sent_until', 'next_notice_at'].includes(column)
}

const STEP = [
  'version',
  'seq',
  'at',
  'streak_open_periods',
  'leaderboards',
  'date_sums',
  'caps',
  'cooldowns',
] as const satisfies readonly StepColumn[]

/** The columns of a user's row that a state is made of. */
export const USER_COLUMNS: readonly (keyof UserRow)[] = [...STATE, ...PROFILE]

export interface UserQueries {
  readonly load: Statement<UserColumns, UserRow & NoticeRow>
  /** The users who are other names of one user. */
  readonly names: Statement<{ readonly tenant_id: string; readonly merged_into: string }, Pick<UsersTable, 'user_id'>>
  readonly insert: Statement<StateTable, unknown>
  readonly update: Statement<Guarded<StateTable>, unknown>
  /** Leaves the profile and the preferences alone. */
  readonly advance: Statement<Guarded<Omit<StateTable, ProfileColumn>>, unknown>
  /** Names no column of an index: SQLite writes an index again if a statement names one of its columns. */
  readonly step: Statement<StepRow, unknown>
  readonly tell: Statement<NoticeChange, unknown>
}

export function userQueries(traits: SqlTraits): UserQueries {
  const { kysely } = traits
  const sql = compiler(traits)
  /** Changes no row if the version is not `read_version` any more. */
  const update = <Row extends UserColumns>(columns: readonly string[]): Statement<Guarded<Row>, unknown> =>
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
    update: update<StateTable>(USER_COLUMNS),
    advance: update<Omit<StateTable, ProfileColumn>>(STATE),
    step: update<StepRow>(STEP),
    tell: sql(`update laurels.users set ${assign(['notices_sent_until', 'next_notice_at'])} where ${OF_USER}`),
  }
}
