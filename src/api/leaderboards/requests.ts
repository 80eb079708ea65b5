import { z } from 'zod'
import type { Day } from '../../rules/calendar.ts'
import {
  attributes,
  attributesText,
  cursorText,
  date,
  includePrivate,
  optional,
  type Parsed,
  type PrivateRequest,
  upTo,
  userId,
  yesOrNo,
} from '../../runtime/input.ts'
import type { Takes } from '../takes.ts'

export interface LeaderboardRunsRequest {
  /** How many, 1 to 100. Default: 50. */
  readonly limit?: number
  /** Continues with earlier runs: `before` of the previous answer. */
  readonly before?: string
}

export interface LeaderboardGroupsRequest {
  /** `YYYY-MM-DD`: the run in which this date lies. Default: the current run. */
  readonly run?: string
  /** How many, 1 to 100. Default: 50. */
  readonly limit?: number
  /** Continues after that page: `after` of the previous answer. */
  readonly after?: string
}

export interface LeaderboardsRequest extends PrivateRequest {
  /** If true, the answer includes finished leaderboards. Default false. */
  readonly includeFinished?: boolean | 'true' | 'false'
}

export interface LeaderboardRequest<UserAttribute extends string = string> extends PrivateRequest {
  /** The number of places to skip. Default 0. With `userId` it counts from that user's place, and may be negative. */
  readonly offset?: number
  /** The most places to return, 0 to 1,000. Default 10. */
  readonly limit?: number
  /** `YYYY-MM-DD`: the run in which this date lies. Default: the current run. */
  readonly run?: string
  /** Answers the places around this user; none if the user is not on the leaderboard. */
  readonly userId?: string
  /**
   * The group, on a leaderboard with a breakdown: a value for each of its attributes, also as text
   * (`city:London,plan:pro`). An empty value matches an unset attribute. Default: the group of `userId`.
   */
  readonly userAttributes?: string | { readonly [Name in UserAttribute]?: string }
  /**
   * Only these users, at most 1,000, ranked among themselves. Anonymous users are left out, except `viewer`, unless
   * `reveal` is true. Not together with `userId`.
   */
  readonly among?: readonly string[]
  /**
   * If true, anonymous users have their own ids and names. Default false, so that you can send the answer to other users.
   * Application keys and sessions may not ask for it.
   */
  readonly reveal?: boolean | 'true' | 'false'
  /**
   * The user who sees the answer. The answer shows this user's own id and name, and `smallestGroup` applies. Default: the
   * user of the application key or session, if there is one.
   */
  readonly viewer?: string
}

export interface UserLeaderboardRequest extends PrivateRequest {
  /** `YYYY-MM-DD`: the run in which this date lies. Default: the current run. */
  readonly run?: string
  /** The most days of history on which the value changed, 0 to 100. Default 10. */
  readonly numEvents?: number
}

export type ParsedLeaderboardsRequest = Parsed<
  LeaderboardsRequest,
  'includePrivate',
  { readonly includeFinished: boolean }
>

export type ParsedLeaderboardRequest = Parsed<
  LeaderboardRequest,
  'includePrivate' | 'offset' | 'limit',
  ParsedRun & { readonly reveal: boolean; readonly userAttributes?: string | ReadonlyMap<string, string> | undefined }
>

export type ParsedRunsRequest = Parsed<LeaderboardRunsRequest, 'limit', { readonly before?: Day | undefined }>

export type ParsedGroupsRequest = Parsed<LeaderboardGroupsRequest, 'limit', ParsedRun>

export type ParsedUserLeaderboardRequest = Parsed<UserLeaderboardRequest, 'includePrivate' | 'numEvents', ParsedRun>

type ParsedRun = { readonly run?: Day | undefined }

/** No more can have a rank. */
const MOST_RANKS = 2_147_483_647
const MOST_USERS = 1_000

const run = date.optional().meta({ example: '2026-01-15' })
const place = {
  offset: z.int().min(-MOST_RANKS).max(MOST_RANKS).default(0).meta({ example: 0 }),
  limit: upTo(1_000, 10, 0).meta({ example: 10 }),
  run,
  userId: userId.optional().meta({ example: '18' }),
}

const reveal = yesOrNo.meta({ example: 'false' })

const isPlace = ({ offset, userId: around }: Pick<ParsedLeaderboardRequest, 'offset' | 'userId'>): boolean =>
  offset >= 0 || around !== undefined
const WITHOUT_USER = { path: ['offset'], message: 'must be at least 0 without userId' }

const leaderboards = z.strictObject({
  includePrivate,
  includeFinished: yesOrNo.meta({ example: 'true' }),
})
true satisfies Takes<typeof leaderboards, LeaderboardsRequest>
export const leaderboardsRequest: z.ZodType<ParsedLeaderboardsRequest> = leaderboards

export const leaderboardQuery: z.ZodType = z
  .strictObject({
    ...place,
    reveal,
    userAttributes: attributesText.optional().meta({
      description:
        'The group, as `attribute:value,attribute:value`. Leaderboards with a breakdown need it, or `userId`; others refuse it.',
      example: 'plan:pro,region:eu',
    }),
  })
  .refine(isPlace, WITHOUT_USER)

export const leaderboardAmongQuery: z.ZodType = z.strictObject({
  userIds: z
    .array(userId)
    .max(MOST_USERS)
    .optional()
    .meta({
      description: 'The users, at most 1,000. Not for sessions: the app names their users, with the option `among`.',
      example: ['18'],
    }),
  run,
  reveal,
  limit: upTo(1_000, MOST_USERS, 0).meta({
    description: 'The most places to return, 0 to 1,000. Default 1,000.',
    example: 10,
  }),
})

const rankings = z
  .strictObject({
    ...place,
    includePrivate,
    userAttributes: z
      .union([attributesText, attributes], {
        error: 'must be text, attribute:value,attribute:value, or an object of strings',
      })
      .optional(),
    among: z.array(userId).max(MOST_USERS).optional(),
    reveal,
    viewer: userId.optional(),
  })
  .refine(isPlace, WITHOUT_USER)
  .refine(({ among, userId: around }) => among === undefined || around === undefined, {
    path: ['among'],
    message: 'cannot be asked for together with userId',
  })
true satisfies Takes<typeof rankings, LeaderboardRequest>
export const leaderboardRequest: z.ZodType<ParsedLeaderboardRequest> = rankings

const ofUser = z.strictObject({
  includePrivate,
  run,
  numEvents: upTo(100, 10, 0).meta({ example: 10 }),
})
true satisfies Takes<typeof ofUser, UserLeaderboardRequest>
export const userLeaderboardRequest: z.ZodType<ParsedUserLeaderboardRequest> = ofUser

const runs = z.strictObject({
  before: optional(date).meta({ example: '2026-01-05' }),
  limit: upTo(100, 50),
})
true satisfies Takes<typeof runs, LeaderboardRunsRequest>
export const leaderboardRunsRequest: z.ZodType<ParsedRunsRequest> = runs

const groups = z.strictObject({
  run: optional(date).meta({ example: '2026-01-15' }),
  after: optional(cursorText),
  limit: upTo(100, 50),
})
true satisfies Takes<typeof groups, LeaderboardGroupsRequest>
export const leaderboardGroupsRequest: z.ZodType<ParsedGroupsRequest> = groups
