// A user's calls: those in order continue from where the life is, a late one has all of them lived again.

import { lastDay, localDay, nextLived, periodOf, previousLived, toText } from './days.ts'
import type { Games } from './histories.ts'
import type { Lived, Pool, Rule } from './life.ts'
import { act, beginLife, changeZone, copyOf, isPaused, judge, reset, restore, turn, unpause, walk } from './life.ts'

export type Act =
  | {
      readonly do: 'event'
      readonly metric: string
      readonly value: number
      readonly tz?: string
      readonly back?: number
    }
  | { readonly do: 'move'; readonly tz: string }
  | { readonly do: 'prefer'; readonly rule: Rule }
  | { readonly do: 'turn'; readonly isOn: boolean }
  | (OfOne & { readonly do: 'grant' })
  /** In local days from today. */
  | { readonly do: 'pause'; readonly from: number; readonly days: number }
  /** The pause that was made so many pauses ago. */
  | { readonly do: 'unpause'; readonly ago: number }
  | (OfOne & { readonly do: 'restore' | 'reset' })

/** Absent for the game's `streak`. */
interface OfOne {
  readonly isOfGym?: boolean
}

/** With what depends on the moment of the call worked out. */
type Entry =
  | Exclude<Act, { do: 'pause' | 'unpause' }>
  | { readonly do: 'pause'; readonly id: string; readonly start: number; readonly end: number }
  | { readonly do: 'unpause'; readonly id: string }

export interface Placed {
  readonly at: number
  readonly entry: Entry
}

export interface User {
  readonly games: Games
  readonly log: Placed[]
  /** That of the game's `streak`, then that of the second one. */
  lives: Lives | null
}

type Lives = readonly [Lived, ...Lived[]]

/** Returns true if the call was accepted. */
export function call(user: User, placed: Placed): boolean {
  const newest = user.log.at(-1)?.at ?? Number.NEGATIVE_INFINITY
  if (placed.at < newest) {
    const later = user.log.findIndex(({ at }) => at > placed.at)
    user.log.splice(later, 0, placed)
    user.lives = null
    for (const each of user.log) user.lives = live(user.games, user.lives, each)?.lives ?? user.lives
    return true
  }
  const before = user.lives === null ? null : copiesOf(user.lives)
  const lived = live(user.games, user.lives, placed)
  if (lived?.accepted !== true) {
    user.lives = before
    return false
  }
  user.log.push(placed)
  user.lives = lived.lives
  return true
}

function beginLives({ game, gym }: Games, zone: string, at: number): Lives {
  const own = { game, life: beginLife(game, zone, at) }
  if (gym === null) return [own]
  return [own, { game: gym.game, life: beginLife(gym.game, zone, at, gym.isShared ? own.life.pool : undefined) }]
}

function copiesOf([own, ...others]: Lives): Lives {
  const pools = new Map<Pool, Pool>()
  const copied = ({ game, life }: Lived): Lived => {
    const pool = pools.get(life.pool) ?? { ...life.pool }
    pools.set(life.pool, pool)
    return { game, life: copyOf(life, pool) }
  }
  return [copied(own), ...others.map(copied)]
}

function live(games: Games, known: Lives | null, { at, entry }: Placed): { lives: Lives; accepted: boolean } | null {
  const tz = 'tz' in entry ? entry.tz : undefined
  if (known === null && entry.do !== 'event' && entry.do !== 'move') return null
  const lives = known ?? beginLives(games, tz ?? 'UTC', at)
  walk(lives, at)
  if (tz !== undefined && tz !== lives[0].life.zone) changeZone(lives, tz, at)
  return { lives, accepted: enter(games, lives, at, entry) }
}

