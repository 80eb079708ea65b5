import { completeByReward, isAccessible, revokedAt } from './achievement.ts'
import { isOver, patchBoost } from './boost.ts'
import { type Day, type Instant, localDate, parseDate, toDateText } from './calendar.ts'
import { advance } from './decide.ts'
import { asCounted, distinctValue, LONGEST_VALUE } from './distinct-values.ts'
import type { Entry, EntryOf, PersonalStreak, ProfilePatch } from './entry.ts'
import { aggregationOf, countedAttribute, type Game, MOST_BOOSTS } from './game.ts'
import { firstRestorable } from './lost-streak.ts'
import { listNames, quoteName, unknownName } from './names.ts'
import { LONGEST_PAUSE } from './pauses.ts'
import { findOverdraft } from './points.ts'
import { refuseChallenge } from './refuse-challenge.ts'
import { refuseWallet } from './refuse-wallet.ts'
import { refuseReward } from './rewards.ts'
import { settled } from './settle.ts'
import { type Profile, patchProfile, type UserState, zoneOf } from './state.ts'
import { ownFreezesOf, ruleOf, streakOf } from './streak-names.ts'
import { aggregate, GREATEST_TOTAL, isWithinBounds } from './total.ts'

/** Codes of errors with which the rules refuse an entry. */
export type RefusalCode =
  | 'unknown_metric'
  | 'metric_archived'
  | 'unknown_achievement'
  | 'unknown_points_system'
  | 'unknown_attribute'
  /** An event lacks the attribute whose different values its metric counts. */
  | 'attribute_required'
  | 'value_out_of_range'
  | 'total_out_of_range'
  | 'out_of_points'
  /** The event would exceed a limit of its metric. The message says how much is left, and when there is room again. */
  | 'limit_exceeded'
  | 'achievement_locked'
  | 'achievement_not_accessible'
  /** Support has revoked the achievement: only a grant completes it. */
  | 'achievement_revoked'
  /** The user does not have the achievement that a call would revoke. */
  | 'achievement_not_completed'
  | 'email_required'
  /** The user's sign-up date is before 1900, or after today in the user's time zone. */
  | 'sign_up_date_out_of_range'
  | 'streak_customization_disabled'
  | 'streak_disabled'
  | 'streak_not_lost'
  /** The user has no streak that could be reset. */
  | 'streak_not_running'
  | 'streak_freezes_disabled'
  | 'streak_freezes_full'
  | 'pause_out_of_range'
  | 'unknown_pause'
  | 'unknown_boost'
  | 'boost_out_of_range'
  /** A user, or a points system for all its users, has as many boosts as there may be. */
  | 'too_many_boosts'
  | 'unknown_streak'
  | 'unknown_reward'
  /** The reward cannot be redeemed now. */
  | 'reward_inactive'
  /** The user has as many of the reward as each user can have, or has the achievement that it gives alone. */
  | 'reward_limit_reached'
  | 'unknown_challenge'
  /** The challenge takes no enrolment now: it needs none, is over, or was completed. */
  | 'challenge_closed'
  /** No reward of the challenge waits for the user. */
  | 'challenge_not_claimable'
  /** The quest is not replaced: something has counted for it, or no replacement is left. */
  | 'quest_not_replaceable'
  /** The points system is not spendable. */
  | 'not_spendable'
  /** The balance is less than the amount. */
  | 'insufficient_points'
  /** The user has as many open holds of the points system as there may be. */
  | 'too_many_holds'
  /** The hold ends later than it may, or has ended already. */
  | 'hold_out_of_range'
  /** The user has no such open hold: it never had, or the hold was captured, released, or has expired. */
  | 'unknown_hold'
  /** A capture is more than its hold. */
  | 'capture_too_large'
  | 'unknown_spend'
  /** A refund is more than what is left of its spend. */
  | 'refund_too_large'

export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
}

/**
 * Why an entry is not accepted, or `null` if it is. Asked once, when the entry arrives: of an entry as `decide` would
 * get it, never of an entry that is replayed. A claim that only repeats an earlier one never comes here.
 */
export function refuse(game: Game, state: UserState, entry: Entry): Refusal | null {
  const unknown = entry.kind === 'achievementClaimed' ? refuseUnknownAchievement(game, entry) : null
  return unknown ?? refuseProfile(game, state, entry) ?? refuseBody(game, state, entry)
}

function refusal(code: RefusalCode, message: string): Refusal {
  return { code, message }
}

