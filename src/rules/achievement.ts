import { DAY, type Day, type Instant, localDate } from './calendar.ts'
import type { Change } from './change.ts'
import { countMet, meetCriteria, membershipDate } from './criteria.ts'
import type { AchievementClaimed, AchievementGranted, AchievementRevoked, Entry, Granted } from './entry.ts'
import { applyTo, draftOf } from './evolve.ts'
import {
  type AchievementRule,
  type CompositeAchievement,
  type CriteriaAchievement,
  type Game,
  type MetricAchievement,
  matches,
  repeats,
  type StreakAchievement,
} from './game.ts'
import { type Completion, type RunningTotal, type UserState, zoneOf } from './state.ts'
import { streakOf } from './streak-names.ts'
import { runningOf } from './tally.ts'
import { add, fullMultiples, roundTo15Digits } from './total.ts'

type CompletionChange = Extract<Change, { readonly type: 'achievementCompleted' }>

export function isAccessible(achievement: AchievementRule, state: UserState): boolean {
  return matches(achievement.userAttributes, state.profile.attributes)
}

/** True if the user may complete an active achievement again. */
function isOpen(achievement: AchievementRule, state: UserState, { at, dating }: Entry): boolean {
  return canBeCompleted(achievement, state, at, dating.date) && isAccessible(achievement, state)
}

export function completionsOf(state: UserState, achievement: string): number {
  return state.completions.get(achievement)?.count ?? 0
}

function completed(achievement: string, { at, id: entryId }: Entry, count?: number): CompletionChange {
  const change = { type: 'achievementCompleted', achievement, at, entryId } as const
  return count === undefined ? change : { ...change, count }
}

/** Completed by something that is no total: one that repeats again. */
function completedOnce(achievement: AchievementRule, state: UserState, entry: Entry): CompletionChange {
  const { key } = achievement
  return completed(key, entry, repeats(achievement) ? completionsOf(state, key) + 1 : undefined)
}

/** True if a total completes a metric achievement, in the direction of its metric. */
export function hasReached({ value, isLowest }: MetricAchievement, total: number): boolean {
  return isLowest ? total <= value : total >= value
}

/**
 * How often progress completes it. An achievement that repeats uses the highest total, which negative values do not
 * lower.
 */
function reachedBy(achievement: MetricAchievement, progress: RunningTotal | undefined): number {
  if (progress === undefined) return 0
  if (!repeats(achievement)) return hasReached(achievement, progress.total) ? 1 : 0
  return Math.min(fullMultiples(progress.highest, achievement.value), achievement.most)
}

/**
 * True if the running streak has completed the achievement already: each streak does so once, also after it was
 * restored. A completion granted while it ran was for an earlier streak if this one reaches the length only now.
 */
function isOfThisStreak(achievement: StreakAchievement, state: UserState, grown: ReadonlySet<string | null>): boolean {
  const newest = state.completions.get(achievement.key)
  const { firstAt, length } = streakOf(state, achievement.streak)
  if (newest === undefined || (firstAt !== null && newest.at < firstAt)) return false
  const getsThere = length === achievement.length && grown.has(achievement.streak)
  return !getsThere || !isGranted(achievement, state)
}

/** The achievements that the event completes. `grown` holds the keys of the streaks that the event made longer. */
export function completeByEvent(
  game: Game,
  state: UserState,
  metric: string,
  entry: Entry,
  grown: ReadonlySet<string | null>,
): readonly Change[] {
  const changes: Change[] = []
  for (const achievement of game.byMetric.get(metric)?.achievements ?? []) {
    const count = reachedBy(achievement, runningOf(achievement, state))
    const isDue = repeats(achievement) ? count > completionsOf(state, achievement.key) : count > 0
    if (isDue && isOpen(achievement, state, entry)) {
      changes.push(completed(achievement.key, entry, repeats(achievement) ? count : undefined))
    }
  }
  changes.push(...completeByStreaks(game, state, entry, grown))
  return changes
}

