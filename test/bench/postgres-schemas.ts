import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { postgres } from '../../adapters/postgres/index.ts'
import { createGamification } from '../../src/index.ts'
import { game } from './game.ts'

const DAY = 86_400_000

/** Makes a schema with the library's tables and game, and users in it, each with one event of the past. */
export async function createSchema(url: string, schema: string, users: number, at: number): Promise<void> {
  const library = createGamification({ game, storage: postgres(url, { schema }) })
  await library.migrate()
  await library.close()
  await runTexts(url, seedTexts(schema, users, at))
}

export async function dropSchemas(url: string, schemas: readonly string[]): Promise<void> {
  await runTexts(
    url,
    schemas.map((schema) => `drop schema if exists ${schema} cascade`),
  )
}

export async function runTexts(url: string, texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}

/** As the library would have written them. */
function seedTexts(schema: string, users: number, at: number): readonly string[] {
  const day = Math.floor(at / DAY)
  const date = new Date(at).toISOString().slice(0, 10)
  const time = new Date(at).toISOString().slice(11, 23)
  const open = JSON.stringify([{ period: day, sums: { words: 1 } }])
  const each = `from generate_series(0, ${users - 1}) as n`
  const inserts = [
    `users (tenant_id, user_id, version, seq, at, epoch, created, updated, attributes, notifications, streak_length,
        streak_last_period, streak_started, streak_first_at, streak_longest, streak_open_periods, streak_extended_at)
      select '', 'user-' || n, 1, 1, ${at}, 1, ${at}, ${at}, '{}', '{}', 1, ${day}, '${date}', ${at}, 1, '${open}', ${at}`,
    `streak_periods (tenant_id, user_id, start_date, length, kind) select '', 'user-' || n, '${date}', 1, 'counted'`,
    `log (tenant_id, user_id, at, seq, entry_id, kind, epoch, recorded_at, zone, local_date, local_time, metric, value)
      select '', 'user-' || n, ${at}, 1, gen_random_uuid()::text, 'eventRecorded', 1, ${at}, 'UTC', '${date}', '${time}',
        'words', 1`,
    `totals (tenant_id, user_id, metric, total, highest) select '', 'user-' || n, 'words', 1, 1`,
    `points (tenant_id, user_id, system, total, level) select '', 'user-' || n, 'xp', 0, 'bronze'`,
  ]
  const tables = ['users', 'log', 'totals', 'completions', 'points', 'awards', 'streak_periods', 'counters']
  return [
    ...inserts.map((insert) => `insert into ${schema}.${insert} ${each}`),
    `insert into ${schema}.counters (tenant_id, kind, key, count)
      values ('', 'users', '', ${users}), ('', 'level', '["xp","bronze"]', ${users})`,
    ...tables.map((table) => `vacuum analyze ${schema}.${table}`),
  ]
}

/** What each table says, in order of user, but for ids that everybody makes for himself. */
const CONTENTS: { readonly [table: string]: string } = {
  // As JSON, whose members have no order.
  users: `select *, streak_open_periods::json as streak_open_periods from users order by user_id`,
  log: `select user_id, at, seq, kind, epoch, recorded_at, zone, local_date, local_time, profile, metric, value,
    idempotency_key, data from log order by user_id, at, seq`,
  totals: `select * from totals order by user_id, metric`,
  completions: `select user_id, achievement, at from completions order by user_id, achievement`,
  points: `select * from points order by user_id, system`,
  awards: `select user_id, system, at, seq, ordinal, trigger_id, awarded, total from awards
    order by user_id, system, at, seq, ordinal`,
  streak_periods: `select * from streak_periods order by user_id, start_date`,
  counters: `select kind, key, sum(count) as count from counters group by kind, key having sum(count) <> 0 order by kind, key`,
}

/** Throws unless both schemas have the same rows; returns how many. */
export async function compareSchemas(url: string, left: string, right: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let count = 0
  try {
    for (const [table, text] of Object.entries(CONTENTS)) {
      const read = async (schema: string): Promise<readonly unknown[]> => {
        await client.query(`set search_path = ${schema}`)
        return (await client.query(text)).rows
      }
      const [mine, theirs] = [await read(left), await read(right)]
      const different = mine.findIndex((row, index) => !isDeepStrictEqual(row, theirs[index]))
      if (different !== -1 || mine.length !== theirs.length) {
        const rows = [mine.at(different), theirs.at(different)].map((row) => JSON.stringify(row)).join('\n')
        throw new Error(
          `${table} differs between ${left} and ${right}: ${mine.length} and ${theirs.length} rows.\n${rows}`,
        )
      }
      count += mine.length
    }
  } finally {
    await client.end()
  }
  return count
}
