import { GamificationError } from '../../../errors.ts'
import { parse } from '../../../requests/input.ts'
import { parseUserId } from '../../../requests/user.ts'
import { userEventsRequest } from '../../../requests/users.ts'
import type { LinePlace } from '../../../storage.ts'
import { requireUser } from '../../accept/accept-command.ts'
import { toLogEntry } from '../../answers/log-entry.ts'
import type { UserEventsResponse } from '../../answers/wire/users.ts'
import type { Context } from '../../types.ts'

/** A page of a user's log, the newest first. It has fewer entries than were asked for where they are long. */
export async function readEvents(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown = {},
): Promise<UserEventsResponse> {
  const user = parseUserId(id)
  const { before, limit } = parse(userEventsRequest, request, 'request')
  const place = before === undefined ? undefined : readCursor(before)
  const key = { tenant, user }
  const entries = await context.storage.readNewest(key, { limit, ...(place === undefined ? {} : { before: place }) })
  // A user who is there has a log: an empty page is one behind the last.
  if (entries.length === 0) requireUser((await context.storage.readUser(key)).state, user)
  const last = entries.at(-1)
  return { entries: entries.map(toLogEntry), before: last === undefined ? null : toCursor(last) }
}

function toCursor({ at, seq }: LinePlace): string {
  return Buffer.from(`${at} ${seq}`).toString('base64url')
}

function readCursor(text: string): LinePlace {
  const [, at, seq] = /^(-?\d{1,16}) (\d{1,16})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  const place = { at: Number(at), seq: Number(seq) }
  if (Number.isSafeInteger(place.at) && Number.isSafeInteger(place.seq)) return place
  const message = 'must be what an earlier answer has as before'
  const issues = [{ path: 'before', message }]
  throw new GamificationError('invalid_request', `Invalid request: before: ${message}`, { issues })
}
