/*
 * Random games that time alone changes, and random lives under them, as the rules see both.
 */

import type { Channel, Entry, EntryBody } from '../../src/rules/entry.ts'
import { dateEntry, stepOver } from '../../src/rules/fold.ts'
import type { Game } from '../../src/rules/game.ts'
import { emptyState, type UserState } from '../../src/rules/state.ts'
import { rules } from './given.ts'
import { DAY, ZONES } from './zones.ts'

type Random = () => number

const QUARTER = 900_000

function pick<const Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0]
}

function upTo(random: Random, most: number): number {
  return Math.floor(random() * (most + 1))
}

type Definition = Parameters<typeof rules>[0]

export function randomGame(random: Random): Game {
  const frequency = pick(random, ['daily', 'daily', 'weekly', 'monthly'])
  const definition = {
    weekStartsOn: pick(random, ['monday', 'sunday']),
    streak: { ...randomStreak(random, frequency), customization: true },
    ...(random() < 0.6 ? { streaks: randomStreaks(random) } : {}),
    achievements: {
      first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 },
      often: { name: 'Often', trigger: 'metric', metric: 'words', value: 7, repeat: true },
    },
    points: { xp: randomPoints(random), energy: randomPoints(random) },
    ...(random() < 0.7 ? { emails: randomEmails(random) } : {}),
  }
  return rules(definition as unknown as Definition)
}

const HOURS = { daily: [1, 4, 23], weekly: [12, 48, 167], monthly: [24, 100, 648] } as const

function randomStreak(random: Random, frequency: 'daily' | 'weekly' | 'monthly'): object {
  const keys = ['a', 'b', 'c'].slice(0, upTo(random, 3))
  const reminders = keys.map((key) => ({ key, before: { hours: pick(random, HOURS[frequency]) } }))
  return {
    frequency,
    metrics: { words: {} },
    ...(random() < 0.7 ? { freezes: randomFreezes(random) } : {}),
    ...(random() < 0.6 ? { reminders } : {}),
  }
}

function randomFreezes(random: Random): object {
  const max = 1 + upTo(random, 3)
  const autoEarn = { interval: pick(random, [1, 2, 5, 7, 30]), amount: 1 + upTo(random, 1) }
  return { initial: upTo(random, max), max, ...(random() < 0.7 ? { autoEarn } : {}) }
}

function randomStreaks(random: Random): object {
  const own = { ...randomStreak(random, pick(random, ['daily', 'weekly', 'monthly'])), metrics: { laps: {} } }
  const other = { ...randomStreak(random, pick(random, ['daily', 'weekly'])), metrics: { laps: {}, words: {} } }
  return { own, other }
}

function randomPoints(random: Random): object {
  const trigger = (): object => {
    const every = random() < 0.5 ? { hours: pick(random, [1, 6, 24, 50]) } : { days: pick(random, [1, 2, 7, 30]) }
    return { type: 'time', every, points: pick(random, [1, 3, -1, -4, 7]) }
  }
  const triggers = Array.from({ length: upTo(random, 3) }, trigger)
  return {
    name: 'Points',
    ...(random() < 0.6 ? { maxPoints: pick(random, [9, 10, 40]) } : {}),
    triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: pick(random, [5, 20, -2]) }, ...triggers],
    levels: { low: { name: 'Low', points: 2 }, high: { name: 'High', points: 9 } },
  }
}

function randomEmails(random: Random): object {
  return {
    ...(random() < 0.7 ? { recap: pick(random, ['daily', 'weekly', 'monthly', 'yearly']) } : {}),
    ...(random() < 0.5 ? { reactivation: [1, 2, 10] } : {}),
    achievements: random() < 0.7,
  }
}

/** A user's log from `start`, a year long, dated; entries are at quarters of an hour. */
export function randomLife(random: Random, game: Game, zone: string, start: number): readonly Entry[] {
  const entries: Entry[] = []
  let at = start
  let isBusy = true
  for (let seq = 1; at < start + 365 * DAY; seq += 1) {
    const profile = seq === 1 ? { tz: zone } : random() < 0.04 ? { tz: pick(random, ['UTC', ...ZONES]) } : null
    const isUnsaid = seq === 1 && random() < 0.1
    const body = seq === 1 ? ({ kind: 'userUpserted' } as const) : randomBody(random, game, at, entries)
    const base = { id: `entry-${seq}`, seq, at, recordedAt: at, epoch: 1, dating: { zone: '', date: 0, time: 0 } }
    entries.push({ ...base, profile: isUnsaid ? null : profile, ...body })
    if (random() < 0.1) isBusy = !isBusy
    const days = isBusy ? random() * 1.5 : random() * 40
    at += Math.max(QUARTER, Math.floor((days * DAY) / QUARTER) * QUARTER)
  }
  return entries
}

function randomBody(random: Random, game: Game, at: number, before: readonly Entry[]): EntryBody {
  const chance = random()
  const today = Math.floor(at / DAY)
  if (chance < 0.6) return eventOf(pick(random, ['words', 'words', 'laps']), 1 + upTo(random, 4))
  if (chance < 0.66) {
    const start = today + upTo(random, 4)
    return { kind: 'pauseCreated', start, end: start + upTo(random, 30) }
  }
  if (chance < 0.69) {
    const pause = before.findLast(({ kind }) => kind === 'pauseCreated')
    return { kind: 'pauseDeleted', pause: pause?.id ?? '' }
  }
  const named = [...game.streaks.keys()].map((streakKey) => ({ streakKey }))
  if (chance < 0.75) return { kind: 'streakRestored', ...pick<{ readonly streakKey?: string }>(random, [{}, ...named]) }
  if (chance < 0.79)
    return { kind: 'freezesGranted', count: 1, ...pick<{ readonly streakKey?: string }>(random, [{}, ...named]) }
  if (chance < 0.85) {
    const start = today + upTo(random, 5)
    const end = random() < 0.7 ? start + upTo(random, 5) : null
    return { kind: 'boostGiven', system: 'xp', name: 'More', start, end, multiplier: 2, rounding: 'down' }
  }
  if (chance < 0.91) return randomPreferences(random)
  if (chance < 0.93) return { kind: 'userSuspended', from: ['leaderboards'], reason: null }
  return { kind: 'userUpserted' }
}

function randomPreferences(random: Random): EntryBody {
  const kind = pick(random, ['achievement_completed', 'recap', 'reactivation', 'streak_reminder'])
  const channels = pick<readonly Channel[]>(random, [['email'], ['push'], ['push', 'email']])
  const streak = random() < 0.5 ? null : { enabled: random() < 0.7 }
  return { kind: 'preferencesChanged', notifications: new Map([[kind, channels]]), streak }
}

function eventOf(metric: string, value: number): EntryBody {
  return { kind: 'eventRecorded', metric, value, attributes: new Map(), idempotencyKey: null }
}

/** The state before and after each entry, which is dated. */
export function* stepsOf(
  game: Game,
  log: readonly Entry[],
): Generator<{ readonly entry: Entry; readonly before: UserState; readonly after: UserState }> {
  const games = new Map([[1, game]])
  let before: UserState | null = null
  for (const line of log) {
    before ??= emptyState(line.at, 1)
    const entry = dateEntry(before, line)
    const after: UserState = stepOver(games, before, entry).state
    yield { entry, before, after }
    before = after
  }
}

/** An hour of a year that the runtime knows well. */
export function randomStart(random: Random): number {
  return Date.UTC(1993 + upTo(random, 40), upTo(random, 11), 1 + upTo(random, 27), upTo(random, 23))
}
