import type { Period } from './calendar.ts'
import type { Change } from './change.ts'
import {
  hasStreak,
  NO_STREAK,
  type PointsBalance,
  type Preferences,
  type StreakState,
  type UserState,
} from './state.ts'
import { streakOf, withStreak } from './streak.ts'

const NO_POINTS: PointsBalance = { total: 0, level: null }

export function evolve(state: UserState, change: Change): UserState {
  switch (change.type) {
    case 'userCreated':
      return { ...state, created: change.at, updated: change.at }
    case 'profileChanged':
      return { ...state, profile: change.profile, updated: change.at }
    case 'preferencesChanged':
      return evolvePreferences(state, change.preferences)
    case 'metricChanged':
      return { ...state, totals: set(state.totals, change.metric, { total: change.total, highest: change.highest }) }
    case 'tallyChanged':
      return { ...state, tallies: set(state.tallies, change.rule, { total: change.total, highest: change.highest }) }
    case 'dateSummed':
      return { ...state, dateSums: set(state.dateSums, change.key, change.sums) }
    case 'periodSummed':
    case 'streakStarted':
    case 'streakExtended':
    case 'streakHeld':
    case 'streakPaused':
    case 'streakLost':
    case 'streakRestored':
      return withStreak(state, change.key, { streak: evolveStreak(streakOf(state, change.key), change) })
    case 'streakFrozen': {
      const streak = evolveStreak(streakOf(state, change.key), change)
      if (change.isShared !== true) return withStreak(state, change.key, { streak, freezes: change.freezes })
      return { ...withStreak(state, change.key, { streak }), freezes: change.freezes }
    }
    case 'streakMoved':
      return withStreak(state, change.key, { streak: change.streak, freezes: change.freezes })
    case 'freezesEarned':
    case 'freezesGranted':
      return withStreak(state, change.key, { freezes: change.freezes })
    case 'achievementCompleted': {
      const { achievement, at, entryId, count = (state.completions.get(achievement)?.count ?? 0) + 1 } = change
      return { ...state, completions: set(state.completions, achievement, { at, entryId, count }) }
    }
    case 'achievementRevoked': {
      const completions = new Map(state.completions)
      completions.delete(change.achievement)
      return { ...state, completions }
    }
    case 'pointsAwarded':
    case 'levelChanged': {
      const { total, level } = { ...NO_POINTS, ...state.points.get(change.system), ...change }
      return { ...state, points: set(state.points, change.system, { total, level }) }
    }
    case 'pointsClipped':
      return state
    case 'capUsed':
      return { ...state, caps: set(state.caps, change.cap, change.sums) }
    case 'cooldownStarted':
      return { ...state, cooldowns: set(state.cooldowns, change.trigger, change.at) }
    case 'leaderboardScored':
    case 'leaderboardLeft':
      return { ...state, leaderboards: evolveLeaderboards(state.leaderboards, change) }
    case 'gameAdopted':
    case 'pausesChanged':
    case 'timersChanged':
    case 'boostsChanged':
    case 'activityChanged':
    case 'suspensionChanged': {
      const { type: _, ...changed } = change
      return { ...state, ...changed }
    }
    case 'userMerged':
      return { ...state, mergedInto: change.into }
    case 'entryAppended':
      return { ...state, seq: Math.max(state.seq, change.seq), at: Math.max(state.at, change.at) }
    default:
      return change satisfies never
  }
}

/** Switching streaks off ends them for good: switched on again they begin at 0. Their longest lengths stay. */
function evolvePreferences(state: UserState, preferences: Preferences): UserState {
  if (hasStreak(preferences)) return { ...state, preferences }
  const over = ({ longest }: StreakState): StreakState => ({ ...NO_STREAK, longest })
  const streaks = new Map([...state.streaks].map(([key, named]) => [key, { ...named, streak: over(named.streak) }]))
  return { ...state, preferences, streak: over(state.streak), streaks }
}

type StreakChange = Extract<Change, { readonly type: `streak${string}` | 'periodSummed' }>

function evolveStreak(streak: StreakState, change: StreakChange): StreakState {
  switch (change.type) {
    case 'periodSummed':
      return { ...streak, open: change.open }
    case 'streakStarted': {
      const { length, date: started, at: firstAt, period } = change
      const longest = Math.max(streak.longest, length)
      return { ...streak, length, last: period, kept: period, started, firstAt, extendedAt: firstAt, longest }
    }
    case 'streakExtended': {
      const { length, at: extendedAt } = change
      return { ...hold(streak, change.period), length, extendedAt, longest: Math.max(streak.longest, length) }
    }
    case 'streakHeld':
      return hold(streak, change.period)
    case 'streakFrozen':
    case 'streakPaused':
      return { ...streak, kept: change.period }
    case 'streakLost':
      return { ...NO_STREAK, longest: streak.longest, open: streak.open, lost: change.lost }
    case 'streakRestored':
    case 'streakMoved':
      return change.streak
    default:
      return change satisfies never
  }
}

function hold(streak: StreakState, period: Period): StreakState {
  return { ...streak, last: period, kept: Math.max(streak.kept ?? period, period) }
}

type LeaderboardChange = Extract<Change, { readonly type: `leaderboard${string}` }>

/** Local dates may go back, by zone changes, but at one instant no more than three of them are in use. */
const KEPT_RUNS = 3

function evolveLeaderboards(
  leaderboards: UserState['leaderboards'],
  change: LeaderboardChange,
): UserState['leaderboards'] {
  const known = leaderboards.get(change.leaderboard) ?? []
  const { run } = change.type === 'leaderboardScored' ? change.entry : change.previous
  const others = known.filter((entry) => entry.run !== run)
  if (change.type === 'leaderboardScored') {
    // The id of a run begins with its first date.
    const entries = [...others, change.entry].sort((left, right) => (left.run < right.run ? -1 : 1))
    return set(leaderboards, change.leaderboard, entries.slice(-KEPT_RUNS))
  }
  const rest = new Map(leaderboards)
  if (others.length === 0) rest.delete(change.leaderboard)
  else rest.set(change.leaderboard, others)
  return rest
}

function set<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map(map).set(key, value)
}
