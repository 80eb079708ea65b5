import { z } from 'zod'
import type { Day } from '../../rules/calendar.ts'
import { date, optional, type Parsed, text } from '../input.ts'
import type {
  CompletionsRequest,
  GamesRequest,
  LeaderboardGroupsRequest,
  LeaderboardRunsRequest,
} from './request-types.ts'

const MOST_DAYS = 92

export const activityRequest: z.ZodType<{ readonly from: Day; readonly to: Day }> = z
  .object({ from: date, to: date })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before from' })
  .refine(({ from, to }) => to - from < MOST_DAYS, {
    path: ['from'],
    error: `must be at most ${MOST_DAYS - 1} days before to: ask for the days before in another request`,
  })

/** What a page may name that another answer gave: an id of any length, encoded. */
const cursor = text(4_096)
const limit = z.int().min(1).max(100).default(50)

export const completionsRequest: z.ZodType<Parsed<CompletionsRequest, 'limit'>> = z.object({
  limit,
  after: optional(cursor),
})

export const leaderboardRunsRequest: z.ZodType<
  Parsed<LeaderboardRunsRequest, 'limit', { readonly before?: Day | undefined }>
> = z.object({ limit, before: optional(date) })

export const leaderboardGroupsRequest: z.ZodType<
  Parsed<LeaderboardGroupsRequest, 'limit', { readonly run?: Day | undefined }>
> = z.object({
  limit,
  after: optional(cursor),
  run: optional(date),
})

export const gamesRequest: z.ZodType<Parsed<GamesRequest, 'limit'>> = z.object({
  limit: z.int().min(1).max(20).default(10),
  before: optional(z.int().min(1)),
})
