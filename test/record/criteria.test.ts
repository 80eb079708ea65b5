// Criteria through the whole engine: the order of arrival, voids, newer games, merges, and secrets.

import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { defineGame } from '../../src/index.ts'
import { add, type Engine, NOON, onEachStorage, openOn } from '../support/engine.ts'

const all = { trigger: 'criteria' } as const
const definition = {
  metrics: { km: { name: 'Km' }, lap: { name: 'Lap', aggregation: 'min' } },
  eventAttributes: ['surface'],
  achievements: {
    total: { name: 'Total', ...all, of: [{ metric: 'km', value: 20 }] },
    trail: { name: 'Trail', ...all, of: [{ metric: 'km', value: 4, eventAttributes: { surface: 'trail' } }] },
    busy: { name: 'Busy', ...all, of: [{ metric: 'km', value: 16, within: { days: 2 } }] },
    often: { name: 'Often', ...all, of: [{ events: 'km', count: 4 }] },
    twice: { name: 'Twice', ...all, of: [{ events: 'km', count: 3, within: { days: 1 } }] },
    quick: { name: 'Quick', ...all, of: [{ metric: 'lap', value: 5 }] },
    steady: { name: 'Steady', ...all, of: [{ streak: 'streak', length: 3 }] },
    gold: { name: 'Gold', ...all, of: [{ level: 'xp.gold' }] },
    rich: { name: 'Rich', ...all, of: [{ points: 'xp', total: 35 }] },
    member: { name: 'Member', ...all, of: [{ membership: { days: 3 } }] },
    some: {
      name: 'Some',
      ...all,
      atLeast: 2,
      of: [{ achievement: 'often' }, { achievement: 'steady' }, { metric: 'km', value: 99 }],
    },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'km', threshold: 1, points: 1 },
        { type: 'achievement', achievement: 'often', points: 10 },
      ],
      levels: { gold: { name: 'Gold', points: 12 } },
    },
  },
  streak: { frequency: 'daily', metrics: { km: {} } },
} as const

interface Happened {
  readonly day: number
  readonly value: number
  readonly surface?: string
}

/** In the order of the log. */
const LIFE: readonly Happened[] = [
  { day: 4, value: 6, surface: 'trail' },
  { day: 5, value: 9 },
  { day: 5, value: -2, surface: 'trail' },
  { day: 5.5, value: 4 },
  { day: 6, value: 3 },
  { day: 8, value: 5 },
]

const HOUR = 3_600_000
const instant = (day: number): Date => new Date(Date.parse('2026-03-01T00:00:00.000Z') + (day - 1) * 24 * HOUR)

async function play(engine: Engine, events: readonly (readonly [Happened, number])[], id = 'ann'): Promise<void> {
  const calls = events.flatMap(([{ day, value, surface = 'road' }, index]) => {
    const occurredAt = new Date(instant(day).getTime() + (8 + index) * HOUR)
    const rest = { user: { id }, occurredAt, attributes: { surface } }
    return [add(engine, 'km', value, rest), add(engine, 'lap', 10 - index, rest)]
  })
  await Promise.all(calls)
}

async function achieved({ users }: Engine, id = 'ann'): Promise<readonly (readonly [string, string | null])[]> {
  return (await users.achievements(id)).map(({ key, achievedAt }) => [key, achievedAt])
}

const RESULT = [
  ['total', '2026-03-06T12:00:00.000Z'],
  ['trail', '2026-03-04T08:00:00.000Z'],
  ['busy', '2026-03-05T23:00:00.000Z'],
  ['often', '2026-03-05T23:00:00.000Z'],
  ['twice', '2026-03-05T23:00:00.000Z'],
  ['quick', '2026-03-08T13:00:00.000Z'],
  ['steady', '2026-03-06T12:00:00.000Z'],
  ['gold', '2026-03-05T09:00:00.000Z'],
  ['rich', '2026-03-08T13:00:00.000Z'],
  ['member', '2026-03-08T13:00:00.000Z'],
  ['some', '2026-03-06T12:00:00.000Z'],
]

const numbered = LIFE.map((event, index) => [event, index] as const)

