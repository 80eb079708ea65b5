import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { add, type Engine, onEachStorage } from '../../support/engine.ts'

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    profile: { name: 'Profile', trigger: 'api' },
    tutor: { name: 'Tutor', trigger: 'api', repeat: true },
    writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 100 },
    both: { name: 'Both', trigger: 'achievement', achievements: ['profile', 'writer'] },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'profile', points: 50 }] } },
}

const completion = (achievement: string, instant: string, id = 'ann') => ({
  achievement,
  user: { id, tz: 'Europe/Berlin' },
  occurredAt: new Date(instant),
})

async function datesOf(engine: Engine, id = 'ann'): Promise<Readonly<Record<string, string | null>>> {
  const completed = await engine.users.achievements(id)
  return Object.fromEntries(completed.map(({ key, achievedAt }) => [key, achievedAt]))
}

onEachStorage('An import of completions', (open) => {
  test('completes achievements at the dates that it gives', async () => {
    const engine = await open(GAME)
    const report = await engine.import([completion('profile', '2026-02-01T09:00:00.000Z')])
    expect(report).toEqual({ read: 1, recorded: 1, replayed: 0, refused: 0, refusals: [] })
    expect(await datesOf(engine)).toEqual({ profile: '2026-02-01T09:00:00.000Z' })
    expect((await engine.users.points('ann', 'xp')).total).toBe(50)
  })

  test('records nothing when it is run again', async () => {
    const engine = await open(GAME)
    const items = [
      completion('profile', '2026-02-01T09:00:00.000Z'),
      completion('profile', '2026-02-01T09:00:00.000Z'),
      completion('profile', '2026-02-01T09:00:00.000Z', 'ben'),
    ]
    expect(await engine.import(items)).toMatchObject({ recorded: 2, replayed: 1 })
    expect(await engine.import(items)).toMatchObject({ recorded: 0, replayed: 3 })
    expect((await engine.users.events('ann')).entries).toHaveLength(1)
  })

  test('puts a completion before what the user has done since, and moves what follows from it', async () => {
    const engine = await open(GAME)
    await engine.import([
      {
        metric: 'words',
        user: { id: 'ann' },
        value: 120,
        idempotencyKey: 'a',
        occurredAt: new Date('2026-02-10T09:00:00.000Z'),
      },
    ])
    await engine.achievements.complete('profile', { user: { id: 'ann' } })
    expect(await datesOf(engine)).toMatchObject({
      profile: '2026-03-10T12:00:00.000Z',
      both: '2026-03-10T12:00:00.000Z',
    })

    const items = [completion('profile', '2026-02-01T09:00:00.000Z')]
    expect(await engine.import(items)).toMatchObject({ recorded: 1, replayed: 0 })
    expect(await datesOf(engine)).toEqual({
      profile: '2026-02-01T09:00:00.000Z',
      writer: '2026-02-10T09:00:00.000Z',
      both: '2026-02-10T09:00:00.000Z',
    })
    expect((await engine.users.points('ann', 'xp')).total).toBe(50)
    expect(await engine.import(items)).toMatchObject({ recorded: 0, replayed: 1 })
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('completes an achievement that repeats once for each date', async () => {
    const engine = await open(GAME)
    const items = ['2026-02-01', '2026-02-02', '2026-02-02'].map((day) => completion('tutor', `${day}T09:00:00.000Z`))
    expect(await engine.import(items)).toMatchObject({ recorded: 2, replayed: 1 })
    expect(await engine.import(items)).toMatchObject({ recorded: 0, replayed: 3 })
    const [tutor] = await engine.users.achievements('ann')
    expect(tutor).toMatchObject({ key: 'tutor', count: 2, achievedAt: '2026-02-02T09:00:00.000Z' })
  })

  test('refuses unknown achievements, those that users earn by events, and items without a date', async () => {
    const engine = await open(GAME)
    const undated = { achievement: 'profile', user: { id: 'ann' } } as unknown as ReturnType<typeof completion>
    const report = await engine.import([
      completion('profil', '2026-02-01T09:00:00.000Z'),
      completion('writer', '2026-02-01T09:00:00.000Z'),
      undated,
      completion('profile', '2026-02-01T09:00:00.000Z', 'ben'),
    ])
    expect(report).toMatchObject({ recorded: 1, refused: 3 })
    expect(report.refusals.map(({ index, code }) => [index, code])).toEqual([
      [0, 'unknown_achievement'],
      [1, 'unknown_achievement'],
      [2, 'invalid_request'],
    ])
  })

  test('publishes nothing and calls no handlers', async () => {
    const engine = await open(GAME)
    const handed: string[] = []
    await engine.subscribe('all', { types: ['achievement.completed'] }, (messages) => {
      handed.push(...messages.map(({ type }) => type))
    })
    engine.on('achievement.completed', ({ achievement }) => {
      handed.push(achievement.key)
    })
    await engine.import([completion('profile', '2026-02-01T09:00:00.000Z')])
    await engine.workOnce()
    expect(handed).toEqual([])
    await add(engine, 'words', 120)
    await engine.workOnce()
    expect(handed).toEqual(['writer', 'both', 'achievement.completed', 'achievement.completed'])
  })
})
