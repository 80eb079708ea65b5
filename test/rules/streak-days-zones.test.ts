// Weeks that want a number of dates, for a user who hops between zones. The model is written from the promises of the
// documentation: a move never breaks a streak and never wins one, and a week has the dates on which something was done in it.

import { expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import { settled } from '../../src/rules/settle.ts'
import { localDay, periodOf } from '../model/walk/days.ts'
import { given, type Said } from '../support/given.ts'
import { howMany } from '../support/share.ts'
import { createRandom, DAY, HOUR, seedOfRun } from '../support/zones.ts'

const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? howMany(150, 1_000, 50_000))
const WEEK = 7 * DAY
const THRESHOLD = 2

/** In order of their offsets, from east to west. */
const ZONES = [
  ...['Pacific/Kiritimati', 'Pacific/Apia', 'Pacific/Chatham', 'Australia/Lord_Howe', 'Asia/Tokyo', 'Asia/Kolkata'],
  ...['Asia/Tehran', 'Europe/Moscow', 'Asia/Beirut', 'Africa/Cairo', 'Europe/Berlin', 'Africa/Casablanca', 'UTC'],
  ...['America/Sao_Paulo', 'America/St_Johns', 'America/Santiago', 'America/New_York', 'America/Los_Angeles'],
  ...['Pacific/Honolulu', 'Etc/GMT+12'],
]

interface Hop {
  readonly at: number
  /** The zone from now on, if it is another. */
  readonly tz?: string
  /** The value of an event. Without one, only the profile is sent. */
  readonly value?: number
}

interface Weeks {
  readonly days: number
  readonly freezes: number
  readonly hops: readonly Hop[]
}

const gameOf = ({ days, freezes }: Pick<Weeks, 'days' | 'freezes'>) =>
  defineGame({
    metrics: { words: { name: 'Words' } },
    streak: {
      frequency: 'weekly',
      days,
      metrics: { words: { threshold: THRESHOLD } },
      ...(freezes === 0 ? {} : { freezes: { initial: freezes, max: freezes } }),
    },
  }).rules

const toSaid = ({ at, tz, value }: Hop): Said => ({
  at: new Date(at).toISOString(),
  ...(tz === undefined ? {} : { profile: { tz } }),
  ...(value === undefined ? { isProfileOnly: true } : { value }),
})

/** The lengths after each call, and the length four weeks later. */
function lengthsByEngine(weeks: Weeks): { readonly now: readonly number[]; readonly later: number } {
  const game = gameOf(weeks)
  const { states, state } = given(game, weeks.hops.map(toSaid))
  return {
    now: states.map(({ streak }) => streak.length),
    later: settled(game, state, state.at + 4 * WEEK).streak.length,
  }
}

/** A week is named by its Monday, in days since 1970. */
const weekOf = (day: number): number => periodOf({ frequency: 'weekly', weekStartsOn: 'monday' }, day)

/** A day of the user in a week. */
interface Lived {
  readonly week: number
  /** How many midnights the user had lived until then. To move is not to live a midnight. */
  readonly midnights: number
  newest: number
  sum: number
}

const most = (span: number, elapsed: number): number => 2 + Math.floor((elapsed + 3 * HOUR) / span)

/** The days of a week that were enough. Days that passed faster than time do not count. */
function daysReached(lived: readonly Lived[], week: number): number {
  const counted: Lived[] = []
  for (const day of lived.filter((each) => each.week === week && each.sum >= THRESHOLD)) {
    const since = (index: number): number => counted.length - index + 1
    if (counted.every(({ newest }, index) => since(index) <= most(DAY, day.newest - newest))) counted.push(day)
  }
  return counted.length
}

