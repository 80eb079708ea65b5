import { z } from 'zod'
import { cursorText, gameKey, type Parsed, text, upTo, userId } from '../../runtime/input.ts'
import { keyInBody } from '../events/requests.ts'
import type { Takes } from '../takes.ts'

interface Keyed {
  /** The same key does the same thing once, even if the call is sent again. 1 to 255 visible ASCII characters. */
  readonly idempotencyKey?: string
}

export interface SpendRequest extends Keyed {
  /** The id of the user. */
  readonly user: string
  /** Whole points, from 1. */
  readonly amount: number
  /** Your own name for it, such as the number of the order: 1 to 255 characters. */
  readonly reference?: string
}

/** A time in one unit. */
export interface HoldTime {
  readonly minutes?: number
  readonly hours?: number
  readonly days?: number
}

export interface HoldRequest extends SpendRequest {
  /** After how long the hold releases itself, in one unit: `{ minutes: 15 }`. At most 90 days. */
  readonly expiresIn: HoldTime
}

export interface CaptureRequest extends Keyed {
  /** The points to spend of the hold; the rest is released. Default: all of it. */
  readonly amount?: number
}

export interface RefundRequest extends Keyed {
  /** The points to give back. Default: all that is left of the spend. */
  readonly amount?: number
}

export interface StatementRequest {
  /** The key of the points system. */
  readonly system: string
  /** The `next` of the page before. Default: the newest movements. */
  readonly before?: string
  /** The most movements to return, 1 to 100. Default 20. */
  readonly limit?: number
}

const amount = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
const idempotencyKey = z.unknown().optional()

const spend = { user: userId, amount, reference: text(255).optional() }
const spendFields = z.strictObject({ ...spend, idempotencyKey })
true satisfies Takes<typeof spendFields, SpendRequest>

const MOST = { minutes: 129_600, hours: 2_160, days: 90 }
const lasting = (unit: keyof typeof MOST) => z.int().min(1).max(MOST[unit]).optional()
const expiresIn = z
  .strictObject({ minutes: lasting('minutes'), hours: lasting('hours'), days: lasting('days') })
  .refine(
    (time) => Object.values(time).filter((count) => count !== undefined).length === 1,
    'must have one unit, as { minutes: 15 }',
  )
const holdFields = z.strictObject({ ...spend, expiresIn, idempotencyKey })
true satisfies Takes<typeof holdFields, HoldRequest>

const partFields = z.strictObject({ amount: amount.optional(), idempotencyKey })
true satisfies Takes<typeof partFields, CaptureRequest>
true satisfies Takes<typeof partFields, RefundRequest>

const statement = z.strictObject({ system: gameKey, before: cursorText.optional(), limit: upTo(100, 20) })
true satisfies Takes<typeof statement, StatementRequest>

interface ParsedKey {
  readonly idempotencyKey?: unknown
}
export type ParsedSpend = Parsed<Omit<SpendRequest, 'idempotencyKey'>> & ParsedKey
export type ParsedHold = ParsedSpend & { readonly expiresIn: Parsed<HoldTime> }
export type ParsedPart = Parsed<Omit<RefundRequest, 'idempotencyKey'>> & ParsedKey
export type ParsedStatement = Parsed<StatementRequest, 'limit'>

export const spendRequest: z.ZodType<ParsedSpend> = spendFields
export const holdRequest: z.ZodType<ParsedHold> = holdFields
export const partRequest: z.ZodType<ParsedPart> = partFields
export const statementRequest: z.ZodType<ParsedStatement> = statement

type OverHttp<Request> = Omit<Request, 'idempotencyKey'> & { readonly idempotencyKey?: string | undefined }

/** Over HTTP the key may come in a header instead. */
export const spendBody: z.ZodType<OverHttp<ParsedSpend>> = z.strictObject({ ...spend, idempotencyKey: keyInBody })
export const holdBody: z.ZodType<OverHttp<ParsedHold>> = z.strictObject({
  ...spend,
  expiresIn,
  idempotencyKey: keyInBody,
})
export const partBody: z.ZodType<OverHttp<ParsedPart>> = z.strictObject({
  amount: amount.optional(),
  idempotencyKey: keyInBody,
})
