// @heavy: It takes more than three seconds.

import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type Gamification,
  isGamificationError,
  type Storage,
} from '../../../src/index.ts'
import { usePlaces } from '../../support/places.ts'
import { createRandom, SOAK, seedOfRun } from '../../support/zones.ts'

const SEED = seedOfRun()
const CALLERS = 32
const EVENTS = SOAK ? 200 : 8
const NOW = Date.parse('2026-03-10T12:00:00Z')

const game = defineGame({
  metrics: {
    words: { name: 'Words' },
    pages: { name: 'Pages', limits: [{ value: 5, per: { days: 1 }, then: 'hold' }] },
  },
  achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 3, points: 2 }],
      levels: { low: { name: 'Low', points: 2 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
    few: { name: 'Few', rankBy: 'points', system: 'xp', start: '2026-01-01', maxParticipants: 20 },
  },
}) as DefinedGame

type Engine = Gamification<DefinedGame>
type Act = (engine: Engine, pick: () => string, random: () => number, key: string) => Promise<unknown>

/** 32 callers of two engines act on so many users. Returns an engine and the users' ids. */
async function storm(open: () => Storage, count: number, foreseen: readonly string[], act: Act) {
  const openEngine = () => createGamification<DefinedGame>({ game, storage: open(), clock: () => new Date(NOW) })
  const engines = [openEngine(), openEngine()] as const
  onTestFinished(async () => {
    for (const each of engines) await each.close()
  })
  await engines[0].migrate()
  const ids = Array.from({ length: count }, (_, index) => `user-${index}`)
  for (const id of ids) await engines[0].users.create({ id })
  const unexpected: unknown[] = []

  async function call(seed: number): Promise<void> {
    const random = createRandom(seed)
    const pick = () => ids[Math.floor(random() * ids.length)] ?? ''
    for (let n = 0; n < EVENTS; n += 1) {
      await act(engines[seed % 2 === 0 ? 0 : 1], pick, random, `${seed}-${n}`).catch((error: unknown) => {
        // A busy machine may not answer in time; nothing is stored then.
        const codes = [...foreseen, 'unavailable']
        if (!isGamificationError(error) || !codes.includes(error.code)) unexpected.push(error)
      })
    }
  }

  await Promise.all(Array.from({ length: CALLERS }, (_, index) => call(SEED + index)))
  expect(unexpected).toEqual([])
  expect((await engines[0].verify()).drift).toEqual([])
  return { engine: engines[0], ids }
}

describe.each(usePlaces())('Users who are merged, on $name', ({ make }) => {
  test(`while 32 callers write to all of their names, late too, lose and double nothing (seed ${SEED})`, async () => {
    let written = 0
    const foreseen = ['invalid_request', 'event_not_held']
    const { engine, ids } = await storm(make(), 8, foreseen, async (own, pick, random, idempotencyKey) => {
      const dice = random()
      if (dice < 0.04) await own.users.merge({ from: pick(), into: pick() })
      else if (dice < 0.08) await own.users.suspend(pick())
      else if (dice < 0.12) await own.users.restore(pick())
      else if (dice < 0.3) await own.metrics.event('pages', { user: { id: pick() }, value: 2 })
      else if (dice < 0.35) {
        const [held] = await own.events.held({ user: pick() })
        if (held !== undefined) await own.events.approve(held.eventId)
      } else {
        const late = random() < 0.2 ? { occurredAt: new Date(NOW - Math.floor(random() * 100) * 3_600_000) } : {}
        await own.metrics.event('words', { user: { id: pick() }, value: 1, idempotencyKey, ...late })
        written += 1
      }
    })
    const { users } = await engine.users.list({ limit: 100 })
    const standing = users.filter(({ mergedInto }) => mergedInto === null).map(({ id }) => id)
    expect(users.length).toBe(ids.length)
    expect(standing.length).toBeLessThan(ids.length)
    let total = 0
    for (const id of standing) total += (await engine.users.singleMetric(id, 'words')).current
    expect(total).toBe(written)
    for (const id of ids) expect(standing).toContain((await engine.users.get(id)).id)
    for (const id of ids) await engine.users.restore(id)
    const { rankings } = await engine.leaderboards.get('words', { limit: 100 })
    expect(rankings.map(({ userId }) => userId).sort()).toEqual(
      standing.filter((id) => rankings.some(({ userId }) => userId === id)).sort(),
    )
    expect(rankings.reduce((sum, { value }) => sum + value, 0)).toBe(written)
    expect((await engine.verify()).drift).toEqual([])
  }, 600_000)

  test(`and deleted, also by another name, leave nobody who names somebody that is not there (seed ${SEED})`, async () => {
    const foreseen = ['invalid_request', 'unknown_user']
    const { engine, ids } = await storm(make(), 6, foreseen, async (own, pick, random) => {
      const dice = random()
      if (dice < 0.2) await own.users.merge({ from: pick(), into: pick() })
      else if (dice < 0.3) await own.users.delete(pick(), { keep: random() < 0.3 ? 'anonymous' : 'nothing' })
      else await own.metrics.event('words', { user: { id: pick() }, value: 1 })
    })
    const { users } = await engine.users.list({ limit: 100 })
    const known = new Set(users.map(({ id }) => id))
    for (const { mergedInto } of users) if (mergedInto !== null) expect(known).toContain(mergedInto)
    const lines: string[] = []
    for await (const line of engine.tenants.export('')) lines.push(line)
    for (const id of ids) await engine.users.delete(id).catch(() => undefined)
    expect((await engine.users.list({ search: 'user-' })).users).toEqual([])
    expect((await engine.verify()).drift).toEqual([])
    await engine.import(lines)
    expect((await engine.verify()).drift).toEqual([])
  }, 600_000)
})
