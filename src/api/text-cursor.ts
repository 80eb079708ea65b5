import { GamificationError } from '../errors.ts'
import { isText } from '../game/json.ts'

/** A text as a cursor that callers hand back: headers and addresses hold it as it is. */
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
