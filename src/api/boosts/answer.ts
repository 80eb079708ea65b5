import { attributeId } from '../../game/ids.ts'
import { boostStatus } from '../../rules/boost.ts'
import { type Day, type Instant, localDate, toDateText } from '../../rules/calendar.ts'
import type { BoostChanged, BoostDeleted, BoostGiven } from '../../rules/entry.ts'
import type { Boost, Filters } from '../../rules/game.ts'
import { zoneOf } from '../../rules/profile.ts'
import type { GivenBoost, UserState } from '../../rules/state.ts'
import type { AwardedBoost } from '../../storage/rows.ts'
import type { AdminPointsBoost, BoostFilter, PointsBoost } from '../points/types.ts'
import type { LogEntry } from '../users/types.ts'

/** A boost as it is on a date. */
export function toPointsBoost(boost: AwardedBoost, date: Day): PointsBoost {
  const { id, name, start, end, multiplier, rounding } = boost
  const dates = { start: toDateText(start), end: end === null ? null : toDateText(end) }
  return { id, name, status: boostStatus(boost, date), ...dates, multiplier, rounding }
}

/** A boost of all users, as it stands to a date in UTC. */
export function toAdminBoost(boost: Boost, now: Instant): AdminPointsBoost {
  const userAttributes = toFilters(boost.userAttributes)
  return { ...toPointsBoost(boost, localDate('UTC', now)), userId: null, userAttributes }
}

/** A boost of one user, as it stands to the user's date. */
export function toUserBoost(boost: GivenBoost, user: string, state: UserState, now: Instant): AdminPointsBoost {
  return { ...toPointsBoost(boost, localDate(zoneOf(state.profile), now)), userId: user }
}

function toFilters(filters: Filters): readonly BoostFilter[] {
  return filters.map(([key, attributeValue]) => ({ attributeId: attributeId('user', key), attributeValue }))
}

type BoostFields = Partial<Pick<LogEntry, 'system' | 'boost' | 'name' | 'start' | 'end' | 'multiplier' | 'rounding'>>

/** What an entry about a boost says; what a change left out is absent. */
export function toBoostFields(entry: BoostGiven | BoostChanged | BoostDeleted): BoostFields {
  if (entry.kind === 'boostDeleted') return { boost: entry.boost }
  const { kind, start, end, ...rest } = entry
  const { system, boost, name, multiplier, rounding }: BoostFields = rest
  return withoutUndefined({
    system,
    boost,
    name,
    start: start === undefined ? undefined : toDateText(start),
    end: end === undefined ? undefined : toEnd(end),
    multiplier,
    rounding,
  })
}

function toEnd(end: Day | null): string | null {
  return end === null ? null : toDateText(end)
}

function withoutUndefined(
  fields: { readonly [Name in keyof BoostFields]: BoostFields[Name] | undefined },
): BoostFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
