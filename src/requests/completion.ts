import { z } from 'zod'
import { text } from './input.ts'
import { type ParsedUpsert, userUpsert } from './user.ts'

export const completionRequest: z.ZodType<{ readonly user: ParsedUpsert }> = z.object({ user: userUpsert })
export const achievementKey: z.ZodString = text(255)
