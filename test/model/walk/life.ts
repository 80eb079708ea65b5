// One user's streak by decisions, section 5: it marks periods on a list and walks from one local midnight to the next.

import { add } from '../numbers.ts'
import type { Calendar } from './days.ts'
import { exists, lastDay, localDay, nextLived, periodOf, previousLived, toDay, toText } from './days.ts'

const HOUR = 3_600_000
const SPAN = { daily: 24 * HOUR, weekly: 7 * 24 * HOUR, monthly: 28 * 24 * HOUR }

export interface Rule {
  readonly mode: 'OR' | 'AND'
  readonly metrics: readonly { readonly key: string; readonly threshold?: number }[]
}

export interface Freezes {
  readonly initial: number
  readonly max: number
  readonly interval: number | null
  readonly amount: number
}

export interface Game {
  readonly calendar: Calendar
  readonly rule: Rule
  readonly freezes: Freezes | null
}

export interface Pause {
  readonly id: string
  readonly start: number
  readonly end: number
}

/** The freezes of one streak, or those that several share. */
export interface Pool {
  readonly rule: Freezes | null
  left: number
  nextEarned: number
}

/** One streak of a user. */
export interface Lived {
  readonly game: Game
  readonly life: Life
}

interface Lost {
  /** The period that was missed. */
  readonly missed: number
  readonly length: number
  readonly started: number
  readonly counted: number
  readonly first: number
  readonly run: number
  /** When support ended it. Absent for a period that was missed. */
  readonly resetAt?: number
}

export interface Reset {
  readonly period: number
  readonly at: number
  /** True if the streak ran in the period again. */
  readonly isOver: boolean
}

/** The effects of a local midnight on a streak and on freezes. */
export type Brought =
  | { readonly type: 'lost'; readonly length: number }
  | { readonly type: 'freeze_consumed'; readonly consumed: number; readonly freezes: number }
  | { readonly type: 'freeze_earned'; readonly earned: number; readonly freezes: number }

type Tell = (lived: Lived, day: number, brought: Brought) => void

export interface Mark {
  readonly kind: 'counted' | 'frozen' | 'paused'
  readonly length: number
}

/** Made on a day, by which the streak got longer or not. */
interface OwnMark extends Mark {
  readonly day: number
  readonly isLonger: boolean
}

export interface Life {
  zone: string
  /** The local day that the walk has come to. */
  today: number
  pool: Pool
  pauses: Pause[]
  rule: Rule
  /** True if the user wants a streak. */
  isOn: boolean
  /** The amounts, by period, then metric. */
  done: Map<number, Map<string, number>>
  /** Marks of streaks that were lost. */
  marks: Map<number, OwnMark>
  hasMoved: boolean
  /** True if a streak was lost after a change of zone: no rule says where its days are shown then. */
  isBlurred: boolean
  /** Marks of the current streak if a change of zone moved them, and where they were when the last one was made. */
  own: Map<number, OwnMark>
  made: Map<number, OwnMark>
  length: number
  /** The last period that counted, was frozen or was paused; all before it is settled. */
  settled: number
  counted: number
  started: number
  /** The instant at which its first period counted. */
  first: number
  /** Which of the user's streaks it is, the first being 1. */
  run: number
  runs: number
  lost: Lost | null
  resets: readonly Reset[]
}

export function beginPool(rule: Freezes | null, zone: string, instant: number): Pool {
  const nextEarned = localDay(zone, instant) + (rule?.interval ?? Number.POSITIVE_INFINITY)
  return { rule, left: rule?.initial ?? 0, nextEarned }
}

export function beginLife({ rule, freezes }: Game, zone: string, instant: number, shared?: Pool): Life {
  const today = localDay(zone, instant)
  return {
    zone,
    today,
    pool: shared ?? beginPool(freezes, zone, instant),
    pauses: [],
    rule,
    isOn: true,
    done: new Map(),
    marks: new Map(),
    hasMoved: false,
    isBlurred: false,
    own: new Map(),
    made: new Map(),
    length: 0,
    settled: 0,
    counted: 0,
    started: 0,
    first: 0,
    run: 0,
    runs: 0,
    lost: null,
    resets: [],
  }
}

export function copyOf(life: Life, shared?: Pool): Life {
  return { ...life, pool: shared ?? { ...life.pool }, pauses: [...life.pauses], marks: new Map(life.marks) }
}

