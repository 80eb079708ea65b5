import type { Delivery } from '../../src/storage/outbox.ts'
import type { CounterKind, StreakPeriod } from '../../src/storage/rows.ts'
import type { StoredGame, StoredKey } from '../../src/storage/storage.ts'

/**
 * Every table, as kysely sees it. Instants are milliseconds, dates `YYYY-MM-DD`, local times `HH:MM:SS.mmm`, maps JSON
 * objects; booleans are what the database makes of them.
 */
export interface Tables {
  migrations: { name: string }
  games: GamesTable
  users: UsersTable
  log: LogTable
  totals: TotalsTable
  tallies: TalliesTable
  completions: CompletionsTable
  points: PointsTable
  awards: AwardsTable
  streak_periods: StreakPeriodsTable
  counters: CountersTable
  streak_pauses: StreakPausesTable
  named_streak_periods: NamedStreakPeriodsTable
  given_boosts: GivenBoostsTable
  snapshots: SnapshotsTable
  leaderboard_entries: LeaderboardEntriesTable
  leaderboard_blocks: LeaderboardBlocksTable
  api_keys: ApiKeysTable
  messages: MessagesTable
  outbox_head: OutboxHeadTable
  documents: DocumentsTable
  deliveries: DeliveriesTable
}

export interface UserColumns {
  tenant_id: string
  user_id: string
}

export interface GamesTable {
  epoch: number
  fingerprint: string
  definition: string
  policy: StoredGame['policy']
  created_at: number
}

export interface UsersTable extends UserColumns {
  version: number
  seq: number
  at: number
  epoch: number
  created: number
  updated: number
  email: string | null
  name: string | null
  tz: string | null
  subscribed_to_emails: boolean | number | null
  device_tokens: string | null
  attributes: string
  notifications: string
  personal_streak: string | null
  streak_length: number
  streak_last_period: number | null
  streak_started: string | null
  streak_first_at: number | null
  streak_extended_at: number | null
  streak_longest: number
  streak_open_periods: string
  streak_kept_period: number | null
  streak_lost: string | null
  freezes: number | null
  freezes_next_earned: string | null
  pauses: string
  /** The entries of the newest runs, by leaderboard. */
  leaderboards: string
  /** The user for whom this one is another name; null: for nobody. */
  merged_into: string | null
  /** JSON; null: the user is not suspended. */
  suspended: string | null
  /**
   * What events added on the newest local dates, for metrics with limits; null: nothing, or from before there were
   * limits.
   */
  date_sums: string | null
  /** JSON, as are the next five columns; null: there are none, or the row is older than the column. */
  boosts: string | null
  caps: string | null
  cooldowns: string | null
  timers: string | null
  streaks: string | null
  activity: string | null
  /** `NoticeCursor.until`; null: nothing was told. This column and `next_notice_at` follow from no log. */
  notices_sent_until: number | null
  next_notice_at: number | null
}

export type NoticeColumn = 'notices_sent_until' | 'next_notice_at'

/** The columns of a user's row that follow from the log, and the version. */
export type StateTable = Omit<UsersTable, NoticeColumn>

/** The columns that only a change of the profile or of the preferences touches. */
export type ProfileColumn =
  | 'email'
  | 'name'
  | 'tz'
  | 'subscribed_to_emails'
  | 'device_tokens'
  | 'attributes'
  | 'notifications'
  | 'personal_streak'

/**
 * The log. Ids are bytes, which queries take and return as `toIdHex` makes them. A kind is its number in `KIND_NUMBERS`,
 * a date its days since 1970-01-01, a local time its milliseconds since midnight. `view_log` shows all of these as text.
 */
export interface LogTable extends UserColumns {
  at: number
  seq: number
  entry_id: string
  kind: number
  epoch: number
  /** null: recorded at `at`. */
  recorded_at: number | null
  zone: string
  local_date: number
  local_time: number
  profile: string | null
  /** `value` is null for all entries but events; the other two are set for claims with an idempotency key, too. */
  metric: string | null
  value: number | null
  idempotency_key: string | null
  /** Further values of the kind of entry; null: none. */
  data: string | null
  /** Of a voided event the id of the entry that voided it; of a held event its own id. */
  voided_by: string | null
  /** The id of the API key that wrote it; null: none did. */
  by_key: string | null
}

