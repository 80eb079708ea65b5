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
}

async function open(boards: { readonly [key: string]: boolean }): Promise<World> {
  const engine = await openOn(memory(), { now: NOON }, gameWith(boards))
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
  }
}

async function ask(bare: Bare, path: string, key: string): Promise<Told> {
  const told = await bare.ask({ method: 'GET', path, headers: [['X-API-KEY', key]] })
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

  test('shows a user the own place', async () => {
    const world = await open({ secret: true })
    await world.engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    const { status, body } = await world.get('/v1/users/ann/leaderboards/secret')
    expect([status, JSON.parse(body)]).toMatchObject([200, { rank: 2, value: 1 }])
    expect((await world.get('/v1/users/bob/leaderboards/secret')).status).toBe(403)
  })

  test('is one too for a process of an older game that does not have it, or has it public', async () => {
    const world = await open({ top: false, open: false })
    await deploy(world, { top: false, open: true, secret: true })
    expect(keysOf(await world.get('/v1/leaderboards'))).toEqual(['top'])
    for (const key of ['open', 'secret']) {
      const { status, body } = await world.get(`/v1/leaderboards/${key}`)
      expect([status, JSON.parse(body)]).toEqual([
        404,
        { error: `Unknown leaderboard "${key}": the game has "top".`, code: 'unknown_leaderboard' },
      ])
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