onEachStorage('Criteria', (open) => {
  test('are met by late events, and the audit agrees', async () => {
    const engine = await open(definition)
    await play(
      engine,
      [4, 1, 5, 0, 3, 2].flatMap((index) => numbered.filter(([, each]) => each === index)),
    )
    expect(await achieved(engine)).toEqual(RESULT)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('forget a voided event, but a completed achievement stays', async () => {
    const engine = await open({
      ...definition,
      achievements: {
        both: {
          name: 'Both',
          ...all,
          of: [
            { metric: 'km', value: 5 },
            { events: 'lap', count: 1 },
          ],
        },
        one: { name: 'One', ...all, of: [{ metric: 'km', value: 5 }] },
      },
      points: {},
    })
    const { eventId } = await add(engine, 'km', 5)
    await engine.events.void(eventId)
    await add(engine, 'lap', 1)
    expect((await achieved(engine)).map(([key]) => key)).toEqual(['one'])
    const [both] = await engine.users.achievements('ann', { includeIncomplete: true })
    expect(both?.progress).toEqual({
      current: 1,
      target: 2,
      ratio: 0.5,
      criteria: [
        { current: 0, target: 5, ratio: 0, satisfied: false },
        { current: 1, target: 1, ratio: 1, satisfied: true },
      ],
    })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('are those of both users after a merge, and of an export that was imported', async () => {
    const engine = await open(definition)
    const half = (id: string, day: number) =>
      engine.metrics.event('km', { user: { id }, value: 8, occurredAt: instant(day) })
    await half('bob', 4)
    await half('ann', 5)
    await engine.users.merge({ from: 'bob', into: 'ann' })
    const result = [
      ['busy', '2026-03-05T00:00:00.000Z'],
      ['gold', '2026-03-05T00:00:00.000Z'],
    ]
    expect(await achieved(engine)).toEqual(result)
    const copy = await open(definition)
    const lines: string[] = []
    for await (const line of engine.users.export('ann')) lines.push(line)
    await copy.import(lines)
    expect(await achieved(copy)).toEqual(result)
    for (const each of [engine, copy]) expect((await each.verify()).drift).toEqual([])
  })

  test('of a newer game: it grants what the past has met, and says so beforehand', async () => {
    const { achievements, ...rest } = definition
    const before = { ...rest, points: {} }
    const engine = await open(before)
    await play(engine, numbered.slice(0, 4))
    const { busy, often } = achievements
    const next = { ...before, achievements: { busy, often } }
    expect((await engine.whatIf(defineGame(next))).achievements).toEqual([
      { key: 'busy', gained: 1, lost: 0 },
      { key: 'often', gained: 1, lost: 0 },
    ])
    await engine.apply(defineGame(next), { policy: 'grant' })
    const after = await engine.redefine(next)
    expect((await achieved(after)).map(([key]) => key)).toEqual(['busy', 'often'])
    expect((await after.verify()).drift).toEqual([])
  })
})

test('Criteria follow what support decides, and a revoked achievement stays away', async () => {
  const engine = await openOn(memory(), { now: NOON }, definition)
  await add(engine, 'km', 1)
  const hand = { userId: 'ann', reason: 'Counted by hand' }
  await engine.admin.points.adjust('xp', { ...hand, points: 15 })
  expect((await achieved(engine)).map(([key]) => key)).toEqual(['gold'])
  await engine.admin.achievements.grant('often', hand)
  await engine.admin.achievements.grant('steady', hand)
  expect((await achieved(engine)).map(([key]) => key)).toEqual(['often', 'steady', 'gold', 'some'])
  await engine.admin.achievements.revoke('some', hand)
  await add(engine, 'km', 1)
  expect((await achieved(engine)).map(([key]) => key)).toEqual(['often', 'steady', 'gold'])
  expect((await engine.verify()).drift).toEqual([])
  await engine.close()
})

describe('An explanation', () => {
  test('says which criteria are met, and what the others ask for', async () => {
    const engine = await openOn(memory(), { now: NOON }, definition)
    await play(engine, numbered.slice(0, 4))
    const { reasons } = await engine.explain('ann', { achievement: 'some' })
    expect(reasons.map(({ sentence }) => sentence).join(' ')).toBe(
      'It takes 2 of 3 criteria. Met: the achievement "Often". Not met: the achievement "Steady" (now 0) and 99 of "Km" (now 17).',
    )
    await engine.close()
  })
})
