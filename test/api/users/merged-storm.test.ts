import { describe, expect, test } from 'vitest'
import { createGamification, type DefinedGame, defineGame, isGamificationError } from '../../../src/index.ts'
import { useAllPlaces } from '../../support/places.ts'
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

describe.each(useAllPlaces())('Users who are merged, on $name', ({ make }) => {
  test(`while 32 callers write to all of their names, late too, lose and double nothing (seed ${SEED})`, async () => {
    const open = make()
    const engines = [open(), open()].map((storage) =>
      createGamification<DefinedGame>({ game, storage, clock: () => new Date(NOW) }),
    )
    const [engine] = engines
    if (engine === undefined) throw new RangeError('There is an engine')
    await engine.migrate()
    const ids = Array.from({ length: 8 }, (_, index) => `user-${index}`)
    for (const id of ids) await engine.users.create({ id } as never)
    let written = 0
    const keys = new Set<string>()
    const unexpected: unknown[] = []

    async function call(seed: number): Promise<void> {
      const random = createRandom(seed)
      const pick = () => ids[Math.floor(random() * ids.length)] ?? ''
      const own = engines[seed % engines.length]
      if (own === undefined) return
      for (let n = 0; n < EVENTS; n += 1) {
        const dice = random()
        try {
          if (dice < 0.04) await own.users.merge({ from: pick(), into: pick() })
          else if (dice < 0.08) await own.users.suspend(pick())
          else if (dice < 0.12) await own.users.restore(pick())
          else if (dice < 0.3) await own.metrics.event('pages' as never, { user: { id: pick() }, value: 2 } as never)
          else if (dice < 0.35) {
            const [held] = await own.events.held({ user: pick() })
            if (held !== undefined) await own.events.approve(held.eventId)
          } else {
            const late = random() < 0.2 ? { occurredAt: new Date(NOW - Math.floor(random() * 100) * 3_600_000) } : {}
            const idempotencyKey = `${seed}-${n}`
            await own.metrics.event(
              'words' as never,
              { user: { id: pick() }, value: 1, idempotencyKey, ...late } as never,
            )
            written += 1
            keys.add(idempotencyKey)
          }
        } catch (error) {
          if (!isGamificationError(error) || !['invalid_request', 'event_not_held'].includes(error.code))
            unexpected.push(error)
        }
      }
    }

    try {
      await Promise.all(Array.from({ length: CALLERS }, (_, index) => call(SEED + index)))
      expect(unexpected).toEqual([])
      expect((await engine.verify()).drift).toEqual([])
      const { users } = await engine.users.list({ limit: 100 })
      const standing = users.filter(({ mergedInto }) => mergedInto === null).map(({ id }) => id)
      expect(users.length).toBe(ids.length)
      expect(standing.length).toBeLessThan(ids.length)
      let total = 0
      for (const id of standing) total += (await engine.users.singleMetric(id, 'words' as never)).current
      expect(total).toBe(written)
      for (const id of ids) expect(standing).toContain((await engine.users.get(id)).id)
      for (const id of ids) await engine.users.restore(id)
      const { rankings } = await engine.leaderboards.get('words' as never, { limit: 100 })
      expect(rankings.map(({ userId }) => userId).sort()).toEqual(
        standing.filter((id) => rankings.some(({ userId }) => userId === id)).sort(),
      )
      expect(rankings.reduce((sum, { value }) => sum + value, 0)).toBe(written)
      expect((await engine.verify()).drift).toEqual([])
    } finally {
      for (const each of engines) await each.close()
    }
  }, 600_000)

  test(`and deleted, also by another name, leave nobody who names somebody that is not there (seed ${SEED})`, async () => {
    const open = make()
    const engines = [open(), open()].map((storage) =>
      createGamification<DefinedGame>({ game, storage, clock: () => new Date(NOW) }),
    )
    const [engine] = engines
    if (engine === undefined) throw new RangeError('There is an engine')
    await engine.migrate()
    const ids = Array.from({ length: 6 }, (_, index) => `user-${index}`)
    const unexpected: unknown[] = []

    async function call(seed: number): Promise<void> {
      const random = createRandom(seed)
      const pick = () => ids[Math.floor(random() * ids.length)] ?? ''
      const own = engines[seed % engines.length]
      if (own === undefined) return
      for (let n = 0; n < EVENTS; n += 1) {
        const dice = random()
        try {
          if (dice < 0.2) await own.users.merge({ from: pick(), into: pick() })
          else if (dice < 0.3) await own.users.delete(pick(), { keep: random() < 0.3 ? 'anonymous' : 'nothing' })
          else await own.metrics.event('words' as never, { user: { id: pick() }, value: 1 } as never)
        } catch (error) {
          const isForeseen = isGamificationError(error) && ['invalid_request', 'unknown_user'].includes(error.code)
          if (!isForeseen) unexpected.push(error)
        }
      }
    }

    try {
      await Promise.all(Array.from({ length: CALLERS }, (_, index) => call(SEED + index)))
      expect(unexpected).toEqual([])
      expect((await engine.verify()).drift).toEqual([])
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
    } finally {
      for (const each of engines) await each.close()
    }
  }, 600_000)
})
