import type { Day, Instant, Period, Weekday } from './calendar.ts'
import type { Channel, NotificationType, PersonalStreak, ProfilePatch, SuspendedFrom } from './entry.ts'
import type { Boost, LeaderboardChoice } from './game.ts'
import type { Wallet } from './wallet.ts'

export interface Profile {
  readonly email: string | null
  readonly name: string | null
  readonly tz: string | null
  /** `null` if it was never set. The subscription then depends on whether an email is known. */
  readonly subscribedToEmails: boolean | null
  readonly deviceTokens: readonly string[] | null
  /** When the user signed up with the host, or `null` if it is not known. */
  readonly signUpDate: Day | null
  readonly attributes: ReadonlyMap<string, string>
}

export interface Preferences {
  readonly notifications: ReadonlyMap<NotificationType, readonly Channel[]>
  readonly streak: PersonalStreak | null
  /** `null` if the user has not chosen: the game's default applies. */
  readonly leaderboards: LeaderboardChoice | null
  readonly gamification: 'on' | 'off'
}

export function hasStreak({ streak }: Preferences): boolean {
  return streak?.enabled !== false
}

/** A running total and its mark: the highest it has been, at least 0. */
export interface RunningTotal {
  readonly total: number
  readonly highest: number
}

export interface Completion {
  readonly at: Instant
  /** The entry that completed it. */
  readonly entryId: string
  /** How often it has been completed: 1 unless it repeats. */
  readonly count: number
}

export interface PointsBalance {
  readonly total: number
  /** Key of the level, null below every level. */
  readonly level: string | null
}

export interface PeriodSums {
  readonly period: Period
  readonly sums: ReadonlyMap<string, number>
  /** If `period` is a date of a week that is judged by its dates: the week, and the instant of the newest event. */
  readonly within?: { readonly week: Period; readonly newest: Instant }
}

/** The days of a streak that held until a date, before a newer game or the user's own choice changed them. */
export interface EarlierDays {
  /** The last date on which they held. */
  readonly until: Day
  /** As in `StreakRule`. */
  readonly on: readonly Weekday[] | null
  readonly days: number | null
}

export interface DateSum {
  readonly date: Day
  readonly sum: number
}

/** How much a cap let through in one period; the period of a cap for all time is 0. */
export interface CapSum {
  readonly period: Period
  readonly sum: number
}

/** A time trigger's count of payments, from its anchor. */
export interface Timer {
  readonly anchor: Instant
  /** The local date of the anchor; it moves with the zone, as the dates do on which freezes are earned. */
  readonly date: Day
  /** How many awards were due since the anchor. */
  readonly dueCount: number
}

export interface GivenBoost extends Boost {
  readonly system: string
}

export interface NamedStreak {
  readonly streak: StreakState
  /** `null` if it has no freezes of its own. */
  readonly freezes: Freezes | null
}

/** A participant's entry in one run of a leaderboard; entries are ordered by `comparePositions`. */
export interface LeaderboardEntry {
  /** Id of the run (`Run`). */
  readonly run: string
  readonly group: string
  /** The higher, the better: the score, or its negative if the lowest score is the best (`toScore`). */
  readonly value: number
  /** The instant of the entry by which the value was reached. */
  readonly reachedAt: Instant
  /** The instant from which the entry no longer counts unless the user acts, or `null` if it always counts. */
  readonly until: Instant | null
}

/** A lost streak, in its state at that time. */
export interface LostStreak extends Pick<StreakState, 'length' | 'last' | 'started' | 'firstAt' | 'extendedAt'> {
  /** The missed period, or `null` if the game no longer had a streak. */
  readonly missed: Period | null
  /** The instant at which support reset the streak. Absent if it was lost. */
  readonly resetAt?: Instant
}

/** A period in which support reset a streak. */
export interface StreakReset {
  /** The first date of the period. */
  readonly date: Day
  readonly at: Instant
  /** The streak ran in the period again. */
  readonly ranAgain?: true
}

/** Local dates, both included, in which no period can be missed. */
export interface Pause {
  readonly id: string
  readonly start: Day
  readonly end: Day
}

export interface Suspension {
  readonly from: readonly SuspendedFrom[]
  readonly reason: string | null
  readonly since: Instant
}

export interface Freezes {
  readonly count: number
  /** The next date on which freezes are earned, or `null` if none are. */
  readonly nextEarned: Day | null
}

