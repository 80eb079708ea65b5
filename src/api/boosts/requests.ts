import { z } from 'zod'
import type { Day } from '../../rules/calendar.ts'
import type { Rounding } from '../../rules/game.ts'
import { date, type Parsed, text, userId } from '../input.ts'
import type { BoostRequest, BoostsListRequest, BoostUpdate } from './request-types.ts'

/** How many boosts one request may name. */
const MOST = 100
const MOST_FILTERS = 100

export const boostName: z.ZodString = text(255)
export const multiplier: z.ZodNumber = z
  .number()
  .gt(0)
  .lt(100)
  .refine((by) => by !== 1, 'must not be 1, which changes nothing')
export const rounding: z.ZodType<Rounding> = z.enum(['down', 'up', 'nearest'])

const userAttributes = z
  .array(z.object({ attributeId: text(255), attributeValue: z.string().max(1_024) }))
  .max(MOST_FILTERS)

export type ParsedBoost = Parsed<
  BoostRequest,
  'rounding',
  { readonly start: Day; readonly end?: Day | null | undefined }
>

export const boostsCreateRequest: z.ZodType<readonly ParsedBoost[]> = z
  .array(
    z.object({
      userId: userId.nullish(),
      name: boostName,
      start: date,
      end: date.nullish(),
      multiplier,
      rounding: rounding.default('down'),
      userAttributes: userAttributes.nullish(),
    }),
  )
  .min(1)
  .max(MOST)
  .check((context) => {
    for (const [index, { userId: user, userAttributes: filters }] of context.value.entries()) {
      if (typeof user !== 'string' || (filters ?? []).length === 0) continue
      const message = 'must not be there with userId: a boost of one user is for that user'
      context.issues.push({ code: 'custom', message, input: filters, path: [index, 'userAttributes'] })
    }
  })

/** What is undefined stays; null removes the end, or clears the attributes. */
export type ParsedBoostUpdate = Parsed<
  BoostUpdate,
  never,
  { readonly start?: Day | undefined; readonly end?: Day | null | undefined }
>

export const givenBoostId: z.ZodType<string> = z.uuid('must be a UUID').transform((id) => id.toLowerCase())

export const boostsUpdateRequest: z.ZodType<readonly ParsedBoostUpdate[]> = z
  .array(
    z.object({
      name: boostName.optional(),
      start: date.optional(),
      end: date.nullish(),
      multiplier: multiplier.optional(),
      rounding: rounding.optional(),
      userAttributes: userAttributes.nullish(),
      // Last, so that `ed` is taken for `end`.
      id: givenBoostId,
    }),
  )
  .min(1)
  .max(MOST)

export const boostIds: z.ZodType<readonly string[]> = z.array(givenBoostId).min(1).max(MOST)

export const boostsListRequest: z.ZodType<Required<BoostsListRequest>> = z.object({
  limit: z.int().min(1).max(100).default(10),
  skip: z.int().min(0).default(0),
})
