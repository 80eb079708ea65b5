// @heavy: It takes more than three seconds.

import { describe, expect, test } from 'vitest'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../../src/index.ts'
import { limit } from '../../support/busy-machine.ts'
import { usePlaces } from '../../support/places.ts'
import { createRandom, HOUR, SOAK, seedOfRun } from '../../support/zones.ts'

const SEED = seedOfRun()
const CALLERS = 32
const USERS = SOAK ? 500 : 20
/** At least one audit by the process that writes, and one by another. */
const BUSY_MS = SOAK ? 30_000 : 0
const LONGEST_MS = 2_000
const NOW = Date.parse('2026-03-10T12:00:00Z')

const game = defineGame({
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 },
    week: { name: 'Week', trigger: 'streak', length: 3 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 3, points: 2 },
        { type: 'metric', metric: 'laps', threshold: 5, points: -1 },
      ],
      levels: { low: { name: 'Low', points: 0 }, high: { name: 'High', points: 20 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { max: 2, initial: 1 } },
  leaderboards: {
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
    xp: { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-01-01', maxParticipants: 20 },
  },
}) as DefinedGame

type Engine = Gamification<DefinedGame>

interface Traffic {
  events: number
  longest: number
  isOver: boolean
}

/** Writes for one caller until it is over; every third event is the hot user's; of the others some are late, and some voided. */
async function call(engine: Engine, traffic: Traffic, seed: number): Promise<void> {
  const random = createRandom(seed)
  while (!traffic.isOver) {
    const id = random() < 0.33 ? 'hot' : `user-${Math.floor(random() * USERS)}`
    // Each of these replays a log: the hot user's replay would hold up the hot user for any reader.
    const late = id !== 'hot' && random() < 0.05 ? { occurredAt: new Date(NOW - Math.floor(random() * 50) * HOUR) } : {}
    const metric = random() < 0.7 ? 'words' : 'laps'
    const value = Math.floor(random() * 6) - 1
    const started = performance.now()
    const { eventId } = await engine.metrics.event(metric as never, { user: { id }, value, ...late } as never)
    traffic.longest = Math.max(traffic.longest, performance.now() - started)
    traffic.events += 1
    // By id the log of the tenant is searched: not often.
    if (id !== 'hot' && random() < 0.01) await engine.events.void(eventId, { revoke: random() < 0.5 })
  }
}

describe.each(usePlaces())(`While ${CALLERS} callers write, on $name`, ({ name, make }) => {
  test.each(['verify', 'rebuild'] as const)(
    `%s finds nothing, ends, and holds up nobody (seed ${SEED})`,
    async (audit) => {
      const open = make()
      const start = (): Engine => createGamification({ game, storage: open(), clock: () => new Date(NOW) })
      const [engine, other] = [start(), start()]
      const traffic: Traffic = { events: 0, longest: 0, isOver: false }
      try {
        await engine.migrate()
        await engine.import(
          Array.from({ length: USERS * 2 }, (_, index) => {
            const day = new Date(NOW - (1 + Math.floor(index / USERS)) * 24 * HOUR)
            return { metric: 'words', user: { id: `user-${index % USERS}` }, value: 1 + (index % 7), occurredAt: day }
          }) as never,
        )
        const callers = Array.from({ length: CALLERS }, (_, index) => call(engine, traffic, SEED + index))
        const until = performance.now() + BUSY_MS
        let audits = 0
        try {
          do {
            const { drift, users } = await (audits % 2 === 0 ? engine : other)[audit]()
            expect(drift).toEqual([])
            expect(users).toBeGreaterThanOrEqual(USERS)
            audits += 1
          } while (audits < 2 || traffic.events <= CALLERS || performance.now() < until)
        } finally {
          traffic.isOver = true
          await Promise.all(callers)
        }
        expect((await engine.verify()).drift).toEqual([])
        const longest = Math.round(traffic.longest)
        process.stdout.write(
          `${name}: ${audits} × ${audit} beside ${traffic.events} events, the longest ${longest} ms\n`,
        )
        expect(traffic.events).toBeGreaterThan(CALLERS)
        expect(longest).toBeLessThan(limit(LONGEST_MS))
      } finally {
        await engine.close()
        await other.close()
      }
    },
    10 * 60_000,
  )
})
