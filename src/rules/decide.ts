import {
  completeByClaim,
  completeByEvent,
  completeByGrants,
  completeByKey,
  completeByReward,
  completeByStreaks,
  completeBySupport,
  completeFollowing,
  completionsOf,
  revokeAchievement,
} from './achievement.ts'
import { noteActivity, noteMove } from './activity.ts'
import { boostsAfter, boostsAfterReward } from './boost.ts'
import { localDate } from './calendar.ts'
import { challengeMetric, questOf, ruleOfEpoch } from './challenge.ts'
import { giveClaimed } from './challenge-claims.ts'
import { abandon, countInChallenges, enrolIn, keepQuest, meetChallenges, replaceQuest } from './challenge-windows.ts'
import type { Change } from './change.ts'
import { asCounted } from './distinct-values.ts'
import type { Entry, EventRecorded, PersonalStreak, PreferencesChanged, UserRestored, UserSuspended } from './entry.ts'
import { evolveAll } from './evolve.ts'
import { addFreezes, beginFreezes } from './freezes.ts'
import { aggregationOf, type Game, type Quest, type StreakRule } from './game.ts'
import { scoreLeaderboards } from './leaderboard.ts'
import { sumDate } from './limit.ts'
import { resetStreak, restoreStreak } from './lost-streak.ts'
import { addPause, removePause } from './pauses.ts'
import { adjustPoints, awardPoints, grantPoints, type TriggerInput } from './points.ts'
import { redeemReward, settleRedemption } from './rewards.ts'
import { settle } from './settle.ts'
import type { ChallengeMark } from './state.ts'
import { patchProfile, type UserState, zoneOf } from './state.ts'
import { extendStreak, moveStreak, sumPeriod } from './streak.ts'
import { keepEarlierDays, moveEarlierDays, withEarlierDays } from './streak-days.ts'
import { about, ownFreezesOf, ruleOf } from './streak-names.ts'
import { tallyEvent } from './tally.ts'
import { beginTimers, moveTimers } from './time-points.ts'
import { addTo } from './total.ts'
import { endHold, holdPoints, refundPoints, spendPoints } from './wallet-changes.ts'

export interface Decided {
  readonly state: UserState
  readonly changes: readonly Change[]
}

interface OpenDecision {
  /** The state before the entry, or `null` if the entry adopted a newer game. */
  readonly before: UserState | null
  state: UserState
  /** True if the entry has changed the sign-up date. */
  isSignUpNew: boolean
  readonly changes: Change[]
}

const NOTHING: TriggerInput = { isNewUser: false, metric: null, completed: new Map(), grown: new Set() }

/** The changes that follow from a dated entry (`dateEntry`), for a state that has adopted `game`. It cannot refuse. */
export function decide(game: Game, state: UserState, entry: Entry): readonly Change[] {
  return advance(game, state, entry).changes
}

/** `decide`, with the state after it. `adopted`: the changes by which this entry adopted a newer game. */
export function advance(game: Game, state: UserState, entry: Entry, adopted: readonly Change[] = []): Decided {
  const before = adopted.length === 0 ? state : null
  const open: OpenDecision = { before, state, changes: [], isSignUpNew: false }
  if (entry.kind === 'userMerged') {
    apply(open, [
      { type: 'userMerged', into: entry.into },
      { type: 'entryAppended', seq: entry.seq, at: entry.at },
    ])
    return open
  }
  apply(open, settle(game, state, entry.at, entry))
  applyProfile(game, open, entry)
  apply(open, noteActivity(game, open.state, entry))
  // A step that was met before the entry opens the next one for it.
  if (game.challenges.size > 0) applyChallenges(game, open, entry)
  applyBody(game, open, entry)
  // A composite may have waited for an attribute, and a criterion for anything.
  if (open.state.profile !== state.profile || game.criteriaAchievements.length > 0) {
    applyCompletions(game, open, open.state, NOTHING, entry)
  }
  if (game.challenges.size > 0) applyChallenges(game, open, entry)
  const known = adopted.length === 0 ? open.changes : [...adopted, ...open.changes]
  const scored = scoreLeaderboards(game, open.state, known, entry)
  apply(open, [...scored, { type: 'entryAppended', seq: entry.seq, at: entry.at }])
  return open
}

