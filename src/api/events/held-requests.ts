import { z } from 'zod'
import { optional, type Parsed, text, userId } from '../input.ts'
import type { HeldEventsRequest } from './held-request-types.ts'

const MOST_EVENTS = 100
const heldFields = { after: optional(text(255)), limit: z.int().min(1).max(MOST_EVENTS).default(MOST_EVENTS) }

export const heldRequest: z.ZodType<Parsed<HeldEventsRequest, 'limit'>> = z.object({
  user: optional(userId),
  ...heldFields,
})
/** Over HTTP. */
export const heldQuery: z.ZodType = z.object({ userId: optional(userId), ...heldFields })
