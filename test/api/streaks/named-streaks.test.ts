import { afterEach, describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { type GameDefinition, isGamificationError } from '../../../src/index.ts'
import { codeOf, type Engine, onEachStorage, openOn } from '../../support/engine.ts'

const definition: GameDefinition = {
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 1, max: 3 } },
  streaks: {
    gym: { frequency: 'weekly', metrics: { laps: { threshold: 2 } }, freezes: { initial: 1, max: 2 } },
    walk: { frequency: 'daily', metrics: { laps: {} }, freezes: 'shared' },
  },
  achievements: { fit: { name: 'Fit', trigger: 'streak', length: 2, streak: 'gym' } },
  points: { xp: { name: 'XP', triggers: [{ type: 'streak', length: 2, points: 7, streak: 'walk' }] } },
  leaderboards: {
    all: { name: 'All', rankBy: 'streak', start: '2026-01-01' },
    walkers: { name: 'Walkers', rankBy: 'streak', start: '2026-01-01', streak: 'walk' },
  },
}

const add = (engine: Engine, metric: string, value = 1, occurredAt?: string) => {
  const when = occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }
  return engine.metrics.event(metric, { user: { id: 'ann' }, value, idempotencyKey: `${metric}-${value}`, ...when })
}
const at = (engine: Engine, instant: string, metric: string, value = 1, id = 'ann') => {
  engine.at(instant)
  return engine.metrics.event(metric, { user: { id }, value })
}

