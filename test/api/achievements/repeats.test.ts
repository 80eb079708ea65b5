// @heavy: It takes more than three seconds.
// Achievements that can be completed more than once: answers, ids, keys, what is kept, on every storage.

import { describe, expect, test } from 'vitest'
import { completionId } from '../../../src/game/ids.ts'
import { defineGame, type GameDefinition } from '../../../src/index.ts'
import { add, onEachStorage } from '../../support/engine.ts'
import { codesOf, times, useEngines, usePlaces } from '../../support/places.ts'

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  achievements: {
    thousand: { name: 'A thousand', trigger: 'metric', metric: 'words', value: 1_000, repeat: true },
    two: { name: 'Two', trigger: 'streak', length: 2, repeat: true },
    tour: { name: 'Tour', trigger: 'api', repeat: { max: 50 } },
    plain: { name: 'Plain', trigger: 'api' },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'achievement', achievement: 'thousand', points: 10 },
        { type: 'achievement', achievement: 'tour', points: 3 },
        { type: 'achievement', achievement: 'two', points: 100 },
      ],
    },
  },
}

const { points: _, ...WITHOUT_POINTS } = GAME
const BEFORE: GameDefinition = { ...WITHOUT_POINTS, achievements: { tour: { name: 'Tour', trigger: 'api' } } }
const NEXT: GameDefinition = WITHOUT_POINTS
const FEWER: GameDefinition = {
  ...WITHOUT_POINTS,
  achievements: { thousand: { name: 'Two thousand', trigger: 'metric', metric: 'words', value: 2_000, repeat: true } },
}

const ANN = { id: 'ann' }

