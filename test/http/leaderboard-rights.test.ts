// Application keys and private leaderboards, also while processes of two versions of the game run.

import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { type Bare, createBare, type Told } from './bare.ts'

const gameWith = (boards: { readonly [key: string]: boolean }): GameDefinition => ({
  metrics: { words: { name: 'Words' } },
  leaderboards: Object.fromEntries(
    Object.entries(boards).map(([key, isPrivate]) => [
      key,
      { name: key, rankBy: 'metric', metric: 'words', start: '2026-01-01', private: isPrivate },
    ]),
  ),
})

interface World {
  readonly engine: Engine
  /** With ann's key. */
  get(path: string): Promise<{ readonly status: number; readonly body: string }>
  getAsAdmin(path: string): Promise<{ readonly status: number; readonly body: string }>
  post(path: string, body: unknown): Promise<Told>
  postAsAdmin(path: string, body: unknown): Promise<Told>
}

async function open(boards: { readonly [key: string]: boolean }): Promise<World> {
  return openGame(gameWith(boards))
}

/** Leaderboards by streak, on which ann is. */
async function openStreaks(boards: { readonly [key: string]: { readonly isPrivate: boolean } }): Promise<World> {
  const world = await openGame({
    metrics: { words: { name: 'Words' } },
    streak: { frequency: 'daily', metrics: { words: {} } },
    leaderboards: Object.fromEntries(
      Object.entries(boards).map(([key, { isPrivate }]) => [
        key,
        { name: key, rankBy: 'streak', start: '2026-01-01', private: isPrivate },
      ]),
    ),
  })
  await world.post('/v1/metrics/words/event', { user: { id: 'ann' }, value: 1 })
  return world
}

async function openGame(game: GameDefinition): Promise<World> {
  const engine = await openOn(memory(), { now: NOON }, game)
  onTestFinished(() => engine.close())
  await engine.metrics.event('words', { user: { id: 'bob' }, value: 7777 })
  await engine.users.create({ id: 'ann' })
  const { created } = await engine.admin.applicationApiKeys.create([{ userId: 'ann' }])
  const { key: admin } = await engine.adminKeys.create()
  const bare = createBare(engine)
  return {
    engine,
    get: (path) => ask(bare, path, created[0]?.key ?? ''),
    getAsAdmin: (path) => ask(bare, path, admin),
    post: (path, body) => ask(bare, path, created[0]?.key ?? '', JSON.stringify(body)),
    postAsAdmin: (path, body) => ask(bare, path, admin, JSON.stringify(body)),
  }
}

async function ask(bare: Bare, path: string, key: string, body?: string): Promise<Told> {
  const sent = body === undefined ? { method: 'GET' } : { method: 'POST', body }
  const headers = [['X-API-KEY', key] as const, ['Content-Type', 'application/json'] as const]
  const told = await bare.ask({ ...sent, path, headers })
  if (told === null || told === undefined) throw new Error(`There is no answer at ${path}`)
  return told
}

/** A newer game comes into force, and the process of the older one learns of it. */
async function deploy({ engine }: World, boards: { readonly [key: string]: boolean }): Promise<void> {
  await engine.redefine(gameWith(boards))
  await engine.users.get('ann')
}

const keysOf = ({ body }: { readonly body: string }): readonly string[] =>
  JSON.parse(body).map(({ key }: { readonly key: string }) => key)

/** The leaderboards in the answer of an event. */
const keysIn = ({ body }: { readonly body: string }): readonly string[] => Object.keys(JSON.parse(body).leaderboards)

