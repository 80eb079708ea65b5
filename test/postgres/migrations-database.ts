import { quote } from '../../adapters/postgres/quote.ts'
import { postgresTraits } from '../../adapters/postgres/traits.ts'
import type { OwnDatabase } from './races-database.ts'

/** A schema in which the first so many migrations have been run. */
export async function makeSchema(
  { query }: Pick<OwnDatabase, 'query'>,
  schema: string,
  migrated: number,
): Promise<void> {
  const { migrations, migrationsTable } = postgresTraits(schema)
  await query(`create schema ${quote(schema)}`)
  await query(migrationsTable)
  for (const { name, texts } of migrations.slice(0, migrated)) {
    for (const text of texts) await query(text)
    await query(`insert into ${quote(schema)}.migrations values ($1)`, [name])
  }
}

/** A schema as the first migration left it, with a row or more in every table. */
export async function makeOldSchema({ query }: Pick<OwnDatabase, 'query'>, schema: string): Promise<void> {
  await makeSchema({ query }, schema, 1)
  const texts = [
    `insert into laurels.games values (1, 'f00d', '{"metrics":{"words":{"name":"Words"}}}', 'forward', 1772366000000)`,
    `insert into laurels.users (tenant_id, user_id, version, seq, at, epoch, created, updated, email, name, tz,
        subscribed_to_emails, device_tokens, attributes, notifications, personal_streak, streak_length,
        streak_last_period, streak_started, streak_first_at, streak_longest, streak_open_periods, streak_extended_at,
        streak_kept_period, leaderboards, pauses)
      values
        ('', 'ann', 9, 1, 1772366400001, 1, 1772000000000, 1772100000000, 'ann@example.com', 'Ann', 'Europe/London', true,
          '["phone"]', '{"plan":"pro"}', '{"recap":["email"]}', null, 4, 20513, '2026-02-26', 1772107200000, 11,
          '[{"period":20513,"sums":{"words":3}}]', 1772366400001, 20513, '{}', '[{"id":"p-1","start":"2026-06-01","end":"2026-06-07"}]'),
        ('', 'eve', 1, 1, 1772366400001, 1, 1772366400001, 1772366400001, null, null, null, null,
          null, '{}', '{}', null, 0, null, null, null, 0, '[]', null, null, '{}', '[]')`,
    `insert into laurels.log
      select '', user_id, 1772366400001, 1, case user_id when 'ann' then 'entry-1' else 'entry-2' end, 'eventRecorded', 1,
        1772366400001, 'Europe/London', '2026-03-01', '12:00:00.000', null, 'words', 7.5, 'key-1', null from laurels.users`,
    `insert into laurels.totals values ('', 'ann', 'words', 7.5, 9)`,
    `insert into laurels.tallies values ('', 'ann', 'f3c5', 0.30000000000000004, 2)`,
    `insert into laurels.completions values ('', 'ann', 'novelist', 1772366400001, 'entry-1')`,
    `insert into laurels.points values ('', 'ann', 'xp', 120, 'bronze')`,
    `insert into laurels.awards values ('', 'ann', 'xp', 1772366400001, 1, 0, 'a-1', 't-1', 'entry-1', 10, 120)`,
    `insert into laurels.streak_periods values ('', 'ann', '2026-03-01', 4, 'counted')`,
    `insert into laurels.streak_pauses values ('', 'ann', 'p-1')`,
    `insert into laurels.leaderboard_entries values ('', 'ann', 'readers', '2026-03', '', -7.5, 1772366400001, null, null)`,
    `insert into laurels.leaderboard_blocks values ('', 'readers', '2026-03', '', 1, -1e308, -9007199254740991, '', 1)`,
    `insert into laurels.leaderboard_pending (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, delta)
      values ('', 'readers', '2026-03', '', -7.5, 1772366400001, 'ann', 0)`,
    `insert into laurels.processes values ('p-1', 7, 'saved', 1772366400001)`,
    `insert into laurels.counters (tenant_id, kind, key, slot, count)
      values ('', 'users', '', 0, 2), ('', 'completions', 'novelist', 3, 1)`,
    `insert into laurels.api_keys values ('k-1', 'abcdefgh', 'f00d', null, null, 'admin', 'active', 1772366400001, null)`,
  ]
  for (const text of texts) await query(text.replaceAll('laurels.', `${schema}.`))
}

/** Everything that is in a schema, as text: its tables with their rows, indexes, constraints and functions. */
export async function dumpSchema({ query }: Pick<OwnDatabase, 'query'>, schema: string): Promise<readonly string[]> {
  const lines = await query<{ line: string }>(
    `select concat_ws(' ', 'column', table_name, ordinal_position, column_name, data_type, collation_name, is_nullable,
          column_default) as line from information_schema.columns where table_schema = $1
      union all select 'index ' || indexdef from pg_indexes where schemaname = $1
      union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
        from pg_constraint where connamespace = $1::regnamespace and contype <> 'n'
      union all select pg_get_functiondef(oid) from pg_proc where pronamespace = $1::regnamespace
      order by line`,
    [schema],
  )
  const tables = await query<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = $1 order by name',
    [schema],
  )
  const rows: string[] = []
  for (const { name } of tables) {
    const found = await query<{ row: string }>(`select to_jsonb(t)::text as row from ${schema}.${name} t order by 1`)
    rows.push(...found.map(({ row }) => `row ${name} ${row}`))
  }
  return [...lines.map(({ line }) => line), ...rows].map((line) => line.replaceAll(schema, 'laurels'))
}
