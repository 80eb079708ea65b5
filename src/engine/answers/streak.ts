import {
  type Day,
  firstDayOf,
  type Instant,
  lastDayOf,
  localDate,
  type Period,
  periodOf,
  toDateText,
} from '../../rules/calendar.ts'
import type { Game } from '../../rules/game.ts'
import { zoneOf } from '../../rules/profile.ts'
import { settled } from '../../rules/settle.ts'
import type { UserState } from '../../rules/state.ts'
import { viewStreak } from '../../rules/streak.ts'
import type { StreakPeriod } from '../../storage.ts'
import type { CurrentStreak, Streak, StreakHistoryItem } from '../wire.ts'

function toText(day: Day | null): string | null {
  return day === null ? null : toDateText(day)
}

/** The streak as it reads at an instant (specification 2.4); an expired one has length 0 without anything written. */
export function toStreak(game: Game, state: UserState, at: Instant): Streak {
  const view = viewStreak(game, settled(game, state, at), localDate(zoneOf(state.profile), at))
  return {
    length: view.length,
    frequency: view.frequency,
    started: toText(view.started),
    periodStart: toText(view.periodStart),
    periodEnd: toText(view.periodEnd),
    expires: toText(view.expires),
  }
}

/** With whether the operation that led from `before` to `after` made it longer. */
export function toCurrentStreak(game: Game, before: UserState | null, after: UserState, at: Instant): CurrentStreak {
  const { length, frequency, started, periodStart, periodEnd, expires } = toStreak(game, after, at)
  const previous = before === null ? 0 : settled(game, before, at).streak.length
  return { length, frequency, started, periodStart, periodEnd, expires, extended: length > previous }
}

/** The last `count` periods up to the current one, oldest first. */
export function toStreakHistory(
  game: Game,
  state: UserState,
  at: Instant,
  counted: readonly StreakPeriod[],
  count: number,
): readonly StreakHistoryItem[] {
  if (game.streak === null) return []
  const { frequency } = game.streak
  const { weekStartsOn } = game
  const lengths = new Map(counted.map(({ start, length }) => [periodOf(frequency, weekStartsOn, start), length]))
  const current = periodOf(frequency, weekStartsOn, localDate(zoneOf(state.profile), at))
  const live = settled(game, state, at).streak.length
  const toItem = (period: Period): StreakHistoryItem => ({
    periodStart: toDateText(firstDayOf(frequency, weekStartsOn, period)),
    periodEnd: toDateText(lastDayOf(frequency, weekStartsOn, period)),
    length: lengths.get(period) ?? (period === current ? live : 0),
  })
  return Array.from({ length: count }, (_, index) => toItem(current - count + 1 + index))
}