/** The achievements for lengths that streaks have. `grown`: keys of the streaks that the entry made longer. */
export function completeByStreaks(
  game: Game,
  state: UserState,
  entry: Entry,
  grown: ReadonlySet<string | null>,
): readonly Change[] {
  const changes: Change[] = []
  for (const achievement of game.streakAchievements) {
    if (streakOf(state, achievement.streak).length < achievement.length || !isOpen(achievement, state, entry)) continue
    if (repeats(achievement) && isOfThisStreak(achievement, state, grown)) continue
    changes.push(completedOnce(achievement, state, entry))
  }
  return changes
}

/**
 * The achievements that follow from the user's state: composites whose parts were all completed once, and achievements
 * with enough criteria met. Each part comes before its composite, so that one pass finds all that follow without new
 * points. `isSignUpNew`: the entry has changed the sign-up date.
 */
export function completeFollowing(game: Game, state: UserState, entry: Entry, isSignUpNew: boolean): readonly Change[] {
  const changes: Change[] = []
  const draft = draftOf(state)
  for (const achievement of game.partsFirst) {
    const follows = followingChanges(achievement, draft.state, entry, isSignUpNew)
    for (const change of follows) applyTo(draft, change)
    changes.push(...follows)
  }
  return changes
}

function followingChanges(
  achievement: CompositeAchievement | CriteriaAchievement,
  state: UserState,
  entry: Entry,
  isSignUpNew: boolean,
): readonly Change[] {
  const isActive = achievement.status === 'active'
  if (achievement.trigger === 'achievement') {
    if (!isActive || !isOpen(achievement, state, entry)) return NOTHING
    return achievement.achievements.every((key) => state.completions.has(key))
      ? [completed(achievement.key, entry)]
      : NOTHING
  }
  const met = meetCriteria(achievement, state, entry.dating.date)
  if (!isActive || countMet(achievement, state) + met.length < achievement.atLeast) return met
  if (!isOpen(achievement, state, entry)) return met
  const changes = [...met, completed(achievement.key, entry)]
  if (achievement.trigger === 'criteria' || !(isSignUpNew || isPast(achievement, state, entry))) return changes
  // A message about an anniversary that is over would be wrong.
  return [...changes, { type: 'tallyChanged', rule: grantMark(achievement), total: 1, highest: 1 }]
}

/** True if an entry completes an anniversary on a later date. */
function isPast({ criteria }: CriteriaAchievement, state: UserState, { dating }: Entry): boolean {
  return criteria.every((criterion) => {
    const date = criterion.type === 'membership' ? membershipDate(criterion, state) : null
    return date !== null && date < dating.date
  })
}

const NOTHING: readonly Change[] = []

/** With an idempotency key, a claim completes an achievement that repeats again. */
export function completeByClaim(game: Game, state: UserState, entry: Entry & AchievementClaimed): readonly Change[] {
  const achievement = game.achievements.get(entry.achievement)
  if (achievement === undefined || !isLeft(achievement, state, entry.at)) return []
  if (revokedAt(state, achievement.key) !== null) return []
  const isUnkeyed = entry.idempotencyKey === undefined
  if (repeats(achievement) && isUnkeyed && state.completions.has(achievement.key)) return []
  return [completedOnce(achievement, state, entry)]
}

/** The completion that the reward of a quest or of the catalogue gives, if the user can get it. */
export function completeByReward(game: Game, state: UserState, entry: Entry, achievement: string): readonly Change[] {
  return completeByClaim(game, state, {
    ...entry,
    kind: 'achievementClaimed',
    achievement,
    idempotencyKey: entry.id,
  } as const)
}

/** Nothing if the user has completed it that often (`count`, or once) already. */
export function completeByKey(state: UserState, key: string, entry: Entry, count?: number): readonly Change[] {
  if (completionsOf(state, key) >= (count ?? 1)) return []
  return [completed(key, entry, count)]
}

/** The achievements that an entry grants for the past. */
export function completeByGrants(game: Game, state: UserState, entry: Entry & Granted): readonly Change[] {
  const counts = new Map(entry.counts?.map(({ achievement, count }) => [achievement, count]))
  const granted = [...new Set(entry.achievements)]
  return granted.flatMap((key) => completeByGrant(game, state, key, entry, counts.get(key)))
}

