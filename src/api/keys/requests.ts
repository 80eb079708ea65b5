import { z } from 'zod'
import { instant, keyId, optional, type Parsed, text, upTo, userId } from '../../runtime/input.ts'
import type { Takes } from '../takes.ts'

/**
 * A right of a key. `read` is every read of its user; `profile` is the profile and the preferences. The others cover
 * all of their kind, or only the named one. A right narrows what the game's `clients` allow, and never widens it.
 */
export type Capability<
  Metric extends string = string,
  Achievement extends string = string,
  Attribute extends string = string,
  Challenge extends string = string,
  Reward extends string = string,
> =
  | 'read'
  | 'profile'
  | 'attributes'
  | `attributes:${Attribute}`
  | 'events'
  | `events:${Metric}`
  | 'achievements'
  | `achievements:${Achievement}`
  | 'challenges'
  | `challenges:${Challenge}`
  | 'redeem'
  | `redeem:${Reward}`

export interface ApplicationKeyRequest<Can extends string = Capability> {
  readonly userId: string
  /** 1 to 100 rights. Default: all that the game lets clients do. */
  readonly can?: readonly Can[]
  /** When the key expires: an instant in the future, as a `Date` or as ISO 8601 with a zone. Default: never. */
  readonly expiresAt?: Date | string
}

/** Selects a page of the application keys, in order of id. */
export interface ApplicationKeysRequest {
  /** Keys of this user. Default: of every user of the tenant. */
  readonly userId?: string
  /** The id of the last key of the page before. */
  readonly after?: string
  /** How many keys, 1 to 100. Default: 100. */
  readonly limit?: number
}

/** All keys of one user. */
export interface KeysOfUser {
  readonly userId: string
}

/** A parsed capability: reading, or writing all of a kind, or writing a named one. */
export type ParsedCapability =
  | { readonly kind: 'read' | 'profile' }
  | { readonly kind: (typeof KINDS)[number]; readonly key: string | null }

const KINDS = ['attributes', 'events', 'achievements', 'challenges', 'redeem'] as const

/** Parses `read`, `events` or `events:steps`. Returns `null` if it is no capability. A key may contain colons. */
export function parseCapability(given: string): ParsedCapability | null {
  if (given === 'read' || given === 'profile') return { kind: given }
  const colon = given.indexOf(':')
  const word = colon === -1 ? given : given.slice(0, colon)
  const kind = KINDS.find((each) => each === word)
  if (kind === undefined || colon === given.length - 1) return null
  return { kind, key: colon === -1 ? null : given.slice(colon + 1) }
}

/**
 * Parses all capabilities of a key. Returns `null` if any of them cannot be parsed, so that the key never gets more or
 * fewer rights than stored.
 */
export function parseCapabilities(given: readonly string[]): readonly ParsedCapability[] | null {
  const parsed = given.flatMap((each) => parseCapability(each) ?? [])
  return parsed.length === given.length && parsed.length > 0 ? parsed : null
}

/** Users of a request that makes keys, ids of one that deletes them, and capabilities of a key. */
const MOST = 100

export type ParsedKeyRequest = Parsed<ApplicationKeyRequest<string>, never, { readonly expiresAt?: Date | undefined }>

export type ParsedKeysRequest = Parsed<ApplicationKeysRequest, 'limit'>

const MOST_IN_CAPABILITY = 512
const capability = text(MOST_IN_CAPABILITY).refine((given) => parseCapability(given) !== null, {
  error:
    'must be read, profile, attributes, events, achievements, challenges or redeem, or one of a kind, as events:steps',
})

const moment = z.union([z.date(), instant], {
  error: 'must be a Date, or an instant, YYYY-MM-DDTHH:MM:SS.sssZ',
})

/** Each item is parsed on its own: an invalid item is an issue, and the others get their keys. */
const anyKeyRequest = z.unknown().meta({
  type: 'object',
  properties: {
    userId: { type: 'string', minLength: 1, maxLength: 255 },
    can: {
      type: 'array',
      minItems: 1,
      maxItems: MOST,
      items: {
        type: 'string',
        maxLength: MOST_IN_CAPABILITY,
        pattern: '^(read|profile|(attributes|events|achievements)(:.+)?)$',
      },
    },
    expiresAt: {
      type: 'string',
      format: 'date-time',
      maxLength: 40,
      description: 'A moment to come: from then on it is no key. Default: never.',
    },
  },
  required: ['userId'],
})
export const applicationKeyRequests: z.ZodType<readonly unknown[]> = z.array(anyKeyRequest).min(1).max(MOST)
const created = z.strictObject({
  userId,
  can: optional(z.array(capability).min(1).max(MOST)),
  expiresAt: optional(moment),
})
true satisfies Takes<typeof created, ApplicationKeyRequest>
export const applicationKeyRequest: z.ZodType<ParsedKeyRequest> = created

const applicationKeyIds: z.ZodType<readonly string[]> = z.array(z.uuid('must be a UUID')).min(1).max(MOST)

const listed = z.strictObject({
  userId: optional(userId).meta({ example: '18' }),
  after: optional(keyId),
  limit: upTo(MOST, MOST).meta({ example: 20 }),
})
true satisfies Takes<typeof listed, ApplicationKeysRequest>
export const applicationKeysQuery: z.ZodType<ParsedKeysRequest> = listed

export const deletedKeysQuery: z.ZodType = z
  .strictObject({
    ids: applicationKeyIds.optional().meta({ description: 'Ids of keys, 1 to 100: repeated or comma-separated.' }),
    userId: userId.optional().meta({ description: 'Instead of `ids`: all keys of this user.', example: '18' }),
  })
  .refine(({ ids, userId: user }) => (ids === undefined) !== (user === undefined), {
    error: 'must have either ids or userId',
  })

/** The argument of `delete`: ids, or the user whose keys are deleted. */
export const deletedKeys: z.ZodType<readonly string[] | KeysOfUser> = z.union(
  [applicationKeyIds, z.strictObject({ userId })],
  { error: 'must be a list of 1 to 100 ids of keys (UUIDs), or { userId }' },
)
