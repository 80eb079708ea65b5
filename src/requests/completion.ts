import { z } from 'zod'
import { text } from './input.ts'
import { type ParsedUpsert, type UserUpsert, userUpsert } from './user.ts'

export interface CompletionRequest<UserAttribute extends string = string> {
  /** The user who completed it; created or updated in the same transaction. */
  readonly user: UserUpsert<UserAttribute>
}

export const completionRequest: z.ZodType<{ readonly user: ParsedUpsert }> = z.object({ user: userUpsert })
export const achievementKey: z.ZodString = text(255)
