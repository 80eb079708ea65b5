import { z } from 'zod'
import type {
  EventLeaderboard,
  LeaderboardHistoryItem,
  LeaderboardRanking,
  LeaderboardResponse,
  LeaderboardWithRankings,
  UserLeaderboard,
} from '../../engine/answers/wire/leaderboard.ts'
import { attributeFilterSchema, date, instant, type ShapeOf, score, uuid } from './parts.ts'

const rank = z.int().min(1).nullable()

const clock = z
  .string()
  .regex(/^\d{2}:\d{2}$/)
  .nullable()

/** What every form of a leaderboard has. */
export const board: ShapeOf<LeaderboardResponse> = {
  id: uuid,
  key: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  rankBy: z.enum(['metric', 'points', 'streak']),
  runUnit: z.enum(['day', 'month', 'year']).nullable().describe('The unit of a run; null: there is one run.'),
  runInterval: z.int().min(1).nullable().describe('How many units a run lasts.'),
  maxParticipants: z.int().min(1).describe('How many users have a rank, in each group; 2147483647: no limit.'),
  breakdownAttribute: z.string().nullable().describe('Set when there is exactly one.'),
  breakdownAttributes: z.array(z.string()).describe('User attributes that divide the leaderboard into groups.'),
  metricName: z.string().nullable().describe('For leaderboards ranked by a metric.'),
  metricKey: z.string().nullable().describe('For leaderboards ranked by a metric.'),
  status: z.enum(['scheduled', 'active', 'finished']).describe('Of the leaderboard, by dates in UTC.'),
  pointsSystemName: z.string().nullable().describe('For leaderboards ranked by points.'),
  pointsSystemKey: z.string().nullable().describe('For leaderboards ranked by points.'),
  streakKey: z.string().describe('Key of the named streak, if it is of one.').exactOptional(),
  startTime: clock.describe('The local time from which things count on every day; null: from midnight.'),
  endTime: clock.describe('The local time until which things count on every day; null: until midnight.'),
  start: date.describe("The first date of the run, in each participant's time zone."),
  end: date.nullable().describe('The last date of the run; null: it never ends.'),
}

export const eventLeaderboardSchema: z.ZodType<EventLeaderboard> = z
  .strictObject({
    ...board,
    threshold: score.describe('The value of the last participant when the leaderboard is full, else 0.'),
    previousRank: rank.describe("The user's rank before this event; null: none."),
    rank: rank.describe("The user's rank after this event, 1 is best; null: not among the first `maxParticipants`."),
    breakdownAttributeValues: z
      .array(attributeFilterSchema)
      .describe("The user's group, on leaderboards that have groups.")
      .exactOptional(),
    breakdownAttributeValue: z.string().describe('There when there is exactly one attribute.').exactOptional(),
  } satisfies ShapeOf<EventLeaderboard>)
  .meta({ id: 'EventLeaderboard', description: "A leaderboard on which an event changed the user's value." })

export const leaderboardResponseSchema: z.ZodType<LeaderboardResponse> = z
  .strictObject(board)
  .meta({ id: 'Leaderboard', description: 'A leaderboard, with the dates of its current run.' })

export const leaderboardRankingSchema: z.ZodType<LeaderboardRanking> = z
  .strictObject({
    userId: z.string(),
    userName: z.string().nullable(),
    rank: z.int().min(1).describe('1 is best.'),
    value: score,
  } satisfies ShapeOf<LeaderboardRanking>)
  .meta({ id: 'LeaderboardRanking', description: 'A place on a leaderboard.' })

export const leaderboardWithRankingsSchema: z.ZodType<LeaderboardWithRankings> = z
  .strictObject({
    ...board,
    rankings: z.array(leaderboardRankingSchema).describe('Best first.'),
  } satisfies ShapeOf<LeaderboardWithRankings>)
  .meta({ id: 'LeaderboardWithRankings', description: 'One run of a leaderboard, with rankings.' })

export const leaderboardHistoryItemSchema: z.ZodType<LeaderboardHistoryItem> = z
  .strictObject({
    date,
    timestamp: instant.describe('When the value last changed on that day.'),
    previousRank: rank.describe('Always null: what ranks were is not kept.'),
    rank: rank.describe('The present rank in the newest item, null in others.'),
    previousValue: score.nullable().describe('null: the user was not on the leaderboard.'),
    value: score,
  } satisfies ShapeOf<LeaderboardHistoryItem>)
  .meta({
    id: 'LeaderboardHistoryItem',
    description: "A day on which a user's value changed, in the user's time zone.",
  })

export const userLeaderboardSchema: z.ZodType<UserLeaderboard> = z
  .strictObject({
    ...board,
    rank: rank.describe('1 is best; null: not among the first `maxParticipants`.'),
    value: score.nullable().describe('null: not on the leaderboard.'),
    history: z.array(leaderboardHistoryItemSchema).describe('The newest days, oldest first.'),
  } satisfies ShapeOf<UserLeaderboard>)
  .meta({ id: 'UserLeaderboard', description: "A user's place in one run of a leaderboard." })
