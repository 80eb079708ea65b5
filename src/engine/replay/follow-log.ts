import type { Entry } from '../../rules/entry.ts'
import type { ReadUserOptions, Storage, UserView } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import type { Eventually } from '../types.ts'
import { type FoldStart, forEachEntry, type LogOpener, readInTurns } from './read-log.ts'

/** A log that is folded while others go on writing to it. */
export interface FollowedLog {
  /** How many lines, by their `seq`, were folded; or come before where it begins. */
  readonly lines: number
  /**
   * Folds the lines up to the `seq` that is given. false: what was folded before is not how the log goes any more, or
   * `step` answered false.
   */
  goOn(to: number, openLog: LogOpener): Eventually<boolean>
}

/** `start`: where it begins; null: with the first line. `step` is given each line, in their order. */
export function followLog(start: FoldStart | null, step: (line: Entry) => boolean): FollowedLog {
  let last = start
  let known: number | null = null

  return {
    get lines() {
      return known ?? start?.lines ?? 0
    },
    goOn: (to, openLog) => {
      const from = known
      if (from !== null && to < from) return false
      known = to
      const isNext = (line: Entry): boolean => from === null || (line.seq > from && isOwnDoing(line))
      // What is written while the log is read is folded when all of these are there.
      const stepNew = (line: Entry): boolean => {
        if (line.seq > to) return true
        if (!isNext(line)) return false
        last = { lines: to, at: line.at, seq: line.seq }
        return step(line)
      }
      const begin = last === null ? null : { ...last, lines: from ?? last.lines }
      return forEachEntry(openLog(begin), stepNew, begin === null ? undefined : { at: begin.at, seq: begin.seq })
    },
  }
}

/** Whether a line changes nothing of those before it. */
function isOwnDoing({ kind }: Entry): boolean {
  return kind !== 'eventVoided' && kind !== 'eventApproved'
}

/** How many lines may be left to fold while others wait, after so many rounds of folding what was written meanwhile. */
const FEW_LINES = 100
const MOST_ROUNDS = 5

/** Follows a log until few lines are left. false: as `goOn`, which is given the user as it is by then. */
export async function catchUp(
  storage: Storage,
  key: UserKey,
  options: ReadUserOptions,
  log: Pick<FollowedLog, 'lines'>,
  goOn: (view: UserView, openLog: LogOpener) => Eventually<boolean>,
): Promise<boolean> {
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
    const view = await storage.readUser(key, options)
    const lines = view.state?.seq ?? 0
    if (lines - log.lines <= FEW_LINES) return true
    if (!(await goOn(view, (start) => readInTurns(storage, key, lines, start)))) return false
  }
  return true
}
