import { type Compilable, type CreateTableBuilder, sql } from 'kysely'
import type { SqlTraits } from './traits.ts'

/** The migration `0001-first-tables`. Released: not to be changed. */
export function firstTables(traits: SqlTraits): readonly Compilable[] {
  return [
    games(traits),
    users(traits),
    log(traits),
    logByIdempotency(traits),
    ...progress(traits),
    awards(traits),
    streakPeriods(traits),
    counters(traits),
  ]
}

/** A table whose rows are clustered by user. */
function userTable({ kysely, columns }: SqlTraits, name: string): CreateTableBuilder<string, 'tenant_id' | 'user_id'> {
  return kysely.schema
    .createTable(name)
    .addColumn('tenant_id', columns.text, (column) => column.notNull())
    .addColumn('user_id', columns.text, (column) => column.notNull())
}

function games({ kysely, columns, clustered }: SqlTraits): Compilable {
  return kysely.schema
    .createTable('games')
    .addColumn('epoch', columns.integer, (column) => column.notNull().primaryKey())
    .addColumn('fingerprint', columns.text, (column) => column.notNull())
    .addColumn('definition', columns.text, (column) => column.notNull())
    .addColumn('policy', columns.text, (column) => column.notNull())
    .addColumn('created_at', columns.instant, (column) => column.notNull())
    .modifyEnd(clustered)
}

function users(traits: SqlTraits): Compilable {
  const { columns, clustered } = traits
  return userTable(traits, 'users')
    .addColumn('version', columns.integer, (column) => column.notNull())
    .addColumn('seq', columns.integer, (column) => column.notNull())
    .addColumn('at', columns.instant, (column) => column.notNull())
    .addColumn('epoch', columns.integer, (column) => column.notNull())
    .addColumn('created', columns.instant, (column) => column.notNull())
    .addColumn('updated', columns.instant, (column) => column.notNull())
    .addColumn('email', columns.text)
    .addColumn('name', columns.text)
    .addColumn('tz', columns.text)
    .addColumn('subscribed_to_emails', columns.boolean)
    .addColumn('device_tokens', columns.json)
    .addColumn('attributes', columns.json, (column) => column.notNull())
    .addColumn('notifications', columns.json, (column) => column.notNull())
    .addColumn('personal_streak', columns.json)
    .addColumn('streak_length', columns.integer, (column) => column.notNull())
    .addColumn('streak_last_period', columns.integer)
    .addColumn('streak_started', columns.text)
    .addColumn('streak_first_at', columns.instant)
    .addColumn('streak_longest', columns.integer, (column) => column.notNull())
    .addColumn('streak_open_periods', columns.json, (column) => column.notNull())
    .addPrimaryKeyConstraint('laurels_users_key', ['tenant_id', 'user_id'])
    .modifyEnd(clustered)
}

function log(traits: SqlTraits): Compilable {
  const { columns, clustered } = traits
  return userTable(traits, 'log')
    .addColumn('at', columns.instant, (column) => column.notNull())
    .addColumn('seq', columns.integer, (column) => column.notNull())
    .addColumn('entry_id', columns.text, (column) => column.notNull())
    .addColumn('kind', columns.text, (column) => column.notNull())
    .addColumn('epoch', columns.integer, (column) => column.notNull())
    .addColumn('recorded_at', columns.instant, (column) => column.notNull())
    .addColumn('zone', columns.text, (column) => column.notNull())
    .addColumn('local_date', columns.text, (column) => column.notNull())
    .addColumn('local_time', columns.text, (column) => column.notNull())
    .addColumn('profile', columns.json)
    .addColumn('metric', columns.text)
    .addColumn('value', columns.double)
    .addColumn('idempotency_key', columns.text)
    .addColumn('data', columns.json)
    .addPrimaryKeyConstraint('laurels_log_key', ['tenant_id', 'user_id', 'at', 'seq'])
    .modifyEnd(clustered)
}

/** Every event pays for it, so nothing but this and its id is looked up in the log. */
function logByIdempotency({ kysely }: SqlTraits): Compilable {
  return kysely.schema
    .createIndex('laurels_log_by_idempotency')
    .on('log')
    .columns(['tenant_id', 'user_id', 'metric', 'idempotency_key'])
    .unique()
    .where(sql.ref('idempotency_key'), 'is not', null)
}

function progress(traits: SqlTraits): readonly Compilable[] {
  const { columns, clustered } = traits
  const runningTotals = (name: string, key: string): Compilable =>
    userTable(traits, name)
      .addColumn(key, columns.text, (column) => column.notNull())
      .addColumn('total', columns.double, (column) => column.notNull())
      .addColumn('highest', columns.double, (column) => column.notNull())
      .addPrimaryKeyConstraint(`laurels_${name}_key`, ['tenant_id', 'user_id', key])
      .modifyEnd(clustered)
  return [
    runningTotals('totals', 'metric'),
    runningTotals('tallies', 'rule_id'),
    userTable(traits, 'completions')
      .addColumn('achievement', columns.text, (column) => column.notNull())
      .addColumn('at', columns.instant, (column) => column.notNull())
      .addColumn('entry_id', columns.text, (column) => column.notNull())
      .addPrimaryKeyConstraint('laurels_completions_key', ['tenant_id', 'user_id', 'achievement'])
      .modifyEnd(clustered),
    userTable(traits, 'points')
      .addColumn('system', columns.text, (column) => column.notNull())
      .addColumn('total', columns.double, (column) => column.notNull())
      .addColumn('level', columns.text)
      .addPrimaryKeyConstraint('laurels_points_key', ['tenant_id', 'user_id', 'system'])
      .modifyEnd(clustered),
  ]
}

function awards(traits: SqlTraits): Compilable {
  const { columns, clustered } = traits
  return (
    userTable(traits, 'awards')
      .addColumn('system', columns.text, (column) => column.notNull())
      .addColumn('at', columns.instant, (column) => column.notNull())
      .addColumn('seq', columns.integer, (column) => column.notNull())
      .addColumn('ordinal', columns.integer, (column) => column.notNull())
      .addColumn('award_id', columns.text, (column) => column.notNull())
      .addColumn('trigger_id', columns.text, (column) => column.notNull())
      .addColumn('entry_id', columns.text, (column) => column.notNull())
      .addColumn('awarded', columns.double, (column) => column.notNull())
      .addColumn('total', columns.double, (column) => column.notNull())
      // The order in which they are read: the newest of one system.
      .addPrimaryKeyConstraint('laurels_awards_key', ['tenant_id', 'user_id', 'system', 'at', 'seq', 'ordinal'])
      .modifyEnd(clustered)
  )
}

function streakPeriods(traits: SqlTraits): Compilable {
  const { columns, clustered } = traits
  return userTable(traits, 'streak_periods')
    .addColumn('start_date', columns.text, (column) => column.notNull())
    .addColumn('length', columns.integer, (column) => column.notNull())
    .addColumn('kind', columns.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('laurels_streak_periods_key', ['tenant_id', 'user_id', 'start_date'])
    .modifyEnd(clustered)
}

function counters({ kysely, columns, clustered }: SqlTraits): Compilable {
  return kysely.schema
    .createTable('counters')
    .addColumn('tenant_id', columns.text, (column) => column.notNull())
    .addColumn('kind', columns.text, (column) => column.notNull())
    .addColumn('key', columns.text, (column) => column.notNull())
    .addColumn('count', columns.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('laurels_counters_key', ['tenant_id', 'kind', 'key'])
    .modifyEnd(clustered)
}
