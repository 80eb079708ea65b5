import type { Entry } from '../../rules/entry.ts'
import { createPause, type YieldTurn } from '../../runtime/pages.ts'
import { type EntryCursor, loadLog, type ReadLogOptions } from '../../sql/log.ts'
import { CHUNK } from '../../storage/reads.ts'
import type { Snapshot, UserKey } from '../../storage/rows.ts'
import { type Eventually, type Steps, wait } from '../../storage/steps.ts'
import type { Storage } from '../../storage/storage.ts'

export interface ReadChunk {
  (options: ReadLogOptions & { readonly limit: number }): Eventually<readonly Entry[]>
  /** Called after each line. Absent if no work may come between the lines, as in a transaction. */
  readonly pause?: YieldTurn
}

/** This many lines take less time to read than the event loop may wait. */
const PART = 500

/**
 * Reads a long log in parts, from `start` or the beginning, and pauses between parts. `forEachEntry` also pauses between
 * lines. Lines whose `seq` is above `lines` are left out, or the log of a busy user would never end.
 */
export function readInTurns(
  storage: Storage,
  key: UserKey,
  lines: number,
  start: Pick<Snapshot, 'lines'> | null = null,
  pause: YieldTurn = createPause(),
): ReadChunk {
  let count = start?.lines ?? 0
  const read: ReadChunk = async ({ after: first }) => {
    let after = first
    while (count < lines) {
      await pause()
      const part = await loadLog(storage, key, { limit: PART, ...(after === undefined ? {} : { after }) })
      const own = part.filter(({ seq }) => seq <= lines)
      count += own.length
      after = part.at(-1)
      if (own.length > 0 || after === undefined) return own
    }
    return []
  }
  return Object.assign(read, { pause })
}

export function* readWhole(read: ReadChunk, after: EntryCursor | null = null): Steps<readonly Entry[]> {
  const lines: Entry[] = []
  yield* forEachEntry(read, (line) => lines.push(line) > 0, after)
  return lines
}

export function readFrom(lines: readonly Entry[]): ReadChunk {
  return ({ after }) => (after === undefined ? lines : lines.filter((line) => compareCursors(line, after) > 0))
}

export function compareCursors(left: EntryCursor, right: EntryCursor): number {
  return left.at - right.at || left.seq - right.seq
}

/** Goes through the log until `apply` answers false; returns whether it never did. */
export function* forEachEntry(
  read: ReadChunk,
  apply: (entry: Entry) => boolean,
  after: EntryCursor | null = null,
): Steps<boolean> {
  let cursor = after
  for (;;) {
    const chunk = yield* wait(read(chunkAfter(cursor)))
    const isDone = read.pause === undefined ? chunk.every(apply) : yield* applyInTurns(chunk, apply, read.pause)
    if (!isDone) return false
    const last = chunk.at(-1)
    if (last === undefined) return true
    cursor = last
  }
}

/** Asks for a pause after each line. A replay in a transaction cannot pause, and is faster without the question. */
function* applyInTurns(chunk: readonly Entry[], apply: (entry: Entry) => boolean, pause: YieldTurn): Steps<boolean> {
  for (const line of chunk) {
    if (!apply(line)) return false
    const turn = pause()
    if (turn !== undefined) yield* wait(turn)
  }
  return true
}

function chunkAfter(cursor: EntryCursor | null): Parameters<ReadChunk>[0] {
  return { limit: CHUNK, ...(cursor === null ? {} : { after: { at: cursor.at, seq: cursor.seq } }) }
}