function lengthsByModel({ days, freezes, hops }: Weeks): { readonly now: readonly number[]; readonly later: number } {
  const lived: Lived[] = []
  let [zone, today, midnights] = ['UTC', localDay('UTC', hops[0]?.at ?? 0), 0]
  /** Weeks up to `settled` are over for the streak: they counted, were saved, or a move cut them short. */
  let [length, first, counted, settled, left] = [0, 0, Number.NEGATIVE_INFINITY, 0, freezes]

  function pass(until: number): void {
    const day = localDay(zone, until)
    midnights += day - today
    today = day
    for (settled = Math.max(settled, length > 0 ? settled : weekOf(day) - 7); settled + 7 < weekOf(day); settled += 7) {
      if (left > 0 && length > 0) left -= 1
      else [length, counted] = [0, Number.NEGATIVE_INFINITY]
    }
  }

  /** True if the days that are left of a week, today included, are enough with those before today. */
  function canCount(): boolean {
    const earlier = lived.filter((day) => day.midnights < midnights)
    return daysReached(earlier, weekOf(today)) + weekOf(today) + 7 - today >= days
  }

  function move(to: string, at: number): void {
    const could = canCount()
    zone = to
    today = localDay(zone, at)
    const isCut = could && !canCount()
    settled = Math.max(settled, isCut ? weekOf(today) : weekOf(today) - 7)
  }

  function act(at: number, value: number): void {
    const week = weekOf(today)
    let day = lived.find((each) => each.week === week && each.midnights === midnights)
    if (day === undefined) {
      day = { week, midnights, newest: at, sum: 0 }
      lived.push(day)
    }
    day.newest = at
    day.sum += value
    if (week <= counted || daysReached(lived, week) < days) return
    if (length === 0) first = at
    length = Math.max(length, Math.min(length + 1, most(WEEK, at - first)))
    counted = week
    settled = Math.max(settled, week)
  }

  const now: number[] = []
  for (const { at, tz, value } of hops) {
    pass(at)
    if (tz !== undefined) move(tz, at)
    if (value !== undefined) act(at, value)
    now.push(length)
  }
  pass((hops.at(-1)?.at ?? 0) + 4 * WEEK)
  return { now, later: length }
}

interface Chance {
  readonly random: () => number
  one<T>(list: readonly T[]): T
}

function chanceOf(seed: number): Chance {
  const random = createRandom(seed)
  return { random, one: (list) => list[Math.floor(random() * list.length)] as (typeof list)[number] }
}

/** A Sunday, and the first instant at which it is Monday somewhere; 26 hours later it is Monday everywhere. */
const FIRST_TURN = Date.parse('2026-01-04T10:00:00Z')
const TURN = 26 * HOUR
const sinceTurn = (at: number): number => (at - FIRST_TURN) % WEEK

/** Some weeks of a year; half of the calls are in the hours in which it is Sunday here and Monday there. */
function weeksAtRandom(chance: Chance): Weeks {
  const { random, one } = chance
  let at = FIRST_TURN + Math.floor(random() * 300) * DAY
  const hops = Array.from({ length: 70 }, (): Hop => {
    const isAtTurn = sinceTurn(at) < TURN
    if (!isAtTurn && random() < 0.1) at += WEEK - sinceTurn(at) + Math.floor(random() * 6) * HOUR
    else at += Math.floor((isAtTurn ? random() * 3 : random() * 20) * HOUR)
    const tz = random() < 0.6 ? { tz: one(ZONES) } : {}
    return { at, ...tz, ...(random() < 0.75 ? { value: one([1, 2, 2, 3]) } : {}) }
  })
  return { days: one([1, 2, 3, 4, 5, 6, 7]), freezes: one([0, 0, 0, 1, 2]), hops }
}

const tell = (seed: number, { days, freezes, hops }: Weeks): string =>
  [`seed ${seed}, ${days} days, ${freezes} freezes`, ...hops.map((hop) => JSON.stringify(toSaid(hop)))].join('\n')

