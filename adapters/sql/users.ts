import { type RawBuilder, sql } from 'kysely'
import {
  type Bind,
  bindAll,
  columnList,
  rawStatement,
  type SqlTraits,
  type Statement,
  same,
  statement,
  tableOf,
} from './database.ts'
import { COLUMNS, type ProfileColumn, type StateTable, type UserColumns, type UsersTable } from './tables.ts'
import type { NoticeChange, NoticeRow, StepColumn, StepRow, UserRow } from './user-rows.ts'

type Guarded<Row> = Row & { readonly read_version: number }

/** Asks for at most `limit` users of a tenant, after a user with this length of a streak. */
export interface StreaksRead {
  readonly tenant_id: string
  readonly length: number
  readonly user_id: string
  readonly limit: number
}

export interface UserQueries {
  readonly load: Statement<UserColumns, UserRow & NoticeRow>
  /** These two answer the longest streaks first. */
  readonly byStreak: Statement<StreaksRead, UserRow & { readonly user_id: string }>
  readonly byLongest: Statement<StreaksRead, UserRow & { readonly user_id: string }>
  readonly list: Statement<UserColumns & { readonly limit: number }, UserColumns>
  /** The users who are other names of one user. */
  readonly names: Statement<
    Pick<UsersTable, 'tenant_id'> & { readonly merged_into: string },
    { readonly user_id: string }
  >
  readonly insert: Statement<StateTable, unknown>
  /** These three change no row when the version is not `read_version` any more. */
  readonly update: Statement<Guarded<StateTable>, unknown>
  /** Leaves the profile and the preferences alone. */
  readonly advance: Statement<Guarded<Omit<StateTable, ProfileColumn>>, unknown>
  /**
   * Names no column of an index: SQLite writes a row's entry in an index anew where a statement names the index's
   * column.
   */
  readonly step: Statement<StepRow, unknown>
  readonly tell: Statement<NoticeChange, unknown>
}

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

export function userQueries(traits: SqlTraits): UserQueries {
  const users = tableOf('users')
  const longest = (column: RawBuilder<unknown>): UserQueries['byStreak'] =>
    rawStatement(
      traits,
      // `> 0` is the condition of the partial index.
      (bind) => sql`select user_id, ${columnList(USER_COLUMNS)} from ${users}
        where tenant_id = ${bind('tenant_id')} and ${column} > 0 and ${column} <= ${bind('length')}
          and (${column} < ${bind('length')} or user_id > ${bind('user_id')})
        order by ${column} desc, user_id limit ${bind('limit')}`,
    )
  return {
    load: rawStatement(
      traits,
      (bind) => sql`select ${columnList(USER_COLUMNS)}, notices_sent_until, next_notice_at from ${users}
        where ${same(bind, ['tenant_id', 'user_id'])}`,
    ),
    list: rawStatement(
      traits,
      (bind) => sql`select tenant_id, user_id from ${users}
        where (tenant_id, user_id) > (${bind('tenant_id')}, ${bind('user_id')})
        order by tenant_id, user_id limit ${bind('limit')}`,
    ),
    names: rawStatement(
      traits,
      (bind) => sql`select user_id from ${users} where ${same(bind, ['tenant_id', 'merged_into'])}`,
    ),
    byStreak: longest(sql.ref('streak_length')),
    byLongest: longest(sql.ref('streak_longest')),
    ...userWrites(traits),
  }
}

function userWrites(traits: SqlTraits): Pick<UserQueries, 'insert' | 'update' | 'advance' | 'step' | 'tell'> {
  const { kysely } = traits
  const users = tableOf('users')
  /** `set` lists columns that are parameters too. */
  const update = <Params extends Guarded<UserColumns>>(
    set: readonly (keyof Params & string)[],
  ): Statement<Params, unknown> =>
    rawStatement(
      traits,
      (bind) => sql`update ${users} set ${assign(bind, set)}
        where ${same<Guarded<UserColumns>>(bind, ['tenant_id', 'user_id'])} and version = ${bind('read_version')}`,
    )
  return {
    insert: statement(traits, (bind) =>
      kysely.insertInto('users').values(bindAll(bind, ['tenant_id', 'user_id', ...STATE, ...PROFILE])),
    ),
    update: update<Guarded<StateTable>>([...STATE, ...PROFILE]),
    advance: update<Guarded<Omit<StateTable, ProfileColumn>>>(STATE),
    step: update<StepRow>(STEP),
    tell: rawStatement(
      traits,
      (bind) => sql`update ${users} set ${assign(bind, ['notices_sent_until', 'next_notice_at'])}
        where ${same(bind, ['tenant_id', 'user_id'])}`,
    ),
  }
}

function assign<Params>(bind: Bind<Params>, columns: readonly (keyof Params & string)[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${sql.ref(column)} = ${bind(column)}`))
}