onEachStorage('An achievement that repeats', (open) => {
  test('has an item in the answer for each new completion, and counts users once', async () => {
    const engine = await open(GAME)
    const first = await add(engine, 'words', 3_200)
    expect(first.achievements.map(({ key, count, achievedAt }) => [key, count, achievedAt])).toEqual([
      ['thousand', 1, '2026-03-10T12:00:00.000Z'],
      ['thousand', 2, '2026-03-10T12:00:00.000Z'],
      ['thousand', 3, '2026-03-10T12:00:00.000Z'],
    ])
    expect(first.points.xp).toMatchObject({ added: 30 })
    engine.at('2026-03-10T13:00:00.000Z')
    const next = await add(engine, 'words', 800)
    expect(next.achievements.map(({ count, achievedAt }) => [count, achievedAt])).toEqual([
      [4, '2026-03-10T13:00:00.000Z'],
    ])
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 1 })
    const own = await engine.users.achievements('ann')
    expect(own.map(({ key, count, completions, rarity }) => [key, count, completions, rarity])).toEqual([
      ['thousand', 4, 1, 50],
    ])
    const bobs = await engine.users.achievements('bob', { includeIncomplete: true })
    expect(bobs.map(({ key, count }) => [key, count])).toEqual([
      ['thousand', 0],
      ['two', 0],
      ['tour', 0],
      ['plain', undefined],
    ])
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('is completed once for each idempotency key, which answers its own completion again', async () => {
    const engine = await open(GAME)
    const complete = (idempotencyKey?: string) =>
      engine.achievements.complete('tour', { user: ANN, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })
    const first = await complete('a')
    expect(first).toMatchObject({ completionId: completionId('', 'ann', 'tour'), idempotentReplayed: false })
    expect(first.achievement.count).toBe(1)
    engine.at('2026-03-11T12:00:00.000Z')
    const second = await complete('b')
    expect(second.completionId).toBe(completionId('', 'ann', 'tour', 2))
    expect(second.completionId).not.toBe(first.completionId)
    expect(second.achievement).toMatchObject({ count: 2, achievedAt: '2026-03-11T12:00:00.000Z' })
    engine.at('2026-03-12T12:00:00.000Z')
    await complete('c')
    expect(await complete('b')).toEqual({ ...second, points: {}, idempotentReplayed: true })
    expect(await complete('a')).toEqual({ ...first, points: {}, idempotentReplayed: true })
    expect(await complete()).toMatchObject({ completionId: completionId('', 'ann', 'tour', 3), points: {} })
    expect(
      await engine.achievements.complete('tour', { user: ANN, idempotencyKey: 'b' }, { dryRun: true }),
    ).toMatchObject({ completionId: second.completionId })
    expect(await engine.users.achievements('ann')).toMatchObject([{ key: 'tour', count: 3 }])
    expect((await engine.users.points('ann', 'xp')).total).toBe(9)
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('keeps keys apart from those of events, of other achievements and of other users', async () => {
    const engine = await open({
      ...GAME,
      metrics: { words: { name: 'Words' }, tour: { name: 'Tours' } },
      achievements: { ...GAME.achievements, 'tour k': { name: 'Other', trigger: 'api', repeat: true } },
    })
    await engine.metrics.event('tour', { user: ANN, value: 1, idempotencyKey: 'k' })
    const complete = (achievement: string, id: string, idempotencyKey: string) =>
      engine.achievements.complete(achievement, { user: { id }, idempotencyKey })
    expect((await complete('tour', 'ann', 'k')).idempotentReplayed).toBe(false)
    expect((await complete('tour', 'bob', 'k')).idempotentReplayed).toBe(false)
    expect((await complete('tour k', 'ann', 'k')).idempotentReplayed).toBe(false)
    expect((await complete('tour', 'ann', 'k')).idempotentReplayed).toBe(true)
    expect((await complete('plain', 'ann', 'k')).idempotentReplayed).toBe(false)
    expect((await complete('plain', 'ann', 'k')).idempotentReplayed).toBe(true)
    expect((await complete('plain', 'ann', 'l')).idempotentReplayed).toBe(true)
  })

  test('keeps its first completion when a void takes the cause of all, and gives it up where that is asked for', async () => {
    const engine = await open(GAME)
    await add(engine, 'words', 900)
    const { eventId } = await add(engine, 'words', 2_200)
    const kept = await engine.events.void(eventId)
    expect(kept.revokedAchievements.map(({ key, count }) => [key, count])).toEqual([['thousand', 1]])
    expect(await engine.users.achievements('ann')).toMatchObject([{ key: 'thousand', count: 1 }])
    // The words are 900 now: the first thousand is nothing new.
    expect((await add(engine, 'words', 100)).achievements).toEqual([])
    expect((await add(engine, 'words', 2_800)).achievements.map(({ count }) => count)).toEqual([2, 3])
    expect((await add(engine, 'words', 300)).achievements.map(({ count }) => count)).toEqual([4])
    const other = await add(engine, 'words', 1_000)
    const revoked = await engine.events.void(other.eventId, { revoke: true })
    expect(revoked.revokedAchievements.map(({ key, count }) => [key, count])).toEqual([['thousand', 4]])
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('is granted for the past, and recomputed, as often as it would have been', async () => {
    const engine = await open(BEFORE)
    await add(engine, 'words', 4_200)
    const next = defineGame(NEXT)
    const report = await engine.whatIf(next)
    expect(report.achievements).toEqual([{ key: 'thousand', gained: 1, lost: 0 }])
    await engine.apply(next, { policy: 'grant' })
    expect(await engine.users.achievements('ann')).toMatchObject([{ key: 'thousand', count: 4 }])
    expect(await engine.verify()).toMatchObject({ drift: [] })
    const fewer = defineGame(FEWER)
    expect((await engine.whatIf(fewer)).achievements).toEqual([{ key: 'thousand', gained: 0, lost: 1 }])
    await engine.apply(fewer, { policy: 'recompute' })
    expect(await engine.users.achievements('ann')).toMatchObject([{ key: 'thousand', count: 2 }])
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('explains how often', async () => {
    const engine = await open(GAME)
    const { eventId } = await add(engine, 'words', 2_300)
    const { reasons } = await engine.explain('ann', { achievement: 'thousand' })
    expect(reasons).toMatchObject([{ type: 'completed', count: 2 }])
    expect(reasons[0]?.sentence).toContain(', 2 times so far.')
    const event = await engine.explain('ann', { event: eventId })
    expect(event.reasons).toContainEqual(expect.objectContaining({ type: 'achievement_completed', count: 2 }))
    const next = await add(engine, 'words', 100)
    const passed = await engine.explain('ann', { event: next.eventId })
    expect(passed.reasons).toContainEqual(
      expect.objectContaining({ type: 'not_reached', threshold: 3_000, missing: 600 }),
    )
  })
})

describe.each(usePlaces())('Claims at once, on $name', ({ make }) => {
  const start = useEngines('2026-03-10T12:00:00.000Z')

  test('with one key complete it once, whoever comes first', async () => {
    const place = make()
    const game = defineGame(GAME)
    const engines = [await start(game, place()), await start(game, place())]
    const told: unknown[] = []
    for (const engine of engines)
      engine.on('achievement.completed', ({ achievement }) => void told.push(achievement.key))
    const calls = times(32, (index) =>
      engines[index % 2]?.achievements.complete('tour', { user: ANN, idempotencyKey: 'same' }),
    )
    const answers = await Promise.all(calls)
    expect(new Set(answers.map((answer) => answer?.completionId))).toEqual(new Set([completionId('', 'ann', 'tour')]))
    expect(answers.filter((answer) => answer?.idempotentReplayed === false)).toHaveLength(1)
    expect(told).toEqual(['tour'])
    const others = times(32, (index) =>
      engines[index % 2]?.achievements.complete('tour', { user: ANN, idempotencyKey: `key-${index >> 1}` }),
    )
    expect(new Set(await codesOf(others.map((call) => Promise.resolve(call))))).toEqual(new Set(['ok']))
    expect(await engines[0]?.users.achievements('ann')).toMatchObject([{ key: 'tour', count: 17 }])
    expect((await engines[1]?.users.points('ann', 'xp'))?.total).toBe(17 * 3)
    expect(await engines[0]?.verify()).toMatchObject({ drift: [] })
  })
})