/** As of the newest entry. While `length` is 0, all other members but `longest`, `open` and `lost` are null. */
export interface StreakState {
  readonly length: number
  /** The last period that counted. */
  readonly last: Period | null
  /** The newest period that can no longer be missed: it counted, or was frozen or paused. At least `last`. */
  readonly kept: Period | null
  /** The first date of the first counted period. */
  readonly started: Day | null
  /** The instant of the event that started it. */
  readonly firstAt: Instant | null
  /** The instant of the event that last made it longer. Also `null` if that event is older than this member. */
  readonly extendedAt: Instant | null
  readonly longest: number
  /**
   * Sums of the newest periods with events, at most two, in ascending order: local dates may run backwards by one. If a
   * week is judged by its dates (`StreakRule.days`), the sums of the newest dates with events, at most fourteen.
   */
  readonly open: readonly PeriodSums[]
  /** The streak that was lost last, or `null` if none, or it was restored. */
  readonly lost: LostStreak | null
}

/** A local date on which a user was active, and the zone of the profile then, or `null` if it named none. */
export interface ActiveDate {
  readonly date: Day
  readonly zone: string | null
}

/** When an achievement was completed, and the zone of the profile then, or `null` if it named none. */
export interface CompletedIn {
  readonly at: Instant
  readonly zone: string | null
}

/** The activity that emails depend on. */
export interface Activity {
  /** The newest date with activity, and before it the first date of each of the newest two recap periods. */
  readonly dates: readonly ActiveDate[]
  /** By achievement key: completions of the last three days before the user last changed the zone. */
  readonly completedIn: ReadonlyMap<string, CompletedIn>
}

/** The state of a quest in one window. */
export interface QuestState {
  readonly quest: string
  /** The instant of the first entry that counted. */
  readonly startedAt: Instant
  /** By id of a criterion: what counts within the window. Empty once the quest is completed, as the next two. */
  readonly counts: ReadonlyMap<string, RunningTotal>
  /** By id of a criterion that has a window of its own: the sums of the newest dates. */
  readonly sums: ReadonlyMap<string, readonly DateSum[]>
  /** Ids of the criteria that are met. */
  readonly met: readonly string[]
  readonly completedAt: Instant | null
  /** The entry that completed it. */
  readonly entryId: string | null
  /** The last local date on which the reward can be claimed, or `null` if it does not wait. */
  readonly claimUntil: Day | null
  /** When the reward was given. `null` if it was not: the quest is open, the reward waits, or was not claimed in time. */
  readonly claimedAt: Instant | null
}

/** A window of a challenge in which something has happened. */
export interface ChallengeWindow {
  /** Its first and its last local date. */
  readonly start: Day
  readonly end: Day | null
  /** The game whose quests it has. */
  readonly epoch: number
  /** The keys of its quests. */
  readonly picked: readonly string[]
  /** How many of them replaced another. */
  readonly rerolls: number
  /** The quests for which something has counted. */
  readonly quests: readonly QuestState[]
}

/** The facts of a quest in one window, which its row has. */
export interface ChallengeMark {
  readonly challenge: string
  readonly quest: string
  /** The first and the last local date of the window. */
  readonly start: Day
  readonly end: Day | null
  readonly startedAt: Instant
  readonly completedAt: Instant | null
  /** The entry that completed it. */
  readonly entryId: string | null
  /** The last local date on which its reward can be claimed, or `null` if it does not wait. */
  readonly claimUntil: Day | null
  /** When its reward was given, or `null` if it was not. */
  readonly claimedAt: Instant | null
}

export interface ChallengeState {
  readonly enrolledAt: Instant | null
  /** In ascending order: the windows whose dates may still come, and those whose rewards wait. */
  readonly windows: readonly ChallengeWindow[]
}

/** All the rules know about a user; bounded by the game, not by the user's history. */
export interface UserState {
  /** The id of the user. */
  readonly user: string
  /** How many entries the log has. */
  readonly seq: number
  /** The instant of the newest entry. */
  readonly at: Instant
  /** The game under which the newest entry was decided. */
  readonly epoch: number
  readonly created: Instant
  readonly updated: Instant
  readonly profile: Profile
  readonly preferences: Preferences
  readonly totals: ReadonlyMap<string, RunningTotal>
  /**
   * Tallies by key: of rules with their own count, of completions at the last grant (`grantMark`), of revocations
   * (`revokedAt`), and of met criteria.
   */
  readonly tallies: ReadonlyMap<string, RunningTotal>
  readonly completions: ReadonlyMap<string, Completion>
  readonly points: ReadonlyMap<string, PointsBalance>
  readonly streak: StreakState
  /** `null` if no game of the user's had any. */
  readonly freezes: Freezes | null
  /** Pauses that may still matter, in the order of their creation. */
  readonly pauses: readonly Pause[]
  /** By leaderboard key: the entries of the newest runs, at most three, in ascending order of the run. */
  readonly leaderboards: ReadonlyMap<string, readonly LeaderboardEntry[]>
  /** Id of the user into whom this one was merged, and whose alias it is, or `null` if it was not merged. */
  readonly mergedInto: string | null
  readonly suspended: Suspension | null
  /** By metric with limits, or by tally with a window: the sums of the newest dates, in ascending order. */
  readonly dateSums: ReadonlyMap<string, readonly DateSum[]>
  /** Boosts given to the user alone and not deleted, at most 100, in the order in which they were given. */
  readonly boosts: readonly GivenBoost[]
  /** By id of the trigger or points system that has a cap: its sums of the newest three periods, in ascending order. */
  readonly caps: ReadonlyMap<string, readonly CapSum[]>
  /** By id of a trigger with a cooldown: the instant of its newest payment. */
  readonly cooldowns: ReadonlyMap<string, Instant>
  readonly timers: ReadonlyMap<string, Timer>
  readonly streaks: ReadonlyMap<string, NamedStreak>
  /**
   * By key of the streak, empty for the game's `streak`: the days in effect in the last 400 days, in ascending order.
   */
  readonly earlierDays: ReadonlyMap<string, readonly EarlierDays[]>
  /** By key of the streak, as `earlierDays`: the newest resets, at most 100, in their order. */
  readonly resets: ReadonlyMap<string, readonly StreakReset[]>
  readonly activity: Activity
  /** By key of the challenge, if anything has happened in it. */
  readonly challenges: ReadonlyMap<string, ChallengeState>
  /** By key of the points system, if the user has had points of it while it was spendable. */
  readonly wallets: ReadonlyMap<string, Wallet>
  /** By key of the reward: how many the user has bought, without cancelled ones. */
  readonly redeemed: ReadonlyMap<string, number>
}

