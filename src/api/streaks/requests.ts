import { z } from 'zod'
import type { Day } from '../../rules/calendar.ts'
import { date, text, userId } from '../input.ts'
import type { FreezesRequest, RestoreRequest } from './request-types.ts'

/** How many users one request may name. */
const MOST = 100

/** Key of a named streak. */
const streak = text(255).exactOptional()

export const freezesRequest: z.ZodType<FreezesRequest> = z.object({
  streak,
  freezes: z.array(z.object({ userId })).min(1).max(MOST),
})

interface ParsedPauses {
  readonly pauses: readonly { readonly userId: string; readonly start: Day; readonly end: Day }[]
}

export const pausesRequest: z.ZodType<ParsedPauses> = z.object({
  pauses: z
    .array(z.object({ userId, start: date, end: date }))
    .min(1)
    .max(MOST),
})

export const pauseIds: z.ZodType<readonly string[]> = z.array(z.uuid('must be a UUID')).min(1).max(MOST)

export const restoreRequest: z.ZodType<RestoreRequest> = z.object({
  streak,
  users: z
    .array(z.object({ id: userId }))
    .min(1)
    .max(MOST),
})
