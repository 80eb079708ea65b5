// Random games and histories that follow from a seed.

import { defineGame } from '../../../src/game/define-game.ts'
import { createRandom } from '../../support/zones.ts'
import type { Game, Rule } from './life.ts'
import { BACKWARDS, LATE_MORNINGS, MISSING } from './turns.ts'
import type { Act } from './user.ts'

export interface Step {
  readonly wait: number
  readonly act: Act
}

/** A game's `streak`, and a second one, `gym`, if it has one. */
export interface Games {
  readonly game: Game
  readonly gym: { readonly game: Game; readonly isShared: boolean } | null
}

export interface History {
  readonly games: Games
  readonly start: number
  readonly steps: readonly Step[]
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const ZONES = [
  'UTC',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Honolulu',
  'Pacific/Auckland',
  'Africa/Cairo',
  'Pacific/Pago_Pago',
] as const

// Before the day that Apia left out, changes to and from summer time, a leap day, a turn of the year, days without midnight.
const STARTS = [
  '2011-12-26T08:00:00Z',
  '2024-02-25T20:00:00Z',
  '2024-03-08T23:30:00Z',
  '2010-11-04T03:00:00Z',
  '2025-12-28T13:00:00Z',
  '2018-11-02T22:00:00Z',
  '2023-04-25T20:00:00Z',
]

const SHORT = [0, 1, MINUTE, 40 * MINUTE, HOUR, 5 * HOUR, 11 * HOUR]
const DAYS = [20 * HOUR, 23 * HOUR, 24 * HOUR, 24 * HOUR, 26 * HOUR, 30 * HOUR]
const LONG = [49 * HOUR, 3 * DAY, 5 * DAY, 8 * DAY]
const WEEKS = [12 * DAY, 27 * DAY, 31 * DAY, 45 * DAY]
// On both sides of what a restore looks back.
const MONTHS = [88 * DAY, 90 * DAY, 91 * DAY, 92 * DAY, 100 * DAY, 300 * DAY, 400 * DAY, 800 * DAY]
const WAITS = {
  daily: [SHORT, DAYS, DAYS, DAYS, LONG],
  weekly: [SHORT, DAYS, LONG, LONG, LONG, WEEKS],
  monthly: [SHORT, DAYS, LONG, WEEKS, WEEKS, WEEKS],
}
const BACK = [HOUR, 20 * HOUR, 30 * HOUR, 3 * DAY, 15 * DAY]

const RULES: readonly Rule[] = [
  { mode: 'OR', metrics: [{ key: 'words' }] },
  { mode: 'OR', metrics: [{ key: 'words', threshold: 3 }, { key: 'laps' }] },
  { mode: 'AND', metrics: [{ key: 'words' }, { key: 'laps', threshold: 2 }] },
]

export interface Choice {
  chance(of: number): boolean
  whole(from: number, to: number): number
  one<T>(list: readonly T[]): T
}

function createChoice(seed: number): Choice {
  const random = createRandom(seed)
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
  return {
    chance: (of) => random() < of,
    whole,
    one: (list) => list[whole(0, list.length - 1)]!,
  }
}

function gameOf({ chance, whole, one }: Choice): Game {
  const max = one([1, 2, 3, 5, 100])
  const earns = chance(0.6)
  return {
    calendar: {
      frequency: one(['daily', 'daily', 'daily', 'weekly', 'monthly'] as const),
      weekStartsOn: one(['monday', 'sunday'] as const),
    },
    rule: chance(0.7) ? RULES[0]! : one(RULES),
    freezes: chance(0.25)
      ? null
      : {
          initial: whole(0, Math.min(max, 3)),
          max,
          interval: earns ? one([1, 2, 3, 5, 7, 10]) : null,
          amount: earns ? one([1, 1, 2]) : 1,
        },
  }
}

/** The second one is beside the other: with the same weeks, and its freezes if it shares them. */
function gamesOf(choice: Choice): Games {
  const { chance } = choice
  const game = gameOf(choice)
  if (chance(0.5)) return { game, gym: null }
  const own = gameOf(choice)
  const isShared = game.freezes !== null && chance(0.6)
  const calendar = { ...own.calendar, weekStartsOn: game.calendar.weekStartsOn }
  return { game, gym: { game: { ...own, calendar, freezes: isShared ? game.freezes : own.freezes }, isShared } }
}

function actOf(choice: Choice, zoneChange = 0.12): Act {
  const { chance, whole, one } = choice
  const kind = whole(0, 99)
  if (kind < 64) {
    return {
      do: 'event',
      metric: one(['words', 'words', 'words', 'laps']),
      value: one([1, 1, 2, 3, 5, 0, -1]),
      ...(chance(zoneChange) ? { tz: one(ZONES) } : {}),
      ...(chance(0.12) ? { back: one(BACK) } : {}),
    }
  }
  if (kind < 70) return { do: 'move', tz: one(ZONES) }
  if (kind < 73) return { do: 'prefer', rule: one(RULES) }
  if (kind < 80) return { do: 'grant', ...(chance(0.3) ? { isOfGym: true } : {}) }
  if (kind < 88) return { do: 'pause', from: whole(-1, 4), days: one([1, 1, 2, 3, 7, 20, 366, 367, 0]) }
  if (kind < 91) return { do: 'unpause', ago: whole(1, 3) }
  if (kind < 93) return { do: 'turn', isOn: chance(0.5) }
  if (kind < 96) return { do: 'reset', ...(chance(0.4) ? { isOfGym: true } : {}) }
  return { do: 'restore', ...(chance(0.4) ? { isOfGym: true } : {}) }
}

/** Minutes from a turn. */
const AROUND = [
  -3000, -1800, -1560, -1450, -300, -180, -90, -61, -59.5, -31, -1, -0.5, 0, 0.5, 1, 29, 30, 31, 59, 60.5, 90, 121, 200,
  1200, 1440, 1560, 2640, 4200,
]

function historyAroundTurn(choice: Choice, games: Games, most: number): History {
  const turns = choice.one([BACKWARDS, BACKWARDS, MISSING, LATE_MORNINGS])
  const { zone, at } = choice.one(turns)
  const instants = Array.from({ length: choice.whole(4, most) }, () => at + choice.one(AROUND) * MINUTE).sort(
    (left, right) => left - right,
  )
  const steps = instants.map((instant, index): Step => {
    if (index > 0) return { wait: instant - instants[index - 1]!, act: actOf(choice) }
    return { wait: 0, act: { do: 'event', metric: 'words', value: 1, tz: zone } }
  })
  return { games, start: instants[0]!, steps }
}

export function historyOf(seed: number, most: number): History {
  const choice = createChoice(seed)
  const games = gamesOf(choice)
  if (choice.chance(0.15)) return historyAroundTurn(choice, games, most)
  // From zone to zone within hours.
  const isHasty = choice.chance(0.12)
  const waits = isHasty ? [SHORT, SHORT, DAYS] : WAITS[games.game.calendar.frequency]
  const start = Date.parse(choice.one(STARTS)) + choice.whole(0, 48) * 30 * MINUTE
  const steps = Array.from({ length: choice.whole(3, most) }, (_, index): Step => {
    if (index > 2 && choice.chance(0.04)) return { wait: choice.one(MONTHS), act: { do: 'restore' } }
    const wait = choice.chance(0.02) ? -30 * HOUR : choice.one(choice.one(waits))
    if (index > 0) return { wait, act: isHasty ? actOf(choice, 0.6) : actOf(choice) }
    return { wait: 0, act: { do: 'event', metric: 'words', value: 1, tz: choice.one(ZONES) } }
  })
  return { games, start, steps }
}

/** The same games as a host writes them. */
export function definitionOf({ game, gym }: Games) {
  return {
    metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
    weekStartsOn: game.calendar.weekStartsOn,
    streak: { ...streakOf(game), ...freezesOf(game), customization: true },
    ...(gym === null
      ? {}
      : {
          streaks: {
            gym: { ...streakOf(gym.game), ...(gym.isShared ? { freezes: 'shared' as const } : freezesOf(gym.game)) },
          },
        }),
  }
}

function streakOf({ calendar, rule }: Game) {
  return {
    frequency: calendar.frequency,
    evaluationMode: rule.mode,
    metrics: Object.fromEntries(
      rule.metrics.map(({ key, threshold }) => [key, threshold === undefined ? {} : { threshold }]),
    ),
  }
}

function freezesOf({ freezes }: Game) {
  if (freezes === null) return {}
  const { initial, max, interval, amount } = freezes
  return { freezes: { initial, max, ...(interval === null ? {} : { autoEarn: { interval, amount } }) } }
}

export const toGame = (games: Games) => defineGame(definitionOf(games))
