import { z } from 'zod'
import { text } from '../input.ts'
import { type ParsedUpsert, userUpsert } from '../users/user-requests.ts'

export const completionRequest: z.ZodType<{ readonly user: ParsedUpsert; readonly idempotencyKey?: unknown }> =
  z.object({ user: userUpsert, idempotencyKey: z.unknown().optional() })
/** Over HTTP the key comes in a header. */
export const completionBody: z.ZodType<{ readonly user: ParsedUpsert }> = z.object({ user: userUpsert })
export const achievementKey: z.ZodString = text(255)
