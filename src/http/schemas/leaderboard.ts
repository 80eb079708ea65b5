import { z } from 'zod'
import type { EventLeaderboard } from '../../engine/wire.ts'
import { date, type ShapeOf, uuid } from './parts.ts'

const rank = z.int().min(1).nullable()

/** Specification 2.6. */
export const eventLeaderboardSchema: z.ZodType<EventLeaderboard> = z
  .strictObject({
    id: uuid,
    key: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    rankBy: z.enum(['metric', 'points', 'streak']),
    runUnit: z.enum(['day', 'month', 'year']).nullable().describe('The unit of a run; null: one run without end.'),
    runInterval: z.int().min(1).nullable().describe('How many units a run lasts.'),
    maxParticipants: z.int().min(1).describe('How many users have a rank; 2147483647: no limit.'),
    breakdownAttribute: z.string().nullable(),
    breakdownAttributes: z.array(z.string()).describe('User attributes that divide the leaderboard into groups.'),
    metricName: z.string().nullable().describe('For leaderboards ranked by a metric.'),
    metricKey: z.string().nullable().describe('For leaderboards ranked by a metric.'),
    threshold: z.number().describe('The value of the last participant when the leaderboard is full, else 0.'),
    start: date.describe('The first date of the current run.'),
    end: date.nullable().describe('The end of the current run; null: it has none.'),
    previousRank: rank.describe("The user's rank before this event; null: none."),
    rank: rank.describe("The user's rank after this event, 1 is best; null: not among the first `maxParticipants`."),
  } satisfies ShapeOf<EventLeaderboard>)
  .meta({ id: 'EventLeaderboard', description: "A leaderboard on which an event changed the user's value." })
