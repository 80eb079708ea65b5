// The history of a place is read from the added values. A board with hours of the day needs a replay, and one whose hours
// are the whole day has the same history.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type GameDefinition } from '../../../src/index.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { extendStorage } from '../../support/extend-storage.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { howMany } from '../../support/share.ts'
import { keepSnapshotsEvery } from '../../support/snapshots.ts'
import { HOUR, seedOfRun } from '../../support/zones.ts'

keepSnapshotsEvery(4)

type Boards = NonNullable<GameDefinition['leaderboards']>
type Board = Boards[string]

const METRICS = {
  sums: { name: 'Sums' },
  highest: { name: 'Highest', aggregation: 'max' },
  lowest: { name: 'Lowest', aggregation: 'min' },
  newest: { name: 'Newest', aggregation: 'last' },
  places: { name: 'Places', aggregation: 'distinct', of: 'place' },
} as const

const ranked = (rank: object, run: object): Board =>
  ({ name: 'Board', start: '2026-01-05', ...rank, ...run }) as unknown as Board
const RUNS = { ever: {}, daily: { run: { unit: 'day', interval: 1 } }, weekly: { run: { unit: 'week', interval: 1 } } }
const RANKS = {
  ...Object.fromEntries(Object.keys(METRICS).map((metric) => [metric, { rankBy: 'metric', metric }])),
  xp: { rankBy: 'points', system: 'xp' },
  turned: { rankBy: 'metric', metric: 'sums', order: 'lowest' },
  cities: { rankBy: 'metric', metric: 'sums', breakdown: ['city'] },
}
const NAMES = Object.keys(RANKS).flatMap((rank) => Object.keys(RUNS).map((run) => `${rank}-${run}`))

/** Every board once more, with hours that are the whole day. */
function gameWith(names: readonly string[], each: number): DefinedGame {
  const leaderboards: Record<string, Board> = {}
  for (const [rank, by] of Object.entries(RANKS)) {
    for (const [run, runs] of Object.entries(RUNS)) {
      const name = `${rank}-${run}`
      if (!names.includes(name)) continue
      leaderboards[name] = ranked(by, runs)
      leaderboards[`${name}-hours`] = ranked(by, { ...runs, startTime: '00:00' })
    }
  }
  const by = (points: number, source?: string) =>
    ({
      type: 'metric',
      metric: 'sums',
      threshold: 1,
      points,
      ...(source && { eventAttributes: { source } }),
    }) as const
  const definition: GameDefinition = {
    metrics: METRICS,
    eventAttributes: ['place', 'source'],
    userAttributes: ['city'],
    points: { xp: { name: 'XP', maxPoints: 60, triggers: [by(each), by(-each, 'refund')] } },
    leaderboards,
  }
  return defineGame(definition) as DefinedGame
}

const ZONES = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin']
const moves = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      call: fc.constant('event' as const),
      metric: fc.constantFrom(...Object.keys(METRICS)),
      value: fc.integer({ min: -3, max: 4 }),
      place: fc.constantFrom('a', 'b', 'c'),
      source: fc.constantFrom('app', 'refund'),
      late: fc.constantFrom(0, 0, 0, 5, 40),
    }),
  },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('move' as const), tz: fc.constantFrom(...ZONES) }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('city' as const), city: fc.constantFrom('Rome', 'Oslo') }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('void' as const), back: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ call: fc.constant('adjust' as const), points: fc.integer({ min: -5, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('game' as const), size: fc.integer({ min: 0, max: 2 }) }) },
)
const histories = fc.array(fc.tuple(moves, fc.integer({ min: 0, max: 30 })), { minLength: 8, maxLength: 25 })
type Move = typeof moves extends fc.Arbitrary<infer M> ? M : never

/** How many lines were replayed since it was asked last. */
interface Replayed {
  lines: number
}

function watched(storage: Storage, replayed: Replayed): Storage {
  return extendStorage(storage, (storage) => ({
    readLog: async (key, options) => {
      const lines = await storage.readLog(key, options)
      replayed.lines += lines.length
      return lines
    },
  }))
}

const someBoards = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 3, maxLength: 3 })

