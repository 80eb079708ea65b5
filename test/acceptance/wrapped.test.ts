import { expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { createGamification, defineGame, type GameDefinition } from '../../src/index.ts'
import { loadEventValues } from '../../src/sql/log.ts'
import { aroundQuery } from '../support/around-query.ts'
import { add, codeOf, type Engine, onEachStorage, untyped } from '../support/engine.ts'
import { extendStorage } from '../support/extend-storage.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 },
    secret: { name: 'Secret', trigger: 'api', status: 'inactive' },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 2 }] } },
  leaderboards: {
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2020-01-01', maxParticipants: 1 },
    private: { name: 'Private', rankBy: 'metric', metric: 'words', start: '2020-01-01', private: true },
  },
}

const write = async (engine: Engine, at: string, value: number, id = 'ann') => {
  engine.at(`${at}T12:00:00.000Z`)
  return add(engine, 'words', value, { user: { id } })
}

onEachStorage('A year in review', (open) => {
  test('leaves out what was voided, and keeps the achievement on its date', async () => {
    const engine = await open(game)
    await write(engine, '2026-02-03', 4)
    const { eventId } = await write(engine, '2026-02-04', 50)
    await write(engine, '2026-02-10', 3)
    await engine.events.void(eventId)
    const { activity } = await engine.users.wrapped('ann')
    expect(activity).toMatchObject({ daysActive: 2, weeksActive: 2, mostActiveDay: { date: '2026-02-03' } })
    expect(activity.entireYear.metrics.words).toMatchObject({ currentTotal: 7, changeThisPeriod: 7 })
    expect(activity.entireYear.points.xp).toMatchObject({ currentTotal: 14, changeThisPeriod: 14 })
    expect(activity.entireYear.achievements.map(({ key }) => key)).toEqual(['ten'])
  })

  test('has the first completion that a void kept, after a later one of the next year', async () => {
    const gym = { frequency: 'daily', metrics: { words: {} } } as const
    const trained = { name: 'Trained', trigger: 'streak', streak: 'gym', length: 1, repeat: true } as const
    const engine = await open({ metrics: game.metrics, streaks: { gym }, achievements: { trained } })
    const { eventId } = await write(engine, '2025-12-26', 1)
    await engine.events.void(eventId)
    await write(engine, '2026-01-27', 1)
    const completionsIn = async (year: number) => {
      const { achievements } = (await engine.users.wrapped('ann', { year })).activity.entireYear
      return achievements.map(({ key, count, achievedAt }) => [key, count, achievedAt])
    }
    expect(await completionsIn(2025)).toEqual([['trained', 1, '2025-12-26T12:00:00.000Z']])
    expect(await completionsIn(2026)).toEqual([['trained', 2, '2026-01-27T12:00:00.000Z']])
  })

  test('tells the hundred values of an attribute with the greatest change', async () => {
    const engine = await open({ ...game, eventAttributes: ['source'] })
    engine.at('2026-02-03T12:00:00.000Z')
    const events = Array.from({ length: 130 }, (_, index) =>
      engine.metrics.event('words', {
        user: { id: 'ann' },
        value: index + 1,
        attributes: untyped({ source: `source ${index + 1}` }),
      }),
    )
    await Promise.all(events)
    const { source = {} } = (await engine.users.wrapped('ann')).activity.entireYear.metrics.words?.byAttribute ?? {}
    expect(Object.keys(source)).toHaveLength(100)
    expect(source['source 130']).toMatchObject({ changeThisPeriod: 130 })
    expect(source).not.toHaveProperty('source 30')
    expect(source).toHaveProperty('source 31')
  })

  test('has what was completed in the year of an achievement that was completed again later', async () => {
    const page = { name: 'Page', trigger: 'metric', metric: 'words', value: 100, repeat: true } as const
    const engine = await open({
      ...game,
      achievements: { ...game.achievements, page, sheet: { ...page, name: 'Sheet' } },
    })
    await write(engine, '2025-02-03', 100)
    await write(engine, '2025-05-06', 150)
    await write(engine, '2026-01-07', 50)
    const pagesOf = async (year: number) => {
      const { entireYear, mostActiveMonth } = (await engine.users.wrapped('ann', { year })).activity
      return [entireYear, mostActiveMonth].map(({ achievements }) =>
        achievements.flatMap(({ key, count, achievedAt }) => (key === 'page' ? [[count, achievedAt]] : [])),
      )
    }
    expect(await pagesOf(2025)).toEqual([[[2, '2025-05-06T12:00:00.000Z']], [[1, '2025-02-03T12:00:00.000Z']]])
    expect(await pagesOf(2026)).toEqual([[[3, '2026-01-07T12:00:00.000Z']], [[3, '2026-01-07T12:00:00.000Z']]])
    expect(await pagesOf(2024)).toEqual([[], []])
    const because = { userId: 'ann', reason: 'Generated' }
    await engine.admin.achievements.revoke('page', because)
    await engine.admin.achievements.grant('page', because)
    expect(await pagesOf(2026)).toEqual([[[1, '2026-01-07T12:00:00.000Z']], [[1, '2026-01-07T12:00:00.000Z']]])
    await engine.admin.achievements.revoke('page', because)
    expect([await pagesOf(2025), await pagesOf(2026)]).toEqual([
      [[], []],
      [[], []],
    ])
  })

  test('has what was completed, and what it paid, in a year without events', async () => {
    const tour = { name: 'Tour', trigger: 'api' } as const
    const points = { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'tour', points: 5 }] } } as const
    const best = { name: 'Best', rankBy: 'points', system: 'xp', start: '2020-01-01' } as const
    const engine = await open({ ...game, achievements: { tour }, points, leaderboards: { best } })
    engine.at('2025-02-03T12:00:00.000Z')
    await engine.achievements.complete('tour', { user: { id: 'ann' } })
    engine.at('2026-02-03T12:00:00.000Z')
    const { daysActive, entireYear } = (await engine.users.wrapped('ann', { year: 2025 })).activity
    expect(daysActive).toBe(0)
    expect(entireYear).toMatchObject({
      achievements: [{ key: 'tour', achievedAt: '2025-02-03T12:00:00.000Z' }],
      points: { xp: { changeThisPeriod: 5, percentChange: 100 } },
      leaderboards: { best: { rank: 1, value: 5 } },
    })
    const { entireYear: after } = (await engine.users.wrapped('ann', { year: 2026 })).activity
    expect(after).toMatchObject({ achievements: [], points: {}, leaderboards: {} })
  })

  test('tells a decrease from nothing', async () => {
    const engine = await open(game)
    await write(engine, '2026-02-10', -3)
    const { metrics } = (await engine.users.wrapped('ann')).activity.entireYear
    expect(metrics.words).toMatchObject({ changeThisPeriod: -3, percentChange: -100 })
  })

  test('has a late event on its own date', async () => {
    const engine = await open(game)
    await write(engine, '2026-02-10', 3)
    await add(engine, 'words', 20, { occurredAt: new Date('2026-01-31T12:00:00.000Z') })
    const { mostActiveDay, mostActiveMonth } = (await engine.users.wrapped('ann')).activity
    expect(mostActiveDay).toMatchObject({ date: '2026-01-31', achievements: [{ key: 'ten' }] })
    expect(mostActiveMonth).toMatchObject({ month: 0, metrics: { words: { changeThisPeriod: 20 } } })
  })

  test('shows a place that is beyond the limit without a rank', async () => {
    const engine = await open(game)
    await write(engine, '2026-02-03', 4)
    await write(engine, '2026-02-03', 5, 'bob')
    const { leaderboards } = (await engine.users.wrapped('ann')).activity.entireYear
    expect(leaderboards).toMatchObject({ top: { rank: null, value: 4 }, private: { rank: 2, value: 4 } })
    const shown = await engine.users.wrapped('ann', { includePrivate: false })
    expect(Object.keys(shown.activity.entireYear.leaderboards)).toEqual(['top'])
  })

  test('compares with more than a chunk of others’ lines, those of other years passed over', async () => {
    const engine = await open(game)
    const instants = Array.from({ length: 1_300 }, (_, n) => Date.parse('2025-12-30T00:00:00.000Z') + n * 60_000 * 5)
    const items = ['amy', 'bob'].flatMap((id) =>
      instants.map((at) => ({ metric: 'words', user: { id }, value: id === 'amy' ? 1 : 3, occurredAt: new Date(at) })),
    )
    await engine.import(items)
    // From 2026-01-01T00:00Z on: 724 of each. Ann has as much as Amy.
    await write(engine, '2026-02-03', 724)
    const { words } = (await engine.users.wrapped('ann', { year: 2026 })).activity.entireYear.metrics
    expect(words).toMatchObject({ changeThisPeriod: 724, percentileThisPeriod: 66.67 })
    const { points } = (await engine.users.wrapped('bob', { year: 2026 })).activity.entireYear
    expect(points.xp).toMatchObject({ changeThisPeriod: 4_344, percentileThisPeriod: 100 })
  })
})

