import { z } from 'zod'
import type { Day } from '../../rules/calendar.ts'
import { attributes, attributesText, date, type Parsed, text, userId, yesOrNo } from '../input.ts'
import type { LeaderboardRequest, LeaderboardsRequest, UserLeaderboardRequest } from './request-types.ts'

/** A request that was read. */
export type ParsedLeaderboardRequest = Parsed<LeaderboardRequest, 'includePrivate' | 'offset' | 'limit', Changed>

interface Changed extends ParsedRun {
  readonly userAttributes?: string | ReadonlyMap<string, string> | undefined
}
interface ParsedRun {
  readonly run?: Day | undefined
}

/** No more can have a rank. */
const MOST_PLACES = 2_147_483_647
const MOST_USERS = 1_000

export const leaderboardKey: z.ZodString = text(255)

const includePrivate = z.boolean().default(true)
const run = date.optional()
const place = {
  offset: z.int().min(-MOST_PLACES).max(MOST_PLACES).default(0),
  limit: z.int().min(0).max(1_000).default(10),
  run,
  userId: userId.optional(),
}

type Offset = Pick<ParsedLeaderboardRequest, 'offset' | 'userId'>

const isPlace = ({ offset, userId: around }: Offset): boolean => offset >= 0 || around !== undefined
const WITHOUT_USER = { path: ['offset'], message: 'must be at least 0 without userId' }

type ParsedLeaderboardsRequest = Parsed<LeaderboardsRequest, 'includePrivate', { readonly includeFinished: boolean }>

export const leaderboardsRequest: z.ZodType<ParsedLeaderboardsRequest> = z.object({
  includePrivate,
  includeFinished: yesOrNo,
})

/** What a request can say over HTTP. */
export const leaderboardsQuery: z.ZodType<Omit<ParsedLeaderboardsRequest, 'includePrivate'>> = z.object({
  includeFinished: yesOrNo,
})

/** What a request can say over HTTP. */
export const leaderboardQuery: z.ZodType<Omit<ParsedLeaderboardRequest, 'includePrivate' | 'among'>> = z
  .object({ ...place, userAttributes: attributesText.optional() })
  .refine(isPlace, WITHOUT_USER)

export const leaderboardRequest: z.ZodType<ParsedLeaderboardRequest> = z
  .object({
    ...place,
    includePrivate,
    userAttributes: z
      .union([attributesText, attributes], {
        error: 'must be text, attribute:value,attribute:value, or an object of strings',
      })
      .optional(),
    among: z.array(userId).max(MOST_USERS).optional(),
  })
  .refine(isPlace, WITHOUT_USER)
  .refine(({ among, userId: around }) => among === undefined || around === undefined, {
    path: ['among'],
    message: 'cannot be asked for together with userId',
  })

export const userLeaderboardRequest: z.ZodType<
  Parsed<UserLeaderboardRequest, 'includePrivate' | 'numEvents', ParsedRun>
> = z.object({ includePrivate, run, numEvents: z.int().min(0).max(400).default(10) })
