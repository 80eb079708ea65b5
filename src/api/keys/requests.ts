import { z } from 'zod'
import { instant, optional, type Parsed, text, userId } from '../input.ts'
import { parseCapability } from './capabilities.ts'
import type { ApplicationKeyRequest, ApplicationKeysRequest } from './request-types.ts'

/** Users of a request that makes keys, and ids of one that deletes them. */
const MOST = 100
const MOST_CAPABILITIES = 100

/** What keys are named by. */
export const keyId: z.ZodString = text(255).regex(/^[\x21-\x7e]*$/, 'must be the id of an API key')

export type ParsedKeyRequest = Parsed<ApplicationKeyRequest<string>, never, { readonly expiresAt?: Date | undefined }>

const WORDS = 'read, profile, attributes, events or achievements'
const MOST_IN_CAPABILITY = 512
const capability = text(MOST_IN_CAPABILITY).refine((given) => parseCapability(given) !== null, {
  error: `must be ${WORDS}, or one of a kind, as events:steps`,
})

const moment = z.union([z.date(), instant], {
  error: 'must be a Date, or an instant, YYYY-MM-DDTHH:MM:SS.sssZ',
})

/** Each item is read on its own: what is wrong with one is an issue, and the others get their keys. */
const anyKeyRequest = z.unknown().meta({
  type: 'object',
  properties: {
    userId: { type: 'string', minLength: 1, maxLength: 255 },
    can: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_CAPABILITIES,
      items: {
        type: 'string',
        maxLength: MOST_IN_CAPABILITY,
        pattern: '^(read|profile|(attributes|events|achievements)(:.+)?)$',
      },
    },
    expiresAt: { type: 'string', format: 'date-time', maxLength: 40 },
  },
  required: ['userId'],
})
export const applicationKeyRequests: z.ZodType<readonly unknown[]> = z.array(anyKeyRequest).min(1).max(MOST)
export const applicationKeyRequest: z.ZodType<ParsedKeyRequest> = z.object({
  userId,
  can: optional(z.array(capability).min(1).max(MOST_CAPABILITIES)),
  expiresAt: optional(moment),
})

const applicationKeyIds: z.ZodType<readonly string[]> = z.array(z.uuid('must be a UUID')).min(1).max(MOST)

export const applicationKeysQuery: z.ZodType<Parsed<ApplicationKeysRequest, 'limit'>> = z.object({
  userId: optional(userId),
  after: optional(keyId),
  limit: z.number().int().min(1).max(MOST).default(MOST),
})

/** What `DELETE /application-api-keys` takes. */
export const deletedKeysQuery: z.ZodType = z
  .object({ ids: applicationKeyIds.optional(), userId: userId.optional() })
  .refine(({ ids, userId: user }) => (ids === undefined) !== (user === undefined), {
    error: 'must have either ids or userId',
  })

/** What `delete` takes: ids, or the user all of whose keys are to go. */
export const deletedKeys: z.ZodType<readonly string[] | { readonly userId: string }> = z.union(
  [applicationKeyIds, z.object({ userId })],
  { error: 'must be a list of 1 to 100 ids of keys (UUIDs), or { userId }' },
)
