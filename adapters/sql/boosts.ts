import { toDateText } from '../../src/rules/calendar.ts'
import type { BoostChanged, BoostGiven } from '../../src/rules/entry.ts'
import { toDay } from './stored-text.ts'

type Dates<Body> = Omit<Body, 'kind' | 'start' | 'end'> & { readonly start?: string; readonly end?: string | null }

/** The column `data` of an entry about a boost: dates are texts, members that a change left out are absent. */
export function toBoostJson({ kind, start, end, ...rest }: BoostGiven | BoostChanged): string {
  const first = start === undefined ? {} : { start: toDateText(start) }
  const last = end === undefined ? {} : { end: end === null ? null : toDateText(end) }
  return JSON.stringify({ ...rest, ...first, ...last })
}

export function fromBoostGivenJson(data: unknown): BoostGiven {
  const { start = '', end = null, ...rest } = data as Dates<BoostGiven>
  return { kind: 'boostGiven', ...rest, start: toDay(start), end: end === null ? null : toDay(end) }
}

export function fromBoostChangedJson(data: unknown): BoostChanged {
  const { start, end, ...rest } = data as Dates<BoostChanged>
  const first = start === undefined ? {} : { start: toDay(start) }
  const last = end === undefined ? {} : { end: end === null ? null : toDay(end) }
  return { kind: 'boostChanged', ...rest, ...first, ...last }
}
