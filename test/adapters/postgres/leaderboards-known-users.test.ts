// A process remembers the users it wrote. What another process has done to them since is seen all the same.

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

  test('at the same time lets nobody spend points twice', async () => {
    for (const user of times(ROUNDS, (n) => ({ id: `user ${n}` }))) {
      await here.metrics.event('words', { user, value: 90 })
      await there.metrics.event('words', { user, value: 20 })
      // 81 points are enough for five hints.
      const spent = times(16, (n) => codeOf((n % 2 === 0 ? here : there).metrics.event('hints', { user, value: 1 })))
      const codes = await Promise.all(spent)
      expect(codes.filter((code) => code === 'ok')).toHaveLength(5)
      expect(new Set(codes)).toEqual(new Set(['ok', 'out_of_points']))
    }
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

  test('to the profile and the preferences counts for the next event', async () => {
    await here.metrics.event(...words(10, { user: { ...ann, attributes: { plan: 'free' } } }))
    await there.users.identify('ann', { tz: 'Pacific/Kiritimati', attributes: { plan: 'pro' } })
    const { leaderboards, currentStreak } = await here.metrics.event(...words(10))
    // There it is 02:00 of the next day, which a change of zone does not win.
    expect(currentStreak).toMatchObject({ length: 1, periodStart: '2026-03-11' })
    expect(leaderboards.words).toMatchObject({ rank: 1, previousRank: 1 })
    const { rankings } = await here.leaderboards.get('words', { userAttributes: { plan: 'pro' } })
    expect(rankings).toEqual([{ userId: 'ann', userName: null, rank: 1, value: 20 }])

    await there.users.updatePreferences('ann', { streak: { metrics: [{ key: 'laps', threshold: 2 }] } })
    now = '2026-03-11T12:00:00.000Z'
    expect((await here.metrics.event(...words(10))).currentStreak?.extended).toBe(false)
    expect((await here.metrics.event('laps', { user: ann, value: 2 })).currentStreak?.length).toBe(2)
    await there.users.update('ann', { name: 'Ann' })
    expect(await here.users.identify('ann', { email: 'ann@example.com' })).toMatchObject({
      name: 'Ann',
      email: 'ann@example.com',
      tz: 'Pacific/Kiritimati',
    })
  })
})
