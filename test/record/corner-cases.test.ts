// What the README says of moves, freezes, restores, filters, boards by points and the points of new users.

import { afterEach, describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, type Engine, NOON, openOn } from '../support/engine.ts'
import { openWriter } from '../support/streak-log.ts'

const HONOLULU = 'Pacific/Honolulu'
const KIRITIMATI = 'Pacific/Kiritimati'

const opened: Engine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

async function open(rest: Partial<GameDefinition>): Promise<Engine> {
  const definition = { metrics: { w: { name: 'W' }, other: { name: 'Other' } }, ...rest } as GameDefinition
  const engine = await openOn(memory(), { now: NOON }, definition)
  opened.push(engine)
  return engine
}

describe('A move to another zone', () => {
  const three = { metrics: { words: { threshold: 3 } } }

  test('takes what was done today along: it counts towards the threshold of today', () => {
    const writer = openWriter(three)
    writer.write('2026-03-04T20:00Z', { value: 2, tz: HONOLULU })
    expect(writer.write('2026-03-04T21:00Z', { tz: KIRITIMATI })).toMatchObject({ length: 1, started: '2026-03-05' })
  })

  test('takes a sum below 0 along, too', () => {
    const writer = openWriter(three)
    writer.write('2026-03-04T20:00Z', { value: -2, tz: HONOLULU })
    expect(writer.write('2026-03-04T21:00Z', { value: 4, tz: KIRITIMATI }).length).toBe(0)
    expect(writer.write('2026-03-04T22:00Z').length).toBe(1)
  })

  test('leaves what was done yesterday behind', () => {
    const writer = openWriter(three)
    writer.write('2026-03-03T20:00Z', { value: 2, tz: HONOLULU })
    // 4 March in Kiritimati was yesterday's 3rd in Honolulu.
    expect(writer.write('2026-03-04T20:00Z', { tz: KIRITIMATI }).length).toBe(0)
  })

  test('brings no freeze nearer', () => {
    const freezes = { initial: 0, max: 5, autoEarn: { interval: 2 } }
    const stays = openWriter({ freezes })
    const moves = openWriter({ freezes })
    for (const writer of [stays, moves]) writer.write('2026-03-02T20:00Z', { tz: HONOLULU })
    moves.move('2026-03-02T21:00Z', KIRITIMATI)
    // A day and a half later it is two dates later there, but of the days it takes only one has passed.
    expect(moves.read('2026-03-04T08:00Z')).toMatchObject({ freezes: 0 })
    expect(moves.read('2026-03-04T11:00Z')).toMatchObject({ freezes: 1 })
    expect(stays.read('2026-03-04T11:00Z')).toMatchObject({ freezes: 1 })
  })
})

describe('A freeze', () => {
  test('that is earned at the midnight which ends a missed day comes too late for it', () => {
    const writer = openWriter({ freezes: { initial: 0, max: 5, autoEarn: { interval: 2 } } })
    writer.write('2026-03-02T12:00Z')
    expect(writer.read('2026-03-03T23:59Z')).toMatchObject({ length: 1, freezes: 0 })
    expect(writer.read('2026-03-04T00:00Z')).toMatchObject({ length: 0, freezes: 1 })
  })
})

describe('A restored streak', () => {
  const lost = () => {
    const writer = openWriter()
    for (const day of ['02', '03', '04']) writer.write(`2026-03-${day}T12:00Z`)
    return writer
  }

  test('ends today where nothing was done today, and goes on tomorrow where something was', () => {
    const writer = lost()
    expect(writer.restore('2026-03-10T12:00Z')).toBe('accepted')
    expect(writer.read('2026-03-10T12:00Z')).toMatchObject({ length: 3, expires: '2026-03-10' })
    expect(writer.read('2026-03-11T00:00Z').length).toBe(0)
    const other = lost()
    other.write('2026-03-10T11:00Z')
    expect(other.restore('2026-03-10T12:00Z')).toBe('accepted')
    expect(other.read('2026-03-10T12:00Z')).toMatchObject({ length: 3, expires: '2026-03-11' })
    expect(other.write('2026-03-11T12:00Z').length).toBe(4)
  })

  test('is the one that was lost last, though a longer one was lost before', () => {
    const writer = lost()
    writer.restore('2026-03-10T12:00Z')
    writer.write('2026-03-20T12:00Z')
    expect(writer.restore('2026-03-25T12:00Z')).toBe('accepted')
    expect(writer.read('2026-03-25T12:00Z').length).toBe(1)
  })
})

