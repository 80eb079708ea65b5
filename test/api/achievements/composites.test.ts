import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import type { AchievementDefinition, GameDefinition } from '../../../src/index.ts'
import { add, type Engine, NOON, onEachStorage, openOn } from '../../support/engine.ts'

const PARTS = {
  a: { name: 'A', trigger: 'metric', metric: 'w', value: 1 },
  b: { name: 'B', trigger: 'api' },
  never: { name: 'Never', trigger: 'api' },
  // There in every game, and never complete.
  far: { name: 'Far', trigger: 'achievement', achievements: ['a', 'never'] },
} as const
const BOTH = { name: 'Both', trigger: 'achievement', achievements: ['a', 'b'] } as const
const IN_X = { ...BOTH, userAttributes: { city: 'x' } } as const

function gameWith(composites: { readonly [key: string]: AchievementDefinition }): GameDefinition {
  const achievements = { ...PARTS, ...composites }
  return {
    metrics: { w: { name: 'W' }, other: { name: 'Other' } },
    userAttributes: ['city'],
    achievements,
    points: {
      xp: {
        name: 'XP',
        triggers: Object.keys(composites).map((key) => ({ type: 'achievement', achievement: key, points: 50 })),
      },
    },
    leaderboards: { xp: { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-01-01' } },
  } as GameDefinition
}

/** Ann has both parts. */
async function completeParts(engine: Engine): Promise<void> {
  await add(engine, 'w', 1)
  await engine.achievements.complete('b', { user: { id: 'ann' } })
}

async function keysOf(engine: Engine): Promise<readonly string[]> {
  return (await engine.users.achievements('ann')).map(({ key }) => key)
}

async function tell(engine: Engine, achievement: string): Promise<unknown> {
  const { holds, reasons } = await engine.explain('ann', { achievement })
  return [holds, ...reasons.map(({ sentence }) => sentence)]
}

const NEXT_DEED =
  'Everything it asks for is there: the next event, completion of another achievement or change of the profile completes it.'

onEachStorage('A composite that is deployed when a user has all its parts', (open) => {
  const deploy = async (): Promise<Engine> => {
    const older = await open(gameWith({}))
    await completeParts(older)
    return older.redefine(gameWith({ c: BOTH }))
  }

  test('is completed by the next event, of whatever metric, and pays', async () => {
    const engine = await deploy()
    expect(await tell(engine, 'c')).toEqual([false, NEXT_DEED])
    engine.at('2026-03-11T12:00:00.000Z')
    const { eventId, achievements, points } = await add(engine, 'other', 0)
    expect(achievements.map(({ key, achievedAt }) => [key, achievedAt])).toEqual([['c', '2026-03-11T12:00:00.000Z']])
    expect(points.xp).toMatchObject({ total: 50, added: 50 })
    expect(await tell(engine, 'c')).toEqual([
      true,
      `The achievement "c" was completed on 2026-03-11T12:00:00.000Z by the event ${eventId} of "other".`,
    ])
    expect((await add(engine, 'other', 1)).achievements).toEqual([])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('is completed by the next change of the profile', async () => {
    const engine = await deploy()
    await engine.users.update('ann', { name: 'Ann' })
    expect(await keysOf(engine)).toEqual(['a', 'b', 'c'])
    expect((await engine.users.points('ann', 'xp')).total).toBe(50)
    expect((await engine.leaderboards.get('xp')).rankings.map(({ userId, value }) => [userId, value])).toEqual([
      ['ann', 50],
    ])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('is not completed while it is locked, and is by the next event once it is not', async () => {
    const older = await open(gameWith({ c: { ...BOTH, status: 'locked' } }))
    await completeParts(older)
    expect((await add(older, 'w', 1)).achievements).toEqual([])
    expect(await tell(older, 'c')).toEqual([false, 'The achievement "c" is locked: no user can newly complete it.'])
    const engine = await older.redefine(gameWith({ c: BOTH }))
    expect((await add(engine, 'w', 1)).achievements.map(({ key }) => key)).toEqual(['c'])
  })
})

onEachStorage('A composite for users with an attribute that comes after its parts', (open) => {
  test('is completed by the change of the profile: it pays, and handlers are told', async () => {
    const engine = await open(gameWith({ c: IN_X }))
    const told: string[] = []
    engine.on('achievement.completed', ({ achievement: { key } }) => void told.push(key))
    engine.on('points.changed', ({ points: { key, total } }) => void told.push(`${key} ${total}`))
    await completeParts(engine)
    expect((await add(engine, 'w', 1)).achievements).toEqual([])
    expect(await tell(engine, 'c')).toEqual([
      false,
      'The achievement "c" is for users with other attributes: "city" was not set instead of "x".',
      'Everything else it asks for is there: it is completed as soon as the user has these attributes.',
    ])
    await engine.users.identify('ann', { attributes: { city: 'x' } })
    expect(told).toEqual(['a', 'b', 'c', 'xp 50'])
    expect(await keysOf(engine)).toEqual(['a', 'b', 'c'])
    expect(await tell(engine, 'c')).toEqual([
      true,
      'The achievement "c" was completed on 2026-03-10T12:00:00.000Z by a change of the profile.',
    ])
    expect((await engine.users.points('ann', 'xp')).total).toBe(50)
    expect((await engine.achievements.all()).find(({ key }) => key === 'c')).toMatchObject({ completions: 1 })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('is completed by the event that brings the attribute', async () => {
    const engine = await open(gameWith({ c: IN_X }))
    await completeParts(engine)
    const user = { id: 'ann', attributes: { city: 'x' } }
    const { achievements, points } = await engine.metrics.event('other', { user, value: 1 })
    expect([achievements.map(({ key }) => key), points.xp?.added]).toEqual([['c'], 50])
  })
})

describe('An achievement whose attribute comes after everything it takes', () => {
  const userAttributes = { plan: 'pro' }

  test('on a metric is completed by the next event of the metric, whether it matches or not', async () => {
    const rule = { name: 'A', trigger: 'metric', metric: 'w', value: 1, eventAttributes: { kind: 'x' } } as const
    const engine = await openOn(
      memory(),
      { now: NOON },
      {
        metrics: { w: { name: 'W' }, other: { name: 'Other' } },
        eventAttributes: ['kind'],
        userAttributes: ['plan'],
        achievements: { a: { ...rule, userAttributes } },
      },
    )
    await add(engine, 'w', 1, { attributes: { kind: 'x' } })
    await engine.users.update('ann', { attributes: userAttributes })
    await add(engine, 'other', 1)
    expect(await keysOf(engine)).toEqual([])
    await add(engine, 'w', 0)
    expect(await keysOf(engine)).toEqual(['a'])
    await engine.close()
  })

  test('on the streak is completed by the next event', async () => {
    const engine = await openOn(
      memory(),
      { now: NOON },
      {
        metrics: { w: { name: 'W' }, other: { name: 'Other' } },
        userAttributes: ['plan'],
        achievements: { a: { name: 'A', trigger: 'streak', length: 1, userAttributes } },
        streak: { frequency: 'daily', metrics: { w: {} } },
      },
    )
    await add(engine, 'w', 1)
    await engine.users.update('ann', { attributes: userAttributes })
    expect(await keysOf(engine)).toEqual([])
    await add(engine, 'other', 0)
    expect(await keysOf(engine)).toEqual(['a'])
    await engine.close()
  })
})
