// A deploy of a game, and its rollback. Each engine on the same storage represents a process.

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { addGame, loadGameSilence, loadGames, seeGame } from '../../src/sql/games.ts'
import { type Engine, NOON, onEachStorage, openOn, STORAGES } from '../support/engine.ts'
import { sharedPool, useEmptySchemas } from '../support/postgres.ts'

const nextSchema = useEmptySchemas()

const V1: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
}
const V2: GameDefinition = {
  metrics: { pages: { name: 'Pages' } },
  streak: { frequency: 'daily', metrics: { pages: {} } },
}

const OTHER =
  'The rules of another deploy (epoch 2) are in force, not the game of this process. It returns if the processes of that deploy end. To put it in force now: npx laurels apply --policy forward --game <file>'

const later = (seconds: number): string => new Date(Date.parse(NOON) + seconds * 1_000).toISOString()

const one = (engine: Engine, metric: string) => engine.metrics.event(metric, { user: { id: '18' }, value: 1 })

/** The message of the refusal, or the total. */
const tryOne = (engine: Engine, metric: string): Promise<number | string> =>
  one(engine, metric).then(
    ({ total }) => total,
    (error: Error) => error.message,
  )

const epochOf = async (engine: Engine): Promise<number> => (await engine.games.current()).epoch

onEachStorage('A rollback', (open) => {
  test('brings the earlier rules back a minute after the last call of the other deploy', async () => {
    const first = await open(V1)
    await one(first, 'words')
    const second = await first.redefine(V2)
    await one(second, 'pages')
    const rolledBack = await first.redefine(V1)
    rolledBack.at(later(59))
    expect(await tryOne(rolledBack, 'words')).toBe(`Unknown metric "words": the game has "pages". ${OTHER}`)
    rolledBack.at(later(60))
    expect(await one(rolledBack, 'words')).toMatchObject({ total: 2, currentStreak: { length: 1 } })
    expect((await rolledBack.games.list()).games.map(({ epoch }) => epoch)).toEqual([3, 2, 1])
    expect(await rolledBack.verify()).toMatchObject({ users: 1, drift: [] })
  })

  test('brings them back at the start of a process, if the other deploy ended a minute before', async () => {
    const first = await open(V1)
    await first.redefine(V2)
    first.at(later(60))
    const rolledBack = await first.redefine(V1)
    expect(await rolledBack.migrate()).toMatchObject({ game: { epoch: 3, isOwn: true, message: null } })
    expect(await tryOne(rolledBack, 'words')).toBe(1)
  })

  test('is not made by old processes that still run after the deploy', async () => {
    const first = await open(V1)
    await first.migrate()
    const second = await first.redefine(V2)
    await second.migrate()
    first.at(later(86_400))
    expect(await tryOne(first, 'words')).toBe(
      `Unknown metric "words": the game has "pages". ${OTHER.replace(' It returns if the processes of that deploy end.', '')}`,
    )
    expect(await epochOf(second)).toBe(2)
  })

  test('that an old process made while the new ones were idle is undone when the old one ends', async () => {
    const first = await open(V1)
    const second = await first.redefine(V2)
    await one(second, 'pages')
    const restarted = await first.redefine(V1)
    restarted.at(later(300))
    expect(await tryOne(restarted, 'words')).toBe(1)
    second.at(later(300 + 119))
    expect(await tryOne(second, 'pages')).toContain('The rules of another deploy (epoch 3) are in force')
    second.at(later(300 + 120))
    expect(await tryOne(second, 'pages')).toBe(2)
    second.at(later(300 + 180))
    expect(await tryOne(restarted, 'words')).toContain('The rules of another deploy (epoch 4) are in force')
  })

  test('is told by migrate(), health() and status() without a logger', async () => {
    const first = await open(V1)
    await first.redefine(V2)
    const rolledBack = await first.redefine(V1)
    expect((await rolledBack.migrate()).game).toEqual({ epoch: 2, isOwn: false, message: OTHER, removedMetrics: [] })
    expect(await rolledBack.health()).toMatchObject({ status: 'ok', isNewestGame: false, code: null, message: OTHER })
    expect((await rolledBack.status()).health).toMatchObject({ isNewestGame: false, message: OTHER })
  })

  test('is told by every refusal of the game: reads, batches, dry runs', async () => {
    const first = await open(V1)
    await one(first, 'words')
    await first.redefine(V2)
    const rolledBack = await first.redefine(V1)
    const messageOf = (call: Promise<unknown>): Promise<string> => call.then(String, ({ message }: Error) => message)
    expect(await messageOf(rolledBack.users.singleMetric('18', 'words'))).toContain(OTHER)
    expect(await messageOf(rolledBack.users.points('18', 'xp'))).toContain(OTHER)
    const event = { user: { id: '18' }, value: 1 }
    expect(await messageOf(rolledBack.metrics.event('words', event, { dryRun: true }))).toContain(OTHER)
    const batch = await rolledBack.admin.metrics.events([{ key: 'words', user: { id: '18' }, value: 1 }])
    expect(JSON.stringify(batch)).toContain('npx laurels apply')
    expect(await messageOf(rolledBack.users.get('nobody'))).not.toContain(OTHER)
  })

  test('decides late events by the game of their time, and later changes of the game go on from it', async () => {
    const first = await open(V1)
    await one(first, 'words')
    const second = await first.redefine(V2)
    second.at(later(600))
    await one(second, 'pages')
    second.at(later(1_200))
    const rolledBack = await first.redefine(V1)
    expect(await tryOne(rolledBack, 'words')).toBe(2)
    const late = { user: { id: '18' }, value: 1, occurredAt: new Date(later(700)) }
    expect(await rolledBack.metrics.event('words', late)).toMatchObject({ total: 3 })
    // The game of that time had no points.
    expect((await rolledBack.users.points('18', 'xp')).total).toBe(2)
    expect(await rolledBack.verify()).toMatchObject({ users: 1, drift: [] })
    expect(await rolledBack.whatIf(rolledBack.game)).toMatchObject({ users: 1 })
    await rolledBack.apply(rolledBack.game, { policy: 'recompute' })
    expect((await rolledBack.users.points('18', 'xp')).total).toBe(3)
    expect(await rolledBack.verify()).toMatchObject({ users: 1, drift: [] })
  })
})