function apply(open: OpenDecision, changes: readonly Change[]): void {
  for (const change of changes) open.changes.push(change)
  open.state = evolveAll(open.state, changes)
}

function applyProfile(game: Game, open: OpenDecision, entry: Entry): void {
  const before = open.state
  const isNewUser = before.seq === 0
  if (isNewUser) apply(open, [{ type: 'userCreated', at: entry.at }])

  const profile = patchProfile(before.profile, entry.profile)
  if (profile !== before.profile) {
    apply(open, [{ type: 'profileChanged', at: entry.at, profile }])
    open.isSignUpNew = profile.signUpDate !== before.profile.signUpDate
    if (profile.tz !== before.profile.tz) apply(open, noteMove(before.profile, open.state, entry))
    const oldZone = zoneOf(before.profile)
    if (zoneOf(profile) !== oldZone) {
      const move = { oldZone, before: localDate(oldZone, entry.at), after: entry.dating.date }
      apply(open, moveTimers(open.state, move.after - move.before))
      const moved = open.state
      apply(
        open,
        game.streakRules.flatMap((rule) => moveStreak(game, rule, moved, move)),
      )
      apply(open, moveEarlierDays(open.state, move.after - move.before))
    }
  }
  if (isNewUser) {
    apply(
      open,
      game.freezePools.flatMap(([rule]) => giveFirstFreezes(rule, entry)),
    )
  }
  if (isNewUser) apply(open, beginTimers(game, { at: entry.at, today: entry.dating.date }))
  if (isNewUser) apply(open, awardPoints(game, before, open.state, { ...NOTHING, isNewUser }, entry))
}

function giveFirstFreezes(rule: StreakRule, { dating }: Entry): readonly Change[] {
  if (rule.freezes === null) return []
  const freezes = beginFreezes(rule.freezes, dating.date)
  return [{ type: 'freezesGranted', ...about(rule), count: freezes.count, freezes }]
}

function applyBody(game: Game, open: OpenDecision, entry: Exclude<Entry, { readonly kind: 'userMerged' }>): void {
  const { state } = open
  switch (entry.kind) {
    case 'eventRecorded':
      if (entry.voidedBy === undefined) applyEvent(game, open, entry)
      break
    case 'achievementClaimed':
      // It may be claimed under a game that has been replaced by one without it.
      if (!game.achievements.has(entry.achievement)) break
      apply(open, completeByClaim(game, state, entry))
      applyCompletions(game, open, state, NOTHING, entry)
      break
    case 'completionKept':
      apply(open, completeByKey(state, entry.achievement, entry, entry.count))
      applyCompletions(game, open, state, NOTHING, entry)
      break
    case 'achievementGranted':
      apply(open, completeBySupport(game, state, entry))
      applyCompletions(game, open, state, NOTHING, entry)
      break
    case 'granted':
      apply(open, completeByGrants(game, state, entry))
      apply(open, grantPoints(game, open.state, entry.points, entry))
      break
    case 'preferencesChanged':
      applyPreferences(game, open, entry)
      break
    case 'challengeClaimed':
    case 'challengeKept': {
      const rule = game.challenges.get(entry.challenge)
      if (rule === undefined) break
      const isClaim = entry.kind === 'challengeClaimed'
      applyMarks(game, open, isClaim ? giveClaimed(state, rule, entry) : keepQuest(game, state, rule, entry), entry)
      break
    }
    case 'rewardRedeemed':
      apply(open, redeemReward(game, state, entry))
      apply(open, rewardChanges(game, open.state, { id: '', reward: { points: [], ...entry.gives } }, entry))
      applyCompletions(game, open, state, NOTHING, entry)
      break
    default:
      apply(open, changesBy(game, state, entry))
  }
}

