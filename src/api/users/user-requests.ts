import { z } from 'zod'
import { GamificationError } from '../../errors.ts'
import { isTimeZone } from '../../rules/calendar.ts'
import type { ProfilePatch } from '../../rules/entry.ts'
import { quoteName } from '../../rules/names.ts'
import { attributes, optional, type Parsed, parse, text, userId } from '../input.ts'
import type { UserUpdate, UserUpsert } from './user-request-types.ts'

/** What a call said about a user, as it was read. */
export type ParsedUpdate = Parsed<UserUpdate, never, ParsedAttributes>

export type ParsedUpsert = Parsed<UserUpsert, never, ParsedAttributes>

interface ParsedAttributes {
  readonly attributes?: ReadonlyMap<string, string> | undefined
}

const MOST_TOKENS = 20

const updateFields = {
  email: text(1_024).nullable().optional(),
  name: text(1_024).nullable().optional(),
  tz: text(255).nullable().optional(),
  deviceTokens: z.array(text(1_024)).max(MOST_TOKENS).nullable().optional(),
  subscribedToEmails: optional(z.boolean()),
  subscribeToEmails: optional(z.boolean()),
  attributes: optional(attributes),
}

export const userUpdate: z.ZodType<ParsedUpdate> = z.object(updateFields).meta({ id: 'UpdatedUser' })
export const userUpsert: z.ZodType<ParsedUpsert> = z
  .object({ id: userId, ...updateFields })
  .meta({ id: 'UpsertedUser' })

/** Throws `unknown_time_zone`. Not part of the schema: who asks for another user is told so before. */
function checkTimeZone(tz: string | null | undefined): void {
  if (typeof tz !== 'string' || isTimeZone(tz)) return
  throw new GamificationError(
    'unknown_time_zone',
    `Unknown time zone ${quoteName(tz)}: send an IANA name such as "Europe/London", or "UTC".`,
    { issues: [{ path: 'tz', message: 'must be an IANA time zone name' }] },
  )
}

/** What was asserted, null when nothing was. Throws `unknown_time_zone`. */
export function toPatch(update: ParsedUpdate): ProfilePatch | null {
  const { email, name, tz, deviceTokens, attributes: given } = update
  checkTimeZone(tz)
  const subscribedToEmails = update.subscribedToEmails ?? update.subscribeToEmails
  const patch: ProfilePatch = {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...(tz === undefined ? {} : { tz }),
    ...(deviceTokens === undefined ? {} : { deviceTokens }),
    ...(subscribedToEmails === undefined ? {} : { subscribedToEmails }),
    ...(given === undefined || given.size === 0 ? {} : { attributes: given }),
  }
  return Object.keys(patch).length === 0 ? null : patch
}

/** A user's id given on its own. */
export function parseUserId(id: unknown): string {
  return parse(userId, id, 'user id')
}