onEachStorage('A deploy that removes a metric', (open) => {
  test('says so, with the number of users who have totals', async () => {
    const first = await open(V1)
    await one(first, 'words')
    await first.metrics.event('words', { user: { id: '19' }, value: 1 })
    const second = await first.redefine(V2)
    const { game } = await second.migrate()
    expect(game).toEqual({ epoch: 2, isOwn: true, message: null, removedMetrics: [{ metric: 'words', users: 2 }] })
    const third = await second.redefine(V2)
    expect((await third.migrate()).game.removedMetrics).toEqual([])
  })
})

test('A call within a transaction of SQLite says that another game is in force, and later finds its own back', async () => {
  const database = new Database(':memory:')
  const [storage, clock] = [sqlite(database), { now: NOON }]
  const first = await openOn(storage, clock, V1)
  await first.redefine(V2)
  const rolledBack = await first.redefine(V1)
  onTestFinished(() => first.close())
  const event = () => rolledBack.within(database, (g) => g.metrics.event('words', { user: { id: '18' }, value: 1 }))
  expect(event).toThrow(OTHER)
  rolledBack.at(later(60))
  expect(event).toThrow(OTHER)
  await vi.waitFor(async () => expect((await loadGames(storage)).map(({ cause }) => cause).at(-1)).toBe('return'))
  expect(event()).toMatchObject({ total: 1 })
})

test('Postgres uses its own clock, unless the host gives one', async () => {
  const storage = postgres(sharedPool(), { schema: nextSchema(), deadlineMs: 60_000 })
  await storage.migrate()
  const wrong = { now: Date.parse('2001-01-01T00:00:00Z'), isHostClock: false }
  const stored = { epoch: 1, fingerprint: 'a', definition: '{}', policy: 'forward', cause: 'start' } as const
  await addGame(storage, { ...stored, createdAt: wrong.now })
  expect(await loadGameSilence(storage, { ...wrong, isHostClock: true })).toBe(0)
  expect(await loadGameSilence(storage, wrong)).toBeGreaterThan(20 * 365 * 86_400_000)
  await seeGame(storage, 'a', wrong)
  expect(await loadGameSilence(storage, wrong)).toBeLessThan(60_000)
})

describe.each(STORAGES)('A process, on $name', ({ create }) => {
  test('keeps its game in force by calls, reads, questions for its health, and the worker', async () => {
    const [storage, clock] = [create(), { now: NOON }]
    const second = await openOn(storage, clock, V1).then((first) => first.redefine(V2))
    const restarted = await second.redefine(V1)
    onTestFinished(() => second.close())
    const uses = [() => one(second, 'pages'), () => second.users.list(), () => second.health(), () => second.workOnce()]
    for (let minute = 0; minute < 60; minute += 1) {
      second.at(later(60 * minute + 30))
      const time = { now: Date.parse(clock.now), isHostClock: true }
      await uses[minute % uses.length]?.()
      // The process is noted beside its call.
      await vi.waitFor(async () => expect(await loadGameSilence(storage, time)).toBe(0))
      second.at(later(60 * minute + 60))
      expect(await tryOne(restarted, 'words')).toContain(OTHER)
    }
    expect(await epochOf(second)).toBe(2)
  })
})