type CompletingKind =
  | 'eventRecorded'
  | 'preferencesChanged'
  | 'achievementClaimed'
  | 'completionKept'
  | 'achievementGranted'
  | 'granted'
  | 'challengeClaimed'
  | 'challengeKept'
  | 'rewardRedeemed'

/** The changes by entries that complete no achievement. */
function changesBy(
  game: Game,
  state: UserState,
  entry: Exclude<Entry, { readonly kind: CompletingKind | 'userMerged' }>,
): readonly Change[] {
  const today = entry.dating.date
  switch (entry.kind) {
    case 'userUpserted':
    case 'eventVoided':
    case 'eventApproved':
      return []
    case 'userSuspended':
    case 'userRestored':
      return [changeSuspension(entry)]
    case 'achievementRevoked':
      return revokeAchievement(entry)
    case 'challengeEnrolled': {
      const rule = game.challenges.get(entry.challenge)
      return rule === undefined ? [] : enrolIn(state, rule, entry)
    }
    case 'challengeAbandoned':
      return abandon(state, entry)
    case 'challengeReplaced': {
      const rule = game.challenges.get(entry.challenge)
      return rule === undefined ? [] : replaceQuest(game, state, rule, entry)
    }
    case 'pointsAdjusted':
      return adjustPoints(game, state, entry)
    case 'pointsSpent':
      return spendPoints(game, state, entry, entry)
    case 'pointsHeld':
      return holdPoints(game, state, entry)
    case 'holdCaptured':
    case 'holdReleased':
      return endHold(game, state, entry)
    case 'pointsRefunded':
      return refundPoints(game, state, entry, entry.spend, entry.of, entry.amount)
    case 'redemptionFulfilled':
    case 'redemptionCancelled':
      return settleRedemption(game, state, entry)
    case 'freezesGranted':
      return grantFreezes(game, state, entry.streakKey, entry.count)
    case 'pauseCreated':
      return [{ type: 'pausesChanged', pauses: addPause(state.pauses, entry, today) }]
    case 'pauseDeleted':
      return [{ type: 'pausesChanged', pauses: removePause(state.pauses, entry.pause, today) }]
    case 'streakRestored': {
      const rule = ruleOf(game, entry.streakKey)
      return rule === null ? [] : restoreStreak(game, rule, state, today)
    }
    case 'streakReset': {
      const rule = ruleOf(game, entry.streakKey)
      return rule === null ? [] : resetStreak(game, rule, state, entry)
    }
    case 'boostGiven':
    case 'boostChanged':
    case 'boostDeleted':
      return [{ type: 'boostsChanged', boosts: boostsAfter(state.boosts, entry) }]
    default:
      return entry satisfies never
  }
}

/** The only change of such an entry. Not even time passes with it. */
export function changeSuspension(entry: Entry & (UserSuspended | UserRestored)): Change {
  if (entry.kind === 'userRestored') return { type: 'suspensionChanged', suspended: null }
  const { from, reason, at } = entry
  return { type: 'suspensionChanged', suspended: { from, reason, since: at } }
}

function grantFreezes(game: Game, state: UserState, key: string | undefined, count: number): readonly Change[] {
  const rule = ruleOf(game, key)
  const freezes = ownFreezesOf(state, key)
  if (rule === null || rule.sharesFreezes || rule.freezes === null || freezes === null) return []
  const granted = addFreezes(rule.freezes, freezes, count)
  return [{ type: 'freezesGranted', ...about(rule), count: granted.count - freezes.count, freezes: granted }]
}