function refuseUnknown(
  whose: 'user' | 'event',
  known: ReadonlySet<string>,
  attributes: ReadonlyMap<string, string> | undefined,
): Refusal | null {
  if (attributes === undefined || attributes.size === 0) return null
  const unknown = [...attributes.keys()].filter((name) => !known.has(name))
  if (unknown.length === 0) return null
  const list = known.size === 0 ? `the game has no ${whose} attributes` : `the game has ${listNames(known)}`
  return refusal(
    'unknown_attribute',
    `Unknown ${whose} attribute ${listNames(unknown)}: ${list}. Add it to ${whose}Attributes of the game, or leave it out.`,
  )
}

function refuseProfile(game: Game, state: UserState, { profile: patch, recordedAt }: Entry): Refusal | null {
  if (patch === null) return null
  const unknown = refuseUnknown('user', game.userAttributes, patch.attributes)
  if (unknown !== null) return unknown
  if (patch.subscribedToEmails === true && patchProfile(state.profile, patch).email === null) {
    return refusal('email_required', 'subscribedToEmails is true but the user has no email: send an email with it.')
  }
  const isKnown = patch.signUpDate === state.profile.signUpDate
  return patch.signUpDate == null || isKnown ? null : refuseSignUp(state.profile, patch, patch.signUpDate, recordedAt)
}

/** An earlier date can only be a mistake. */
const FIRST_SIGN_UP = parseDate('1900-01-01') ?? 0

/** Today is the date of the recording, since an event may be older than the user's account. */
function refuseSignUp(profile: Profile, patch: ProfilePatch, date: Day, recordedAt: Instant): Refusal | null {
  const today = localDate(zoneOf(patchProfile(profile, patch)), recordedAt)
  if (date >= FIRST_SIGN_UP && date <= today) return null
  const range = `from 1900-01-01 to ${toDateText(today)}, which is today for the user`
  return refusal(
    'sign_up_date_out_of_range',
    `The sign-up date ${toDateText(date)} is out of range: send one ${range}.`,
  )
}

function refuseBody(game: Game, state: UserState, entry: Entry): Refusal | null {
  switch (entry.kind) {
    case 'userUpserted':
    case 'completionKept':
    case 'eventVoided':
    case 'eventApproved':
    case 'granted':
    case 'userMerged':
    case 'userSuspended':
    case 'userRestored':
      return null
    case 'boostGiven':
      return refuseBoost(game, state, entry)
    case 'boostChanged':
    case 'boostDeleted':
      return refuseUnknownBoost(state, entry)
    case 'streakRestored':
      return refuseRestore(game, state, entry)
    case 'streakReset':
      return refuseReset(game, state, entry)
    case 'freezesGranted':
      return refuseFreezes(game, state, entry)
    case 'pauseCreated':
      return game.streakRules.length === 0 ? refuseWithoutStreak() : refusePause(entry)
    case 'pauseDeleted':
      return refuseUnknownPause(state, entry)
    case 'eventRecorded':
      return refuseEvent(game, state, entry)
    case 'achievementClaimed':
      return refuseClaim(game, state, entry)
    case 'achievementGranted':
      return refuseGrant(game, entry)
    case 'achievementRevoked':
      return refuseRevocation(game, state, entry)
    case 'pointsAdjusted':
      return refuseMissing('points system', entry.system, game.points)
    case 'challengeKept':
    case 'redemptionFulfilled':
    case 'redemptionCancelled':
      return null
    case 'rewardRedeemed':
      return refuseRedemption(game, settled(game, state, entry.at), entry)
    case 'challengeEnrolled':
    case 'challengeAbandoned':
    case 'challengeClaimed':
    case 'challengeReplaced':
      return refuseChallenge(game, settled(game, state, entry.at), entry)
    case 'pointsSpent':
    case 'pointsHeld':
    case 'holdCaptured':
    case 'holdReleased':
    case 'pointsRefunded':
      return refuseWallet(game, settled(game, state, entry.at), entry)
    case 'preferencesChanged':
      return entry.streak == null ? null : refusePersonalStreak(game, entry.streak)
    default:
      return entry satisfies never
  }
}

