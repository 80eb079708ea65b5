import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadUserOptions, UserView } from '../../src/storage.ts'
import type { Award } from '../../src/storage-rows.ts'

/** The awards of a user are read in pages, each in a turn of the event loop, where there may be more than these. */
export const MOST_AT_ONCE = 2_000

const PAGE = 1_000
const MOST_TRIES = 3

/** Whether options ask for all awards of a user. */
export function areAll({ awards }: ReadUserOptions): boolean {
  return awards !== undefined && awards.limit === undefined && awards.system === undefined
}

/** A place in the order of awards by system, then by instant, `seq` and `ordinal`. */
export type AwardKey = Pick<Award, 'system' | 'at' | 'seq' | 'ordinal'>

// No system has an empty key.
const FIRST: AwardKey = { system: '', at: Number.MIN_SAFE_INTEGER, seq: 0, ordinal: 0 }

/** How a user is read with its awards. */
export interface AwardReads {
  /** The user as it is now, without awards. */
  view(): Promise<UserView>
  /** At most `limit` awards after a place. */
  page(after: AwardKey, limit: number): Promise<readonly Award[]>
  /** The user with all awards, at once. */
  whole(): Promise<UserView>
}

/** The user with all awards as of one moment: who writes to the user meanwhile gives it another version. */
export async function readAwardsInPages({ view, page, whole }: AwardReads): Promise<UserView> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { version } = await view()
    const awards: Award[] = []
    for (let after: AwardKey | undefined = FIRST; after !== undefined; ) {
      await nextTurn()
      const part = await page(after, PAGE)
      awards.push(...part)
      after = part.length < PAGE ? undefined : part.at(-1)
    }
    const now = await view()
    if (now.version === version) return { ...now, awards: awards.sort(newestFirst) }
  }
  // Others write to the user all the time.
  return whole()
}

function newestFirst(left: Award, right: Award): number {
  return right.at - left.at || right.seq - left.seq || right.ordinal - left.ordinal
}