/** A period that is enough by the user's own goal counts at once. */
function applyPreferences(game: Game, open: OpenDecision, entry: Entry & PreferencesChanged): void {
  const before = open.state
  apply(open, changePreferences(game, before, entry))
  if (game.streak?.customization !== true || !changesGoal(entry)) return
  const changes = extendStreak(game, game.streak, open.state, entry)
  apply(open, changes)
  const grown = madeLonger(changes)
  if (grown.size === 0) return
  apply(open, completeByStreaks(game, open.state, entry, grown))
  applyCompletions(game, open, before, { ...NOTHING, grown }, entry)
}

function changesGoal({ streak }: PreferencesChanged): boolean {
  if (streak === undefined || streak === null) return streak === null
  return streak.metrics !== undefined || streak.evaluationMode !== undefined
}

/** Returns `null` if the user has the game's streak again. */
function changeOwnStreak(own: PersonalStreak | null, change: PersonalStreak | null | undefined): PersonalStreak | null {
  if (change === undefined) return own
  return change === null ? null : { ...own, ...change }
}

function changePreferences(
  game: Game,
  { preferences, earlierDays }: UserState,
  entry: Entry & PreferencesChanged,
): readonly Change[] {
  const notifications = new Map(preferences.notifications)
  for (const [type, channels] of entry.notifications) {
    if (channels === null) notifications.delete(type)
    else notifications.set(type, channels)
  }
  const { leaderboards = preferences.leaderboards, gamification = preferences.gamification } = entry
  const changed = {
    notifications,
    streak: changeOwnStreak(preferences.streak, entry.streak),
    leaderboards,
    gamification,
  }
  const changes: Change[] = [{ type: 'preferencesChanged', preferences: changed }]
  const { streak: rule } = game
  if (rule === null) return changes
  const today = entry.dating.date
  const known = earlierDays.get('') ?? []
  const earlier = keepEarlierDays(known, { rule, preferences }, { rule, preferences: changed }, { today, until: today })
  if (earlier === known) return changes
  return [...changes, { type: 'earlierDaysChanged', earlierDays: withEarlierDays(earlierDays, null, earlier) }]
}

/** Completes quests until nothing more follows: a reward may meet a criterion of another challenge. */
function applyChallenges(game: Game, open: OpenDecision, entry: Entry): void {
  for (let met = meetChallenges(game, open, entry); met.length > 0; ) {
    applyMarks(game, open, met, entry)
    met = meetChallenges(game, open, entry)
  }
}

