// Reads of a streak, rankings and boards say the same at any minute, whatever changes the end of the streak. HISTORIES=…
// goes through as many on each storage; SEED=… repeats a run.

import { describe, expect, it } from 'vitest'
import { isGamificationError } from '../../src/index.ts'
import { type Engine, openOn } from '../support/engine.ts'
import { howMany } from '../support/share.ts'
import { createRandom, DAY, HOUR, seedOfRun } from '../support/zones.ts'
import { STORAGES } from './storages.ts'

const RUNS = howMany(8, 60, 1_000)
const SEED = seedOfRun()
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Etc/GMT+12'] as const
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const MINUTE = 60_000

interface Chance {
  readonly random: () => number
  one<T>(list: readonly T[]): T
}

function chanceOf(seed: number): Chance {
  const random = createRandom(seed)
  return { random, one: (list) => list[Math.floor(random() * list.length)] as (typeof list)[number] }
}

function daysBy({ random, one }: Chance) {
  const days = WEEKDAYS.filter(() => random() < 0.5)
  return days.length > 0 ? days : [one(WEEKDAYS)]
}

/** The frequency stays; days, freezes and the number of days a week differ from game to game. */
function gameBy(chance: Chance, frequency: 'daily' | 'weekly', name: string) {
  const { random, one } = chance
  const earns = random() < 0.4 ? { autoEarn: { interval: one([1, 3, 7]), amount: one([1, 2]) } } : {}
  const freezes = random() < 0.6 ? { freezes: { initial: one([0, 1, 2]), max: 3, ...earns } } : {}
  const days =
    frequency === 'weekly'
      ? { days: one([1, 2, 3]) }
      : random() < 0.5
        ? { on: daysBy(chance), customization: true }
        : { customization: true }
  return {
    metrics: { words: { name }, laps: { name: 'Laps' } },
    streak: { frequency, metrics: { words: { threshold: one([1, 2]) } }, ...freezes, ...days },
    leaderboards: { streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-01' } },
  } as const
}

const textOf = (at: number): string => new Date(at).toISOString()
const dateOf = (at: number): string => textOf(at).slice(0, 10)

async function act(engine: Engine, chance: Chance, now: number): Promise<void> {
  const { random, one } = chance
  const user = { id: 'ann', ...(random() < 0.25 ? { tz: one(ZONES) } : {}) }
  const roll = random()
  if (roll < 0.5) {
    const { length } = await engine.users.streak('ann')
    // A move settles by another date, so the read before it may say more than the event finds.
    const { currentStreak } = await engine.metrics.event(one(['words', 'words', 'laps']), { user, value: one([1, 2]) })
    const grown = currentStreak.extended ? 1 : 0
    if (!('tz' in user)) expect(currentStreak.length).toBe(length + grown)
  } else if (roll < 0.6)
    await engine.users.identify('ann', user.tz === undefined ? { name: textOf(now) } : { tz: user.tz })
  else if (roll < 0.7) await engine.users.updatePreferences('ann', { streak: { on: daysBy(chance) } })
  else if (roll < 0.75) {
    const metrics = [{ key: one(['words', 'laps']), threshold: one([1, 3]) }]
    await engine.users.updatePreferences('ann', { streak: { metrics } })
  } else if (roll < 0.8) await engine.users.updatePreferences('ann', { streak: { enabled: random() < 0.7 } })
  else if (roll < 0.87) await engine.admin.streaks.freezes.create({ freezes: [{ userId: 'ann' }] })
  else if (roll < 0.93) {
    const start = now + one([1, 2, 4]) * DAY
    const pause = { userId: 'ann', start: dateOf(start), end: dateOf(start + one([0, 1, 5]) * DAY) }
    await engine.admin.streaks.pauses.create({ pauses: [pause] })
  } else if (roll < 0.96) {
    const { pauses } = await engine.users.streak('ann')
    await engine.admin.streaks.pauses.delete(pauses.map(({ id }) => id))
  } else await engine.admin.streaks.restore({ users: [{ id: 'ann' }] })
}

/** A call that the game does not allow is refused, and changes nothing. */
async function actOrBeRefused(engine: Engine, chance: Chance, now: number): Promise<void> {
  try {
    await act(engine, chance, now)
  } catch (error) {
    if (!isGamificationError(error) || error.code === 'internal') throw error
  }
}

async function lengthsOf(engine: Engine): Promise<readonly number[]> {
  const { length } = await engine.users.streak('ann')
  const [ranked] = await engine.streaks.rankings({ limit: 1 })
  const { rankings } = await engine.leaderboards.get('streaks')
  return [length, ranked?.streakLength ?? 0, rankings[0]?.value ?? 0]
}

async function play(engine: Engine, seed: number): Promise<void> {
  const chance = chanceOf(seed)
  const { random, one } = chance
  const frequency = one(['daily', 'daily', 'weekly'] as const)
  let now = Date.parse('2026-03-04T10:00:00Z')
  let current = await engine.redefine(gameBy(chance, frequency, 'first'))
  await current.metrics.event('words', { user: { id: 'ann' }, value: 2 })
  for (let step = 0; step < 14; step += 1) {
    now += one([0, MINUTE, HOUR, 9 * HOUR, 20 * HOUR, DAY, DAY, 30 * HOUR, 3 * DAY])
    current.at(textOf(now))
    if (random() < 0.15) {
      current = await current.redefine(gameBy(chance, frequency, `game ${step}`))
      await current.games.current()
    } else await actOrBeRefused(current, chance, now)
    for (const wait of [0, Math.floor(random() * 2_000) * MINUTE, Math.floor(random() * 20_000) * MINUTE]) {
      current.at(textOf(now + wait))
      const [length, ranked, onBoard] = await lengthsOf(current)
      const told = `seed ${seed}, step ${step}, at ${textOf(now + wait)}`
      expect([ranked, onBoard], told).toEqual([length, length])
    }
    current.at(textOf(now))
  }
  expect((await current.verify()).drift).toEqual([])
}

describe.each(STORAGES)('On $name', ({ open }) => {
  const runs = Number(process.env.HISTORIES ?? RUNS)
  it(`a board is what users.streak says at any minute of ${runs} histories (seed ${SEED})`, {
    timeout: 14_400_000,
  }, async () => {
    for (let run = 0; run < runs; run += 1) {
      const start = { metrics: { words: { name: 'Words' } } }
      const { storage, end } = open()
      const engine = await openOn(storage, { now: '2026-03-04T10:00:00Z' }, start)
      try {
        await play(engine, SEED + run)
      } finally {
        await engine.close()
        await end?.()
      }
    }
  })
})
