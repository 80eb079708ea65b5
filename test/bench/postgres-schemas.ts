import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { postgres } from '../../adapters/postgres/index.ts'
import { createGamification } from '../../src/index.ts'
import { game } from './game.ts'
import { seedTexts } from './seed.ts'

/** Makes a schema with the library's tables and game, and users in it, each with one event of the past. */
export async function createSchema(url: string, schema: string, users: number, at: number): Promise<void> {
  const library = createGamification({ game, storage: postgres(url, { schema }) })
  await library.migrate()
  await library.close()
  const table = (name: string): string => `${schema}.${name}`
  const numbers = `generate_series(0, ${users - 1}) as n`
  const texts = seedTexts({ table, entryId: 'uuid_send(gen_random_uuid())', numbers }, users, at)
  await runTexts(url, [
    // Statements by hand count without slots.
    `alter table ${table('counters')} alter column slot set default 0`,
    ...texts,
    ...Object.keys(CONTENTS).map((name) => `vacuum analyze ${table(PACKED[name] ?? name)}`),
  ])
}

export async function dropSchemas(url: string, schemas: readonly string[]): Promise<void> {
  await runTexts(
    url,
    schemas.map((schema) => `drop schema if exists ${schema} cascade`),
  )
}

async function runTexts(url: string, texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}

/** The tables that views of these names show. */
const PACKED: { readonly [view: string]: string } = { log: 'log', awards: 'awards' }

/** What each table says, in order of user, but for ids that everybody makes for himself. */
const CONTENTS: { readonly [table: string]: string } = {
  // As JSON, whose members have no order. A version is random. Only laurels writes the dates of activity, for its e-mails.
  users: `select *, streak_open_periods::json as streak_open_periods, null as version, null as activity
    from users order by user_id`,
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