const wordsOf = async (engine: Pick<Engine, 'users'>, id: string, year = 2026) =>
  (await engine.users.wrapped(id, { year })).activity.entireYear.metrics.words

onEachStorage('The others of a year in review', (open) => {
  test('are compared as they were at most ten minutes ago', async () => {
    const engine = await open(game)
    await write(engine, '2025-12-31', 3)
    await write(engine, '2026-02-03', 4)
    await write(engine, '2026-02-03', 5, 'bob')
    await write(engine, '2026-02-03', 1, 'cid')
    expect(await wordsOf(engine, 'ann')).toMatchObject({ changeThisPeriod: 4, percentileThisPeriod: 66.67 })
    expect(await wordsOf(engine, 'ann', 2025)).toMatchObject({ changeThisPeriod: 3, percentileThisPeriod: 100 })
    await write(engine, '2026-02-03', 9, 'cid')
    await write(engine, '2026-02-03', 3)
    engine.at('2026-02-03T12:09:59.999Z')
    // Their own figures are never old: Ann has more than Bob now. Cid had 1.
    expect(await wordsOf(engine, 'ann')).toMatchObject({ changeThisPeriod: 7, percentileThisPeriod: 100 })
    engine.at('2026-02-03T12:10:00.000Z')
    expect(await wordsOf(engine, 'ann')).toMatchObject({ changeThisPeriod: 7, percentileThisPeriod: 66.67 })
  })

  test('may all have more than one who came after they were read', async () => {
    const engine = await open(game)
    await write(engine, '2026-02-03', 4, 'bob')
    expect(await wordsOf(engine, 'bob')).toMatchObject({ percentileThisPeriod: 100 })
    await write(engine, '2026-02-03', 1)
    expect(await wordsOf(engine, 'ann')).toMatchObject({ percentileThisPeriod: 50 })
  })
})

