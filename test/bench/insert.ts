import { KIND_NUMBERS } from '../../src/sql/entry-rows.ts'
import type { Tables } from '../../src/sql/tables.ts'

/**
 * An SQL expression for every column of a table. A column that the library gets does not compile here until somebody has
 * said what the hand-written rows have in it.
 */
export type Expressions<Name extends keyof Tables> = { readonly [Column in keyof Tables[Name]]: string }

/** A UUID as the sixteen bytes that packed tables have. */
export const toBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

/** One row; if a value is `?`, the parameters are in the order of the members. */
export function insertRow<Name extends keyof Tables>(table: string, row: Expressions<Name>): string {
  return `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`
}

type UserColumn = 'user_id' | 'version' | 'seq' | 'at' | 'created' | 'updated'

/** A user with nothing but an id. */
export const NEW_USER: Omit<Expressions<'users'>, UserColumn> = {
  tenant_id: `''`,
  epoch: '1',
  email: 'null',
  name: 'null',
  tz: 'null',
  subscribed_to_emails: 'null',
  device_tokens: 'null',
  sign_up_date: 'null',
  attributes: `'{}'`,
  notifications: `'{}'`,
  personal_streak: 'null',
  leaderboard_choice: 'null',
  gamification: 'null',
  streak_length: '0',
  streak_last_period: 'null',
  streak_started: 'null',
  streak_first_at: 'null',
  streak_extended_at: 'null',
  streak_longest: '0',
  streak_open_periods: 'null',
  streak_kept_period: 'null',
  streak_lost: 'null',
  freezes: 'null',
  freezes_next_earned: 'null',
  pauses: 'null',
  leaderboards: 'null',
  merged_into: 'null',
  suspended: 'null',
  earlier_days: 'null',
  resets: 'null',
  date_sums: 'null',
  boosts: 'null',
  caps: 'null',
  cooldowns: 'null',
  timers: 'null',
  streaks: 'null',
  activity: 'null',
  challenges: 'null',
  wallets: 'null',
  redeemed: 'null',
  notices_sent_until: 'null',
  next_notice_at: 'null',
}

type EventColumn =
  | 'user_id'
  | 'at'
  | 'seq'
  | 'entry_id'
  | 'recorded_at'
  | 'local_date'
  | 'local_time'
  | 'metric'
  | 'value'

/** An event in UTC with nothing but its metric and its value. */
export const PLAIN_EVENT: Omit<Expressions<'log'>, EventColumn> = {
  tenant_id: `''`,
  kind: String(KIND_NUMBERS.eventRecorded),
  epoch: '1',
  zone: `'UTC'`,
  profile: 'null',
  idempotency_key: 'null',
  new_value: 'null',
  data: 'null',
  voided_by: 'null',
  by_key: 'null',
}
