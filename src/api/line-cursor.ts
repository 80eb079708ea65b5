import type { EntryCursor } from '../storage/storage.ts'
import { toTextCursor, wrongCursor } from './text-cursor.ts'

/** A place in a log, as a text that callers hand back, with other whole numbers that the next page needs. */
export function toCursor({ at, seq }: EntryCursor, ...others: readonly number[]): string {
  return toTextCursor([at, seq, ...others].join(' '))
}

/** Throws `invalid_request` for a text that `toCursor` did not make. `name`: the argument's, for the message. */
export function readCursor(
  text: string,
  name: string,
): { readonly place: EntryCursor; readonly others: readonly number[] } {
  const written = Buffer.from(text, 'base64url').toString()
  const [at, seq, ...others] = /^-?\d{1,16}(?: \d{1,16}){1,2}$/.test(written) ? written.split(' ').map(Number) : []
  if (at !== undefined && seq !== undefined && [at, seq, ...others].every(Number.isSafeInteger)) {
    return { place: { at, seq }, others }
  }
  throw wrongCursor(name)
}