function mark({ calendar }: Pick<Game, 'calendar'>, life: Life, period: number, { kind, length }: Mark): void {
  const there = life.own.get(period)
  const isMoved = there !== undefined && there.day !== period
  let before = [...life.own]
    .filter(([place]) => isMoved || place !== period)
    // A period that a move has skipped here makes room.
    .map(([place, old]): [number, OwnMark] => {
      return [isMoved && place <= period ? previousLived(calendar, life.zone, place) : place, old]
    })
    .sort(([a], [b]) => a - b)
  // The same day is lived again, and has one mark, unless the streak got longer by both; the others close the gap.
  const isSame = (old: OwnMark): boolean => kind === 'counted' && old.length === length
  const gone = before.findIndex(([, old]) => old.day === period && (!old.isLonger || isSame(old)))
  if (gone >= 0) {
    const places = before.slice(1).map(([place]) => place)
    const kept = before.filter((_, index) => index !== gone)
    before = kept.map(([place, old], index) => [index < gone ? (places[index] ?? place) : place, old])
  }
  const isLonger = length > (before.at(-1)?.[1].length ?? 0)
  life.own = new Map([...before, [period, { kind, length, day: period, isLonger }]])
  life.made = life.own
  life.resets = life.resets.map((reset) => (reset.period === period ? { ...reset, isOver: true } : reset))
}

/** The streak has ended: what it marked stays if it was made. */
function close(life: Life): void {
  life.isBlurred ||= life.hasMoved
  for (const [period, made] of life.made) life.marks.set(period, made)
  life.own = new Map()
  life.made = new Map()
}

export function isPaused(life: Life, calendar: Calendar, period: number): boolean {
  const end = lastDay(calendar, period)
  return life.pauses.some((pause) => pause.start <= end && pause.end >= period)
}

/**
 * Every local midnight up to the instant: what ends there is settled before what is earned there comes. If there are
 * several streaks, the first in the list is settled first.
 */
export function walk(all: readonly Lived[], instant: number, tell: Tell = () => {}): void {
  const zone = all[0]?.life.zone
  if (zone === undefined) return
  const target = localDay(zone, instant)
  const owners = new Map([...all].reverse().map((lived) => [lived.life.pool, lived]))
  for (let day = Math.min(...all.map(({ life }) => life.today)) + 1; day <= target; day += 1) {
    for (const lived of all) {
      const { game, life } = lived
      if (life.today >= day) continue
      life.today = day
      if (periodOf(game.calendar, day) !== day) continue
      const brought = end(game, life, periodOf(game.calendar, day - 1))
      if (brought !== null) tell(lived, day, brought)
    }
    for (const [pool, owner] of owners) {
      if (pool.rule === null || day !== pool.nextEarned) continue
      const earned = Math.max(0, Math.min(pool.rule.max - pool.left, pool.rule.amount))
      pool.left += earned
      pool.nextEarned += pool.rule.interval ?? 0
      if (earned > 0) tell(owner, day, { type: 'freeze_earned', earned, freezes: pool.left })
    }
  }
}

function end({ calendar }: Game, life: Life, period: number): Brought | null {
  if (life.length === 0 || period <= life.settled) return null
  if (calendar.frequency === 'daily' && !exists(life.zone, period)) return null
  const paused = isPaused(life, calendar, period)
  if (!paused && life.pool.left === 0) {
    const { length, started, counted, first, run } = life
    life.lost = { missed: period, length, started, counted, first, run }
    life.length = 0
    close(life)
    return { type: 'lost', length }
  }
  if (!paused) life.pool.left -= 1
  life.settled = period
  mark({ calendar }, life, period, { kind: paused ? 'paused' : 'frozen', length: life.length })
  return paused ? null : { type: 'freeze_consumed', consumed: 1, freezes: life.pool.left }
}

function isReached(life: Life, period: number): boolean {
  const reached = life.rule.metrics.map(({ key, threshold }) => {
    const change = life.done.get(period)?.get(key) ?? 0
    return threshold === undefined ? change > 0 : change >= threshold
  })
  return life.rule.mode === 'AND' ? reached.every((is) => is) && reached.length > 0 : reached.some((is) => is)
}

/** Switched off there is no streak, nothing to go back to and nothing done; switched on it begins there. */
export function turn(life: Life, isOn: boolean): void {
  life.isOn = isOn
  if (isOn) return
  if (life.length > 0) close(life)
  life.length = 0
  life.lost = null
  life.done = new Map()
}

export function act({ calendar }: Game, life: Life, instant: number, metric: string, value: number): void {
  if (!life.isOn) return
  const period = periodOf(calendar, localDay(life.zone, instant))
  const changes = life.done.get(period) ?? new Map<string, number>()
  life.done.set(period, changes.set(metric, add(changes.get(metric) ?? 0, value)))
  if (life.rule.metrics.some(({ key }) => key === metric)) judge({ calendar }, life, instant)
}

/** Counts the period of an instant if it is enough by now. */
export function judge({ calendar }: Pick<Game, 'calendar'>, life: Life, instant: number): void {
  if (!life.isOn) return
  const period = periodOf(calendar, localDay(life.zone, instant))
  if ((life.length > 0 && period <= life.counted) || !isReached(life, period)) return
  if (life.length === 0) {
    life.started = period
    life.first = instant
    life.runs += 1
    life.run = life.runs
  }
  const most = 2 + Math.floor((instant - life.first + 3 * HOUR) / SPAN[calendar.frequency])
  life.length = Math.min(life.length + 1, Math.max(most, life.length))
  life.settled = period
  life.counted = period
  mark({ calendar }, life, period, { kind: 'counted', length: life.length })
}

