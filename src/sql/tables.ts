import type { MovementKind } from '../rules/change.ts'
import type { Redemption } from '../rules/redemption.ts'
import type { CounterKind, StreakPeriod } from '../storage/rows.ts'
import type { StoredGame } from '../storage/storage.ts'

/**
 * How a database keeps a column. `bytes` are read and written as hexadecimal digits, and a `small` number has four
 * bytes. A column that may be null ends in ` null`.
 */
type ColumnKind = `${'text' | 'bytes' | 'integer' | 'small' | 'double' | 'boolean'}${'' | ' null'}`

export interface TableDeclaration {
  readonly columns: { readonly [column: string]: ColumnKind }
  readonly key: readonly string[]
  /** The text after `on <table>` in the statement that creates the index, by name; `unique` may come first. */
  readonly indexes?: { readonly [name: string]: string }
  readonly constraints?: readonly string[]
}

/**
 * Every table of every SQL database; everything else about columns follows from this declaration. Instants are
 * milliseconds, and dates are `YYYY-MM-DD`. Maps and lists are JSON. The order of the columns is their order in the
 * file. Postgres pads numbers behind texts, and SQLite reads through long texts to reach columns behind them.
 */
export const TABLES = {
  // `compatible_from`: the number of the oldest migration whose laurels may write the tables after this one.
  migrations: { columns: { name: 'text', compatible_from: 'integer' }, key: ['name'] },
  games: {
    columns: {
      epoch: 'integer',
      fingerprint: 'text',
      definition: 'text',
      policy: 'text',
      cause: 'text',
      created_at: 'integer',
      seen_at: 'integer',
    },
    key: ['epoch'],
  },
  users: {
    columns: {
      tenant_id: 'text',
      user_id: 'text',
      version: 'integer',
      seq: 'integer',
      at: 'integer',
      epoch: 'integer',
      created: 'integer',
      updated: 'integer',
      email: 'text null',
      name: 'text null',
      tz: 'text null',
      subscribed_to_emails: 'boolean null',
      device_tokens: 'text null',
      sign_up_date: 'text null',
      attributes: 'text',
      notifications: 'text',
      personal_streak: 'text null',
      leaderboard_choice: 'text null',
      // `null` if the game is on.
      gamification: 'text null',
      streak_length: 'integer',
      streak_last_period: 'integer null',
      streak_started: 'text null',
      streak_first_at: 'integer null',
      streak_longest: 'integer',
      streak_open_periods: 'text null',
      streak_extended_at: 'integer null',
      leaderboards: 'text null',
      streak_kept_period: 'integer null',
      streak_lost: 'text null',
      freezes: 'integer null',
      freezes_next_earned: 'text null',
      pauses: 'text null',
      suspended: 'text null',
      // The user whose alias this one is.
      merged_into: 'text null',
      date_sums: 'text null',
      boosts: 'text null',
      caps: 'text null',
      cooldowns: 'text null',
      timers: 'text null',
      streaks: 'text null',
      earlier_days: 'text null',
      resets: 'text null',
      activity: 'text null',
      challenges: 'text null',
      wallets: 'text null',
      redeemed: 'text null',
      // These two are `NoticeCursor`. They do not follow from the log.
      notices_sent_until: 'integer null',
      next_notice_at: 'integer null',
    },
    key: ['tenant_id', 'user_id'],
    indexes: {
      laurels_users_by_streak: '(tenant_id, streak_length desc, user_id) where streak_length > 0',
      laurels_users_by_longest: '(tenant_id, streak_longest desc, user_id) where streak_longest > 0',
      laurels_users_by_merge: '(tenant_id, merged_into) where merged_into is not null',
      laurels_users_by_created: '(tenant_id, created, user_id) where merged_into is null',
      laurels_users_due: '(next_notice_at, tenant_id, user_id) where next_notice_at is not null',
    },
  },
  // A kind is its number in `KIND_NUMBERS`, a date its days since 1970-01-01, and a local time its milliseconds since
  // midnight. `view_log` shows all of these, and the ids, as text.
  log: {
    columns: {
      at: 'integer',
      // `null` if it was recorded at `at`.
      recorded_at: 'integer null',
      value: 'double null',
      seq: 'integer',
      epoch: 'small',
      kind: 'small',
      local_date: 'small',
      local_time: 'small',
      entry_id: 'bytes',
      tenant_id: 'text',
      user_id: 'text',
      zone: 'text',
      // Events have a value. Claims and adjustments with an idempotency key have a metric too.
      metric: 'text null',
      idempotency_key: 'text null',
      // The new value for a metric with the aggregation `distinct`; empty if the value is not new.
      new_value: 'text null',
      // The id of the entry that voided the event. A held event has its own id.
      voided_by: 'bytes null',
      // The id of the API key that wrote it.
      by_key: 'text null',
      profile: 'text null',
      // Further values of the kind of entry.
      data: 'text null',
    },
    key: ['tenant_id', 'user_id', 'at', 'seq'],
    indexes: {
      laurels_log_by_entry: 'unique (tenant_id, entry_id)',
      laurels_log_held: '(tenant_id, user_id, at, seq) where voided_by = entry_id',
      laurels_log_by_key: '(by_key, tenant_id, user_id, at, seq) where by_key is not null',
    },
  },
  totals: {
    columns: { tenant_id: 'text', user_id: 'text', metric: 'text', total: 'double', highest: 'double' },
    key: ['tenant_id', 'user_id', 'metric'],
  },
  tallies: {
    columns: { tenant_id: 'text', user_id: 'text', rule_id: 'text', total: 'double', highest: 'double' },
    key: ['tenant_id', 'user_id', 'rule_id'],
  },
  completions: {
    // `count` is how often the achievement was completed.
    columns: {
      tenant_id: 'text',
      user_id: 'text',
      achievement: 'text',
      at: 'integer',
      entry_id: 'text',
      count: 'integer',
    },
    key: ['tenant_id', 'user_id', 'achievement'],
    indexes: { laurels_completions_by_time: '(tenant_id, achievement, at, user_id)' },
  },
  points: {
    columns: { tenant_id: 'text', user_id: 'text', system: 'text', total: 'double', level: 'text null' },
    key: ['tenant_id', 'user_id', 'system'],
  },
  awards: {
    columns: {
      at: 'integer',
      seq: 'integer',
      ordinal: 'integer',
      awarded: 'double',
      total: 'double',
      award_id: 'bytes',
      trigger_id: 'bytes',
      entry_id: 'bytes',
      tenant_id: 'text',
      user_id: 'text',
      system: 'text',
      // The boosts that multiplied it.
      boosts: 'text null',
    },
    key: ['tenant_id', 'user_id', 'system', 'at', 'seq', 'ordinal'],
    indexes: { laurels_awards_by_time: '(tenant_id, at, system, awarded)' },
  },
  // The changes of balances in spendable points systems. A row that time caused has the place of the entry that settled it.
  movements: {
    columns: {
      at: 'integer',
      seq: 'integer',
      ordinal: 'integer',
      points: 'integer',
      amount: 'integer',
      balance: 'integer',
      until: 'integer null',
      tenant_id: 'text',
      user_id: 'text',
      system: 'text',
      kind: 'text',
      entry_id: 'text',
      // The spend or hold that it belongs to. A captured part belongs to the spend, and names its hold.
      spend_id: 'text null',
      hold_id: 'text null',
      lots: 'text null',
      reference: 'text null',
    },
    key: ['tenant_id', 'user_id', 'system', 'at', 'seq', 'ordinal'],
    indexes: { laurels_movements_by_spend: '(tenant_id, user_id, spend_id) where spend_id is not null' },
  },
  // The column `streak` is the key of a named streak, or empty for the game's `streak`.
  streak_periods: {
    columns: {
      tenant_id: 'text',
      user_id: 'text',
      streak: 'text',
      start_date: 'text',
      length: 'integer',
      kind: 'text',
    },
    key: ['tenant_id', 'user_id', 'streak', 'start_date'],
  },
  // A quest of a window of a challenge in which something has happened; `quest` is empty if there is no pool.
  challenge_windows: {
    columns: {
      tenant_id: 'text',
      user_id: 'text',
      challenge: 'text',
      start_date: 'text',
      quest: 'text',
      end_date: 'text null',
      started_at: 'integer',
      completed_at: 'integer null',
      entry_id: 'text null',
      claim_until: 'text null',
      claimed_at: 'integer null',
    },
    key: ['tenant_id', 'user_id', 'challenge', 'start_date', 'quest'],
    indexes: { laurels_challenge_windows_by_challenge: '(tenant_id, challenge, user_id, completed_at)' },
  },
  // Rewards that users have bought. `stocked` is 1 if the reward had a stock, from which it was taken.
  redemptions: {
    columns: {
      tenant_id: 'text',
      user_id: 'text',
      at: 'integer',
      redemption_id: 'text',
      reward: 'text',
      system: 'text',
      amount: 'integer',
      stocked: 'small',
      status: 'text',
      settled_at: 'integer null',
    },
    key: ['tenant_id', 'user_id', 'at', 'redemption_id'],
    indexes: {
      laurels_redemptions_by_id: '(redemption_id, tenant_id)',
      laurels_redemptions_by_time: '(tenant_id, at, redemption_id)',
      laurels_redemptions_by_status: '(tenant_id, status, at, redemption_id)',
    },
  },
  // How many of a reward with a stock are taken, by all users. `removed` of them were taken by users who are deleted.
  reward_stock: {
    columns: { tenant_id: 'text', reward: 'text', taken: 'integer', removed: 'integer' },
    key: ['tenant_id', 'reward'],
  },
  // The owner of a pause; the pause itself is in the user's row.
  streak_pauses: {
    columns: { tenant_id: 'text', user_id: 'text', pause_id: 'text' },
    key: ['tenant_id', 'user_id', 'pause_id'],
    indexes: { laurels_streak_pauses_by_id: '(pause_id, tenant_id)' },
  },
  // The owner of a boost; the boost itself is in the user's row.
  given_boosts: {
    columns: { tenant_id: 'text', user_id: 'text', boost_id: 'text', system: 'text' },
    key: ['tenant_id', 'user_id', 'boost_id'],
    indexes: {
      laurels_given_boosts_by_id: '(boost_id, tenant_id)',
      laurels_given_boosts_of_system: '(tenant_id, system, boost_id)',
    },
  },
  // States after the first lines of a log, from which a replay can start.
  snapshots: {
    columns: {
      tenant_id: 'text',
      user_id: 'text',
      lines: 'integer',
      at: 'integer',
      seq: 'integer',
      baseline: 'integer',
      state: 'text',
    },
    key: ['tenant_id', 'user_id', 'lines'],
  },
  counters: {
    // A counter is the sum of its slots, so processes that count the same do not wait for one another.
    columns: { tenant_id: 'text', kind: 'text', key: 'text', slot: 'integer', count: 'integer' },
    key: ['tenant_id', 'kind', 'key', 'slot'],
  },
  leaderboard_entries: {
    columns: {
      tenant_id: 'text',
      user_id: 'text',
      // A text that is too long for an index is a hash here and in `group_key`; `names` then has both texts.
      leaderboard: 'text',
      run: 'text',
      group_key: 'text',
      // The value with its sign turned, so that the order ascends, best first.
      minus_value: 'double',
      reached_at: 'integer',
      // When an entry of a leaderboard ranked by streak stops counting, or `null` if never.
      until: 'integer null',
      names: 'text null',
    },
    key: ['tenant_id', 'user_id', 'leaderboard', 'run'],
    indexes: {
      laurels_leaderboard_order: '(tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, until)',
    },
  },
  // How many entries lie between the position at which a block begins, included, and the beginning of the next block.
  leaderboard_blocks: {
    columns: {
      tenant_id: 'text',
      leaderboard: 'text',
      run: 'text',
      group_key: 'text',
      minus_value: 'double',
      reached_at: 'integer',
      user_id: 'text',
      count: 'integer',
    },
    key: ['tenant_id', 'leaderboard', 'run', 'group_key', 'minus_value', 'reached_at', 'user_id'],
    indexes: { laurels_leaderboard_blocks_by_user: "(user_id, tenant_id) where user_id <> ''" },
  },
  api_keys: {
    columns: {
      id: 'text',
      prefix: 'text',
      hash: 'text',
      tenant_id: 'text null',
      user_id: 'text null',
      kind: 'text',
      status: 'text',
      created_at: 'integer',
      last_used_at: 'integer null',
      // `null` for all that the game allows clients.
      can: 'text null',
      expires_at: 'integer null',
    },
    key: ['id'],
    indexes: {
      laurels_admin_keys: "(created_at, id) where kind = 'admin'",
      laurels_keys_of_tenant: "(tenant_id, id) where kind = 'application'",
      laurels_keys_of_user: "(tenant_id, user_id, id) where kind = 'application'",
    },
    constraints: [
      'unique (prefix)',
      `constraint laurels_api_keys_kind check (
    (kind = 'admin' and tenant_id is null and user_id is null)
    or (kind = 'application' and tenant_id is not null and user_id is not null)
  )`,
    ],
  },
  // `user_id` is the empty text if the message is about no user, here and in deliveries.
  messages: {
    columns: {
      // Grows along each user's versions.
      number: 'integer',
      // The same for messages about the same occurrence.
      message_id: 'text',
      type: 'text',
      at: 'integer',
      tenant_id: 'text',
      user_id: 'text',
      data: 'text',
      // When it stops waiting for others of its id, or `null` if it does not wait.
      due: 'integer null',
      position: 'integer null',
    },
    // Ids are random; numbers grow, so new messages share pages.
    key: ['number', 'message_id'],
    indexes: {
      laurels_messages_emails: "(message_id) where substr(type, 1, 7) = 'emails.'",
      laurels_messages_placed: 'unique (position) where position is not null',
      laurels_messages_next: '(number, message_id) where position is null and due is null',
      laurels_messages_due: '(due, message_id, number) where position is null and due is not null',
      laurels_messages_old: '(at) where position is not null',
      laurels_messages_of_user: '(tenant_id, user_id, number)',
    },
  },
  // One row, with the newest position of a message.
  outbox_head: { columns: { id: 'integer', position: 'integer' }, key: ['id'] },
  // A document that was removed keeps its version, without a text.
  documents: {
    columns: { kind: 'text', name: 'text', text: 'text null', version: 'integer' },
    key: ['kind', 'name'],
  },
  deliveries: {
    columns: {
      receiver: 'text',
      position: 'integer',
      message_id: 'text',
      type: 'text',
      at: 'integer',
      tenant_id: 'text',
      user_id: 'text',
      data: 'text',
      state: 'text',
      attempts: 'integer',
      next_at: 'integer null',
      log: 'text',
      // The newest claim, and when it ends; 0 if there is none.
      claim: 'text null',
      claimed_until: 'integer',
    },
    key: ['receiver', 'position'],
    indexes: {
      laurels_deliveries_of_state: '(receiver, state, position)',
      laurels_deliveries_due: "(receiver, next_at, position) where state = 'waiting'",
      laurels_deliveries_in_order: "(receiver, tenant_id, user_id, position) where state = 'waiting'",
      laurels_deliveries_old: "(at) where state <> 'waiting'",
      laurels_deliveries_of_user: '(tenant_id, user_id)',
    },
  },
} as const

