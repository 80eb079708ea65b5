// What a call would answer, on Postgres: no row of any table changes, and hosts that hold the user wait for nobody.

import fc from 'fast-check'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { fromPg, postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, type DefinedGame, defineGame, type GameDefinition } from '../../../src/index.ts'
import { isTriable, type Life, lives, perform } from '../../record/random-lives.ts'
import { NOON } from '../../support/engine.ts'
import { databaseUrl, giveBack, takeEmptySchema } from '../../support/postgres.ts'
import { howMany } from '../../support/share.ts'
import { seedOfRun } from '../../support/zones.ts'
import { useWorld } from '../../transactions/postgres-world.ts'

const RUNS = Number(process.env.HISTORIES ?? howMany(4, 10, 300))
const SEED = seedOfRun()

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 5, points: 10 }] } },
  leaderboards: {
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: 2 },
    all: { name: 'All', rankBy: 'points', system: 'xp', start: '2026-01-01', maxParticipants: null },
  },
}

describe('A dry run on Postgres', () => {
  const world = useWorld(GAME)
  const dry = { dryRun: true } as const

  test('answers what the call then does, and changes no row', async () => {
    const { engine, dump } = world()
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 12 })
    const event = { user: { id: 'ann', tz: 'Asia/Tokyo' }, value: 10, idempotencyKey: 'k' }
    const before = await dump()
    const tried = await engine.metrics.event('words', event, dry)
    const late = await engine.metrics.event(
      'words',
      { user: { id: 'bob' }, value: 3, occurredAt: new Date('2026-03-01T12:00:00Z') },
      dry,
    )
    expect(await dump()).toEqual(before)
    expect(tried).toMatchObject({
      total: 10,
      achievements: [{ key: 'ten', achievedAt: NOON }],
      points: { xp: { total: 20 } },
      leaderboards: { top: { rank: 2, previousRank: null, threshold: 10 }, all: { rank: 1, threshold: 0 } },
      idempotentReplayed: false,
    })
    expect(late).toMatchObject({
      total: 15,
      points: { xp: { total: 30, added: 10 } },
      leaderboards: { top: { rank: 1, previousRank: 1, threshold: 0 } },
    })
    const done = await engine.metrics.event('words', event)
    expect(done).toMatchObject({ total: 10, leaderboards: tried.leaderboards, idempotentReplayed: false })
  })

  test('does not wait for a host who holds the user', async () => {
    const { engine, pool } = world()
    await engine.metrics.event('words', { user: { id: 'held' }, value: 1 })
    const client = await pool.connect()
    await client.query('begin')
    await engine.metrics.event('words', { user: { id: 'held' }, value: 100 }, { tx: fromPg(client) })
    expect(await engine.metrics.event('words', { user: { id: 'held' }, value: 1 }, dry)).toMatchObject({ total: 2 })
    await client.query('rollback')
    client.release()
  })
})

describe('In random histories on Postgres', () => {
  const pool = new pg.Pool({ connectionString: databaseUrl() })
  afterAll(() => pool.end())

  async function dump(schema: string): Promise<unknown> {
    const { rows: tables } = await pool.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = $1 order by 1',
      [schema],
    )
    return Promise.all(
      tables.map(async ({ name }) => {
        const { rows } = await pool.query(`select t::text from "${schema}"."${name}" t order by 1`)
        return { name, rows }
      }),
    )
  }

  async function agree({ definition, deeds }: Life): Promise<void> {
    const schema = takeEmptySchema()
    const storage = postgres(databaseUrl(), { schema })
    let now = 0
    let made = 0
    const ids = (): string => {
      made += 1
      return `00000000-0000-7000-8000-${String(made).padStart(12, '0')}`
    }
    const clock = (): Date => new Date(now)
    const engine = createGamification<DefinedGame>({ game: defineGame(definition), storage, clock, ids })
    try {
      await engine.migrate()
      for (const deed of deeds) {
        now = deed.now
        const [before, first] = isTriable(deed) ? [await dump(schema), made] : [null, made]
        const tried = before === null ? null : await perform(engine, deed, { dryRun: true })
        if (before !== null) expect(await dump(schema)).toEqual(before)
        made = first
        const done = await perform(engine, deed)
        if (before !== null) expect(tried).toEqual(done)
      }
    } finally {
      await engine.close()
      await giveBack(schema)
    }
  }

  test(`each call answers what its dry run did, which wrote nothing (seed ${SEED})`, { timeout: 3_000_000 }, () =>
    fc.assert(fc.asyncProperty(lives(15), agree), { numRuns: RUNS, seed: SEED }),
  )
})
