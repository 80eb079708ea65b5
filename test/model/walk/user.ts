// A user's calls: those in order go on from where the life is, a late one has all of them lived again.

import { lastDay, localDay, nextLived, periodOf, previousLived, toText } from './days.ts'
import type { Game, Life, Rule } from './life.ts'
import { act, beginLife, changeZone, copyOf, isPaused, restore, turn, unpause, walk } from './life.ts'

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
  | { readonly do: 'grant' }
  /** In local days from today. */
  | { readonly do: 'pause'; readonly from: number; readonly days: number }
  /** The pause that was made so many pauses ago. */
  | { readonly do: 'unpause'; readonly ago: number }
  | { readonly do: 'restore' }

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
  readonly game: Game
  readonly log: Placed[]
  life: Life | null
}

/** Whether it was accepted. */
export function call(user: User, placed: Placed): boolean {
  const newest = user.log.at(-1)?.at ?? Number.NEGATIVE_INFINITY
  if (placed.at < newest) {
    const later = user.log.findIndex(({ at }) => at > placed.at)
    user.log.splice(later, 0, placed)
    user.life = null
    for (const each of user.log) user.life = live(user.game, user.life, each)?.life ?? user.life
    return true
  }
  const before = user.life === null ? null : copyOf(user.life)
  const lived = live(user.game, user.life, placed)
  if (lived?.accepted !== true) {
    user.life = before
    return false
  }
  user.log.push(placed)
  user.life = lived.life
  return true
}

function live(game: Game, known: Life | null, { at, entry }: Placed): { life: Life; accepted: boolean } | null {
  const tz = 'tz' in entry ? entry.tz : undefined
  if (known === null && entry.do !== 'event' && entry.do !== 'move') return null
  const life = known ?? beginLife(game, tz ?? 'UTC', at)
  walk(game, life, at)
  if (tz !== undefined && tz !== life.zone) changeZone(game, life, tz, at)
  return { life, accepted: enter(game, life, at, entry) }
}

function enter(game: Game, life: Life, at: number, entry: Entry): boolean {
  switch (entry.do) {
    case 'event':
      act(game, life, at, entry.metric, entry.value)
      return true
    case 'move':
      return true
    case 'prefer':
      life.rule = entry.rule
      return true
    case 'turn':
      turn(life, entry.isOn)
      return true
    case 'grant': {
      const room = game.freezes !== null && life.freezes < game.freezes.max
      if (room) life.freezes += 1
      return room
    }
    case 'pause': {
      const { id, start, end } = entry
      // Folded again after a late event, what was accepted stays.
      life.pauses = [...life.pauses, { id, start, end }]
      return start >= localDay(life.zone, at) && end >= start && end - start < 366
    }
    case 'unpause':
      return unpause(life, entry.id, at)
    case 'restore':
      return restore(game, life, at)
  }
}

/** The first date from which the history is to be as the model says. */
export function isClearSince({ game, life: known, log }: User, now: number): string {
  if (known === null) return ''
  const life = copyOf(known)
  walk(game, life, Math.max(now, log.at(-1)?.at ?? now))
  if (!life.isBlurred) return ''
  const [first] = [...life.own.keys()].sort((a, b) => a - b)
  return first === undefined ? '9999-12-31' : toText(first)
}

/** The streak as it reads at an instant, with the last periods. */
export function read({ game, life: known, log }: User, now: number, periods: number) {
  if (known === null) return null
  const at = Math.max(now, log.at(-1)?.at ?? now)
  const { calendar, freezes } = game
  const life = copyOf(known)
  walk(game, life, at)
  const today = localDay(life.zone, at)
  const current = periodOf(calendar, today)
  let expires = nextLived(calendar, life.zone, life.settled)
  while (life.length > 0 && isPaused(life, calendar, expires)) expires = nextLived(calendar, life.zone, expires)
  const history: object[] = []
  // A day that nobody could live is not shown.
  for (let period = current; history.length < periods; period = previousLived(calendar, life.zone, period)) {
    const mark = life.own.get(period) ?? life.marks.get(period)
    history.unshift({
      periodStart: toText(period),
      periodEnd: toText(lastDay(calendar, period)),
      length: mark?.length ?? (period === current ? life.length : 0),
      ...(freezes === null ? {} : { usedFreeze: mark?.kind === 'frozen' }),
      usedPause: mark?.kind === 'paused',
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
    ...(freezes === null ? {} : { freezes: life.freezes, maxFreezes: freezes.max }),
    ...(freezes === null || freezes.interval === null
      ? {}
      : { freezeAutoEarnInterval: freezes.interval, freezeAutoEarnAmount: freezes.amount }),
    pauses: life.pauses
      .filter(({ end }) => end >= today)
      .map(({ id, start, end }) => ({ id, start: toText(start), end: toText(end) })),
    history,
  }
}