describe('A private leaderboard', () => {
  test('is denied to application keys with one answer, and open to admin keys', async () => {
    const world = await open({ top: false, secret: true })
    const denied = new Set<string>()
    for (const query of ['', '?userId=ann', '?userId=bob', '?run=2025-01-01', '?offset=3', '?includePrivate=true']) {
      const { status, body } = await world.get(`/v1/leaderboards/secret${query}`)
      expect([query, status]).toEqual([query, 403])
      denied.add(body)
    }
    denied.add((await world.get('/v1/users/bob')).body)
    expect(denied.size).toBe(1)
    expect((await world.getAsAdmin('/v1/leaderboards/secret')).body).toMatch('7777')
    expect(keysOf(await world.get('/v1/leaderboards'))).toEqual(['top'])
    expect(keysOf(await world.getAsAdmin('/v1/leaderboards'))).toEqual(['top', 'secret'])
  })

  test('is kept from its own participants too', async () => {
    const world = await open({ top: false, secret: true })
    expect(keysIn(await world.post('/v1/metrics/words/event', { user: { id: 'ann' }, value: 1 }))).toEqual(['top'])
    expect((await world.get('/v1/users/ann/leaderboards/top')).status).toBe(200)
    for (const path of ['/v1/users/ann/leaderboards/secret', '/v1/users/ann/leaderboards/secret?numEvents=0']) {
      expect([path, (await world.get(path)).status]).toEqual([path, 403])
      expect(JSON.parse((await world.getAsAdmin(path)).body)).toMatchObject({ rank: 2, value: 1 })
    }
    expect((await world.get('/v1/users/bob/leaderboards/secret')).status).toBe(403)
    const boardsOf = ({ body }: { readonly body: string }) =>
      Object.keys(JSON.parse(body).activity.entireYear.leaderboards)
    expect(boardsOf(await world.get('/v1/users/ann/wrapped?includePrivate=true'))).toEqual(['top'])
    expect(boardsOf(await world.getAsAdmin('/v1/users/ann/wrapped'))).toEqual(['top', 'secret'])
  })

  test('is in what the host and admin keys are told of an event', async () => {
    const world = await open({ top: false, secret: true })
    const event = { user: { id: 'ann' }, value: 1 }
    expect(keysIn(await world.postAsAdmin('/v1/metrics/words/event', event))).toEqual(['top', 'secret'])
    const { leaderboards } = await world.engine.metrics.event('words', event)
    expect(Object.keys(leaderboards)).toEqual(['top', 'secret'])
    const answer = await world.engine.metrics.event('words', { ...event, includePrivate: false })
    expect(Object.keys(answer.leaderboards)).toEqual(['top'])
  })

  test('by streak gives its participants no rank', async () => {
    const boards = { secret: { isPrivate: true }, open: { isPrivate: false } }
    const ranked = await openStreaks(boards)
    expect(JSON.parse((await ranked.get('/v1/users/ann/streak')).body)).toMatchObject({ length: 1, rank: 1 })
    const hidden = await openStreaks({ secret: { isPrivate: true } })
    expect(JSON.parse((await hidden.get('/v1/users/ann/streak')).body)).toMatchObject({ length: 1, rank: null })
    expect(JSON.parse((await hidden.get('/v1/users/ann/streak?includePrivate=true')).body).rank).toBe(null)
    expect(JSON.parse((await hidden.getAsAdmin('/v1/users/ann/streak')).body).rank).toBe(1)
    expect((await hidden.engine.users.streak('ann')).rank).toBe(1)
  })

  test('is one too for a process of an older game that does not have it, or has it public', async () => {
    const world = await open({ top: false, open: false })
    await deploy(world, { top: false, open: true, secret: true })
    expect(keysOf(await world.get('/v1/leaderboards'))).toEqual(['top'])
    for (const key of ['open', 'secret']) {
      const { status, body } = await world.get(`/v1/leaderboards/${key}`)
      expect([status, JSON.parse(body)]).toEqual([
        404,
        { error: 'There is no such leaderboard.', code: 'unknown_leaderboard' },
      ])
      expect((await world.get(`/v1/users/ann/leaderboards/${key}`)).status).toBe(404)
      expect((await world.getAsAdmin(`/v1/leaderboards/${key}`)).status).toBe(200)
    }
  })

  test('stays one for a process of an older game in which it is', async () => {
    const world = await open({ secret: true })
    await deploy(world, { secret: false })
    expect((await world.get('/v1/leaderboards/secret')).status).toBe(403)
    expect((await world.getAsAdmin('/v1/leaderboards/secret')).status).toBe(200)
  })
})
