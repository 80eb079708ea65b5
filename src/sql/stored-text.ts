import { GamificationError, isGamificationError, reasonsOf } from '../errors.ts'
import { type Day, parseDate } from '../rules/calendar.ts'

/** The day of a stored date; throws `storage_unusable` for a text that is no date. */
export function toDay(text: string): Day {
  const day = parseDate(text)
  if (day === null)
    throw new GamificationError(
      'storage_unusable',
      `The storage has "${text}" in place of a date. Restore the row from a backup.`,
    )
  return day
}

interface Dates<D> {
  readonly start?: D | undefined
  readonly end?: D | null | undefined
}

/** The dates of a boost as texts, or back. Absent members stay absent. */
export function mapDates<From, To, Rest extends Dates<From>>(
  boost: Rest,
  toOther: (date: From) => To,
): Omit<Rest, 'start' | 'end'> & Dates<To> {
  const { start, end, ...rest }: Rest = boost
  const first = start === undefined ? {} : { start: toOther(start) }
  const last = end === undefined ? {} : { end: end === null ? null : toOther(end) }
  // Spread twice, so that the members keep their order.
  return Object.assign({ ...boost }, rest, first, last)
}

/**
 * A map as the text of a JSON object, which hosts can query. A key `__proto__` survives: `fromEntries` and `JSON.parse`
 * both make it an ordinary member.
 */
export function toJson(map: ReadonlyMap<string, unknown>): string {
  return map.size === 0 ? '{}' : JSON.stringify(toObject(map))
}

export function toObject<Value>(map: ReadonlyMap<string, Value>): { readonly [key: string]: Value } {
  // A computed name makes an ordinary member too; `fromEntries` is slow for the one metric of most periods.
  if (map.size === 1) for (const [key, value] of map) return { [key]: value }
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function toMap<Key extends string, Value>(object: { readonly [key in Key]?: Value }): ReadonlyMap<Key, Value> {
  return new Map(Object.entries(object) as [Key, Value][])
}

/** The error of a row that cannot be read. `what` names the row, `mend` says what to do. */
export function damagedRow(what: string, error: unknown, mend: string): GamificationError {
  if (isGamificationError(error) && error.code === 'user_damaged') return error
  const message = `${what} cannot be read: ${reasonsOf(error).join(': ')}. ${mend}`
  return new GamificationError('user_damaged', message, { cause: error })
}
