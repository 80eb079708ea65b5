// The answers to events that come at once are those of memory, given the same in the same order.

import { afterEach, describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type Gamification,
  type Storage,
} from '../../../src/index.ts'
import { createRandom, type Random } from '../../crash/random.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { seedOfRun } from '../../support/zones.ts'
import { createNames } from './differential-names.ts'
import { readCounts } from './leaderboards-counts.ts'
import { BOARDS } from './leaderboards-game.ts'
import { inTurns } from './leaderboards-turns.ts'
import { asAdmin } from './races-database.ts'

const SOAK = process.env.SOAK !== undefined
const SEED = seedOfRun()
const ROUNDS = SOAK ? 400 : 12
const USERS = SOAK ? 3_000 : 400
const HOUR = 3_600_000

/** Refuses hints to users without points, and ranks streaks too. */
const game = defineGame({
  ...BOARDS,
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 10, points: 3 },
        { type: 'metric', metric: 'hints', threshold: 1, points: -2, blockIfOutOfPoints: true },
      ],
    },
  },
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } } },
  leaderboards: {
    ...BOARDS.leaderboards,
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-01', maxParticipants: 40 },
  },
})

type Engine = Gamification<DefinedGame>
type Request = Parameters<Engine['metrics']['event']>[1]
type Event = readonly [metric: 'words' | 'hints', request: Request]

const nextSchema = useEmptySchemas()
const opened: Engine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

/**
 * Only an event that is alone repeats an idempotency key: in a batch of remembered users, one with a used key is saved
 * after all the others, so the order of the moves would not be the order of the events.
 */
function planEvent(random: Random, isAlone: boolean): Event {
  const id = random.chance(0.05) ? 'hot' : `${random.chance(0.5) ? 'a' : 'B'}${random.whole(0, USERS)}`
  const moves = random.chance(0.15) ? { attributes: { country: `c${random.whole(0, 2)}` } } : {}
  const key = random.chance(0.3) ? { idempotencyKey: `key-${random.whole(0, isAlone ? 5 : 1e9)}` } : {}
  const metric = random.chance(0.1) ? 'hints' : 'words'
  const value = metric === 'hints' ? 1 : random.whole(-3, 6) || 0.1
  return [metric, { user: { id, ...moves }, value, ...key }]
}

async function answerOf(engine: Engine, [metric, request]: Event): Promise<unknown> {
  try {
    return await engine.metrics.event(metric, request)
  } catch (error) {
    return String(error)
  }
}

describe(`Answers (seed ${SEED})`, () => {
  test.each([1, 3])(
    'are those of memory when %i storages take the batches in turn',
    async (count) => {
      let now = Date.parse('2026-03-01T12:00:00.000Z')
      const open = async (storage: Storage): Promise<Engine> => {
        const engine = createGamification<DefinedGame>({ game, storage, clock: () => new Date(now) })
        opened.push(engine)
        await engine.migrate()
        return engine
      }
      const schema = nextSchema()
      const [first, ...others] = times(count, () => postgres(databaseUrl(), { schema }))
      const tested = await open(inTurns([first as Storage, ...others], SEED))
      const reference = await open(memory())
      const random = createRandom(SEED)
      const [names, expectedNames] = [createNames(), createNames()]

      for (let round = 0; round < ROUNDS; round += 1) {
        now += random.whole(0, 8) * HOUR
        // A late event leaves its batch, so it is alone.
        const isLate = round % 4 === 3
        const events = times(isLate ? 1 : random.whole(1, 150), () => planEvent(random, isLate))
        for (const [, request] of isLate ? events : []) {
          Object.assign(request, { occurredAt: new Date(now - random.whole(1, 300) * HOUR) })
        }
        const expected = await Promise.all(events.map((event) => answerOf(reference, event)))
        const actual = await Promise.all(events.map((event) => answerOf(tested, event)))
        for (const [index, answer] of expected.entries()) {
          const place = [round, index, events[index]]
          expect([...place, names.of(actual[index])]).toEqual([...place, expectedNames.of(answer)])
        }
      }

      await asAdmin(databaseUrl(), async (client) => {
        const counts = await readCounts(async (text) => (await client.query(text)).rows, schema)
        expect(counts.faults).toEqual([])
        // Changes of a late event wait for the next batch of their group.
        expect(counts.pending).toBeLessThan(10)
      })
      for (const board of ['all', 'top', 'xp', 'streaks']) {
        for (let offset = 0; offset < USERS; offset += 1_000) {
          const page = { offset, limit: 1_000 }
          expect(await tested.leaderboards.get(board, page)).toEqual(await reference.leaderboards.get(board, page))
        }
      }
    },
    600_000,
  )
})
