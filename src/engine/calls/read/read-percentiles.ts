import type { Day } from '../../../rules/calendar.ts'
import type { DateRange, Storage, Sums } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { addSums, type Comparison } from '../../answers/year/percentiles.ts'
import { type After, readParts } from '../../replay/read-log.ts'

const CHUNK = 1_000
const DAY = 86_400_000
/** Every local date is less than this far from the date in UTC. */
const MOST_DAYS_OFF = 2

/**
 * Shows all users of the tenant but one to a comparison, a chunk of their logs at a time, so that others go on
 * meanwhile.
 */
export async function readOthers(
  storage: Storage,
  { tenant, user: own }: UserKey,
  ranges: readonly DateRange[],
  comparison: Comparison,
): Promise<void> {
  const skip = skipTo(own, ranges)
  await seeUsers(
    own,
    (after: After<LinePlace>) => storage.eventSums(tenant, ranges, { limit: CHUNK, ...after }),
    skip,
    comparison.seeEvents,
  )
  await seeUsers(
    own,
    (after: After<AwardPlace>) => storage.awardSums(tenant, ranges, { limit: CHUNK, ...after }),
    skip,
    comparison.seeAwards,
  )
}

type LinePlace = NonNullable<Awaited<ReturnType<Storage['eventSums']>>['last']>
type AwardPlace = NonNullable<Awaited<ReturnType<Storage['awardSums']>>['last']>

interface Chunk<Place> {
  readonly sums: readonly Sums[]
  readonly last: Place | null
}

type Skip = <Place extends LinePlace>(place: Place) => Place

/** Reads chunks, each of which may end within the lines of a user, and shows each user as a whole. */
async function seeUsers<Place extends LinePlace>(
  own: string,
  read: (after: After<Place>) => Promise<Chunk<Place>>,
  skip: Skip,
  see: (user: string, sums: readonly Sums[]) => void,
): Promise<void> {
  let user: string | null = null
  let open = new Map<string, Sums>()
  const close = (): void => {
    if (user !== null && user !== own) see(user, [...open.values()])
    open = new Map()
  }
  const readOn = async (after: After<Place>): Promise<Chunk<Place>> => {
    const { sums, last } = await read(after)
    return { sums, last: last === null ? null : skip(last) }
  }
  await readParts(readOn, (chunk) => {
    for (const sums of chunk.sums) {
      if (user !== sums.user) close()
      user = sums.user
      const known = open.get(sums.key)
      open.set(sums.key, known === undefined ? sums : addSums(known, sums))
    }
    return true
  })
  close()
}

/** Passes over what is left of the user's own lines, and over those that are before or after all of the ranges. */
function skipTo(own: string, ranges: readonly DateRange[]): Skip {
  const first = toInstant(Math.min(...ranges.map(({ from }) => from)) - MOST_DAYS_OFF)
  const last = toInstant(Math.max(...ranges.map(({ to }) => to)) + 1 + MOST_DAYS_OFF)
  return (place) => {
    if (place.user === own || place.at > last) return { ...place, at: Number.MAX_SAFE_INTEGER }
    return place.at < first ? { ...place, at: first, seq: 0 } : place
  }
}

function toInstant(date: Day): number {
  return date * DAY
}
