import { afterDate, beforeDate, type WeekStart } from '../../../rules/calendar.ts'
import type { DateRange, Storage } from '../../../storage.ts'
import { datesOfYear } from '../../answers/year/most-active.ts'
import { periodsOfYear, startYearSums } from '../../answers/year/percentiles.ts'
import { type After, readParts } from '../../replay/read-log.ts'
import type { Context } from '../../types.ts'
import type { YearSums } from '../../year-cache.ts'

type EventPlace = NonNullable<Awaited<ReturnType<Storage['eventValues']>>['last']>
type AwardPlace = NonNullable<Awaited<ReturnType<Storage['awardValues']>>['last']>

/**
 * What all users of a tenant added in a year: read at most once in ten minutes, whoever asks. null: the tenant has more
 * events than are compared.
 */
export function readYearSums(
  { storage, wrapped: { mostEvents }, yearSums }: Context,
  tenant: string,
  year: number,
  weekStartsOn: WeekStart,
): Promise<YearSums | null> {
  return yearSums.find(JSON.stringify([tenant, year, weekStartsOn]), async () => {
    const summing = startYearSums(periodsOfYear(year, weekStartsOn))
    const skip = skipTo(datesOfYear(year))
    let events = 0
    await readParts(
      async (after: After<EventPlace>) => skip(await storage.eventValues(tenant, after)),
      ({ values }) => {
        events += values.length
        summing.seeEvents(values)
        return events <= mostEvents
      },
    )
    if (events > mostEvents) return null
    await readParts(
      async (after: After<AwardPlace>) => skip(await storage.awardValues(tenant, after)),
      ({ values }) => {
        summing.seeAwards(values)
        return true
      },
    )
    return summing.end()
  })
}

/** Passes over the lines of a user that are before or after the range. */
function skipTo({ from, to }: DateRange) {
  const [first, last] = [beforeDate(from), afterDate(to)]
  return <Part extends { readonly last: EventPlace | null }>(part: Part): Part => {
    const place = part.last
    if (place === null) return part
    if (place.at > last) return { ...part, last: { ...place, at: Number.MAX_SAFE_INTEGER } }
    return place.at < first ? { ...part, last: { ...place, at: first, seq: 0 } } : part
  }
}
