import { addMonths, type Day, endOfDate, fullMonthsBetween, type Instant, localDate } from './calendar.ts'
import type { Change } from './change.ts'
import type { CriteriaAchievement, Criterion, Game, MembershipCriterion } from './game.ts'
import { type UserState, zoneOf } from './state.ts'
import { streakOf } from './streak-names.ts'
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
      return membershipUntil(criterion, state, today)
    default:
      return criterion satisfies never
  }
}

const MONTHS = { month: 1, year: 12 } as const

function membershipUntil(criterion: MembershipCriterion, state: UserState, today: Day): number | null {
  const { unit } = criterion
  const first = firstDateOf(criterion, state)
  if (first === null) return null
  const count = unit === 'day' ? today - first : Math.floor(fullMonthsBetween(first, today) / MONTHS[unit])
  return Math.max(0, count)
}

/** The date from which a membership counts, or `null` if the user has none. */
function firstDateOf({ since }: MembershipCriterion, { created, profile }: UserState): Day | null {
  const createdOn = localDate(zoneOf(profile), created)
  if (since === 'creation') return createdOn
  return profile.signUpDate ?? (since === 'signUp' ? createdOn : null)
}

/** The first date on which a membership is met, or `null` if it never is. 29 February is 28 February in other years. */
export function membershipDate(criterion: MembershipCriterion, state: UserState): Day | null {
  const { unit, target } = criterion
  const first = firstDateOf(criterion, state)
  if (first === null) return null
  return unit === 'day' ? first + target : addMonths(first, target * MONTHS[unit])
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
  const memberships = open.flatMap(({ criteria }) => criteria).filter((criterion) => criterion.type === 'membership')
  return memberships.flatMap((criterion) => {
    const date = isMet(criterion, state) ? null : membershipDate(criterion, state)
    return date === null ? [] : [endOfDate(zoneOf(state.profile), date - 1)]
  })
}

/** True if the next entry of the user would mark a membership. */
export function hasReachedMembership(game: Game, state: UserState, now: Instant): boolean {
  return membershipsOf(game, state).some((reached) => reached <= now)
}

export function countMet({ criteria }: CriteriaAchievement, state: UserState): number {
  return criteria.filter((criterion) => isMet(criterion, state)).length
}