test(`In ${RUNS} histories of hops between zones a week counts as the rules say (seed ${SEED})`, {
  timeout: 14_400_000,
}, () => {
  const longest = new Map<number, number>()
  for (let run = 0; run < RUNS; run += 1) {
    const weeks = weeksAtRandom(chanceOf(SEED + run))
    const expected = lengthsByModel(weeks)
    expect(lengthsByEngine(weeks), tell(SEED + run, weeks)).toEqual(expected)
    longest.set(weeks.days, Math.max(longest.get(weeks.days) ?? 0, ...expected.now))
  }
  // Histories at random have streaks of weeks that want four days, too.
  for (const days of [1, 2, 3, 4]) expect(longest.get(days), `${days} days`).toBeGreaterThan(1)
})

test(`${RUNS} users who do enough each week keep every week, whatever zones they pass through at its end (seed ${SEED})`, {
  timeout: 14_400_000,
}, () => {
  for (let run = 0; run < RUNS; run += 1) {
    const { random, one } = chanceOf(SEED + run)
    const days = one([1, 2, 3, 4, 5])
    const first = FIRST_TURN + Math.floor(random() * 45) * WEEK
    const hops: Hop[] = []
    const ends: number[] = []
    for (let week = 0; week < 6; week += 1) {
      const turn = first + week * WEEK
      const instants = Array.from({ length: Math.floor(random() * 8) }, () => turn + Math.floor(random() * TURN))
      for (const at of instants.sort((left, right) => left - right)) {
        // In the first of these hours an event would count for the week before.
        hops.push({ at, tz: one(ZONES), ...(week > 0 && random() < 0.3 ? { value: THRESHOLD } : {}) })
      }
      // Noon in Greenwich, from Tuesday to Saturday: in every zone these are five dates of one week.
      const noons = [2, 3, 4, 5, 6].map((day) => turn + 2 * HOUR + day * DAY)
      while (noons.length > days) noons.splice(Math.floor(random() * noons.length), 1)
      hops.push(...noons.map((at) => ({ at, value: THRESHOLD })))
      ends.push(hops.length - 1)
    }
    const { now } = lengthsByEngine({ days, freezes: 0, hops })
    const told = tell(SEED + run, { days, freezes: 0, hops })
    expect(
      ends.map((end) => now[end]),
      told,
    ).toEqual([1, 2, 3, 4, 5, 6])
  }
})

test(`Nobody wins a week of four days within ${RUNS} nights, in any number of zones (seed ${SEED})`, {
  timeout: 14_400_000,
}, () => {
  for (let run = 0; run < RUNS; run += 1) {
    const { random, one } = chanceOf(SEED + run)
    const start = FIRST_TURN + Math.floor(random() * 300) * DAY
    const instants = Array.from({ length: 60 }, () => start + Math.floor(random() * TURN))
    const hops = instants
      .sort((left, right) => left - right)
      .map((at): Hop => ({ at, tz: one(ZONES), value: THRESHOLD }))
    const weeks = { days: 4, freezes: 0, hops }
    const { now } = lengthsByEngine(weeks)
    expect(Math.max(...now), tell(SEED + run, weeks)).toBe(0)
  }
})

test(`${RUNS} users who do enough on every date never lose a week, whatever zones they are in (seed ${SEED})`, {
  timeout: 14_400_000,
}, () => {
  for (let run = 0; run < RUNS; run += 1) {
    const { random, one } = chanceOf(SEED + run)
    const days = one([1, 2, 3, 4, 5, 6, 7])
    const start = FIRST_TURN + Math.floor(random() * 300) * DAY
    // Every second hour, and the first twenty days, with two whole weeks, at home.
    const hops = Array.from({ length: 6 * 84 }, (_, index): Hop => {
      const tz = index === 0 || (index > 250 && random() < 0.04) ? { tz: one(ZONES) } : {}
      return { at: start + index * 2 * HOUR, ...tz, value: THRESHOLD }
    })
    const { now } = lengthsByEngine({ days, freezes: 0, hops })
    const moves = hops.filter(({ tz }) => tz !== undefined)
    const told = tell(SEED + run, { days, freezes: 0, hops: moves })
    expect(
      now.findIndex((length, index) => length < (now[index - 1] ?? 0)),
      told,
    ).toBe(-1)
    expect(now.at(-1), told).toBeGreaterThan(1)
  }
})