/** Applies changes of challenges, counts the completed windows, and gives the rewards that do not wait. */
function applyMarks(game: Game, open: OpenDecision, changes: readonly Change[], entry: Entry): void {
  apply(open, changes)
  for (const change of changes) {
    if (change.type !== 'challengeCompleted' && change.type !== 'challengeClaimed') continue
    const { mark } = change
    if (change.type === 'challengeCompleted') applyEvent(game, open, toCompletedEvent(mark, entry))
    if (mark.claimedAt !== null) giveReward(game, open, mark, entry)
  }
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/** A completed window counts as an event. */
function toCompletedEvent({ challenge }: ChallengeMark, entry: Entry): Entry & EventRecorded {
  const { id, seq, at, recordedAt, epoch, dating } = entry
  const metric = challengeMetric(challenge)
  const body = { kind: 'eventRecorded', metric, value: 1, attributes: NO_ATTRIBUTES, idempotencyKey: null } as const
  return { id, seq, at, recordedAt, epoch, dating, profile: null, ...body }
}

function giveReward(
  game: Game,
  open: OpenDecision,
  { challenge, quest: key, start }: ChallengeMark,
  entry: Entry,
): void {
  const before = open.state
  const rule = game.challenges.get(challenge)
  const window = before.challenges.get(challenge)?.windows.find((each) => each.start === start)
  if (rule === undefined || window === undefined) return
  const quest = questOf(ruleOfEpoch(game, rule, window.epoch), key)
  if (quest === null) return
  const { reward, id } = quest
  apply(
    open,
    grantPoints(
      game,
      open.state,
      reward.points.map((each) => ({ ...each, trigger: id })),
      entry,
    ),
  )
  apply(open, rewardChanges(game, open.state, quest, entry))
  applyCompletions(game, open, before, NOTHING, entry)
}

function rewardChanges(
  game: Game,
  state: UserState,
  quest: Pick<Quest, 'id' | 'reward'>,
  entry: Entry,
): readonly Change[] {
  const { achievement, freezes, boost } = quest.reward
  const changes: Change[] = []
  if (achievement !== null) changes.push(...completeByReward(game, state, entry, achievement))
  if (freezes > 0) changes.push(...grantFreezes(game, state, undefined, freezes))
  if (boost !== null) changes.push({ type: 'boostsChanged', boosts: boostsAfterReward(state.boosts, quest, entry) })
  return changes
}

function applyEvent(game: Game, open: OpenDecision, event: Entry & EventRecorded): void {
  const entry = asCounted(event)
  const before = open.state
  const { metric, value } = entry
  const aggregation = aggregationOf(game, metric)
  const { total, highest } = addTo(aggregation, before.totals.get(metric), value)
  const sums: Change[] = [{ type: 'metricChanged', metric, value, total, highest }]
  sums.push(...tallyEvent(game, before, entry))
  sums.push(...sumDate(game, before, entry, entry.dating.date))
  for (const rule of game.streakRules) sums.push(...sumPeriod(game, rule, before, entry))
  if (game.challenges.size > 0) sums.push(...countInChallenges(game, before, entry))
  apply(open, sums)
  const grown = extendStreaks(game, open, entry)
  apply(open, completeByEvent(game, open.state, metric, entry, grown))
  applyCompletions(game, open, before, { ...NOTHING, metric, grown }, entry)
}

/** Returns the keys of the streaks that the event made longer. */
function extendStreaks(game: Game, open: OpenDecision, entry: Entry & EventRecorded): TriggerInput['grown'] {
  const extended: Change[] = []
  for (const rule of game.streakRules) extended.push(...extendStreak(game, rule, open.state, entry))
  apply(open, extended)
  return madeLonger(extended)
}

/** The keys of the streaks that changes made longer. */
function madeLonger(changes: readonly Change[]): TriggerInput['grown'] {
  if (changes.length === 0) return NOTHING.grown
  return new Set(
    changes.flatMap((change) => {
      return change.type === 'streakStarted' || change.type === 'streakExtended' ? [change.key ?? null] : []
    }),
  )
}

/**
 * Completes the achievements that follow from the user's state, then awards the points for everything that the entry
 * did. Points may meet a criterion, so both continue until nothing more follows. Composites are checked even if nothing
 * else was completed: one may be newer than its parts.
 */
function applyCompletions(
  game: Game,
  open: OpenDecision,
  before: UserState,
  triggerInput: TriggerInput,
  entry: Entry,
): void {
  completeAll(game, open, entry)
  apply(open, awardPoints(game, before, open.state, withCompleted(triggerInput, before, open.state), entry))
  if (game.criteriaAchievements.length === 0) return
  for (let known = open.state; completeAll(game, open, entry); known = open.state) {
    apply(open, awardPoints(game, known, open.state, withCompleted(NOTHING, known, open.state), entry))
  }
}

function completeAll(game: Game, open: OpenDecision, entry: Entry): boolean {
  if (game.partsFirst.length === 0) return false
  const { completions } = open.state
  apply(open, completeFollowing(game, open.state, entry, open.isSignUpNew))
  return open.state.completions !== completions
}

function withCompleted(triggerInput: TriggerInput, before: UserState, after: UserState): TriggerInput {
  if (after.completions === before.completions) return triggerInput
  const completed = new Map<string, number>()
  for (const [key, { count }] of after.completions) {
    const times = count - completionsOf(before, key)
    if (times > 0) completed.set(key, times)
  }
  return { ...triggerInput, completed }
}
