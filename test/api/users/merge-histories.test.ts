import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type ImportItem,
  isGamificationError,
} from '../../../src/index.ts'
import { type Entry, isHeld } from '../../../src/rules/entry.ts'
import { foldLog } from '../../../src/rules/fold.ts'
import { settled } from '../../../src/rules/settle.ts'
import type { UserState } from '../../../src/rules/state.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { lives } from '../../record/random-lives.ts'
import { STORAGES } from '../../support/engine.ts'
import { SOAK, seedOfRun } from '../../support/zones.ts'
import { inOrder, logsOf, open } from '../events/void-lives.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 2_000 : 8))
const MINUTES = 60_000

/** Both logs as one, as the documentation says it: by the instant, then the user that goes on first, then by arrival. */
function joined(into: readonly Entry[], from: readonly Entry[]): readonly Entry[] {
  const both = [
    ...into.map((entry) => ({ entry, source: 0 })),
    ...from.map((entry) => ({ entry: { ...entry, seq: entry.seq + into.length }, source: 1 })),
  ]
  both.sort((a, b) => a.entry.at - b.entry.at || a.source - b.source || a.entry.seq - b.entry.seq)
  const used = new Set<string>()
  const claimed = new Set<string>()
  return both.map(({ entry }) => {
    if (entry.kind === 'achievementClaimed' && entry.idempotencyKey !== undefined) {
      const { idempotencyKey, ...claim } = entry
      const key = JSON.stringify([entry.achievement, idempotencyKey])
      const isRepeated = claimed.has(key)
      claimed.add(key)
      return isRepeated ? claim : entry
    }
    if (entry.kind !== 'eventRecorded' || entry.idempotencyKey === null) return entry
    const key = `${entry.metric} ${entry.idempotencyKey}`
    const isRepeated = used.has(key)
    used.add(key)
    if (!isRepeated) return entry
    // What was held back is voided like any other: it is never to count.
    const voidedBy = entry.voidedBy === undefined || isHeld(entry) ? 'the merge' : entry.voidedBy
    return { ...entry, voidedBy, idempotencyKey: null }
  })
}

/** What does not follow from what was completed, or from how many lines the log has. */
function withoutCompletions(state: UserState) {
  const { totals, tallies, streak, streaks, freezes, pauses, profile, preferences, created } = state
  return { totals, tallies, streak, streaks, freezes, pauses, profile, preferences, created }
}

function isOutOfBounds(error: unknown): boolean {
  return isGamificationError(error) && error.code === 'total_out_of_range'
}

