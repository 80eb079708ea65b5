import { type Day, toDateText } from '../../rules/calendar.ts'
import type { BoostChanged, BoostDeleted, BoostGiven } from '../../rules/entry.ts'
import type { LogEntry } from './wire/users.ts'

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
