import { describe, expect, test } from 'vitest'
import { createGamification, type DefinedGame, defineGame, isGamificationError } from '../../src/index.ts'
import { useAllPlaces } from '../support/places.ts'
import { createRandom, SOAK, seedOfRun } from '../support/zones.ts'
import { pageOf, sortedBoards } from './user-lives.ts'

const SEED = seedOfRun()
const CALLERS = 32
const EVENTS = SOAK ? 400 : 25
const NOW = Date.parse('2026-03-10T12:00:00Z')

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  userAttributes: ['team'],
  achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 3, points: 2 }],
      levels: { low: { name: 'Low', points: 2 }, high: { name: 'High', points: 20 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
    teams: {
      name: 'Teams',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-01',
      maxParticipants: null,
      breakdown: ['team'],
    },
    few: { name: 'Few', rankBy: 'points', system: 'xp', start: '2026-01-01', maxParticipants: 20 },
  },
}) as DefinedGame

describe.each(useAllPlaces())('Users who are deleted, on $name', ({ make }) => {
  test(`while 32 callers write, also about them, are unknown then or new, and nobody else is harmed (seed ${SEED})`, async () => {
    const open = make()
    const storage = open()
    const engines = [storage, open()].map((each) =>
      createGamification<DefinedGame>({ game, storage: each, clock: () => new Date(NOW) }),
    )
    const [engine] = engines
    if (engine === undefined) throw new RangeError('There is an engine')
    await engine.migrate()
    const written = new Map<string, number>()
    const anonymous: string[] = []
    let deleted = 0

    async function call(seed: number): Promise<void> {
      const random = createRandom(seed)
      const own = engines[seed % engines.length]
      if (own === undefined) return
      for (let n = 0; n < EVENTS; n += 1) {
        const goes = random() < 0.4
        const id = goes ? `gone-${Math.floor(random() * 4)}` : `user-${Math.floor(random() * 12)}`
        if (goes && random() < 0.3) {
          const keep = random() < 0.3 ? 'anonymous' : 'nothing'
          try {
            const { anonymousId } = await own.users.delete(id, { keep })
            if (anonymousId !== null) anonymous.push(anonymousId)
            deleted += 1
          } catch (error) {
            if (!isGamificationError(error) || error.code !== 'unknown_user') throw error
          }
          continue
        }
        const late = random() < 0.05 ? { occurredAt: new Date(NOW - Math.floor(random() * 100) * 3_600_000) } : {}
        const attributes = { team: random() < 0.5 ? 'red' : 'blue' }
        await own.metrics.event('words' as never, { user: { id, attributes }, value: 1, ...late } as never)
        if (!goes) written.set(id, (written.get(id) ?? 0) + 1)
      }
    }

    try {
      await Promise.all(Array.from({ length: CALLERS }, (_, index) => call(SEED + index)))
      for (let n = 0; n < 4; n += 1) await engine.users.delete(`gone-${n}`).catch(() => undefined)
      expect(deleted).toBeGreaterThan(10)
      for (const [id, events] of written) {
        expect((await engine.users.singleMetric(id, 'words' as never)).current).toBe(events)
      }
      const users = (await storage.listOwners()).map(({ user }) => user)
      expect(users.filter((user) => user.startsWith('gone'))).toEqual([])
      expect(users.sort()).toEqual([...written.keys(), ...anonymous].sort())
      for (const [board, rows] of await sortedBoards(storage, users)) {
        expect(await pageOf(storage, board)).toEqual(rows.map((row, index) => [row.user, index + 1]))
      }
      expect(await engine.verify()).toMatchObject({ drift: [] })
    } finally {
      for (const each of engines) await each.close()
    }
  }, 240_000)
})