/** After a grant, the tally of an achievement that repeats continues from the granted number of completions. */
function completeByGrant(
  game: Game,
  state: UserState,
  key: string,
  entry: Entry,
  given: number | undefined,
): readonly Change[] {
  const changes = completeByKey(state, key, entry, given)
  const achievement = game.achievements.get(key)
  if (achievement === undefined || changes.length === 0) return changes
  const count = given ?? 1
  const isAsked = game.emails?.achievements === true || (achievement.trigger === 'streak' && repeats(achievement))
  return [
    ...changes,
    ...(isAsked ? [{ type: 'tallyChanged', rule: grantMark(achievement), total: count, highest: count } as const] : []),
    ...tallyFrom(achievement, state, count),
  ]
}

/** The completion that support grants, whatever the achievement asks for: also if it is locked or was revoked. */
export function completeBySupport(game: Game, state: UserState, entry: Entry & AchievementGranted): readonly Change[] {
  const achievement = game.achievements.get(entry.achievement)
  if (achievement === undefined || !isLeft(achievement, state, entry.at)) return []
  return [completedOnce(achievement, state, entry)]
}

export function revokeAchievement({ achievement, at }: Entry & AchievementRevoked): readonly Change[] {
  return [
    { type: 'achievementRevoked', achievement },
    { type: 'tallyChanged', rule: revokedMark(achievement), total: at, highest: at },
  ]
}

/** The tally of an achievement that repeats, raised to the value of its granted completions. */
function tallyFrom(achievement: AchievementRule, state: UserState, count: number): readonly Change[] {
  if (achievement.trigger !== 'metric' || !repeats(achievement) || achievement.tally === null) return []
  const { total, highest } = runningOf(achievement, state) ?? { total: 0, highest: 0 }
  const multiples = count - fullMultiples(highest, achievement.value)
  if (multiples <= 0) return []
  const more = roundTo15Digits(multiples * achievement.value)
  return [{ type: 'tallyChanged', rule: achievement.tally, total: add(total, more), highest: add(highest, more) }]
}

/** Tally key with the number of completions at the last grant. */
function grantMark({ id }: AchievementRule): string {
  return `granted ${id}`
}

/**
 * True if the newest completion was granted for the past, as noted for emails and for repeated streak achievements, or is
 * of an anniversary that was over.
 */
export function isGranted(achievement: AchievementRule, state: UserState): boolean {
  return state.tallies.get(grantMark(achievement))?.total === completionsOf(state, achievement.key)
}

/** When a completion of an achievement expires, whatever the zone, or `null` if never. */
export function expiryOf({ validDays }: AchievementRule, { at }: Pick<Completion, 'at'>): Instant | null {
  return validDays === null ? null : at + validDays * DAY
}

/** When the user's completion of an achievement has expired, or `null` if it has not by `at`, or there is none. */
export function expiredAt(achievement: AchievementRule, { completions }: UserState, at: Instant): Instant | null {
  if (achievement.validDays === null) return null
  const completion = completions.get(achievement.key)
  const expiry = completion === undefined ? null : expiryOf(achievement, completion)
  return expiry !== null && expiry <= at ? expiry : null
}

export function hasAchievement(achievement: AchievementRule, state: UserState, at: Instant): boolean {
  return state.completions.has(achievement.key) && expiredAt(achievement, state, at) === null
}

/** True if earlier completions leave one more: there may be more, or the newest has expired. */
export function isLeft(achievement: AchievementRule, state: UserState, at: Instant): boolean {
  return completionsOf(state, achievement.key) < achievement.most || expiredAt(achievement, state, at) !== null
}

/** The key among the tallies of the instant at which support last revoked an achievement. */
export function revokedMark(achievement: string): string {
  return `revoked ${achievement}`
}

/** When support last revoked an achievement, which only grants complete since then, or `null` if never. */
export function revokedAt({ tallies }: UserState, achievement: string): Instant | null {
  return tallies.size === 0 ? null : (tallies.get(revokedMark(achievement))?.total ?? null)
}

/** True if a user could complete an achievement again at an instant, as far as time and earlier entries go. */
export function canBeCompleted(achievement: AchievementRule, state: UserState, at: Instant, today?: Day): boolean {
  const { key, until } = achievement
  const isOver = until !== null && (today ?? localDate(zoneOf(state.profile), at)) > until
  return !isOver && isLeft(achievement, state, at) && revokedAt(state, key) === null
}