export type TableName = keyof typeof TABLES

type ColumnsOf<Name extends TableName> = (typeof TABLES)[Name]['columns']

/** The columns of every table, each as the database keeps it. */
export const COLUMNS: { readonly [Name in TableName]: ColumnsOf<Name> } = Object.fromEntries(
  Object.entries(TABLES).map(([name, { columns }]) => [name, columns]),
  // `fromEntries` cannot say that each name has its own columns.
) as { readonly [Name in TableName]: ColumnsOf<Name> }

type ValueOf<Column> = Column extends `${infer Kind} null` ? ValueOf<Kind> | null : Single<Column>
type Single<Kind> = Kind extends 'text' | 'bytes' ? string : Kind extends 'boolean' ? boolean | number : number

/** The values of columns that have only a few, by table and column. */
interface Narrowed {
  'games.policy': StoredGame['policy']
  'games.cause': StoredGame['cause']
  'streak_periods.kind': StreakPeriod['kind']
  'movements.kind': MovementKind
  'counters.kind': CounterKind
  'redemptions.status': Redemption['status']
  'api_keys.kind': 'admin' | 'application'
  'api_keys.status': 'active' | 'revoked'
  'deliveries.state': 'waiting' | 'done' | 'dead'
}

export type Tables = {
  [Name in TableName]: {
    -readonly [Column in keyof ColumnsOf<Name>]: `${Name}.${Column & string}` extends keyof Narrowed
      ? Narrowed[`${Name}.${Column & string}`]
      : ValueOf<ColumnsOf<Name>[Column]>
  }
}

