import type { Change } from './change.ts'
import type { PointsBalance, StreakState, UserState } from './state.ts'

const NO_POINTS: PointsBalance = { total: 0, level: null }

/** The state after a change. */
export function evolve(state: UserState, change: Change): UserState {
  switch (change.type) {
    case 'userCreated':
      return { ...state, created: change.at, updated: change.at }
    case 'profileChanged':
      return { ...state, profile: change.profile, updated: change.at }
    case 'preferencesChanged':
      return { ...state, preferences: change.preferences }
    case 'metricChanged':
      return { ...state, totals: set(state.totals, change.metric, { total: change.total, highest: change.highest }) }
    case 'tallyChanged':
      return { ...state, tallies: set(state.tallies, change.rule, { total: change.total, highest: change.highest }) }
    case 'periodSummed':
    case 'streakStarted':
    case 'streakExtended':
    case 'streakHeld':
    case 'streakLost':
    case 'streakMoved':
      return { ...state, streak: evolveStreak(state.streak, change) }
    case 'achievementCompleted': {
      const completion = { at: change.at, entryId: change.entryId }
      return { ...state, completions: set(state.completions, change.achievement, completion) }
    }
    case 'pointsAwarded': {
      const balance = state.points.get(change.system) ?? NO_POINTS
      return { ...state, points: set(state.points, change.system, { ...balance, total: change.total }) }
    }
    case 'pointsClipped':
      return state
    case 'levelChanged': {
      const balance = state.points.get(change.system) ?? NO_POINTS
      return { ...state, points: set(state.points, change.system, { ...balance, level: change.level }) }
    }
    case 'gameAdopted':
      return { ...state, epoch: change.epoch, streak: change.streak }
    case 'entryAppended':
      return { ...state, seq: Math.max(state.seq, change.seq), at: Math.max(state.at, change.at) }
    default:
      return change satisfies never
  }
}

type StreakChange = Extract<Change, { readonly type: `streak${string}` | 'periodSummed' }>

function evolveStreak(streak: StreakState, change: StreakChange): StreakState {
  switch (change.type) {
    case 'periodSummed':
      return { ...streak, open: change.open }
    case 'streakStarted':
      return {
        ...streak,
        length: 1,
        last: change.period,
        started: change.date,
        firstAt: change.at,
        extendedAt: change.at,
        longest: Math.max(streak.longest, 1),
      }
    case 'streakExtended':
      return {
        ...streak,
        length: change.length,
        last: change.period,
        extendedAt: change.at,
        longest: Math.max(streak.longest, change.length),
      }
    case 'streakHeld':
      return { ...streak, last: change.period }
    case 'streakLost':
      return { ...streak, length: 0, last: null, started: null, firstAt: null, extendedAt: null }
    case 'streakMoved':
      return change.streak
    default:
      return change satisfies never
  }
}

function set<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map(map).set(key, value)
}
