import { GamificationError } from '../errors.ts'
import { isText } from '../game/json.ts'
import type { EntryCursor } from '../sql/log.ts'

/** Encodes a text as a cursor that is safe in headers and addresses. */
export function toTextCursor(text: string): string {
  return Buffer.from(text).toString('base64url')
}

/** The text of a cursor. Throws `invalid_request` for anything else; `name`: the argument's. */
export function readTextCursor(cursor: string, name: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (isText(text) && toTextCursor(text) === cursor) return text
  throw wrongCursor(name)
}

export function wrongCursor(name: string): GamificationError {
  const message = 'must be what an earlier answer has'
  return new GamificationError('invalid_request', `Invalid request: ${name}: ${message}`, {
    issues: [{ path: name, message }],
  })
}

/** A place in a log, as a text that callers hand back, with other whole numbers that the next page needs. */
export function toCursor({ at, seq }: EntryCursor, ...others: readonly number[]): string {
  return toTextCursor([at, seq, ...others].join(' '))
}

/** Throws `invalid_request` for a text that `toCursor` did not make. `name`: the argument's, for the message. */
export function readCursor(
  text: string,
  name: string,
): { readonly place: EntryCursor; readonly others: readonly number[] } {
  const written = readTextCursor(text, name)
  const [at, seq, ...others] = /^-?\d{1,16}(?: \d{1,16}){1,2}$/.test(written) ? written.split(' ').map(Number) : []
  if (at !== undefined && seq !== undefined && [at, seq, ...others].every(Number.isSafeInteger)) {
    return { place: { at, seq }, others }
  }
  throw wrongCursor(name)
}