describe.each(STORAGES)('A merge of random histories, on $name', ({ create }) => {
  test(
    `is what both logs folded as one say (seed ${SEED})`,
    async () => {
      let merged = 0
      await fc.assert(
        fc.asyncProperty(lives(30).map(inOrder), fc.boolean(), async ({ definition, deeds }, isLive) => {
          const storage = create()
          const played = await open(definition, storage)
          try {
            const half = Math.ceil(deeds.length * 0.8)
            const forTwo = deeds.map((deed, index) => ({ ...deed, user: index % 3 === 0 ? 'bob' : 'ann' }))
            for (const [number, deed] of forTwo.slice(0, half).entries()) await played.play(number, deed)
            const logs = await logsOf(storage)
            const [into, from] = [logs.get('ann') ?? [], logs.get('bob') ?? []]
            if (into.length === 0 || from.length === 0) return
            const games = new Map([[1, defineGame(definition).rules]])
            const expected = foldLog(games, joined(into, from))
            try {
              await played.as(100_000, () => played.engine.users.merge({ from: 'bob', into: 'ann' }))
            } catch (error) {
              if (!isOutOfBounds(error)) throw error
              expect(await logsOf(storage)).toEqual(logs)
              return
            }
            merged += 1
            const { state } = await storage.readUser({ tenant: '', user: 'ann' })
            if (state === null || expected === null) throw new Error('Nobody is there')
            const had = [...into, ...from].length
            const lines = await storage.readLog({ tenant: '', user: 'ann' })
            if (lines.length === had) expect(state).toEqual(expected)
            // A completion is kept by a line of its own, up to which time passes.
            const kept = lines.filter(({ kind }) => kind === 'completionKept').at(-1)
            const rules = games.get(1) ?? expect.fail()
            const then = kept === undefined ? expected : settled(rules, expected, kept.at)
            expect(withoutCompletions(state)).toEqual(withoutCompletions(then))
            for (const [key, { at, count }] of expected.completions) {
              const kept = state.completions.get(key)
              expect(kept?.count).toBeGreaterThanOrEqual(count)
              if (kept?.count === count) expect(kept).toMatchObject({ at })
            }
            expect((await played.engine.verify()).drift).toEqual([])
            if (!isLive) return
            for (const [index, deed] of forTwo.slice(half).entries()) await played.play(half + index, deed)
            expect((await played.engine.verify()).drift).toEqual([])
            expect((await logsOf(storage)).get('bob')).toHaveLength(1)
          } finally {
            await played.engine.close()
          }
        }),
        { numRuns: RUNS, seed: SEED },
      )
      expect(merged).toBeGreaterThan(RUNS / 4)
    },
    60 * MINUTES,
  )

  const START = Date.parse('2026-02-20T00:00:00Z')
  const event = fc.record({
    user: fc.constantFrom('ann', 'bob'),
    after: fc.integer({ min: 0, max: 12 * 24 }),
    value: fc.integer({ min: 1, max: 30 }),
  })

  const game = defineGame({
    metrics: { words: { name: 'Words' } },
    achievements: {
      ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 },
      hundred: { name: 'Hundred', trigger: 'metric', metric: 'words', value: 100 },
      three: { name: 'Three days', trigger: 'streak', length: 3 },
      both: { name: 'Both', trigger: 'achievement', achievements: ['ten', 'three'] },
      twenty: { name: 'Twenty', trigger: 'metric', metric: 'words', value: 20, repeat: true },
      pair: { name: 'Pair', trigger: 'streak', streak: 'gym', length: 2, repeat: true },
    },
    points: {
      xp: {
        name: 'XP',
        maxPoints: 60,
        triggers: [
          { type: 'metric', metric: 'words', threshold: 7, points: 2 },
          { type: 'achievement', achievement: 'both', points: 20 },
          { type: 'user_creation', points: 3 },
          { type: 'streak', length: 2, points: 4 },
          { type: 'streak', streak: 'gym', length: 3, points: 1 },
          { type: 'achievement', achievement: 'twenty', points: 1 },
          { type: 'achievement', achievement: 'pair', points: 1 },
        ],
        levels: { low: { name: 'Low', points: 0 }, high: { name: 'High', points: 30 } },
      },
    },
    streak: { frequency: 'daily', metrics: { words: {} }, freezes: { max: 2, initial: 1 } },
    streaks: {
      gym: { frequency: 'daily', metrics: { words: { threshold: 10 } }, freezes: 'shared' },
      weekly: { frequency: 'weekly', metrics: { words: {} }, freezes: { max: 1, initial: 1 } },
    },
    leaderboards: {
      weekly: {
        name: 'Weekly',
        rankBy: 'metric',
        metric: 'words',
        start: '2026-02-02',
        run: { unit: 'day', interval: 7 },
      },
    },
  } as never) as DefinedGame

  async function told(storage: Storage, items: readonly ImportItem[], merge: boolean) {
    const engine = createGamification<DefinedGame>({ game, storage, clock: () => new Date(START + 20 * DAY) })
    try {
      await engine.migrate()
      expect((await engine.import(items as never)).refusals).toEqual([])
      if (merge) await engine.users.merge({ from: 'bob', into: 'ann' })
      const { total, level, awards } = await engine.users.points('ann', 'xp', { awards: 100 })
      const range = { aggregation: 'daily', startDate: '2026-02-18', endDate: '2026-03-12' } as const
      return {
        user: { ...(await engine.users.get('ann')), updated: null },
        points: { total, level, awards: awards.map(({ awarded, date, total: after }) => ({ awarded, date, after })) },
        achievements: (await engine.users.achievements('ann')).map(({ key, achievedAt, count }) => ({
          key,
          achievedAt,
          count,
        })),
        streak: await engine.users.streak('ann', { historyPeriods: 30 }),
        gym: await engine.users.streak('ann', { streak: 'gym', historyPeriods: 30 }),
        weekly: await engine.users.streak('ann', { streak: 'weekly', historyPeriods: 8 }),
        days: await engine.users.metricEventSummary('ann', 'words', range),
        board: await engine.users.leaderboard('ann', 'weekly', { run: '2026-02-23' as never }),
        shares: (await engine.achievements.all()).map(({ key, completions }) => ({ key, completions })),
        drift: (await engine.verify()).drift,
        kept: (await storage.readLog({ tenant: '', user: 'ann' })).filter(({ kind }) => kind === 'completionKept')
          .length,
      }
    } finally {
      await engine.close()
    }
  }

  test(
    `is what importing both logs as one gives (seed ${SEED})`,
    async () => {
      let compared = 0
      await fc.assert(
        fc.asyncProperty(fc.array(event, { minLength: 2, maxLength: 25 }), async (events) => {
          const ids = new Set(events.map(({ user }) => user))
          if (ids.size < 2) return
          const items = events.map(({ user, after, value }, index) => ({
            metric: 'words',
            user: { id: user },
            value,
            occurredAt: new Date(START + after * HOUR),
            idempotencyKey: `event-${index}`,
          }))
          const asOne = [...items]
            .sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.user.id < b.user.id ? -1 : 1))
            .map((item) => ({ ...item, user: { id: 'ann' } }))
          const merged = await told(create(), items, true)
          expect(merged.drift).toEqual([])
          const one = await told(create(), asOne, false)
          // A freeze may be used up on an earlier gap of the other: what had been completed by then is kept.
          if (merged.kept > 0) {
            expect([merged.streak, merged.gym, merged.weekly]).toEqual([one.streak, one.gym, one.weekly])
            expect([merged.days, merged.board]).toEqual([one.days, one.board])
            return
          }
          compared += 1
          expect(merged).toEqual(one)
        }),
        { numRuns: RUNS, seed: SEED },
      )
      expect(compared).toBeGreaterThan(RUNS / 2)
    },
    60 * MINUTES,
  )
})
