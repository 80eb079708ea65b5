import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type Storage } from '../../../src/index.ts'
import { dump } from '../../support/dump.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { drive } from './drive.ts'
import { ZONES } from './histories.ts'
import { createBoardsModel, type GameDefinition } from './model.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const HOURS = 10 * 24

/** A day or two after each of these the clocks of some of the zones change, or a whole day is left out. */
const BEGINNINGS = ['2010-11-06T00:00:00Z', '2011-12-29T00:00:00Z', '2024-04-06T00:00:00Z', '2024-10-30T00:00:00Z']
const PERIODS = { daily: DAY, weekly: 7 * DAY } as const
type Frequency = keyof typeof PERIODS

const gameOf = (frequency: Frequency): GameDefinition => ({
  metrics: { words: { name: 'Words' } },
  userAttributes: ['country', 'plan'],
  streak: { frequency, metrics: { words: {} } },
  leaderboards: {
    all: { name: 'All', rankBy: 'streak', start: '2001-01-01' },
    few: { name: 'Few', rankBy: 'streak', start: '2001-01-01', maxParticipants: 5 },
  },
})

/** Two users in each zone, with streaks of different lengths that were last extended at different hours. */
function eventsUntil(end: number, frequency: Frequency): readonly { id: string; tz: string; at: number }[] {
  const events = [...ZONES, ...ZONES].flatMap((tz, index) => {
    const length = 1 + ((index * 5) % 9)
    const last = end - ((index * 7 * HOUR + index * 13 * 60_000) % (2 * PERIODS[frequency]))
    return Array.from({ length }, (_, back) => ({ id: `user ${index}`, tz, at: last - back * PERIODS[frequency] }))
  })
  return events.sort((left, right) => left.at - right.at)
}

async function compareEveryHour(storage: Storage, beginning: number, frequency: Frequency, look: () => unknown) {
  const definition = gameOf(frequency)
  const game: DefinedGame = defineGame(definition)
  let now = 0
  const engine = createGamification<DefinedGame>({ game, storage, clock: () => new Date(now) })
  await engine.migrate()
  const model = createBoardsModel(definition)
  for (const { id, tz, at } of eventsUntil(beginning, frequency)) {
    now = at
    const call = { call: 'event', now, id, profile: { tz }, metric: 'words', value: 1 } as const
    expect({ call, answer: await drive(engine, call) }).toEqual({ call, answer: model.call(call) })
  }
  const before = look()
  const sizes = new Set<number>()
  for (let hour = 0; hour <= HOURS; hour += 1) {
    now = beginning + hour * HOUR
    const alive = model.participants('all', '2001-01-01', [], now)
    sizes.add(alive.length)
    const expected = alive.map(({ user, value }, index) => ({ userId: user, userName: null, rank: index + 1, value }))
    const [all, few] = await Promise.all([
      engine.leaderboards.get('all', { limit: 1000 }),
      engine.leaderboards.get('few', { limit: 1000 }),
    ])
    const time = new Date(now).toISOString()
    expect({ time, all: all.rankings, few: few.rankings }).toEqual({
      time,
      all: expected,
      few: expected.slice(0, 5),
    })
    if (hour % 7 === 0) {
      for (const id of model.users()) {
        const { value, rank } = (await engine.users.leaderboard(id, 'all')) ?? {}
        const line = expected.find(({ userId }) => userId === id)
        expect({ time, id, value, rank }).toEqual({ time, id, value: line?.value ?? null, rank: line?.rank ?? null })
        expect({ time, id, length: (await engine.users.streak(id)).length }).toEqual({ time, id, length: value ?? 0 })
      }
    }
  }
  // Streaks did expire on the way, in more than one zone.
  expect(sizes.size).toBeGreaterThan(5)
  expect(look()).toEqual(before)
  await engine.close()
}

const SOAK = process.env.SOAK !== undefined
const all = BEGINNINGS.flatMap((beginning) =>
  (['daily', 'weekly'] as const).map((frequency) => ({ beginning, frequency })),
)
const cases = SOAK ? all : [all[0], all[3]].filter((each) => each !== undefined)
const nextSchema = useEmptySchemas()

describe.each(cases)('The ranks of $frequency streaks at every hour of ten days from $beginning', (each) => {
  const compare = (storage: Storage, look: () => unknown = () => null) =>
    compareEveryHour(storage, Date.parse(each.beginning), each.frequency, look)

  test('are those of the streaks alive at that hour, and nothing is written', async () => {
    const database = new Database(':memory:')
    await compare(sqlite(database), () => dump(database, { everything: true }))
    database.close()
  })

  test.skipIf(!SOAK)('are the same in memory (with SOAK)', () => compare(memory()))

  test.skipIf(!SOAK)('are the same on Postgres (with SOAK)', () =>
    compare(postgres(databaseUrl(), { schema: nextSchema() })),
  )
})
