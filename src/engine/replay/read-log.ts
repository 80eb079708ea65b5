import type { Entry } from '../../rules/entry.ts'
import type { LoggedValue, LoggedValues, ReadLogOptions, Storage } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import { chain } from '../accept/chain.ts'
import type { Eventually } from '../types.ts'

/** Reads a chunk of one user's log. */
export type ReadChunk = (options: ReadLogOptions & { readonly limit: number }) => Eventually<readonly Entry[]>

const CHUNK = 1_000

/**
 * Lets the event loop turn between the chunks of a long log. `lines`: how many of them, by their `seq`, are asked for; what
 * comes after them may be there too, but is not waited for, or the log of a busy user would never end.
 */
export function readInTurns(storage: Storage, key: UserKey, lines: number): ReadChunk {
  let count = 0
  return async (options) => {
    if (options.after === undefined) count = 0
    else if (count >= lines) return []
    else await new Promise((resolve) => setImmediate(resolve))
    const chunk = await storage.readLog(key, options)
    for (const { seq } of chunk) if (seq <= lines) count += 1
    return chunk
  }
}

/** In a long log SQLite goes through what lies between two values, which may be much. */
const VALUES_CHUNK = 250

/** What the events of a metric added, from the beginning of the log on, in turns too. */
export async function readAllValues(storage: Storage, key: UserKey, metric: string): Promise<readonly LoggedValue[]> {
  const values: LoggedValue[] = []
  let after: LoggedValues['last'] = null
  do {
    if (after !== null) await new Promise((resolve) => setImmediate(resolve))
    const read: LoggedValues = await storage.readValues(key, metric, {
      limit: VALUES_CHUNK,
      ...(after === null ? {} : { after }),
    })
    values.push(...read.values)
    after = read.last
  } while (after !== null)
  return values
}

/** Goes through the log until `step` answers false; returns whether it never did. */
export function forEachEntry(
  read: ReadChunk,
  step: (entry: Entry) => boolean,
  after?: NonNullable<ReadLogOptions['after']>,
): Eventually<boolean> {
  return chain(read({ limit: CHUNK, ...(after === undefined ? {} : { after }) }), (chunk) => {
    if (!chunk.every(step)) return false
    const last = chunk.at(-1)
    if (last === undefined) return true
    return forEachEntry(read, step, { at: last.at, seq: last.seq })
  })
}
