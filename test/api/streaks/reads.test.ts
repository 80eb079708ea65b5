// Reading a streak never writes, and what was read leaves no trace in it.

import Database from 'better-sqlite3'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import type { GameDefinition, Storage } from '../../../src/index.ts'
import { dump } from '../../support/dump.ts'
import { add, type Engine, openOn } from '../../support/engine.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

interface Place {
  readonly storage: Storage
  /** Everything that it holds. */
  dump(): Promise<unknown>
}

const nextFile = useDatabaseFiles()
const nextSchema = useEmptySchemas()

function inFile(): Place {
  const file = nextFile()
  return {
    storage: sqlite(file),
    dump: async () => {
      const database = new Database(file, { readonly: true })
      const tables = dump(database, { everything: true })
      database.close()
      return tables
    },
  }
}

function inSchema(): Place {
  const schema = nextSchema()
  return { storage: postgres(databaseUrl(), { schema }), dump: () => dumpSchema(schema) }
}

async function dumpSchema(schema: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = $1 order by 1',
      [schema],
    )
    const tables: [string, unknown][] = []
    for (const { name } of rows) {
      // That a process is at work is noted with reads too (`seen_at`).
      const line = `to_jsonb(t) - '${name === 'games' ? 'seen_at' : ''}'`
      const { rows: lines } = await client.query(`select ${line} as line from "${schema}"."${name}" t order by 1`)
      tables.push([name, lines])
    }
    return new Map(tables)
  } finally {
    await client.end()
  }
}

const PLACES = [
  { name: 'sqlite', make: inFile },
  { name: 'postgres', make: inSchema },
]

const game: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 2, max: 3, autoEarn: { interval: 30 } } },
  leaderboards: { streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-01' } },
}

describe.each(PLACES)('A read, in $name', ({ make }) => {
  const opened: Engine[] = []
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close()
  })

  /** Two days of a streak, two freezes, a pause to come. */
  const begin = async (): Promise<{ engine: Engine; place: Place }> => {
    const place = make()
    const engine = await openOn(place.storage, { now: '2026-03-09T12:00:00.000Z' }, game)
    opened.push(engine)
    await add(engine, 'words', 1)
    engine.at('2026-03-10T12:00:00.000Z')
    await add(engine, 'words', 1)
    const asked = { userId: 'ann', start: '2026-03-14', end: '2026-03-15' }
    expect((await engine.admin.streaks.pauses.create({ pauses: [asked] })).created).toHaveLength(1)
    return { engine, place }
  }

  const readEverything = async (engine: Engine) => {
    await engine.users.streak('ann', { historyPeriods: 400 })
    await engine.streaks.list(['ann'])
    await engine.leaderboards.get('streaks')
    await engine.users.leaderboard('ann', 'streaks')
    await engine.users.get('ann')
  }

  test('a year later changes no table', async () => {
    const { engine, place } = await begin()
    const before = await place.dump()
    engine.at('2027-03-10T12:00:00.000Z')
    await readEverything(engine)
    expect(await engine.users.streak('ann')).toMatchObject({ length: 0, freezes: 3 })
    expect(await place.dump()).toEqual(before)
  })

  test('with the clock ten days ahead and back again changes no table and loses no streak', async () => {
    const { engine, place } = await begin()
    const before = await place.dump()
    engine.at('2026-03-20T12:00:00.000Z')
    await readEverything(engine)
    expect(await engine.users.streak('ann')).toMatchObject({ length: 0, freezes: 0 })
    engine.at('2026-03-10T13:00:00.000Z')
    await readEverything(engine)
    expect(await engine.users.streak('ann')).toMatchObject({ length: 2, freezes: 2, expires: '2026-03-11' })
    expect(await place.dump()).toEqual(before)
    engine.at('2026-03-11T12:00:00.000Z')
    expect((await add(engine, 'words', 1)).currentStreak).toMatchObject({ length: 3, freezes: 2 })
  })

  test('shows each freeze, pause and loss at its own midnight', async () => {
    const { engine } = await begin()
    const seen: unknown[] = []
    for (const day of ['11', '12', '13', '14', '15', '16', '17']) {
      engine.at(`2026-03-${day}T00:00:00.000Z`)
      const { length, freezes, expires } = await engine.users.streak('ann')
      const { rankings } = await engine.leaderboards.get('streaks')
      seen.push([length, freezes, expires, rankings.map(({ value }) => value)])
    }
    expect(seen).toEqual([
      [2, 2, '2026-03-11', [2]],
      [2, 1, '2026-03-12', [2]],
      [2, 0, '2026-03-13', [2]],
      [0, 0, null, []],
      [0, 0, null, []],
      [0, 0, null, []],
      [0, 0, null, []],
    ])
  })

  test('that is refused changes no table either', async () => {
    const { engine, place } = await begin()
    const before = await place.dump()
    engine.at('2026-03-20T12:00:00.000Z')
    const { freezes, pauses, restore } = engine.admin.streaks
    expect((await freezes.create({ freezes: [{ userId: 'zoe' }] })).issues).toHaveLength(1)
    const past = { userId: 'ann', start: '2026-03-19', end: '2026-03-21' }
    expect((await pauses.create({ pauses: [past] })).issues).toHaveLength(1)
    expect((await pauses.delete(['01956c3a-0000-7000-8000-000000000000'])).issues).toHaveLength(1)
    expect((await restore({ users: [{ id: 'zoe' }] })).issues).toHaveLength(1)
    expect(await place.dump()).toEqual(before)
  })
})