export interface TotalsTable extends UserColumns {
  metric: string
  total: number
  highest: number
}

export interface TalliesTable extends UserColumns {
  rule_id: string
  total: number
  highest: number
}

export interface CompletionsTable extends UserColumns {
  achievement: string
  at: number
  entry_id: string
  /** How often it was completed. */
  count: number
}

export interface PointsTable extends UserColumns {
  system: string
  total: number
  level: string | null
}

export interface AwardsTable extends UserColumns {
  award_id: string
  system: string
  trigger_id: string
  entry_id: string
  at: number
  seq: number
  ordinal: number
  awarded: number
  total: number
  /** A JSON list of the boosts that multiplied it; null: none did. */
  boosts: string | null
}

/** The owners of pauses; a pause itself stands in the user's row. */
export interface StreakPausesTable extends UserColumns {
  pause_id: string
}

/** Periods of the game's `streaks`; the column `streak` is the key of a named streak. */
export interface NamedStreakPeriodsTable extends StreakPeriodsTable {
  streak: string
}

/** States that lines of a log have left, from which a fold can go on. */
export interface SnapshotsTable extends UserColumns {
  lines: number
  at: number
  seq: number
  baseline: number
  state: string
}

/** The owners of boosts that single users were given; a boost itself stands in the user's row. */
export interface GivenBoostsTable extends UserColumns {
  boost_id: string
  system: string
}

export interface StreakPeriodsTable extends UserColumns {
  start_date: string
  length: number
  kind: StreakPeriod['kind']
}

export interface CountersTable {
  tenant_id: string
  kind: CounterKind
  key: string
  count: number
}

/** Texts too long for an index stand as hashes in `leaderboard` and `group_key`; `names` then has them as they are. */
export interface LeaderboardEntriesTable extends UserColumns {
  leaderboard: string
  run: string
  group_key: string
  /** The value with its sign turned, so that the order ascends: best first. */
  minus_value: number
  reached_at: number
  /**
   * The instant from which an entry of a leaderboard ranked by streak does not count; null: the entry always counts.
   */
  until: number | null
  names: string | null
}

/** How many entries lie between the position at which a block begins, included, and that of the next one of its level. */
export interface LeaderboardBlocksTable {
  tenant_id: string
  leaderboard: string
  run: string
  group_key: string
  minus_value: number
  reached_at: number
  user_id: string
  count: number
}

export interface ApiKeysTable {
  id: string
  prefix: string
  hash: string
  /** Admin keys have null in these two columns. */
  tenant_id: string | null
  user_id: string | null
  kind: 'admin' | 'application'
  status: StoredKey['status']
  created_at: number
  last_used_at: number | null
  /** A JSON list; null: all that the game lets clients do. */
  can: string | null
  expires_at: number | null
}

/** A message on its way out; without a position until one is given. */
export interface MessagesTable extends UserColumns {
  /** Grows along each user's versions. */
  number: number
  /** Equal for messages about the same occurrence. */
  message_id: string
  type: string
  at: number
  /** JSON. */
  data: string
  /** Until then it waits for others of its id; null: it waits for nothing. */
  due: number | null
  position: number | null
}

/** Has one row: the newest position that was given to a message. */
export interface OutboxHeadTable {
  id: number
  position: number
}

export interface DocumentsTable {
  kind: string
  name: string
  /** null: it was removed. */
  text: string | null
  version: number
}

/** `user_id` is the empty text where there is no user, as in messages. */
export interface DeliveriesTable extends UserColumns {
  receiver: string
  position: number
  message_id: string
  type: string
  at: number
  data: string
  state: Delivery['state']
  tries: number
  next_at: number | null
  log: string
  /** The newest claim; null: there is none. */
  claim: string | null
  /** When the claim ends; 0: there is none. */
  claimed_until: number
}