/** With a count of the parts that are read to compare users. */
function openCounted(mostEvents?: number) {
  const reads = { count: 0, failing: false }
  const engine = createGamification({
    game: defineGame(game),
    storage: extendStorage(
      memory(),
      aroundQuery(
        (storage) => loadEventValues(storage, ''),
        async (run) => {
          reads.count += 1
          if (reads.failing) throw new Error('The disk is gone.')
          return run()
        },
      ),
    ),
    clock: () => new Date('2026-02-03T12:00:00.000Z'),
    ...(mostEvents === undefined ? {} : { wrapped: { mostEvents } }),
  })
  return { engine, reads }
}

test('The others are read once for all who ask at the same time', async () => {
  const { engine, reads } = openCounted()
  for (const id of ['ann', 'bob', 'cid']) await engine.metrics.event('words', { user: { id }, value: 1 })
  const seen = await Promise.all(['ann', 'bob', 'cid', 'ann'].map((id) => wordsOf(engine, id)))
  expect(seen.map((words) => words?.percentileThisPeriod)).toEqual([100, 100, 100, 100])
  // The lines, and that no more come.
  expect(reads.count).toBe(2)
})

test('A failed reading of the others is not kept', async () => {
  const { engine, reads } = openCounted()
  await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
  reads.failing = true
  expect(await codeOf(wordsOf(engine, 'ann'))).toBe('internal')
  reads.failing = false
  expect(await wordsOf(engine, 'ann')).toMatchObject({ percentileThisPeriod: 100 })
})

test('Users are not compared if there are more events than the option says', async () => {
  for (const [mostEvents, percentile] of [
    [3, 50],
    [2, undefined],
    [0, undefined],
  ] as const) {
    const { engine } = openCounted(mostEvents)
    for (const value of [1, 1]) await engine.metrics.event('words', { user: { id: 'ann' }, value })
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 3 })
    for (const id of ['cid', 'dan', 'eve']) await engine.users.create({ id })
    const words = await wordsOf(engine, 'ann')
    expect(words).toMatchObject({ changeThisPeriod: 2, percentChange: 100 })
    expect(words?.percentileThisPeriod).toBe(percentile)
  }
})

test.each([
  [{ mostEvents: -1 }, 'mostEvents'],
  [{ mostEvents: 1.5 }, 'mostEvents'],
  [{ mostEvents: '9' }, 'mostEvents'],
  [{ mostEvent: 9 }, 'mostEvent'],
  [7, 'wrapped'],
])('The option wrapped may not be %j', async (wrapped, named) => {
  const make = async () =>
    createGamification({ game: defineGame(game), storage: memory(), wrapped: untyped<{ mostEvents: number }>(wrapped) })
  expect(await codeOf(make())).toBe('invalid_request')
  await expect(make()).rejects.toThrow(named)
})
