import { parse } from '../../../requests/input.ts'
import { parseUserId } from '../../../requests/user.ts'
import { userEventsRequest } from '../../../requests/users.ts'
import type { Entry } from '../../../rules/entry.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { requireUser } from '../../accept/accept-command.ts'
import { toLogEntry } from '../../answers/log-entry.ts'
import type { UserEventsResponse } from '../../answers/wire/users.ts'
import type { Context } from '../../types.ts'
import { readCursor, toCursor } from './line-cursor.ts'

/** A page of a user's log, the newest first. It has fewer entries than were asked for where they are long. */
export async function readEvents(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown = {},
): Promise<UserEventsResponse> {
  const user = parseUserId(id)
  const { before, limit } = parse(userEventsRequest, request, 'request')
  const place = before === undefined ? undefined : readCursor(before, 'before').place
  const key = { tenant, user }
  const entries = await context.storage.readNewest(key, { limit, ...(place === undefined ? {} : { before: place }) })
  const into = await nameOf(context, key, entries[0])
  if (into !== null) return readEvents(context, tenant, into, request)
  const last = entries.at(-1)
  const older = last === undefined ? [] : await context.storage.readNewest(key, { limit: 1, before: last })
  return { entries: entries.map(toLogEntry), before: last === undefined || older.length === 0 ? null : toCursor(last) }
}

/** The user into whom this one was merged; null: it was not. */
async function nameOf({ storage }: Context, key: UserKey, first: Entry | undefined): Promise<string | null> {
  if (first !== undefined) return first.kind === 'userMerged' ? first.into : null
  // A user who is there has a log: an empty page is one behind the last, or behind the only line of another name.
  return requireUser((await storage.readUser(key)).state, key.user).mergedInto
}
