import type { Day } from './calendar.ts'
import { keepCaps } from './cap.ts'
import type { Change } from './change.ts'
import { adoptFreezes } from './freezes.ts'
import { aggregationOf, countedAttribute, countsEvents, type Game, type StreakRule } from './game.ts'
import { isRunOf } from './leaderboard.ts'
import { keepDateSums } from './limit.ts'
import { pushLevel } from './points.ts'
import { compareCodePoints } from './position.ts'
import { type LeaderboardEntry, type NamedStreak, NO_STREAK, type UserState } from './state.ts'
import { keepEarlierDays, withEarlierDays } from './streak-days.ts'
import { ownFreezesOf, ruleOf, type StreakName, streakOf } from './streak-names.ts'
import { adoptTimers, type LocalInstant } from './time-points.ts'
import { adoptWallets } from './wallet-changes.ts'

/** `daysUntil`: the last date on which the old game says which days of a streak count. */
export interface AdoptedAt extends LocalInstant {
  readonly daysUntil: Day
}

/**
 * The first changes under a newer game. Running totals stay, so a new trigger does not pay for the past. New tallies,
 * limits, caps and time triggers count from now on.
 */
export function adopt(
  oldGame: Game,
  newGame: Game,
  state: UserState,
  epoch: number,
  now: AdoptedAt,
): readonly Change[] {
  const { streak, freezes } = adoptStreak(oldGame, newGame, state, null, now.today)
  const streaks = adoptNamed(oldGame, newGame, state, now.today)
  const earlierDays = adoptEarlierDays(oldGame, newGame, state, now)
  const leaderboards = keepLeaderboards(newGame, state.leaderboards)
  const dateSums = keepDateSums(newGame, state.dateSums)
  const timers = adoptTimers(oldGame, newGame, state.timers, now)
  const kept = {
    streak,
    freezes,
    streaks,
    earlierDays,
    leaderboards,
    dateSums,
    timers,
    ...keepCaps(oldGame, newGame, state),
  }
  const changes: Change[] = [{ type: 'gameAdopted', epoch, ...kept, ...keepTotals(oldGame, newGame, state) }]
  for (const system of newGame.points.values()) {
    const balance = state.points.get(system.key)
    pushLevel(changes, system, balance?.level ?? null, balance?.total ?? 0)
  }
  changes.push(...adoptWallets(newGame, state, now))
  return changes
}

type Totals = Pick<UserState, 'totals' | 'tallies'>

/** Totals of different aggregations cannot be compared, so a metric whose aggregation changed begins again. */
function keepTotals(oldGame: Game, newGame: Game, { totals, tallies }: Totals): Totals {
  const isOther = (metric: string): boolean =>
    aggregationOf(oldGame, metric) !== aggregationOf(newGame, metric) ||
    countedAttribute(oldGame, metric) !== countedAttribute(newGame, metric)
  const others = new Set([...totals.keys()].filter(isOther))
  if (others.size === 0) return { totals, tallies }
  const tallied = [...newGame.byMetric].flatMap(([metric, index]) => (others.has(metric) ? index.tallied : []))
  const rules = new Set(tallied.filter((rule) => !countsEvents(rule)).map(({ tally }) => tally))
  return {
    totals: new Map([...totals].filter(([metric]) => !others.has(metric))),
    tallies: new Map([...tallies].filter(([rule]) => !rules.has(rule))),
  }
}

/** Periods of another kind cannot be compared: the streak starts again, its longest is kept. */
function adoptStreak(oldGame: Game, newGame: Game, state: UserState, key: StreakName, today: Day): NamedStreak {
  const rule = ruleOf(newGame, key)
  const streak = streakOf(state, key)
  const known = isSameKind(oldGame, newGame, key) ? streak : { ...streak, open: [] }
  return {
    streak: isSameCalendar(oldGame, newGame, key) ? known : { ...NO_STREAK, longest: streak.longest },
    freezes: adoptFreezes(ownRuleOf(rule), ownFreezesOf(state, key), today),
  }
}

function isSameCalendar(oldGame: Game, newGame: Game, key: StreakName): boolean {
  const frequency = ruleOf(newGame, key)?.frequency
  const isSameWeek = frequency !== 'weekly' || oldGame.weekStartsOn === newGame.weekStartsOn
  return ruleOf(oldGame, key)?.frequency === frequency && isSameWeek
}

/** Sums of weeks and of dates cannot be compared. */
function isSameKind(oldGame: Game, newGame: Game, key: StreakName): boolean {
  const hasDates = (rule: StreakRule | null): boolean => rule !== null && rule.days !== null
  return hasDates(ruleOf(oldGame, key)) === hasDates(ruleOf(newGame, key))
}

/** The old game's days hold until `daysUntil`, so that nothing done before is judged by other days. */
function adoptEarlierDays(
  oldGame: Game,
  newGame: Game,
  { earlierDays, preferences }: UserState,
  { today, daysUntil: until }: AdoptedAt,
): UserState['earlierDays'] {
  let adopted: UserState['earlierDays'] = new Map()
  for (const rule of newGame.streakRules) {
    const { key } = rule
    const old = ruleOf(oldGame, key)
    if (old === null || !isSameCalendar(oldGame, newGame, key) || !isSameKind(oldGame, newGame, key)) continue
    const known = earlierDays.get(key ?? '') ?? []
    const had = { rule: old, preferences }
    adopted = withEarlierDays(adopted, key, keepEarlierDays(known, had, { rule, preferences }, { today, until }))
  }
  return adopted
}

function ownRuleOf(rule: StreakRule | null): StreakRule['freezes'] {
  return rule === null || rule.sharesFreezes ? null : rule.freezes
}

/** A named streak that the new game lacks keeps its longest length and its freezes: it may come back. */
function adoptNamed(oldGame: Game, newGame: Game, state: UserState, today: Day): UserState['streaks'] {
  const keys = new Set([...newGame.streaks.keys(), ...state.streaks.keys()])
  if (keys.size === 0) return state.streaks
  const adopted = new Map<string, NamedStreak>()
  for (const key of [...keys].sort(compareCodePoints)) {
    const named = adoptStreak(oldGame, newGame, state, key, today)
    const { longest, open } = named.streak
    if (longest > 0 || open.length > 0 || named.freezes !== null) adopted.set(key, named)
  }
  return adopted
}

/** The entries of runs that the new game still has. A leaderboard that it lacks may come back, so its entries stay. */
function keepLeaderboards(newGame: Game, leaderboards: UserState['leaderboards']): UserState['leaderboards'] {
  const kept = new Map<string, readonly LeaderboardEntry[]>()
  for (const [key, entries] of leaderboards) {
    const leaderboard = newGame.leaderboards.get(key)
    const own = entries.filter(({ run }) => leaderboard === undefined || isRunOf(leaderboard, run))
    if (own.length > 0) kept.set(key, own)
  }
  return kept
}
