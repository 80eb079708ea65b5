import type { Day, Period } from './calendar.ts'
import type { Change } from './change.ts'
import { compareCodePoints } from './position.ts'
import {
  hasStreak,
  type NamedStreak,
  NO_STREAK,
  type PointsBalance,
  type Preferences,
  type StreakState,
  type UserState,
} from './state.ts'
import { type StreakName, streakOf } from './streak-names.ts'

const NO_POINTS: PointsBalance = { total: 0, level: null }
const NO_NAMED_STREAK: NamedStreak = { streak: NO_STREAK, freezes: null }

/** A state that changes are made to. It has the maps of the state `before`, each until a change copies it. */
export interface Draft {
  before: UserState
  readonly state: { -readonly [Name in keyof UserState]: UserState[Name] }
}

export function draftOf(state: UserState): Draft {
  return { before: state, state: { ...state } }
}

export function evolve(state: UserState, change: Change): UserState {
  return evolveAll(state, [change])
}

/** The state after several changes. It copies each map that they change once, however many they are. */
export function evolveAll(state: UserState, changes: readonly Change[]): UserState {
  if (changes.length === 0) return state
  const draft = draftOf(state)
  for (const change of changes) applyTo(draft, change)
  const { streaks } = draft.state
  if (streaks.size !== draft.before.streaks.size) draft.state.streaks = inOrderOfKeys(streaks)
  return draft.state
}

/** The streaks in order of key, so that a replay with entries in another order gives an equal state. */
function inOrderOfKeys(streaks: UserState['streaks']): UserState['streaks'] {
  return new Map([...streaks].sort(([left], [right]) => compareCodePoints(left, right)))
}

export function applyTo(draft: Draft, change: Change): void {
  const { before, state } = draft
  switch (change.type) {
    case 'userCreated':
      state.created = change.at
      state.updated = change.at
      break
    case 'profileChanged':
      state.profile = change.profile
      state.updated = change.at
      break
    case 'preferencesChanged':
      changePreferences(state, change.preferences)
      break
    case 'metricChanged': {
      const { metric, total, highest } = change
      state.totals = ownOf(state.totals, before.totals).set(metric, { total, highest })
      break
    }
    case 'tallyChanged': {
      const { rule, total, highest } = change
      state.tallies = ownOf(state.tallies, before.tallies).set(rule, { total, highest })
      break
    }
    case 'dateSummed':
      state.dateSums = ownOf(state.dateSums, before.dateSums).set(change.key, change.sums)
      break
    case 'streakStarted':
    case 'streakExtended':
    case 'streakHeld':
    case 'streakPaused':
      changeStreak(draft, change.key, { streak: evolveStreak(streakOf(state, change.key), change) })
      state.resets = runAgain(state.resets, change)
      break
    case 'periodSummed':
    case 'streakLost':
    case 'streakRestored':
      changeStreak(draft, change.key, { streak: evolveStreak(streakOf(state, change.key), change) })
      break
    case 'streakReset':
      changeStreak(draft, change.key, { streak: evolveStreak(streakOf(state, change.key), change) })
      state.resets = change.resets
      break
    case 'streakFrozen': {
      const streak = evolveStreak(streakOf(state, change.key), change)
      const { freezes } = change
      changeStreak(draft, change.key, change.isShared === true ? { streak } : { streak, freezes })
      if (change.isShared === true) state.freezes = freezes
      state.resets = runAgain(state.resets, change)
      break
    }
    case 'streakMoved':
      changeStreak(draft, change.key, { streak: change.streak, freezes: change.freezes })
      break
    case 'freezesEarned':
    case 'freezesGranted':
      changeStreak(draft, change.key, { freezes: change.freezes })
      break
    case 'achievementCompleted': {
      const { achievement, at, entryId, count = (state.completions.get(achievement)?.count ?? 0) + 1 } = change
      state.completions = ownOf(state.completions, before.completions).set(achievement, { at, entryId, count })
      break
    }
    case 'redemptionFulfilled':
      break
    case 'rewardRedeemed':
    case 'redemptionCancelled': {
      const { reward } = change.redemption
      const count = (state.redeemed.get(reward) ?? 0) + (change.type === 'rewardRedeemed' ? 1 : -1)
      const redeemed = ownOf(state.redeemed, before.redeemed)
      if (count > 0) redeemed.set(reward, count)
      else redeemed.delete(reward)
      state.redeemed = redeemed
      break
    }
    case 'achievementRevoked': {
      const completions = ownOf(state.completions, before.completions)
      completions.delete(change.achievement)
      state.completions = completions
      break
    }
    case 'pointsAwarded':
    case 'levelChanged': {
      const { total, level } = { ...NO_POINTS, ...state.points.get(change.system), ...change }
      state.points = ownOf(state.points, before.points).set(change.system, { total, level })
      break
    }
    case 'pointsClipped':
    case 'challengeStarted':
    case 'challengeCompleted':
    case 'challengeClaimed':
    case 'challengeLapsed':
    case 'challengeAbandoned':
    case 'pointsMoved':
      break
    case 'challengeChanged':
      state.challenges = ownOf(state.challenges, before.challenges).set(change.challenge, change.state)
      break
    case 'walletChanged':
      state.wallets = ownOf(state.wallets, before.wallets).set(change.system, change.wallet)
      break
    case 'capUsed':
      state.caps = ownOf(state.caps, before.caps).set(change.cap, change.sums)
      break
    case 'cooldownStarted':
      state.cooldowns = ownOf(state.cooldowns, before.cooldowns).set(change.trigger, change.at)
      break
    case 'leaderboardScored':
    case 'leaderboardLeft':
      state.leaderboards = changeLeaderboards(draft, change)
      break
    case 'gameAdopted':
    case 'earlierDaysChanged':
    case 'pausesChanged':
    case 'timersChanged':
    case 'boostsChanged':
    case 'resetsChanged':
    case 'activityChanged':
    case 'suspensionChanged': {
      const { type: _, ...changed } = change
      Object.assign(state, changed)
      // The maps of the change are the change's own: later changes copy them.
      draft.before = { ...state }
      break
    }
    case 'userMerged':
      state.mergedInto = change.into
      break
    case 'entryAppended':
      state.seq = Math.max(state.seq, change.seq)
      state.at = Math.max(state.at, change.at)
      break
    default:
      change satisfies never
  }
}

