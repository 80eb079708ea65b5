import { expect, test } from 'vitest'
import { defineGame, type GameDefinition } from '../../../src/index.ts'
import { onEachStorage } from '../../support/engine.ts'

const first = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 100 },
    starter: { name: 'Starter', trigger: 'metric', metric: 'words', value: 1 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ key: 'words', type: 'metric', metric: 'words', threshold: 10, points: 1 }],
      levels: { bronze: { name: 'Bronze', points: 0 }, silver: { name: 'Silver', points: 10 } },
    },
  },
  leaderboards: { xp: { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-01-01' } },
} as const satisfies GameDefinition

/** Half the words make a novelist; another achievement; no starter; twice the points. */
const second = {
  ...first,
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50 },
    walker: { name: 'Walker', trigger: 'metric', metric: 'words', value: 70 },
  },
  points: {
    xp: { ...first.points.xp, triggers: [{ key: 'words', type: 'metric', metric: 'words', threshold: 10, points: 2 }] },
  },
} as const satisfies GameDefinition

onEachStorage('Another game', (open) => {
  test('would give and take what what-if says', async () => {
    const engine = await open(first)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 60 })
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 80 })
    await engine.metrics.event('words', { user: { id: 'cid' }, value: 5 })

    const report = await engine.whatIf(defineGame(second))

    expect(report).toEqual({
      users: 3,
      changed: 3,
      achievements: [
        { key: 'novelist', gained: 2, lost: 0 },
        { key: 'starter', gained: 0, lost: 3 },
        { key: 'walker', gained: 1, lost: 0 },
      ],
      points: [{ system: 'xp', gains: 2, minted: 14, loses: 0, gone: 0 }],
      triggers: [{ system: 'xp', trigger: expect.any(String), gains: 2, minted: 14, loses: 0, gone: 0 }],
      levels: [{ system: 'xp', up: 2, down: 0 }],
      balances: [],
      challenges: [],
      leaderboards: [],
      largest: [
        { tenant: '', user: 'bob', gained: ['novelist', 'walker'], lost: ['starter'], points: { xp: 8 } },
        { tenant: '', user: 'ann', gained: ['novelist'], lost: ['starter'], points: { xp: 6 } },
        { tenant: '', user: 'cid', gained: [], lost: ['starter'], points: {} },
      ],
      damaged: [],
    })
  })

  test('by recompute is as if it had always been there', async () => {
    const engine = await open(first)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 60 })
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 5 })

    const report = await engine.apply(defineGame(second), { policy: 'recompute' })

    expect(report).toEqual({ epoch: 2, policy: 'recompute', users: 2, changed: 2, damaged: [] })
    const after = await engine.redefine(second)
    expect((await after.users.achievements('ann')).map(({ key }) => key)).toEqual(['novelist'])
    expect((await after.users.achievements('bob')).map(({ key }) => key)).toEqual([])
    expect((await after.users.points('ann', 'xp')).total).toBe(12)
    expect((await after.leaderboards.get('xp')).rankings.map(({ userId, value }) => [userId, value])).toEqual([
      ['ann', 12],
    ])
    expect((await after.achievements.all()).map(({ key, completions }) => [key, completions])).toEqual([
      ['novelist', 1],
      ['walker', 0],
    ])
    expect(await after.verify()).toMatchObject({ users: 2, drift: [] })
  })

  test('by recompute holds for an event that comes before its user was gone through', async () => {
    const engine = await open(first)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 60 })
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 60 })
    const interrupt = new AbortController()
    const next = defineGame(second)
    const applied = engine.apply(next, {
      policy: 'recompute',
      signal: interrupt.signal,
      onProgress: () => interrupt.abort(),
    })
    await expect(applied).rejects.toMatchObject({ name: 'AbortError' })

    const after = await engine.redefine(second)
    const answer = await after.metrics.event('words', { user: { id: 'bob' }, value: 10 })

    expect(answer.total).toBe(70)
    expect(answer.achievements.map(({ key }) => key)).toEqual(['walker'])
    expect(answer.points.xp).toMatchObject({ total: 14, added: 2 })
    expect(answer.leaderboards.xp).toMatchObject({ rank: 1, previousRank: 2 })
    expect(await after.apply(next, { policy: 'recompute' })).toMatchObject({ epoch: 2, users: 2 })
    expect(await after.verify()).toMatchObject({ drift: [] })
  })

  test('by grant gives what it would have given, once, and takes nothing', async () => {
    const engine = await open(first)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 60 })
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 5 })
    const next = defineGame(second)

    expect(await engine.apply(next, { policy: 'grant' })).toEqual({
      epoch: 2,
      policy: 'grant',
      users: 2,
      changed: 1,
      damaged: [],
    })
    expect(await engine.apply(next, { policy: 'grant' })).toEqual({
      epoch: 2,
      policy: 'grant',
      users: 2,
      changed: 0,
      damaged: [],
    })

    const after = await engine.redefine(second)
    expect((await after.users.achievements('ann')).map(({ key }) => key)).toEqual(['novelist'])
    expect(await after.users.points('ann', 'xp')).toMatchObject({ total: 12, level: { key: 'silver' } })
    const before = await engine.redefine(first)
    expect((await before.users.points('ann', 'xp')).awards.map(({ awarded }) => awarded)).toEqual([6, 6])
    expect(await after.verify()).toMatchObject({ drift: [] })
  })

  test('by grant leaves nothing that what-if would give or take, though time goes on beside it', async () => {
    const metrics = { words: { name: 'Words' } }
    const xp = (points: number): GameDefinition => ({
      metrics,
      achievements: { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50 } },
      points: {
        xp: {
          name: 'XP',
          triggers: [
            { type: 'time', every: { hours: 1 }, points: 1 },
            { type: 'metric', metric: 'words', threshold: 10, points },
          ],
        },
      },
    })
    const engine = await open(xp(1))
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 60 })
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 10 })
    engine.at('2026-03-10T15:00:00.000Z')
    const { eventId } = await engine.metrics.event('words', { user: { id: 'bob' }, value: 50 })
    // His completion under it is kept, by an entry of its own.
    await engine.events.void(eventId)
    expect((await engine.whatIf(defineGame(xp(1)))).points).toEqual([])

    engine.at('2026-03-10T22:00:00.000Z')
    await engine.apply(defineGame(xp(3)), { policy: 'grant' })
    const after = await engine.redefine(xp(3))
    expect((await after.users.points('ann', 'xp')).total).toBe(28)

    expect((await after.whatIf(defineGame(xp(3)))).points).toEqual([])
    expect((await after.whatIf(defineGame(xp(3)))).triggers).toEqual([])
    await after.apply(defineGame(xp(4)), { policy: 'recompute' })
    expect((await after.users.points('ann', 'xp')).total).toBe(34)
    expect(await after.verify()).toMatchObject({ drift: [] })
  })

  test('by forward counts from now on', async () => {
    const engine = await open(first)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 60 })

    expect(await engine.apply(defineGame(second))).toEqual({
      epoch: 2,
      policy: 'forward',
      users: 0,
      changed: 0,
      damaged: [],
    })

    const after = await engine.redefine(second)
    expect((await after.users.points('ann', 'xp')).total).toBe(6)
    const answer = await after.metrics.event('words', { user: { id: 'ann' }, value: 10 })
    expect(answer.achievements.map(({ key }) => key)).toEqual(['novelist', 'walker'])
    expect(answer.points.xp).toMatchObject({ total: 8, added: 2 })
  })

  test('by grant gives back what a penalty took that is gone', async () => {
    const words = { key: 'words', type: 'metric', metric: 'words', threshold: 1, points: 1 } as const
    const laps = { key: 'laps', type: 'metric', metric: 'laps', threshold: 1, points: -10 } as const
    const metrics = { words: { name: 'Words' }, laps: { name: 'Laps' } }
    const engine = await open({ metrics, points: { xp: { name: 'XP', triggers: [words, laps] } } })
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 60 })
    await engine.metrics.event('laps', { user: { id: 'ann' }, value: 1 })
    const next = defineGame({ metrics, points: { xp: { name: 'XP', triggers: [words] } } })

    expect((await engine.whatIf(next)).points).toEqual([{ system: 'xp', gains: 1, minted: 10, loses: 0, gone: 0 }])
    expect(await engine.apply(next, { policy: 'grant' })).toMatchObject({ changed: 1 })
    expect((await engine.users.points('ann', 'xp')).total).toBe(60)
  })
})
