import type { Instant } from '../rules/calendar.ts'
import type { Entry } from '../rules/entry.ts'
import { underReplacement } from '../rules/fold.ts'
import type { Storage, UserKey } from '../storage.ts'
import type { UserFacts } from '../storage-audit.ts'
import type { CurrentGame } from './game-book.ts'
import { forEachEntry, readInTurns } from './log-reader.ts'
import { toAwardRow } from './projection.ts'
import { startRefold } from './refold.ts'

/** A user's log, folded as far as it has been read. */
export interface UserFold {
  /** Lines of the log that were folded. */
  readonly lines: number
  /** Reads and folds what has come since; false where a line cannot be folded, or was read before it was voided. */
  advance(): Promise<boolean>
  /** What the log says is stored; null: it is empty. */
  facts(): UserFacts | null
}

export function foldUser(
  storage: Storage,
  { games, since }: Pick<CurrentGame, 'games' | 'since'>,
  key: UserKey,
): UserFold {
  const course = startRefold(games)
  const read = readInTurns(storage, key)
  const voided = new Set<string>()
  let last: { readonly at: Instant; readonly seq: number } | undefined
  let lines = 0

  function step(stored: Entry): boolean {
    if (!games.has(stored.epoch)) return false
    if (stored.kind === 'eventRecorded' && stored.voidedBy !== undefined) voided.add(stored.id)
    if (stored.kind === 'eventVoided' && !voided.has(stored.event)) return false
    course.step(underReplacement(since, stored), stored)
    last = { at: stored.at, seq: stored.seq }
    lines += 1
    return true
  }

  return {
    get lines() {
      return lines
    },
    advance: async () => forEachEntry(read, step, last),
    facts: () => {
      const state = course.state()
      if (state === null) return null
      const { awards, periods, leaderboards } = course.projection
      return {
        state,
        awards: [...awards.values()].map((award) => toAwardRow(award)),
        periods: [...periods.values()],
        leaderboards: [...leaderboards.values()],
      }
    },
  }
}
