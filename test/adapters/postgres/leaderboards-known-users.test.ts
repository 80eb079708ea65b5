// A process remembers the users it wrote. It still sees the changes that another process has made to them since.

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type GameDefinition,
  type Gamification,
} from '../../../src/index.ts'
import { checkFold } from '../../support/check-fold.ts'
import { NOON } from '../../support/engine.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { GAME } from '../../transactions/game.ts'
import { codeOf } from '../../transactions/settled.ts'

const ROUNDS = process.env.SOAK === undefined ? 5 : 100

const nextSchema = useEmptySchemas()
/** As processes have them: `here` has written Ann last, `there` writes her now. */
let here: Gamification<DefinedGame>
let there: Gamification<DefinedGame>
let open: (definition?: GameDefinition) => Promise<Gamification<DefinedGame>>
let now: string

const GAME_WITH_BOARD: GameDefinition = {
  ...GAME,
  leaderboards: {
    words: {
      name: 'Words',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-01',
      breakdown: ['plan'],
      maxParticipants: null,
    },
  },
}

beforeEach(async () => {
  const schema = nextSchema()
  now = NOON
  open = async (definition = GAME_WITH_BOARD) => {
    const storage = postgres(databaseUrl(), { schema })
    const clock = () => new Date(now)
    const engine = createGamification<DefinedGame>({ game: defineGame(definition), storage, clock })
    onTestFinished(() => engine.close())
    await engine.migrate()
    return engine
  }
  here = await open()
  there = await open()
  onTestFinished(async () => {
    const storage = postgres(databaseUrl(), { schema })
    await checkFold(storage)
    await storage.close()
  })
})

const ann = { id: 'ann' }
const words = (value: number, more: object = {}) => ['words', { user: ann, value, ...more }] as const
/** Costs 15 points. */
const hint = ['hints', { user: ann, value: 1 }] as const

describe('What another process did', () => {
  test('decides on refusals, both ways, alone and beside others', async () => {
    // 20 points for being there, and one for ten words.
    await here.metrics.event(...words(100))
    await here.metrics.event(...words(20))
    const points = async () => (await here.users.points('ann', 'xp')).total
    expect(await points()).toBe(82)
    for (const left of [67, 52, 37, 22, 7]) {
      await there.metrics.event(...hint)
      expect(await points()).toBe(left)
    }
    expect(await codeOf(here.metrics.event(...hint))).toBe('out_of_points')
    const beside = [...times(5, (n) => ({ id: `user ${n}` })), ann, ann].map((user, index) =>
      here.metrics.event(index === 5 ? 'hints' : 'words', { user, value: 1 }),
    )
    expect(await Promise.all(beside.map(codeOf))).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'out_of_points', 'ok'])

    // Now this process remembers that she has too few.
    await there.metrics.event(...words(100))
    expect(await Promise.all([codeOf(here.metrics.event(...hint)), codeOf(here.metrics.event(...hint))])).toEqual([
      'ok',
      'out_of_points',
    ])
  })

  test('makes a used idempotency key a replay, alone, beside others and at the same time', async () => {
    await here.metrics.event(...words(1))
    const { eventId } = await there.metrics.event(...words(5, { idempotencyKey: 'there' }))
    await here.metrics.event(...words(1))
    const again = words(7, { idempotencyKey: 'there' })
    expect(await here.metrics.event(...again)).toMatchObject({ eventId, idempotentReplayed: true, total: 7 })

    const { eventId: late } = await there.metrics.event(
      ...words(5, { idempotencyKey: 'late', occurredAt: new Date('2026-03-09T12:00:00Z') }),
    )
    const [first, second, third] = await Promise.all([
      here.metrics.event(...words(1)),
      here.metrics.event(...words(9, { idempotencyKey: 'late' })),
      here.metrics.event('words', { user: { id: 'bob' }, value: 1, idempotencyKey: 'late' }),
    ])
    expect([first.total, second, third.idempotentReplayed]).toEqual([
      13,
      expect.objectContaining({ eventId: late, idempotentReplayed: true }),
      false,
    ])

    for (const round of times(ROUNDS, (n) => n)) {
      const raced = await Promise.all(
        times(8, (n) => (n % 2 === 0 ? here : there).metrics.event(...words(1, { idempotencyKey: `raced-${round}` }))),
      )
      expect(new Set(raced.map((answer) => answer.eventId)).size).toBe(1)
      expect(raced.filter(({ idempotentReplayed }) => !idempotentReplayed)).toHaveLength(1)
    }
    expect((await here.users.singleMetric('ann', 'words')).current).toBe(13 + ROUNDS)
  })
})
