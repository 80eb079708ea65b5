import { expect, test } from 'vitest'
import type { GameDefinition, GamificationMessage, MessageType } from '../../../src/index.ts'
import { type Engine, onEachStorage } from '../../support/engine.ts'

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 100 },
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 1_000 },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  leaderboards: { all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
}

const TYPES: readonly MessageType[] = [
  'user.created',
  'achievement.completed',
  'achievement.completed.revoked',
  'points.changed',
  'streak.started',
  'streak.extended',
  'streak.lost',
  'leaderboard.rank_changed',
]

async function listen(engine: Engine): Promise<GamificationMessage[]> {
  const handed: GamificationMessage[] = []
  await engine.subscribe('all', { types: TYPES }, (messages) => {
    handed.push(...messages)
  })
  return handed
}

const factsOf = (handed: readonly GamificationMessage[]): readonly (readonly [string, string | null, string])[] =>
  handed.map(({ type, userId, at }) => [type, userId, at])

const item = (id: string, day: string, value = 120) => ({
  metric: 'words',
  user: { id },
  value,
  idempotencyKey: day,
  occurredAt: new Date(`${day}T09:00:00.000Z`),
})

onEachStorage('An import', (open) => {
  test('publishes no messages, neither about its events nor about a streak that was lost before it ran', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    await engine.import([item('ann', '2026-02-01'), item('ann', '2026-02-02'), item('ben', '2026-02-03')])
    await engine.workOnce()
    engine.at('2026-03-20T12:00:00.000Z')
    await engine.workOnce()
    expect(factsOf(handed)).toEqual([])
    expect((await engine.users.streak('ann')).length).toBe(0)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('publishes nothing about events that are late for their user', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 5 })
    await engine.workOnce()
    expect(factsOf(handed).length).toBeGreaterThan(0)
    handed.length = 0
    await engine.import([item('ann', '2026-03-09')])
    await engine.workOnce()
    expect(factsOf(handed)).toEqual([])
    expect((await engine.users.achievements('ann')).map(({ key }) => key)).toEqual(['writer'])
  })

  test('publishes the messages of its events with notify, and calls handlers', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    const completed: string[] = []
    engine.on('achievement.completed', ({ achievement }) => {
      completed.push(achievement.key)
    })
    await engine.import([item('ann', '2026-03-09')], { notify: true })
    await engine.workOnce()
    expect(factsOf(handed.filter(({ type }) => type === 'user.created' || type === 'achievement.completed'))).toEqual([
      ['user.created', 'ann', '2026-03-09T09:00:00.000Z'],
      ['achievement.completed', 'ann', '2026-03-09T09:00:00.000Z'],
    ])
    expect(completed).toEqual(['writer'])
  })

  test('refuses a notify that is neither true nor false', async () => {
    const engine = await open(GAME)
    const options = { notify: 'yes' } as unknown as { readonly notify: boolean }
    await expect(engine.import([], options)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('notify'),
    })
  })

  test('of an export publishes nothing about streaks that were lost before it ran', async () => {
    const source = await open(GAME)
    await source.import([item('ann', '2026-02-01'), item('ann', '2026-02-02')])
    const lines: string[] = []
    for await (const line of source.users.export('ann')) lines.push(line)
    const target = await open(GAME)
    const handed = await listen(target)
    expect(await target.import(lines)).toMatchObject({ recorded: 1, refusals: [] })
    target.at('2026-03-20T12:00:00.000Z')
    await target.workOnce()
    expect(factsOf(handed)).toEqual([])
  })
})