/** A map that may be changed: the copy that the draft has made of the one `before`, or a new copy. */
function ownOf<V>(map: ReadonlyMap<string, V>, before: ReadonlyMap<string, V>): Map<string, V> {
  return map !== before && map instanceof Map ? map : new Map(map)
}

function changeStreak({ before, state }: Draft, key: StreakName, patch: Partial<NamedStreak>): void {
  const known = key == null ? state : (state.streaks.get(key) ?? NO_NAMED_STREAK)
  const { streak = known.streak, freezes = known.freezes } = patch
  if (key == null) {
    state.streak = streak
    state.freezes = freezes
  } else state.streaks = ownOf(state.streaks, before.streaks).set(key, { streak, freezes })
}

/** A reset does not empty a period in which the streak ran again. */
function runAgain(
  resets: UserState['resets'],
  { key = '', date }: { readonly key?: string | undefined; readonly date: Day },
): UserState['resets'] {
  const own = resets.get(key)
  if (own?.some((reset) => reset.date === date && reset.ranAgain !== true) !== true) return resets
  const known = own.map((reset) => (reset.date === date ? { ...reset, ranAgain: true as const } : reset))
  return new Map(resets).set(key, known)
}

/** Switching streaks off ends them for good: switched on again they begin at 0. Their longest lengths stay. */
function changePreferences(state: Draft['state'], preferences: Preferences): void {
  state.preferences = preferences
  if (hasStreak(preferences)) return
  const over = ({ longest }: StreakState): StreakState => ({ ...NO_STREAK, longest })
  state.streak = over(state.streak)
  state.streaks = new Map([...state.streaks].map(([key, named]) => [key, { ...named, streak: over(named.streak) }]))
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
    case 'streakReset':
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

function changeLeaderboards({ before, state }: Draft, change: LeaderboardChange): UserState['leaderboards'] {
  const leaderboards = ownOf(state.leaderboards, before.leaderboards)
  const known = leaderboards.get(change.leaderboard) ?? []
  const { run } = change.type === 'leaderboardScored' ? change.entry : change.previous
  const others = known.filter((entry) => entry.run !== run)
  if (change.type === 'leaderboardScored') {
    // The id of a run begins with its first date.
    const entries = [...others, change.entry].sort((left, right) => (left.run < right.run ? -1 : 1))
    return leaderboards.set(change.leaderboard, entries.slice(-KEPT_RUNS))
  }
  if (others.length > 0) return leaderboards.set(change.leaderboard, others)
  leaderboards.delete(change.leaderboard)
  return leaderboards
}