export type UserColumns = { tenant_id: string; user_id: string }
export type MigrationsTable = Tables['migrations']
export type GamesTable = Tables['games']
export type UsersTable = Tables['users']
export type LogTable = Tables['log']
export type AwardsTable = Tables['awards']
export type MovementsTable = Tables['movements']
export type StreakPeriodsTable = Tables['streak_periods']
export type CountersTable = Tables['counters']
export type ChallengeWindowsTable = Tables['challenge_windows']
export type RedemptionsTable = Tables['redemptions']
export type RewardStockTable = Tables['reward_stock']
export type LeaderboardEntriesTable = Tables['leaderboard_entries']
export type LeaderboardBlocksTable = Tables['leaderboard_blocks']
export type ApiKeysTable = Tables['api_keys']
export type MessagesTable = Tables['messages']
export type DeliveriesTable = Tables['deliveries']

export type NoticeColumn = 'notices_sent_until' | 'next_notice_at'

/** The columns of a user's row that follow from the log, and the version. */
export type StateTable = Omit<UsersTable, NoticeColumn>

/** Each column, as `table.column`. */
export function columnNames(tables: { readonly [name: string]: Pick<TableDeclaration, 'columns'> }): readonly string[] {
  return Object.entries(tables).flatMap(([name, { columns }]) =>
    Object.keys(columns).map((column) => `${name}.${column}`),
  )
}

/**
 * The statements that create a table and its indexes. `toType` gives the type of a column in this database; `options`
 * follow the columns.
 */
export function createTable(
  name: string,
  { columns, key, indexes = {}, constraints = [] }: TableDeclaration,
  toType: (kind: string) => string,
  options = '',
): readonly string[] {
  const lines = Object.entries(columns).map(([column, kind]) => {
    const [type = '', nullable] = kind.split(' ')
    return `${column} ${toType(type)}${nullable === undefined ? ' not null' : ''}`
  })
  const rules = [`constraint laurels_${name}_key primary key (${key.join(', ')})`, ...constraints]
  const created = Object.entries(indexes).map(([index, text]) => {
    const [, unique = '', rest] = /^(unique )?(.*)$/s.exec(text) ?? []
    return `create ${unique}index ${index} on "laurels"."${name}" ${rest}`
  })
  return [`create table "laurels"."${name}" (\n  ${[...lines, ...rules].join(',\n  ')}\n)${options}`, ...created]
}
