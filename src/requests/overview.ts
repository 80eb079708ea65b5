import { z } from 'zod'
import type { Day } from '../rules/calendar.ts'
import { date, optional, text } from './input.ts'
import type { Read } from './reads.ts'
import type { GamesRequest } from './types/overview.ts'

const MOST_DAYS = 92

interface Dates {
  readonly from: Day
  readonly to: Day
}

export const activityRequest: z.ZodType<Dates> = z
  .object({ from: date, to: date })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before from' })
  .refine(({ from, to }) => to - from < MOST_DAYS, {
    path: ['from'],
    error: `must be at most ${MOST_DAYS - 1} days before to: ask for the days before in another request`,
  })

/** What a page may name that another answer gave: an id of any length, encoded. */
const cursor = text(4_096)
const limit = z.int().min(1).max(100).default(50)

interface ParsedPage {
  readonly after?: string | undefined
  readonly limit: number
}

export const completionsRequest: z.ZodType<ParsedPage> = z.object({ limit, after: optional(cursor) })

export const leaderboardRunsRequest: z.ZodType<{ readonly before?: Day | undefined; readonly limit: number }> =
  z.object({ limit, before: optional(date) })

export const leaderboardGroupsRequest: z.ZodType<ParsedPage & { readonly run?: Day | undefined }> = z.object({
  limit,
  after: optional(cursor),
  run: optional(date),
})

export const gamesRequest: z.ZodType<Read<GamesRequest> & { readonly limit: number }> = z.object({
  limit: z.int().min(1).max(20).default(10),
  before: optional(z.int().min(1)),
})
