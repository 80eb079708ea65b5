import { z } from 'zod'
import { optional, text, userId } from './input.ts'

interface ParsedHeld {
  readonly user?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
}

const MOST_EVENTS = 100
const heldFields = { after: optional(text(255)), limit: z.int().min(1).max(MOST_EVENTS).default(MOST_EVENTS) }

export const heldRequest: z.ZodType<ParsedHeld> = z.object({ user: optional(userId), ...heldFields })
/** Over HTTP. */
export const heldQuery: z.ZodType = z.object({ userId: optional(userId), ...heldFields })