/** The place of a period after today moves: as many lived periods before today as before. */
function moved(calendar: Calendar, period: number, from: Life, to: { zone: string; today: number }): number {
  const old = periodOf(calendar, from.today)
  let at = periodOf(calendar, to.today)
  if (period <= old) {
    for (let step = old; step > period; step = previousLived(calendar, from.zone, step)) {
      at = previousLived(calendar, to.zone, at)
    }
    return at
  }
  for (let step = old; step < period; step = nextLived(calendar, from.zone, step)) at = nextLived(calendar, to.zone, at)
  return at
}

/** Keeps its distance to the settled period, in periods of the calendar. */
function along(calendar: Calendar, counted: number, settled: number, target: number): number {
  let at = target
  for (let step = settled; step > counted; step = periodOf(calendar, step - 1)) at = periodOf(calendar, at - 1)
  return at
}

export function changeZone(all: readonly Lived[], zone: string, instant: number): void {
  const pools = new Set(all.map(({ life }) => life.pool))
  for (const { game, life } of all) {
    if (pools.delete(life.pool)) life.pool.nextEarned += localDay(zone, instant) - localDay(life.zone, instant)
    moveLife(game, life, zone, instant)
  }
}

function moveLife({ calendar }: Game, life: Life, zone: string, instant: number): void {
  // If the clocks went back over midnight, it is today again.
  const from = { ...life, today: localDay(life.zone, instant) }
  const to = { zone, today: localDay(zone, instant) }
  const current = periodOf(calendar, from.today)
  const open = [...life.done].filter(([period]) => period >= current)
  life.done = new Map(open.map(([period, changes]) => [moved(calendar, period, from, to), changes]))
  life.own = new Map([...life.own].map(([period, made]) => [moved(calendar, period, from, to), made]))
  if (life.length > 0) {
    const settled = moved(calendar, life.settled, from, to)
    life.counted = along(calendar, life.counted, life.settled, settled)
    life.settled = settled
  }
  // No rule says where the day of a reset is shown then.
  life.isBlurred ||= life.resets.length > 0
  // The walk may have come further, where the clocks then went back.
  life.today = to.today
  life.zone = zone
  life.hasMoved = true
}

/** The first period whose loss can be undone: 90 days back, the week of 1 January, January of last year. */
function firstRestorable({ calendar }: Game, today: number): number {
  if (calendar.frequency === 'daily') return today - 90
  const year = Number(toText(today).slice(0, 4)) - (calendar.frequency === 'monthly' ? 1 : 0)
  return periodOf(calendar, toDay(`${year}-01-01`))
}

/** Support ends a streak at once, whatever its period has. Returns false if there is none. */
export function reset({ calendar }: Game, life: Life, instant: number): boolean {
  const { length, started, counted, first, run } = life
  if (length === 0) return false
  const period = periodOf(calendar, localDay(life.zone, instant))
  life.lost = { missed: period, length, started, counted, first, run, resetAt: instant }
  life.length = 0
  life.resets = [...life.resets, { period, at: instant, isOver: false }]
  close(life)
  return true
}

/** False when there is nothing longer to go back to, or it was lost too long ago. A replay keeps what was accepted. */
export function restore(game: Game, life: Life, instant: number): boolean {
  const { calendar } = game
  if (life.lost === null || life.lost.length <= life.length) return false
  const isInTime = life.lost.missed >= firstRestorable(game, localDay(life.zone, instant))
  // The day may be here again, and be missed now.
  life.today = localDay(life.zone, instant)
  const current = periodOf(calendar, life.today)
  // Later than today where the clocks went back over a midnight.
  const isRunning = life.length > 0
  // If support ended the streak, its current period may have counted.
  if (!isRunning) life.counted = life.lost.counted
  const hasCounted = life.counted >= current
  life.length = life.lost.length
  life.started = life.lost.started
  life.first = life.lost.first
  life.run = life.lost.run
  life.settled = hasCounted ? life.counted : periodOf(calendar, current - 1)
  life.resets = life.resets.filter(({ at }) => at !== life.lost?.resetAt)
  life.lost = null
  if (hasCounted) mark({ calendar }, life, life.counted, { kind: 'counted', length: life.length })
  return isInTime
}

/** Returns false if the pause no longer exists, or is over. */
export function unpause(life: Life, id: string, instant: number): boolean {
  const today = localDay(life.zone, instant)
  const found = life.pauses.find((pause) => pause.id === id)
  if (found === undefined || found.end < today) return false
  const ended = { ...found, end: today - 1 }
  life.pauses = life.pauses.flatMap((pause) => (pause !== found ? [pause] : ended.end < ended.start ? [] : [ended]))
  return true
}
