import type { Entry } from '../rules/entry.ts'
import type { ReadLogOptions, Storage, UserKey } from '../storage.ts'
import { chain, type Eventually } from './eventually.ts'

/** Reads a chunk of one user's log. */
export type ReadChunk = (options: ReadLogOptions & { readonly limit: number }) => Eventually<readonly Entry[]>

const CHUNK = 1_000

/** Lets the event loop turn between the chunks of a long log. */
export function readInTurns(storage: Storage, key: UserKey): ReadChunk {
  return async (options) => {
    if (options.after !== undefined) await new Promise((resolve) => setImmediate(resolve))
    return storage.readLog(key, options)
  }
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
    if (chunk.length < CHUNK || last === undefined) return true
    return forEachEntry(read, step, { at: last.at, seq: last.seq })
  })
}
