// One streak of a user, walked from one local midnight to the next. Today stays today when the user moves to another
// zone; a week of so many days stays where it is in the calendar.

import { type Calendar, lastDay, localDay, periodOf, toText } from '../walk/days.ts'
import { aggregationOf, type Happened, totalIn } from './totals.ts'
import type { Game, Streak, Weekday } from './types.ts'

const HOUR = 3_600_000
const WEEKDAYS: readonly Weekday[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** An entry, with everything about it that a streak depends on. */
export interface Step {
  at: number
  /** The user's zone from then on. */
  tz: string
  /** The game in force for the user from then on. */
  game: Game
  event?: Happened
  /** The weekdays that the user chose. */
  chosen?: Weekday[]
  /** The streak that support ended, '' for the game's `streak`. */
  reset?: string
}

export interface Walked {
  length: number
  expires: string | null
  freezes?: number
}

/** Which days count. */
interface Days {
  on: Weekday[] | undefined
  days: number | undefined
}

/** A day of the user, from one midnight to the next, as far as it lay in one week. */
interface Lived {
  week: number
  midnights: number
  events: Happened[]
}

interface Life {
  game: Game
  streak: Streak
  tz: string
  today: number
  /** The number of local midnights until now: a move is none. */
  midnights: number
  chosen: Weekday[] | undefined
  /** The days that hold today, and those that hold from the next midnight on. */
  held: Days
  next: Days
  length: number
  /** The instant at which the first period counted. */
  first: number
  /** The last period that counted. */
  counted: number
  /** It and all periods before it can no longer be missed. */
  settled: number
  freezes: number
  lived: Lived[]
}

const calendarOf = ({ game, streak }: Pick<Life, 'game' | 'streak'>): Calendar => ({
  frequency: streak.frequency,
  weekStartsOn: game.weekStartsOn ?? 'monday',
})

function daysOf({ streak, chosen }: Pick<Life, 'streak' | 'chosen'>): Days {
  return { on: (streak.customization === true ? chosen : undefined) ?? streak.on, days: streak.days }
}

const isNeutral = ({ on }: Days, day: number): boolean =>
  on !== undefined && !on.includes(WEEKDAYS[new Date(toText(day)).getUTCDay()] ?? 'sun')

/** By these events alone. */
function holds(game: Game, streak: Streak, events: readonly Happened[]): boolean {
  const held = Object.entries(streak.metrics).map(([metric, { threshold }]) => {
    const total = totalIn(game, events, { metric })
    if (total === null) return false
    const aggregation = aggregationOf(game, metric)
    if (threshold === undefined) return aggregation !== 'sum' || total > 0
    return aggregation === 'min' ? total <= threshold : total >= threshold
  })
  return streak.evaluationMode === 'AND' ? held.every((is) => is) : held.some((is) => is)
}

const most = (span: number, elapsed: number): number => 2 + Math.floor((elapsed + 3 * HOUR) / span)

/** On how many days of a week the condition held. Days that passed faster than time do not count. */
function daysReached({ game, streak, lived }: Life, week: number, until: number): number {
  const instants: number[] = []
  for (const { events, ...day } of lived) {
    if (day.week !== week || day.midnights > until || !holds(game, streak, events)) continue
    const at = events.at(-1)?.at ?? 0
    if (instants.every((earlier, index) => instants.length - index < most(24 * HOUR, at - earlier))) instants.push(at)
  }
  return instants.length
}

function begin(streak: Streak, { at, tz, game }: Step): Life {
  const today = localDay(tz, at)
  const life = { game, streak, tz, today, midnights: 0, chosen: undefined, length: 0, first: 0, lived: [] }
  const days = daysOf(life)
  const never = Number.NEGATIVE_INFINITY
  const freezes = streak.freezes?.initial ?? 0
  return { ...life, held: days, next: days, counted: never, settled: never, freezes }
}

/** Each midnight until an instant. */
function pass(life: Life, at: number): void {
  const calendar = calendarOf(life)
  for (const target = localDay(life.tz, at); life.today < target; ) {
    const ended = periodOf(calendar, life.today)
    const neutral = isNeutral(life.held, life.today)
    life.today += 1
    life.midnights += 1
    life.held = life.next
    if (periodOf(calendar, life.today) === ended || ended <= life.settled) continue
    if (life.length > 0 && !neutral) miss(life)
    life.settled = ended
  }
}

function miss(life: Life): void {
  if (life.freezes > 0) life.freezes -= 1
  else end(life)
}

function end(life: Life): void {
  life.length = 0
  life.counted = Number.NEGATIVE_INFINITY
}

/** Other days hold from the next midnight on. If a week is no longer judged by its days, or newly is, it starts again. */
function adopt(life: Life, game: Game, streak: Streak): void {
  const isOther = (life.streak.days === undefined) !== (streak.days === undefined)
  life.game = game
  life.streak = streak
  life.next = daysOf(life)
  if (!isOther) return
  life.held = life.next
  life.lived = []
}

function move(life: Life, tz: string, at: number): void {
  const calendar = calendarOf(life)
  const could = canStillCount(life)
  const from = periodOf(calendar, life.today)
  life.tz = tz
  life.today = localDay(tz, at)
  const to = periodOf(calendar, life.today)
  const before = periodOf(calendar, to - 1)
  if (life.streak.days !== undefined) {
    life.settled = Math.max(life.settled, could && !canStillCount(life) ? to : before)
    return
  }
  life.settled = life.settled < from ? before : life.settled + to - from
  life.counted += to - from
  life.lived = life.lived.filter(({ week }) => week === from).map((day) => ({ ...day, week: to }))
}

/** True if the days that are left of a week, today included, are enough with those before today. */
function canStillCount(life: Life): boolean {
  const week = periodOf(calendarOf(life), life.today)
  const left = lastDay(calendarOf(life), week) - life.today + 1
  return daysReached(life, week, life.midnights - 1) + left >= (life.held.days ?? 0)
}

function act(life: Life, event: Happened): void {
  const { game, streak, held, midnights } = life
  const week = periodOf(calendarOf(life), life.today)
  // Without a number of days all events of a period are judged together.
  const isOfToday = (day: Lived): boolean =>
    day.week === week && (streak.days === undefined || day.midnights === midnights)
  let day = life.lived.find(isOfToday)
  if (day === undefined) {
    day = { week, midnights, events: [] }
    life.lived.push(day)
  }
  day.events.push(event)
  if (week <= life.counted || !(event.metric in streak.metrics)) return
  if (held.days === undefined ? holds(game, streak, day.events) : daysReached(life, week, midnights) >= held.days) {
    count(life, week, event.at)
  }
}

function count(life: Life, period: number, at: number): void {
  const isFirst = life.length === 0
  if (isFirst) life.first = at
  const span = (life.streak.frequency === 'daily' ? 1 : 7) * 24 * HOUR
  // A move never wins a period.
  life.length = Math.min(life.length + 1, Math.max(most(span, at - life.first), life.length))
  life.counted = period
  life.settled = isFirst ? period : Math.max(life.settled, period)
}

/** `streakIn`: the streak in a game, which each game of the steps has. */
export function walkStreak(
  streakIn: (game: Game) => Streak | undefined,
  steps: readonly Step[],
  at: number,
  key = '',
): Walked {
  const [first] = steps
  const streak = first && streakIn(first.game)
  if (first === undefined || streak === undefined) return { length: 0, expires: null }
  const life = begin(streak, first)
  for (const { at: instant, tz, game, event, chosen, reset } of steps) {
    pass(life, instant)
    if (game !== life.game) adopt(life, game, streakIn(game) ?? streak)
    if (tz !== life.tz) move(life, tz, instant)
    if (event !== undefined) act(life, event)
    if (reset === key) end(life)
    if (chosen === undefined) continue
    life.chosen = chosen
    life.next = daysOf(life)
  }
  pass(life, at)
  return viewOf(life)
}

function viewOf(life: Life): Walked {
  const { length, settled, today, held, next, streak } = life
  const calendar = calendarOf(life)
  const left = streak.freezes === undefined ? {} : { freezes: life.freezes }
  if (length === 0) return { length, expires: null, ...left }
  let period = lastDay(calendar, settled) + 1
  while (isNeutral(period <= today ? held : next, period)) period += 1
  return { length, expires: toText(lastDay(calendar, period)), ...left }
}
