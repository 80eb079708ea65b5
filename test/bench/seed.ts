import Database from 'better-sqlite3'

/** Puts users there before, each with one event of the past, written as the library would have. */
export function seedUsers(file: string, users: number, at: number): void {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = OFF')
  const day = Math.floor(at / 86_400_000)
  const date = new Date(at).toISOString().slice(0, 10)
  const open = JSON.stringify([{ period: day, sums: { words: 1 } }])
  const statements = [
    `insert into laurels_users (tenant_id, user_id, version, seq, at, epoch, created, updated, attributes, notifications, streak_length, streak_last_period, streak_kept_period, streak_started, streak_first_at, streak_longest, streak_open_periods, streak_extended_at) select '', 'user-' || value, 1, 1, ${at}, 1, ${at}, ${at}, '{}', '{}', 1, ${day}, ${day}, '${date}', ${at}, 1, '${open}', ${at} from generate_series`,
    `insert into laurels_streak_periods select '', 'user-' || value, '${date}', 1, 'counted' from generate_series`,
    `insert into laurels_log select '', 'user-' || value, ${at}, 1, printf('%08x-0000-7000-8000-%012x', value, value), 'eventRecorded', 1, ${at}, 'UTC', '${date}', '12:00:00.000', null, 'words', 1, null, '{}' from generate_series`,
    `insert into laurels_totals select '', 'user-' || value, 'words', 1, 1 from generate_series`,
    `insert into laurels_points select '', 'user-' || value, 'xp', 0, 'bronze' from generate_series`,
  ]
  const series = `with recursive generate_series(value) as (select 0 union all select value + 1 from generate_series where value + 1 < ${users})`
  database.transaction(() => {
    for (const statement of statements) {
      const [insert = '', select = ''] = statement.split(/ (?=select )/)
      database.exec(`${insert} ${series} ${select}`)
    }
    database.exec(`insert into laurels_counters values ('', 'users', '', ${users})`)
    database.exec(`insert into laurels_counters values ('', 'level', '["xp","bronze"]', ${users})`)
  })()
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}
