import { z } from 'zod'
import type { Day } from '../../rules/calendar.ts'
import type { Rounding } from '../../rules/game.ts'
import { date, listUpTo, type Parsed, text, userId, yesOrNo } from '../../runtime/input.ts'
import type { Takes } from '../takes.ts'

/** An attribute of users, by its id or key, and the value it must have. */
export interface BoostAttribute {
  readonly attributeId: string
  readonly attributeValue: string
}

export interface BoostRequest {
  /** The only user who gets it. Default: all users get it. */
  readonly userId?: string | null
  /** 1 to 255 characters. */
  readonly name: string
  /** `YYYY-MM-DD`, local dates of each user, both included. Without an end it never ends. */
  readonly start: string
  readonly end?: string | null
  /** Above 0 and below 100, and not 1. */
  readonly multiplier: number
  /** Default `down`. */
  readonly rounding?: 'down' | 'up' | 'nearest'
  /** Attributes that a user must have; not for a boost of one user. */
  readonly userAttributes?: readonly BoostAttribute[] | null
}

/** Absent fields keep their values. */
export interface BoostUpdate extends Partial<Omit<BoostRequest, 'userId'>> {
  readonly id: string
}

const MOST = 100
const MOST_FILTERS = 100

export const boostName: z.ZodString = text(255)
export const multiplier: z.ZodNumber = z
  .number()
  .gt(0)
  .lt(100)
  .refine((by) => by !== 1, 'must not be 1, which changes nothing')
  .meta({ not: { const: 1 } })
export const rounding: z.ZodType<Rounding> = z.enum(['down', 'up', 'nearest'])

const filter = z.strictObject({ attributeId: text(255), attributeValue: z.string().max(1_024) })
const boostFields = {
  name: boostName,
  start: date,
  end: date.nullish(),
  multiplier,
  rounding: rounding.default('down'),
  userAttributes: z.array(filter).max(MOST_FILTERS).nullish(),
}

export type ParsedBoost = Parsed<
  BoostRequest,
  'rounding',
  { readonly start: Day; readonly end?: Day | null | undefined }
>

const boost = z.strictObject({ userId: userId.nullish(), ...boostFields })
true satisfies Takes<typeof boost, BoostRequest>
export const boostsCreateRequest: z.ZodType<readonly ParsedBoost[]> = listUpTo(boost, MOST).check((context) => {
  for (const [index, { userId: user, userAttributes: filters }] of context.value.entries()) {
    if (typeof user !== 'string' || (filters ?? []).length === 0) continue
    const message = 'must not be there with userId: a boost of one user is for that user'
    context.issues.push({ code: 'custom', message, input: filters, path: [index, 'userAttributes'] })
  }
})

/** Undefined fields stay; null removes the end, or clears the attributes. */
export type ParsedBoostUpdate = Parsed<
  BoostUpdate,
  never,
  { readonly start?: Day | undefined; readonly end?: Day | null | undefined }
>

export const givenBoostId: z.ZodType<string> = z.uuid('must be a UUID').transform((id) => id.toLowerCase())

const changeFields = z.object({ ...boostFields, rounding }).partial().shape

const boostUpdate = z.strictObject({ ...changeFields, id: givenBoostId })
true satisfies Takes<typeof boostUpdate, BoostUpdate>
export const boostsUpdateRequest: z.ZodType<readonly ParsedBoostUpdate[]> = listUpTo(boostUpdate, MOST)

export const boostIds: z.ZodType<readonly string[]> = listUpTo(givenBoostId, MOST).meta({
  description: 'Ids of boosts, 1 to 100: repeated or comma-separated.',
})

export interface BoostsRequest {
  /** If true, the answer includes finished boosts. Default false. */
  readonly includeFinished?: boolean | 'true' | 'false'
}

export interface ParsedBoostsRequest {
  readonly includeFinished: boolean
}

const ofSystem = z.strictObject({
  includeFinished: yesOrNo.meta({ example: 'true' }),
})
true satisfies Takes<typeof ofSystem, BoostsRequest>
export const boostsRequest: z.ZodType<ParsedBoostsRequest> = ofSystem