function enter({ gym }: Games, lives: Lives, at: number, entry: Entry): boolean {
  const [own] = lives
  const meant = ('isOfGym' in entry && entry.isOfGym === true ? lives[1] : undefined) ?? own
  switch (entry.do) {
    case 'event':
      for (const { game, life } of lives) act(game, life, at, entry.metric, entry.value)
      return true
    case 'move':
      return true
    case 'prefer':
      own.life.rule = entry.rule
      judge(own.game, own.life, at)
      return true
    case 'turn':
      for (const { life } of lives) turn(life, entry.isOn)
      return true
    case 'grant': {
      const { game, life } = meant
      const isOthers = meant !== own && gym?.isShared === true
      const room = !isOthers && game.freezes !== null && life.pool.left < game.freezes.max
      if (room) life.pool.left += 1
      return room
    }
    case 'pause': {
      const { id, start, end } = entry
      // Folded again after a late event, what was accepted stays.
      for (const { life } of lives) life.pauses = [...life.pauses, { id, start, end }]
      return start >= localDay(own.life.zone, at) && end >= start && end - start < 366
    }
    case 'unpause':
      return lives.map(({ life }) => unpause(life, entry.id, at)).every((is) => is)
    case 'restore':
      return restore(meant.game, meant.life, at)
    case 'reset':
      return reset(meant.game, meant.life, at)
  }
}

/** The values at an instant that only a read has come to. */
function livesAt({ lives, log }: User, now: number): { lives: readonly Lived[]; at: number } {
  const at = Math.max(now, log.at(-1)?.at ?? now)
  if (lives === null) return { lives: [], at }
  const copies = copiesOf(lives)
  walk(copies, at)
  return { lives: copies, at }
}

/** The first date from which the model knows the history. */
export function isClearSince(user: User, now: number): string {
  const { lives } = livesAt(user, now)
  const dates = lives.map(({ life }) => {
    if (!life.isBlurred) return ''
    const [first] = [...life.own.keys()].sort((a, b) => a - b)
    return first === undefined ? '9999-12-31' : toText(first)
  })
  return dates.sort().at(-1) ?? ''
}

/** Both streaks as they read at an instant, with the last periods. */
export function read(user: User, now: number, periods: number) {
  const { lives, at } = livesAt(user, now)
  const [own, gym] = lives.map((lived) => readOne(lived, at, periods))
  if (own === undefined) return null
  return gym === undefined ? own : { ...own, gym }
}

function readOne({ game, life }: Lived, at: number, periods: number) {
  const { calendar, freezes } = game
  const today = localDay(life.zone, at)
  const current = periodOf(calendar, today)
  let expires = nextLived(calendar, life.zone, life.settled)
  while (life.length > 0 && isPaused(life, calendar, expires)) expires = nextLived(calendar, life.zone, expires)
  const history: object[] = []
  // A day that the zone skips is not shown.
  for (let period = current; history.length < periods; period = previousLived(calendar, life.zone, period)) {
    const ended = life.resets.findLast((reset) => reset.period === period)
    const mark = life.own.get(period) ?? life.marks.get(period)
    const length = ended?.isOver === false ? undefined : mark?.length
    history.unshift({
      periodStart: toText(period),
      periodEnd: toText(lastDay(calendar, period)),
      length: length ?? (period === current ? life.length : 0),
      ...(freezes === null ? {} : { usedFreeze: mark?.kind === 'frozen' }),
      usedPause: mark?.kind === 'paused',
      ...(ended === undefined ? {} : { resetAt: new Date(ended.at).toISOString() }),
    })
  }
  const hasOne = life.length > 0
  let earliest = life.counted
  for (let before = life.length - 1; before > 0; before -= 1) earliest = previousLived(calendar, life.zone, earliest)
  return {
    length: life.length,
    frequency: calendar.frequency,
    started: hasOne ? toText(Math.min(life.started, earliest)) : null,
    periodStart: hasOne ? toText(current) : null,
    periodEnd: hasOne ? toText(lastDay(calendar, current)) : null,
    expires: hasOne ? toText(lastDay(calendar, expires)) : null,
    ...(freezes === null ? {} : { freezes: life.pool.left, maxFreezes: freezes.max }),
    ...(freezes === null || freezes.interval === null
      ? {}
      : { freezeAutoEarnInterval: freezes.interval, freezeAutoEarnAmount: freezes.amount }),
    pauses: life.pauses
      .filter(({ end }) => end >= today)
      .map(({ id, start, end }) => ({ id, start: toText(start), end: toText(end) })),
    history,
  }
}