async function play(
  storage: Storage,
  names: readonly string[],
  history: readonly (readonly [Move, number])[],
): Promise<void> {
  let now = Date.parse('2026-01-10T12:00:00Z')
  const first = now
  let games = 0
  const open = (size: number) => {
    // A game that was there before would not be a newer one.
    games += 1
    return createGamification({ game: gameWith(names.slice(0, size), games), storage, clock: () => new Date(now) })
  }
  let engine = open(names.length)
  await engine.migrate()
  const events: string[] = []
  for (const [move, hours] of history) {
    now += hours * HOUR
    await act(move)
  }
  await engine.users.identify('ann', {})
  engine = open(names.length)
  await engine.migrate()
  for (const name of names) {
    const step = name.endsWith('ever') ? Number.POSITIVE_INFINITY : 48 * HOUR
    for (let at = now; at >= first - 24 * HOUR; at -= step) {
      const run = new Date(at).toISOString().slice(0, 10)
      for (const numEvents of [2, 400]) {
        const read = async (board: string) => (await engine.users.leaderboard('ann', board, { run, numEvents })).history
        const asked = { name, run, numEvents }
        expect({ ...asked, history: await read(name) }).toEqual({ ...asked, history: await read(`${name}-hours`) })
      }
    }
  }
  await engine.close()

  async function act(move: Move): Promise<void> {
    const user = { id: 'ann' }
    if (move.call === 'event') {
      const { metric, value, place, source, late } = move
      const occurredAt = new Date(now - late * HOUR)
      const { eventId } = await engine.metrics.event(metric, {
        user,
        value: metric === 'places' ? 1 : value,
        attributes: { place, source },
        occurredAt,
      })
      events.push(eventId)
    } else if (move.call === 'move') await engine.users.identify('ann', { tz: move.tz })
    else if (move.call === 'city') await engine.users.identify('ann', { attributes: { city: move.city } })
    else if (move.call === 'void') {
      const event = events.at(-move.back)
      if (event !== undefined) await engine.events.void(event).catch(() => undefined)
    } else if (move.call === 'adjust') {
      await engine.admin.points
        .adjust('xp', { userId: 'ann', points: move.points, reason: 'support' })
        .catch(() => undefined)
    } else {
      engine = open(move.size)
      await engine.migrate()
    }
  }
}

const newSchema = useEmptySchemas()

describe('The history of a place', () => {
  const storages = {
    memory,
    sqlite: () => sqlite(':memory:'),
    postgres: () => postgres(databaseUrl(), { schema: newSchema() }),
  }
  const few = { memory: 15, sqlite: 15, postgres: 3 }
  test.each(Object.keys(storages) as (keyof typeof storages)[])(
    'is that of a replay, whatever was recorded, voided, moved and redefined (%s)',
    async (name) => {
      const runs = { numRuns: howMany(few[name], 2 * few[name], 40 * few[name]), seed: seedOfRun() }
      await fc.assert(
        fc.asyncProperty(someBoards, histories, (names, history) => play(storages[name](), names, history)),
        runs,
      )
    },
    600_000,
  )

  test.each(['sqlite', 'postgres'] as const)('on a board by metric or points needs no replay (%s)', async (name) => {
    const replayed: Replayed = { lines: 0 }
    let now = Date.parse('2026-01-10T12:00:00Z')
    const storage = watched(storages[name](), replayed)
    const engine = createGamification({
      game: gameWith(['sums-ever', 'xp-ever', 'sums-weekly'], 5),
      storage,
      clock: () => new Date(now),
    })
    await engine.migrate()
    for (let day = 0; day < 11; day += 1) {
      now += 24 * HOUR
      await engine.metrics.event('sums', { user: { id: 'ann' }, value: 2 })
    }
    replayed.lines = 0
    // Of an odd number of milliseconds since the newest snapshot, two and a half times are no whole number.
    now += 1
    for (const board of ['sums-ever', 'xp-ever', 'sums-weekly']) {
      for (const numEvents of [2, 5]) {
        const { history } = await engine.users.leaderboard('ann', board, { numEvents })
        expect([board, history.length, replayed.lines]).toEqual([
          board,
          Math.min(numEvents, board === 'sums-weekly' ? 3 : 5),
          0,
        ])
      }
    }
    await engine.users.leaderboard('ann', 'sums-ever-hours', { numEvents: 2 })
    expect(replayed.lines).toBeGreaterThan(0)
    await engine.close()
  })
})