function refuseEvent(game: Game, state: UserState, entry: EntryOf<'eventRecorded'>): Refusal | null {
  const metric = game.metrics.get(entry.metric)
  if (metric === undefined) {
    return refusal('unknown_metric', unknownName('metric', entry.metric, game.metrics.keys()))
  }
  if (metric.status === 'archived') {
    return refusal(
      'metric_archived',
      `The metric ${quoteName(entry.metric)} is archived and takes no events: make it active first.`,
    )
  }
  const wrong =
    refuseUnknown('event', game.eventAttributes, entry.attributes) ??
    refuseValue(entry.value) ??
    refuseUncounted(game, entry)
  if (wrong !== null) return wrong
  const { value } = asCounted(entry)
  const total = aggregate(aggregationOf(game, entry.metric), state.totals.get(entry.metric)?.total, value)
  if (!isWithinBounds(total)) return refuseTotal(entry.metric, total)
  return refuseOutOfPoints(game, state, entry)
}

function refuseUncounted(game: Game, event: EntryOf<'eventRecorded'>): Refusal | null {
  const attribute = countedAttribute(game, event.metric)
  if (attribute === null) return null
  const what = `The metric ${quoteName(event.metric)} counts the different values of ${quoteName(attribute)}`
  if (distinctValue(game, event) === '') {
    const message = `${what}: send the attribute, with at most ${LONGEST_VALUE} characters.`
    return refusal('attribute_required', message)
  }
  return event.value === 1
    ? null
    : refusal('value_out_of_range', `${what}, so the value must be 1, not ${event.value}.`)
}

function refuseWithoutStreak(): Refusal {
  return refusal('streak_disabled', 'The game has no streak: add streak to the game.')
}

/**
 * The refusal of a streak that the game lacks. `key` is the key of a named streak, or undefined for the game's
 * `streak`.
 */
export function refuseUnknownStreak({ streaks }: Game, key: string | undefined): Refusal {
  if (key === undefined) return refuseWithoutStreak()
  return refusal('unknown_streak', unknownName('streak', key, streaks.keys()))
}

function refuseRestore(game: Game, before: UserState, entry: EntryOf<'streakRestored'>): Refusal | null {
  const rule = ruleOf(game, entry.streakKey)
  if (rule === null) return refuseUnknownStreak(game, entry.streakKey)
  const { lost, length } = streakOf(settled(game, before, entry.at), entry.streakKey)
  if (lost === null || lost.length <= length) {
    return refusal('streak_not_lost', 'There is nothing to restore: the user lost no streak that was longer.')
  }
  const first = firstRestorable(game, rule, entry.dating.date)
  if (lost.missed === null || lost.missed >= first) return null
  return refusal('streak_not_lost', 'There is nothing to restore: the user lost the streak too long ago.')
}

function refuseReset(game: Game, before: UserState, { at, streakKey }: EntryOf<'streakReset'>): Refusal | null {
  if (ruleOf(game, streakKey) === null) return refuseUnknownStreak(game, streakKey)
  if (streakOf(settled(game, before, at), streakKey).length > 0) return null
  return refusal('streak_not_running', 'There is nothing to reset: the user has no streak.')
}

export function refuseWithoutFreezes(game: Game, key: string | undefined): Refusal | null {
  const rule = ruleOf(game, key)
  if (key !== undefined) {
    if (rule === null) return refuseUnknownStreak(game, key)
    if (rule.sharesFreezes) {
      const name = quoteName(key)
      return refusal('streak_freezes_disabled', `The streak ${name} shares the freezes of streak: leave its name out.`)
    }
  }
  if (rule === null) return refuseWithoutStreak()
  if (rule.freezes !== null) return null
  const path = key === undefined ? 'streak.freezes' : `freezes of the streak ${quoteName(key)}`
  return refusal('streak_freezes_disabled', `The game has no streak freezes: add ${path} to the game.`)
}

function refuseFreezes(
  game: Game,
  before: UserState,
  { at, streakKey: key, count }: EntryOf<'freezesGranted'>,
): Refusal | null {
  const rule = ruleOf(game, key)?.freezes ?? null
  const wrong = refuseWithoutFreezes(game, key)
  if (wrong !== null || rule === null) return wrong
  const has = ownFreezesOf(settled(game, before, at), key)?.count ?? 0
  if (has + count <= rule.max) return null
  return refusal(
    'streak_freezes_full',
    `The user has ${has} streak freezes, and ${rule.max} are the most: so no more are given.`,
  )
}

