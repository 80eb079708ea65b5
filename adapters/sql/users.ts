import { sql } from 'kysely'
import { bindAll, type SqlTraits, type Statement, statement } from './database.ts'
import type { ProfileColumn, StateTable, UserColumns, UsersTable } from './tables.ts'
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
const STATE = [
  'version',
  'seq',
  'at',
  'epoch',
  'created',
  'updated',
  'streak_length',
  'streak_last_period',
  'streak_started',
  'streak_first_at',
  'streak_extended_at',
  'streak_longest',
  'streak_open_periods',
  'streak_kept_period',
  'streak_lost',
  'freezes',
  'freezes_next_earned',
  'pauses',
  'leaderboards',
  'merged_into',
  'suspended',
  'date_sums',
  'boosts',
  'caps',
  'cooldowns',
  'timers',
  'streaks',
  'activity',
] as const
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
  const { kysely } = traits
  return {
    load: statement(traits, (bind) =>
      kysely
        .selectFrom('users')
        .select([...STATE, ...PROFILE, 'notices_sent_until', 'next_notice_at'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),
    ),
    list: statement(traits, (bind) =>
      kysely
        .selectFrom('users')
        .select(['tenant_id', 'user_id'])
        .where((eb) => eb(eb.refTuple('tenant_id', 'user_id'), '>', eb.tuple(bind('tenant_id'), bind('user_id'))))
        .orderBy('tenant_id')
        .orderBy('user_id')
        .limit(bind('limit')),
    ),
    names: statement(traits, (bind) =>
      kysely
        .selectFrom('users')
        .select('user_id')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('merged_into', '=', bind('merged_into')),
    ),
    byStreak: longestStreaks(traits, 'streak_length'),
    byLongest: longestStreaks(traits, 'streak_longest'),
    ...userWrites(traits),
  }
}

function longestStreaks(
  traits: SqlTraits,
  column: 'streak_length' | 'streak_longest',
): Statement<StreaksRead, UserRow & { readonly user_id: string }> {
  return statement(traits, (bind) =>
    traits.kysely
      .selectFrom('users')
      .select(['user_id', ...STATE, ...PROFILE])
      .where('tenant_id', '=', bind('tenant_id'))
      // The condition of the partial index.
      .where(column, '>', sql.lit(0))
      .where(column, '<=', bind('length'))
      .where((eb) => eb.or([eb(column, '<', bind('length')), eb('user_id', '>', bind('user_id'))]))
      .orderBy(column, 'desc')
      .orderBy('user_id')
      .limit(bind('limit')),
  )
}

function userWrites(traits: SqlTraits): Pick<UserQueries, 'insert' | 'update' | 'advance' | 'step' | 'tell'> {
  const { kysely } = traits
  return {
    insert: statement(traits, (bind) =>
      kysely.insertInto('users').values(bindAll(bind, ['tenant_id', 'user_id', ...STATE, ...PROFILE])),
    ),
    update: statement(traits, (bind) =>
      kysely
        .updateTable('users')
        .set(bindAll(bind, [...STATE, ...PROFILE]))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('version', '=', bind('read_version')),
    ),
    advance: statement(traits, (bind) =>
      kysely
        .updateTable('users')
        .set(bindAll(bind, STATE))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('version', '=', bind('read_version')),
    ),
    step: statement(traits, (bind) =>
      kysely
        .updateTable('users')
        .set(bindAll(bind, STEP))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('version', '=', bind('read_version')),
    ),
    tell: statement(traits, (bind) =>
      kysely
        .updateTable('users')
        .set(bindAll(bind, ['notices_sent_until', 'next_notice_at']))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),
    ),
  }
}
