// The engine on every storage beside the model. SOAK=1 goes through more histories; SEED=… repeats a run.

import { describe, expect, test } from 'vitest'
import { isGamificationError } from '../../../src/index.ts'
import { checkFold } from '../../support/check-fold.ts'
import { type Engine, openOn, STORAGES } from '../../support/engine.ts'
import { SOAK, seedOfRun } from '../../support/zones.ts'
import { toText } from './days.ts'
import { definitionOf, historyOf } from './histories.ts'
import type { Moment } from './play.ts'
import { compare, momentsOf, PERIODS } from './play.ts'
import type { Placed } from './user.ts'

const SEED = seedOfRun()
const GAMES = SOAK ? 20 : 2
/** How many histories of each game. */
const RUNS: { readonly [storage: string]: number } = SOAK
  ? { memory: 100, sqlite: 100, postgres: 50 }
  : { memory: 25, sqlite: 25, postgres: 8 }

interface Told {
  readonly pauses: Map<string, string>
  readonly hasGym: boolean
}

/** Returns true if the call was carried out. Maps the model's ids of pauses to those of the engine. */
async function send(engine: Engine, id: string, { at, entry }: Placed, isBack: boolean, { pauses, hasGym }: Told) {
  const { streaks } = engine.admin
  const which = 'isOfGym' in entry && entry.isOfGym === true && hasGym ? { streak: 'gym' } : {}
  switch (entry.do) {
    case 'event': {
      const user = { id, ...(entry.tz === undefined ? {} : { tz: entry.tz }) }
      const occurredAt = isBack ? { occurredAt: new Date(at) } : {}
      await engine.metrics.event(entry.metric, { user, value: entry.value, ...occurredAt })
      return true
    }
    case 'move':
      await engine.users.update(id, { tz: entry.tz })
      return true
    case 'prefer': {
      const { mode: evaluationMode, metrics } = entry.rule
      await engine.users.updatePreferences(id, { streak: { evaluationMode, metrics: [...metrics] } })
      return true
    }
    case 'turn':
      await engine.users.updatePreferences(id, { streak: { enabled: entry.isOn } })
      return true
    case 'grant':
      return (await streaks.freezes.create({ ...which, freezes: [{ userId: id }] })).issues.length === 0
    case 'pause': {
      const asked = { userId: id, start: toText(entry.start), end: toText(entry.end) }
      const { created } = await streaks.pauses.create({ pauses: [asked] })
      if (created[0] !== undefined) pauses.set(entry.id, created[0].id)
      return created.length === 1
    }
    case 'unpause': {
      const known = pauses.get(entry.id) ?? '01956c3a-0000-7000-8000-000000000000'
      return (await streaks.pauses.delete([known])).deleted.length === 1
    }
    case 'restore':
      return (await streaks.restore({ ...which, users: [{ id }] })).restoredUsers.length === 1
  }
}

async function answer(engine: Engine, user: string, { asked }: Moment, told: Told) {
  if (asked === null) return null
  try {
    return await send(engine, user, asked.placed, asked.isBack, told)
  } catch (error) {
    // Freezes of a game without any are refused as a whole.
    if (isGamificationError(error) && error.code === 'streak_freezes_disabled') return false
    throw error
  }
}

async function read(engine: Engine, user: string, { pauses, hasGym }: Told): Promise<object> {
  const own = await readOne(engine, user, pauses)
  return hasGym ? { ...own, gym: await readOne(engine, user, pauses, 'gym') } : own
}

async function readOne(engine: Engine, user: string, ids: Map<string, string>, streak?: string): Promise<object> {
  const which = streak === undefined ? {} : { streak }
  const told = await engine.users.streak(user, { ...which, historyPeriods: PERIODS })
  const { rank: _, extended, pauses, streakHistory: history, ...current } = told
  expect(extended === null).toBe(told.length === 0)
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  const named = pauses.map(({ id, start, end }) => ({ id: names.get(id), start, end }))
  const { freezes, maxFreezes, freezeAutoEarnInterval, freezeAutoEarnAmount, ...rest } = current
  const fields = { ...rest, freezes, maxFreezes, freezeAutoEarnInterval, freezeAutoEarnAmount }
  return { ...fields, pauses: named, history }
}

interface Lengths {
  readonly length: number
  readonly gym?: { readonly length: number }
}

/** The places that say the lengths once more. */
async function expectElsewhere(engine: Engine, user: string, { length, gym }: Lengths): Promise<void> {
  const [listed] = await engine.streaks.list([user])
  expect(listed?.streakLength).toBe(length)
  await expectRanked(engine, user, 'streaks', length)
  if (gym !== undefined) await expectRanked(engine, user, 'gym', gym.length)
}

async function expectRanked(engine: Engine, user: string, leaderboard: string, length: number): Promise<void> {
  const { rankings } = await engine.leaderboards.get(leaderboard, { among: [user] })
  expect(rankings.map(({ value }) => value)).toEqual(length === 0 ? [] : [length])
}

describe.each(STORAGES)('The engine on $name', ({ name, create }) => {
  const runs = RUNS[name] ?? 0
  test(`agrees with the model on ${GAMES} times ${runs} histories (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
    for (let one = 0; one < GAMES; one += 1) {
      const { games } = historyOf(SEED + one * runs, 1)
      const storage = create()
      const clock = { now: '2010-01-01T00:00:00.000Z' }
      const streaks = { name: 'Streaks', rankBy: 'streak', start: '1970-01-01' } as const
      const gym = games.gym === null ? {} : { gym: { ...streaks, name: 'Gym', streak: 'gym' } }
      const engine = await openOn(storage, clock, { ...definitionOf(games), leaderboards: { streaks, ...gym } })
      try {
        for (let run = 0; run < runs; run += 1) {
          const seed = SEED + one * runs + run
          const history = { ...historyOf(seed, 12), games }
          const user = `user-${run}`
          const mine = { pauses: new Map<string, string>(), hasGym: games.gym !== null }
          const told = [`seed ${seed}`, JSON.stringify(games)]
          for (const moment of momentsOf(history)) {
            clock.now = new Date(moment.now).toISOString()
            told.push(moment.told)
            const accepted = await answer(engine, user, moment, mine)
            const found = compare(moment, accepted, await read(engine, user, mine))
            expect(found, told.join('\n')).toBeNull()
            if (moment.asked === null) await expectElsewhere(engine, user, moment.read as Lengths)
          }
        }
        await checkFold(storage)
      } finally {
        await engine.close()
      }
    }
  })
})