function refusePause({ start, end, dating }: EntryOf<'pauseCreated'>): Refusal | null {
  const days = end - start + 1
  const today = toDateText(dating.date)
  if (start >= dating.date && days >= 1 && days <= LONGEST_PAUSE) return null
  const range = `A pause from ${toDateText(start)} to ${toDateText(end)}`
  const isBefore = start < dating.date
  const early = `begins before today, which is ${today} for the user: start it then.`
  const why =
    days < 1
      ? 'ends before it begins: let it end on its start or later.'
      : `is longer than ${LONGEST_PAUSE} days: make several of it.`
  return refusal('pause_out_of_range', `${range} ${isBefore ? early : why}`)
}

function refuseUnknownPause({ pauses }: UserState, { pause, dating }: EntryOf<'pauseDeleted'>): Refusal | null {
  if (pauses.some(({ id, end }) => id === pause && end >= dating.date)) return null
  return refusal('unknown_pause', `There is no pause ${quoteName(pause)} that is not over.`)
}

function refuseBoost(game: Game, { boosts }: UserState, entry: EntryOf<'boostGiven'>): Refusal | null {
  const missing = refuseMissing('points system', entry.system, game.points)
  if (missing !== null) return missing
  return boosts.length < MOST_BOOSTS ? refuseDates(entry) : refusal('too_many_boosts', tooManyBoosts('The user'))
}

function refuseUnknownBoost({ boosts }: UserState, entry: EntryOf<'boostChanged' | 'boostDeleted'>): Refusal | null {
  const boost = boosts.find(({ id }) => id === entry.boost)
  if (boost === undefined) return refusal('unknown_boost', unknownBoost(entry.boost))
  return entry.kind === 'boostDeleted' ? null : refuseDates(patchBoost(boost, entry))
}

export function refuseDates({ start, end }: Pick<EntryOf<'boostGiven'>, 'start' | 'end'>): Refusal | null {
  if (end === null || end >= start) return null
  const range = `A boost from ${toDateText(start)} to ${toDateText(end)}`
  return refusal('boost_out_of_range', `${range} ends before it begins: let it end on its start or later.`)
}

export function tooManyBoosts(whose: string): string {
  return `${whose} has ${MOST_BOOSTS} boosts, which are the most: delete those that are over.`
}

export function unknownBoost(id: string): string {
  return `There is no boost ${quoteName(id)} that was given in operation.`
}

/** Judges the value alone, so that a wrong value is refused even if the event was recorded before. */
export function refuseValue(value: number): Refusal | null {
  if (isWithinBounds(value)) return null
  const bounds = `from -${GREATEST_TOTAL} to ${GREATEST_TOTAL}`
  return refusal('value_out_of_range', `The value ${value} is out of range: send one ${bounds}.`)
}

export function refuseTotal(metric: string, total: number): Refusal {
  return refusal(
    'total_out_of_range',
    `The total of ${quoteName(metric)} would become ${total}: it must stay from -${GREATEST_TOTAL} to ${GREATEST_TOTAL}.`,
  )
}

/** Checked first, so that an unknown achievement is reported before mistakes in the profile. */
function refuseUnknownAchievement(game: Game, { achievement: key }: EntryOf<'achievementClaimed'>): Refusal | null {
  const achievement = game.achievements.get(key)
  if (achievement?.trigger === 'api' && achievement.status !== 'inactive') return null
  // A secret achievement looks like one that does not exist.
  const isKnown = achievement !== undefined && achievement.status !== 'inactive' && achievement.secret === null
  const message = isKnown
    ? `The achievement ${quoteName(key)} has the trigger '${achievement.trigger}': calls complete only those with 'api'.`
    : `There is no active achievement ${quoteName(key)} with the trigger 'api'.`
  return refusal('unknown_achievement', message)
}

function refuseClaim(game: Game, state: UserState, entry: EntryOf<'achievementClaimed'>): Refusal | null {
  const achievement = game.achievements.get(entry.achievement)
  if (achievement === undefined) return refuseUnknownAchievement(game, entry)
  const name = quoteName(entry.achievement)
  if (achievement.status === 'locked') {
    return refusal('achievement_locked', `The achievement ${name} is locked: no user can newly complete it.`)
  }
  const { until } = achievement
  if (until !== null && entry.dating.date > until) {
    const message = `The achievement ${name} ended on ${toDateText(until)}: no user can newly complete it.`
    return refusal('achievement_locked', message)
  }
  if (revokedAt(state, achievement.key) !== null) {
    return refusal(
      'achievement_revoked',
      `The achievement ${name} was revoked for the user: only a grant completes it.`,
    )
  }
  const profile = patchProfile(state.profile, entry.profile)
  if (isAccessible(achievement, { ...state, profile })) return null
  if (achievement.secret !== null) {
    return refusal('achievement_not_accessible', `The achievement ${name} is for users with other attributes.`)
  }
  const wanted = achievement.userAttributes.map(([attribute, value]) => `${attribute}=${value}`)
  return refusal('achievement_not_accessible', `The achievement ${name} is for users with ${listNames(wanted)}.`)
}