onEachStorage('A game with named streaks', (open) => {
  test('answers each of them at an event, in its own periods', async () => {
    const engine = await open(definition)
    const first = await at(engine, '2026-03-10T12:00:00Z', 'laps', 2)
    expect(first.currentStreak).toMatchObject({ length: 0, extended: false })
    expect(first.streaks).toEqual({
      gym: {
        ...{
          length: 1,
          frequency: 'weekly',
          started: '2026-03-09',
          periodStart: '2026-03-09',
          periodEnd: '2026-03-15',
        },
        ...{ expires: '2026-03-22', freezes: 1, maxFreezes: 2, extended: true },
      },
      walk: {
        ...{ length: 1, frequency: 'daily', started: '2026-03-10', periodStart: '2026-03-10', periodEnd: '2026-03-10' },
        ...{ expires: '2026-03-11', freezes: 1, maxFreezes: 3, extended: true },
      },
    })
    expect(Object.keys(first.streaks ?? {})).toEqual(['gym', 'walk'])
    const second = await at(engine, '2026-03-11T12:00:00Z', 'laps', 1)
    expect(second.streaks).toMatchObject({ gym: { length: 1, extended: false }, walk: { length: 2, extended: true } })
    expect(second.points.xp).toMatchObject({ total: 7 })
    const third = await at(engine, '2026-03-17T12:00:00Z', 'laps', 2)
    expect(third.achievements.map(({ key, streakKey }) => [key, streakKey])).toEqual([['fit', 'gym']])
    expect(third.streaks).toMatchObject({ gym: { length: 2 }, walk: { length: 1, freezes: 0 } })
  })

  test('tells one by its key, with its own history, freezes and rank', async () => {
    const engine = await open(definition)
    await at(engine, '2026-03-10T12:00:00Z', 'laps', 2)
    await at(engine, '2026-03-10T13:00:00Z', 'words')
    await at(engine, '2026-03-11T12:00:00Z', 'laps', 2, 'bob')
    await at(engine, '2026-03-12T12:00:00Z', 'laps', 2, 'bob')
    await at(engine, '2026-03-17T12:00:00Z', 'laps', 2)
    const gym = await engine.users.streak('ann', { streak: 'gym', historyPeriods: 3 })
    expect(gym).toMatchObject({ length: 2, started: '2026-03-09', extended: '2026-03-17T12:00:00.000Z', rank: null })
    expect(gym.streakHistory).toEqual([
      { periodStart: '2026-03-02', periodEnd: '2026-03-08', length: 0, usedFreeze: false, usedPause: false },
      { periodStart: '2026-03-09', periodEnd: '2026-03-15', length: 1, usedFreeze: false, usedPause: false },
      { periodStart: '2026-03-16', periodEnd: '2026-03-22', length: 2, usedFreeze: false, usedPause: false },
    ])
    expect(await engine.users.streak('ann', { streak: 'walk' })).toMatchObject({ length: 1, rank: 1, freezes: 0 })
    expect((await engine.users.streak('ann')).length).toBe(0)
    expect(await codeOf(engine.users.streak('ann', { streak: 'gmy' }))).toBe('unknown_streak')
    expect((await engine.verify()).drift).toEqual([])
  })

  test('leaves its leaderboard earlier once another one takes the freeze that they share', async () => {
    const engine = await open(definition)
    await at(engine, '2026-03-10T12:00:00Z', 'laps')
    await at(engine, '2026-03-10T13:00:00Z', 'words')
    const walkers = async () => (await engine.leaderboards.get('walkers')).rankings.map(({ userId }) => userId)
    engine.at('2026-03-11T23:59:59.999Z')
    expect(await walkers()).toEqual(['ann'])
    engine.at('2026-03-12T00:00:00Z')
    expect(await walkers()).toEqual([])
    expect((await engine.users.streak('ann')).length).toBe(1)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('gives freezes to one and restores one', async () => {
    const engine = await open(definition)
    await at(engine, '2026-03-10T12:00:00Z', 'laps', 2)
    await at(engine, '2026-03-10T13:00:00Z', 'words')
    const { freezes } = engine.admin.streaks
    expect(await freezes.create({ streak: 'gym', freezes: [{ userId: 'ann' }, { userId: 'ann' }] })).toMatchObject({
      issues: [{ userId: 'ann', level: 'warning', index: 1 }],
    })
    expect((await engine.users.streak('ann', { streak: 'gym' })).freezes).toBe(2)
    expect((await engine.users.streak('ann')).freezes).toBe(1)
    expect(await codeOf(freezes.create({ streak: 'walk', freezes: [{ userId: 'ann' }] }))).toBe(
      'streak_freezes_disabled',
    )
    expect(await codeOf(freezes.create({ streak: 'gmy', freezes: [{ userId: 'ann' }] }))).toBe('unknown_streak')

    engine.at('2026-03-30T12:00:00Z')
    expect((await engine.users.streak('ann', { streak: 'walk' })).length).toBe(0)
    expect(await engine.admin.streaks.restore({ streak: 'walk', users: [{ id: 'ann' }] })).toMatchObject({
      restoredUsers: ['ann'],
    })
    expect((await engine.users.streak('ann', { streak: 'walk' })).length).toBe(1)
    expect((await engine.users.streak('ann')).length).toBe(0)
    expect(await codeOf(engine.admin.streaks.restore({ streak: 'gmy', users: [{ id: 'ann' }] }))).toBe('unknown_streak')
    expect((await engine.verify()).drift).toEqual([])
  })

  test('is put back by an export as it was', async () => {
    const engine = await open(definition)
    await at(engine, '2026-03-10T12:00:00Z', 'laps', 2)
    await engine.admin.streaks.freezes.create({ streak: 'gym', freezes: [{ userId: 'ann' }] })
    await at(engine, '2026-03-17T12:00:00Z', 'laps', 2)
    await engine.admin.streaks.restore({ streak: 'walk', users: [{ id: 'ann' }] })
    const lines = []
    for await (const line of engine.users.export('ann')) lines.push(line)
    const other = await openOn(memory(), { now: '2026-03-17T12:00:00Z' }, definition)
    const report = await other.import(lines)
    expect(report).toMatchObject({ recorded: 1, refusals: [] })
    for (const streak of ['gym', 'walk']) {
      expect(await other.users.streak('ann', { streak })).toEqual(await engine.users.streak('ann', { streak }))
    }
    await other.close()
  })
})

describe('A game without named streaks', () => {
  const opened: Engine[] = []
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close()
  })
  const { streaks: _, achievements: _fit, points: _xp, leaderboards: _all, ...rest } = definition
  const open = async (game: GameDefinition): Promise<Engine> => {
    const engine = await openOn(memory(), { now: '2026-03-10T12:00:00Z' }, game)
    opened.push(engine)
    return engine
  }

  test('answers nothing about them', async () => {
    const engine = await open(rest)
    const answer = await add(engine, 'words')
    expect(answer).not.toHaveProperty('streaks')
    expect(await engine.events.void(answer.eventId)).not.toHaveProperty('streaks')
    const message = await engine.users.streak('ann', { streak: 'gym' }).catch((error: unknown) => {
      return isGamificationError(error) ? error.message : ''
    })
    expect(message).toBe('Unknown streak "gym": the game has none.')
  })

  test('and with one tells handlers which it was', async () => {
    const engine = await open(definition)
    const told: unknown[] = []
    for (const name of ['streak.started', 'streak.extended', 'streak.lost'] as const) {
      engine.on(name, (event) => {
        told.push([name, event.streakKey, 'length' in event ? event.length : event.streak.length])
      })
    }
    await at(engine, '2026-03-10T12:00:00Z', 'laps', 1)
    await at(engine, '2026-03-11T12:00:00Z', 'laps', 1)
    await at(engine, '2026-03-20T12:00:00Z', 'words', 1)
    expect(told).toEqual([
      ['streak.started', 'walk', 1],
      ['streak.started', 'gym', 1],
      ['streak.extended', 'walk', 2],
      ['streak.started', undefined, 1],
      ['streak.lost', 'walk', 2],
    ])
  })
})