test('A pause that is deleted does not cover today any more', () => {
  const writer = openWriter()
  writer.write('2026-03-02T12:00Z')
  writer.pause('2026-03-03T09:00Z', '2026-03-03', '2026-03-08')
  expect(writer.unpause('2026-03-03T10:00Z')).toBe('accepted')
  expect(writer.read('2026-03-03T23:00Z')).toMatchObject({ length: 1, expires: '2026-03-03' })
  expect(writer.read('2026-03-04T00:00Z').length).toBe(0)
})

describe('An achievement whose attribute comes after everything it takes', () => {
  const userAttributes = { plan: 'pro' }
  const keys = async (engine: Engine) => (await engine.users.achievements('ann')).map(({ key }) => key)

  test('on a metric is completed by the next event of the metric, whether it matches or not', async () => {
    const rule = { name: 'A', trigger: 'metric', metric: 'w', value: 1, eventAttributes: { kind: 'x' } } as const
    const engine = await open({
      eventAttributes: ['kind'],
      userAttributes: ['plan'],
      achievements: { a: { ...rule, userAttributes } },
    })
    await add(engine, 'w', 1, { attributes: { kind: 'x' } })
    await engine.users.update('ann', { attributes: userAttributes })
    await add(engine, 'other', 1)
    expect(await keys(engine)).toEqual([])
    await add(engine, 'w', 0)
    expect(await keys(engine)).toEqual(['a'])
  })

  test('on the streak is completed by the next event', async () => {
    const engine = await open({
      userAttributes: ['plan'],
      achievements: { a: { name: 'A', trigger: 'streak', length: 1, userAttributes } },
      streak: { frequency: 'daily', metrics: { w: {} } },
    })
    await add(engine, 'w', 1)
    await engine.users.update('ann', { attributes: userAttributes })
    expect(await keys(engine)).toEqual([])
    await add(engine, 'other', 0)
    expect(await keys(engine)).toEqual(['a'])
  })
})

describe('On a leaderboard by points', () => {
  test('whoever got any takes part, though they cancel; an award that is clipped to nothing is none', async () => {
    const metric = (name: string, points: number) => ({ type: 'metric', metric: name, threshold: 1, points }) as const
    const engine = await open({
      points: { xp: { name: 'XP', triggers: [metric('w', 5), metric('w', -5), metric('other', -5)] } },
      leaderboards: { board: { name: 'Board', rankBy: 'points', system: 'xp', start: '2026-01-01' } },
    })
    await add(engine, 'w', 1)
    await engine.metrics.event('other', { user: { id: 'bob' }, value: 1 })
    const { rankings } = await engine.leaderboards.get('board')
    expect(rankings.map(({ userId, value }) => [userId, value])).toEqual([['ann', 0]])
  })
})

describe('Creating the user', () => {
  test('pays first, wherever it stands among the triggers', async () => {
    const triggers = [
      { type: 'metric', metric: 'w', threshold: 1, points: -10 },
      { type: 'user_creation', points: 10 },
    ] as const
    const engine = await open({ points: { xp: { name: 'XP', triggers } } })
    expect((await add(engine, 'w', 1)).points).toEqual({})
    const { total, awards } = await engine.users.points('ann', 'xp', { awards: 5 })
    expect([total, awards.map(({ awarded }) => awarded)]).toEqual([0, [-10, 10]])
  })

  test('pays up to maxPoints, and what an event costs is asked after that', async () => {
    const triggers = [
      { type: 'metric', metric: 'w', threshold: 1, points: -44, blockIfOutOfPoints: true },
      { type: 'user_creation', points: 50 },
    ] as const
    const engine = await open({ points: { xp: { name: 'XP', maxPoints: 20, triggers } } })
    expect(await codeOf(add(engine, 'w', 1))).toBe('out_of_points')
  })
})

test('Points without maxPoints stop at the most that can be counted one by one', async () => {
  const triggers = [{ type: 'metric', metric: 'w', threshold: 0.3, points: 10 }] as const
  const engine = await open({ points: { xp: { name: 'XP', triggers } } })
  expect((await add(engine, 'w', 1e15)).points.xp?.total).toBe(9_007_199_254_740_991)
})
