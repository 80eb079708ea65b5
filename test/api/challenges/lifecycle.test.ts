// Challenges of users who merge, leave, move to another database, or get another game.

import { expect, test } from 'vitest'
import { defineGame, type GameDefinition } from '../../../src/index.ts'
import { type Engine, onEachStorage } from '../../support/engine.ts'

const quest = (value: number, xp: number) => ({
  name: `${value} pages`,
  of: [{ metric: 'pages' as const, value }],
  reward: { points: { xp } },
})

const game: GameDefinition = {
  metrics: { pages: { name: 'Pages' } },
  points: { xp: { name: 'XP' } },
  achievements: { regular: { name: 'Regular', trigger: 'metric', metric: 'challenge:daily', value: 2 } },
  challenges: {
    daily: { ...quest(20, 10), every: 'day' },
    sprint: { ...quest(50, 100), enrol: 'manual', within: { days: 7 }, claim: { within: { days: 2 } } },
  },
}

const gameOf = (value: number, xp: number) =>
  defineGame({
    metrics: { pages: { name: 'Pages' } },
    points: { xp: { name: 'XP' } },
    achievements: { regular: { name: 'Regular', trigger: 'metric', metric: 'challenge:daily', value: 2 } },
    challenges: { daily: { ...quest(value, xp), every: 'day' } },
  })

const read = (engine: Engine, id: string, value: number) => engine.metrics.event('pages', { user: { id }, value })
const pointsOf = async (engine: Engine, id: string) => (await engine.users.points(id, 'xp')).total
const driftOf = async (engine: Engine) => (await engine.verify()).drift

onEachStorage('The challenges of users', (open) => {
  test('who merge are completed once in each window, and their rewards are paid once', async () => {
    const engine = await open(game)
    for (const id of ['ann', 'bob']) await read(engine, id, 20)
    engine.at('2026-03-11T12:00:00.000Z')
    await read(engine, 'bob', 20)
    await engine.users.merge({ from: 'bob', into: 'ann' })
    expect(await pointsOf(engine, 'ann')).toBe(20)
    expect((await engine.users.achievements('ann')).map(({ key }) => key)).toEqual(['regular'])
    expect(await engine.challenges.get('daily')).toMatchObject({ participants: 1, completed: 1 })
    expect(await driftOf(engine)).toEqual([])
  })

  test('who merge have no more quests in a window than are picked, and no other one pays', async () => {
    const pool = { a: quest(5, 10), b: quest(50, 10) }
    const quests = { name: 'Quests', every: 'day', pick: 1, pool } as const
    const engine = await open({ ...game, achievements: {}, challenges: { quests } })
    const picked = async (id: string) => (await engine.users.challenges(id))[0]?.quests.map(({ key }) => key)
    for (const id of ['bob', 'ann']) await engine.users.create({ id })
    expect([await picked('bob'), await picked('ann')]).toEqual([['b'], ['a']])
    await read(engine, 'ann', 5)
    await engine.users.merge({ from: 'ann', into: 'bob' })
    expect(await picked('bob')).toEqual(['a'])
    await read(engine, 'bob', 50)
    expect(await pointsOf(engine, 'bob')).toBe(10)
    expect(await driftOf(engine)).toEqual([])
  })

  test('who merge count together in the window that both have begun', async () => {
    const engine = await open(game)
    for (const id of ['ann', 'bob']) await read(engine, id, 12)
    expect(await pointsOf(engine, 'ann')).toBe(0)
    await engine.users.merge({ from: 'bob', into: 'ann' })
    expect(await pointsOf(engine, 'ann')).toBe(10)
    expect(await driftOf(engine)).toEqual([])
  })

  test('who are deleted are gone, and anonymous ones stay counted', async () => {
    const engine = await open(game)
    for (const id of ['ann', 'bob']) await read(engine, id, 20)
    await engine.users.delete('ann')
    expect(await engine.challenges.get('daily')).toMatchObject({ participants: 1, completed: 1 })
    await engine.users.delete('bob', { keep: 'anonymous' })
    expect(await engine.challenges.get('daily')).toMatchObject({ participants: 1, completed: 1 })
    expect(await driftOf(engine)).toEqual([])
  })

  test('come along with an export, with rewards that wait', async () => {
    const [from, to] = [await open(game), await open(game)]
    await from.users.create({ id: 'ann' })
    await from.challenges.enrol('sprint', { user: 'ann' })
    await read(from, 'ann', 60)
    const lines: string[] = []
    for await (const line of from.tenants.export('')) lines.push(line)
    await to.import(lines)
    expect(await to.users.challenges('ann')).toEqual(await from.users.challenges('ann'))
    await to.challenges.claim('sprint', { user: 'ann' })
    expect(await pointsOf(to, 'ann')).toBe(110)
    expect(await driftOf(to)).toEqual([])
  })

  test('are read from the log again by a rebuild', async () => {
    const engine = await open(game)
    await read(engine, 'ann', 20)
    const before = await engine.users.challenges('ann')
    await engine.rebuild()
    expect(await engine.users.challenges('ann')).toEqual(before)
    expect(await driftOf(engine)).toEqual([])
  })

  test('under another game are foreseen by whatIf, and follow with recompute', async () => {
    const engine = await open({ ...game, challenges: { daily: { ...quest(30, 10), every: 'day' } } })
    await read(engine, 'ann', 20)
    await read(engine, 'bob', 30)
    const next = gameOf(20, 15)
    expect(await engine.whatIf(next)).toMatchObject({
      changed: 2,
      challenges: [{ key: 'daily', gained: 1, lost: 0 }],
      points: [{ system: 'xp', gains: 2, minted: 20, loses: 0, gone: 0 }],
    })
    await engine.apply(next, { policy: 'recompute' })
    expect([await pointsOf(engine, 'ann'), await pointsOf(engine, 'bob')]).toEqual([15, 15])
    expect(await driftOf(engine)).toEqual([])
  })

  test('get nothing for the past with grant, and windows that begin later have the new rule', async () => {
    const engine = await open({ ...game, challenges: { daily: { ...quest(30, 10), every: 'day' } } })
    await read(engine, 'ann', 20)
    await engine.apply(gameOf(20, 15), {
      policy: 'grant',
    })
    expect(await pointsOf(engine, 'ann')).toBe(0)
    engine.at('2026-03-11T12:00:00.000Z')
    await read(engine, 'ann', 20)
    expect(await pointsOf(engine, 'ann')).toBe(15)
    expect(await driftOf(engine)).toEqual([])
  })

  test('name themselves in the awards that they pay', async () => {
    const engine = await open(game)
    await read(engine, 'ann', 20)
    const { awards } = await engine.users.points('ann', 'xp', { awards: 1 })
    expect(awards[0]).toMatchObject({
      awarded: 10,
      trigger: { type: 'challenge', points: 10, status: 'active', challengeKey: 'daily', challengeName: '20 pages' },
    })
  })
})