function refuseGrant({ achievements }: Game, { achievement: key }: EntryOf<'achievementGranted'>): Refusal | null {
  if (achievements.get(key)?.status !== 'inactive') return refuseMissing('achievement', key, achievements)
  return refusal(
    'unknown_achievement',
    `The achievement ${quoteName(key)} is inactive: make it active or lock it first.`,
  )
}

function refuseRevocation(
  { achievements }: Game,
  state: UserState,
  { achievement: key }: EntryOf<'achievementRevoked'>,
): Refusal | null {
  if (!achievements.has(key) || state.completions.has(key)) return refuseMissing('achievement', key, achievements)
  const message = `The user does not have the achievement ${quoteName(key)}, so there is nothing to revoke.`
  return refusal('achievement_not_completed', message)
}

/** A user who cannot get a gift would pay for nothing. */
function refuseRedemption(game: Game, state: UserState, entry: EntryOf<'rewardRedeemed'>): Refusal | null {
  const refused = refuseReward(game, state, entry)
  const { freezes: count, boost, achievement } = entry.gives
  if (refused !== null) return refused
  const full = count === 0 ? null : refuseFreezes(game, state, { ...entry, kind: 'freezesGranted', count })
  if (full !== null) return full
  if (boost !== null) return refuseBoostGift(state, entry)
  return achievement === null || count > 0 ? null : refuseOnlyAchievement(game, state, entry, achievement)
}

function refuseBoostGift({ boosts }: UserState, { dating }: Entry): Refusal | null {
  const left = boosts.filter((boost) => !isOver(boost, dating.date)).length
  if (left < MOST_BOOSTS) return null
  const message = `The user has ${left} boosts that are not over, the most there can be. Nothing was saved.`
  return refusal('too_many_boosts', message)
}

function refuseOnlyAchievement(game: Game, state: UserState, entry: Entry, achievement: string): Refusal | null {
  if (completeByReward(game, state, entry, achievement).length > 0) return null
  const what = `The reward gives the achievement ${quoteName(achievement)} alone, which`
  return revokedAt(state, achievement) === null
    ? refusal('reward_limit_reached', `${what} the user has already. Nothing was saved.`)
    : refusal('achievement_revoked', `${what} was revoked for the user: only a grant completes it. Nothing was saved.`)
}

function refuseMissing(
  what: 'achievement' | 'points system',
  key: string,
  known: ReadonlyMap<string, unknown>,
): Refusal | null {
  if (known.has(key)) return null
  const code = what === 'achievement' ? 'unknown_achievement' : 'unknown_points_system'
  return refusal(code, unknownName(what, key, known.keys()))
}

function refuseOutOfPoints(game: Game, state: UserState, entry: Entry): Refusal | null {
  if (!game.blocksWhenOutOfPoints) return null
  const overdraft = findOverdraft(game, state, advance(game, state, entry).changes, entry)
  if (overdraft === null) return null
  const { system, total, left } = overdraft
  const name = quoteName(system.name)
  return refusal(
    'out_of_points',
    `The user has ${total} of ${name}, and ${left} would be left: let them earn more first.`,
  )
}

export function refusePersonalStreak(game: Game, streak: PersonalStreak): Refusal | null {
  // Any user may switch the streak off.
  if (streak.evaluationMode === undefined && streak.metrics === undefined && streak.on === undefined) return null
  if (game.streak === null || !game.streak.customization) {
    return refusal(
      'streak_customization_disabled',
      'Personal streaks are off: set streak.customization to true in the game, or leave streak out.',
    )
  }
  if (streak.on !== undefined && game.streak.frequency !== 'daily') {
    const message = `The streak is ${game.streak.frequency}, and only a daily one has days to choose: leave on and daysOff out.`
    return refusal('streak_customization_disabled', message)
  }
  for (const key of streak.metrics?.keys() ?? []) {
    if (game.metrics.get(key)?.status === 'active') continue
    return refusal('unknown_metric', unknownName('metric', key, game.metrics.keys(), ' in streak'))
  }
  return null
}
