import { type Day, endOfDate, type Instant, localDate } from './calendar.ts'
import type { Change } from './change.ts'
import type { CriteriaAchievement, Criterion, Game } from './game.ts'
import { type UserState, zoneOf } from './state.ts'
import { streakOf } from './streak.ts'
import { runningOf } from './tally.ts'

/** A user's value for a criterion, or `null` if there is no value yet. `today` is the user's local date. */
export function amountOf(criterion: Criterion, state: UserState, today: Day): number | null {
  switch (criterion.type) {
    case 'metric':
    case 'events':
      return runningOf(criterion, state)?.total ?? null
    case 'streak':
      return streakOf(state, criterion.streak).length
    case 'points':
      return state.points.get(criterion.system)?.total ?? 0
    case 'achievement':
      return state.completions.has(criterion.achievement) ? 1 : 0
    case 'membership':
      return Math.max(0, today - createdOn(state))
    default:
      return criterion satisfies never
  }
}

function createdOn({ created, profile }: UserState): Day {
  return localDate(zoneOf(profile), created)
}

/** True if the amount is enough, in the direction of the criterion's metric. */
export function isEnoughFor(criterion: Criterion, amount: number | null): boolean {
  if (amount === null) return false
  const falls = criterion.type === 'metric' && criterion.isLowest
  return falls ? amount <= criterion.target : amount >= criterion.target
}

function metMark({ id }: Criterion): string {
  return `met ${id}`
}

/** True if the user has ever met a criterion at one of the user's entries. */
export function isMet(criterion: Criterion, { tallies }: UserState): boolean {
  return tallies.has(metMark(criterion))
}

/** Marks criteria that are met now. The marks stay. Criteria of a completed achievement are no longer judged. */
export function meetCriteria(achievement: CriteriaAchievement, state: UserState, today: Day): readonly Change[] {
  const changes: Change[] = []
  if (state.completions.has(achievement.key)) return changes
  for (const criterion of achievement.criteria) {
    if (isMet(criterion, state) || !isEnoughFor(criterion, amountOf(criterion, state, today))) continue
    changes.push({ type: 'tallyChanged', rule: metMark(criterion), total: 1, highest: 1 })
  }
  return changes
}

/** The ids of the memberships that achievements of a game ask for. */
export function membershipIds({ criteriaAchievements }: Game): readonly string[] {
  const criteria = criteriaAchievements.flatMap((achievement) => achievement.criteria)
  return criteria.filter(({ type }) => type === 'membership').map(({ id }) => id)
}

/** The instants at which time alone meets criteria of a user's that no entry has marked. */
export function membershipsOf(game: Game, state: UserState): readonly Instant[] {
  if (state.suspended !== null || state.mergedInto !== null) return []
  const open = game.criteriaAchievements.filter(({ key }) => !state.completions.has(key))
  return open
    .flatMap(({ criteria }) => criteria)
    .filter((criterion) => criterion.type === 'membership' && !isMet(criterion, state))
    .map(({ target }) => endOfDate(zoneOf(state.profile), createdOn(state) + target - 1))
}

/** True if the next entry of the user would mark a membership. */
export function hasReachedMembership(game: Game, state: UserState, now: Instant): boolean {
  return membershipsOf(game, state).some((reached) => reached <= now)
}

export function countMet({ criteria }: CriteriaAchievement, state: UserState): number {
  return criteria.filter((criterion) => isMet(criterion, state)).length
}