export const NO_STREAK: StreakState = {
  length: 0,
  last: null,
  kept: null,
  started: null,
  firstAt: null,
  extendedAt: null,
  longest: 0,
  open: [],
  lost: null,
}

const NO_ACTIVITY: Activity = { dates: [], completedIn: new Map() }

/** The state before the first entry of a log that starts at `at` under `epoch`. */
export function emptyState(at: Instant, epoch: number, user = ''): UserState {
  return {
    user,
    seq: 0,
    at,
    epoch,
    created: at,
    updated: at,
    profile: {
      email: null,
      name: null,
      tz: null,
      subscribedToEmails: null,
      deviceTokens: null,
      signUpDate: null,
      attributes: new Map(),
    },
    preferences: { notifications: new Map(), streak: null, leaderboards: null, gamification: 'on' },
    totals: new Map(),
    tallies: new Map(),
    completions: new Map(),
    points: new Map(),
    streak: NO_STREAK,
    freezes: null,
    pauses: [],
    leaderboards: new Map(),
    mergedInto: null,
    suspended: null,
    dateSums: new Map(),
    boosts: [],
    caps: new Map(),
    cooldowns: new Map(),
    timers: new Map(),
    streaks: new Map(),
    earlierDays: new Map(),
    resets: new Map(),
    activity: NO_ACTIVITY,
    challenges: new Map(),
    wallets: new Map(),
    redeemed: new Map(),
  }
}

export function zoneOf(profile: Profile): string {
  return profile.tz ?? 'UTC'
}

export function isSubscribedToEmails(profile: Profile): boolean {
  return profile.email !== null && (profile.subscribedToEmails ?? true)
}

/** The profile after a patch; the same object when nothing changed. */
export function patchProfile(profile: Profile, patch: ProfilePatch | null): Profile {
  if (patch === null) return profile
  const patched: Profile = {
    email: patch.email === undefined ? profile.email : patch.email,
    name: patch.name === undefined ? profile.name : patch.name,
    tz: patch.tz === undefined ? profile.tz : patch.tz,
    subscribedToEmails: patch.subscribedToEmails ?? profile.subscribedToEmails,
    deviceTokens: patchTokens(profile.deviceTokens, patch.deviceTokens),
    signUpDate: patch.signUpDate === undefined ? profile.signUpDate : patch.signUpDate,
    attributes: patchAttributes(profile.attributes, patch.attributes),
  }
  return hasSameMembers(profile, patched) ? profile : patched
}

function patchTokens(
  tokens: readonly string[] | null,
  patch: readonly string[] | null | undefined,
): readonly string[] | null {
  if (patch === undefined) return tokens
  const isSame =
    patch !== null &&
    tokens !== null &&
    patch.length === tokens.length &&
    patch.every((token, index) => token === tokens[index])
  return isSame ? tokens : patch
}

function patchAttributes(
  attributes: ReadonlyMap<string, string>,
  patch: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> {
  if (patch === undefined) return attributes
  let patched: Map<string, string> | null = null
  for (const [name, value] of patch) {
    if (attributes.get(name) === value) continue
    patched ??= new Map(attributes)
    patched.set(name, value)
  }
  return patched ?? attributes
}

/** Compares members by reference. */
export function hasSameMembers<Value extends object>(left: Value, right: Value): boolean {
  for (const name in right) if (left[name] !== right[name]) return false
  return true
}
