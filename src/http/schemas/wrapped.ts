import { z } from 'zod'
import type {
  Wrapped,
  WrappedActivity,
  WrappedDay,
  WrappedLeaderboard,
  WrappedMetric,
  WrappedMonth,
  WrappedPeriod,
  WrappedPoints,
  WrappedStreak,
  WrappedValue,
  WrappedWeek,
  WrappedYear,
} from '../../engine/answers/wire/wrapped.ts'
import { userAchievementSchema } from './achievement.ts'
import { board } from './leaderboard.ts'
import { count, date, record, type ShapeOf, score } from './parts.ts'
import { userSchema } from './user.ts'

const percentChange = z
  .number()
  .describe('Against the period before. From nothing it is 100 for an increase, -100 for a decrease, 0 for no change.')

const percentileThisPeriod = z
  .number()
  .min(0)
  .max(100)
  .describe(
    "The share in percent, of all users with an event in the period, whose change is not above the user's. Not there for a day, nor where there are too many users.",
  )

export const wrappedValueSchema: z.ZodType<WrappedValue> = z
  .strictObject({
    name: z.string().describe('Of the metric.'),
    currentTotal: z.number().describe('Of all events with the value, whenever they were.'),
    changeThisPeriod: z.number(),
    percentChange,
  } satisfies ShapeOf<WrappedValue>)
  .meta({ id: 'WrappedValue', description: 'What events with one value of an attribute added.' })

export const wrappedMetricSchema: z.ZodType<WrappedMetric> = z
  .strictObject({
    name: z.string(),
    currentTotal: z.number().describe("The user's total now."),
    changeThisPeriod: z.number(),
    percentChange,
    percentileThisPeriod: percentileThisPeriod.exactOptional(),
    byAttribute: record(record(wrappedValueSchema)).describe(
      "By attribute, then by value: those that the user's events in the period have.",
    ),
  } satisfies ShapeOf<WrappedMetric>)
  .meta({ id: 'WrappedMetric', description: "What a user's events of a metric added in a period." })

export const wrappedPointsSchema: z.ZodType<WrappedPoints> = z
  .strictObject({
    name: z.string(),
    description: z.string().nullable(),
    currentTotal: z.int().describe("The user's total now."),
    changeThisPeriod: z.int(),
    percentChange,
    percentileThisPeriod: percentileThisPeriod.exactOptional(),
  } satisfies ShapeOf<WrappedPoints>)
  .meta({ id: 'WrappedPoints', description: 'What a user was given, or lost, of a points system in a period.' })

export const wrappedLeaderboardSchema: z.ZodType<WrappedLeaderboard> = z
  .strictObject({
    ...board,
    rank: z.int().min(1).nullable().describe('1 is best; null: not among the first `maxParticipants`.'),
    value: score,
  } satisfies ShapeOf<WrappedLeaderboard>)
  .meta({ id: 'WrappedLeaderboard', description: "A user's best place on a leaderboard in a period." })

export const wrappedStreakSchema: z.ZodType<WrappedStreak> = z
  .strictObject({
    length: count.describe('In periods; 0 when there was none, and then every date is null.'),
    frequency: z.enum(['daily', 'weekly', 'monthly']),
    periodStart: date.nullable().describe('The first date of its last period that counted in the year.'),
    periodEnd: date.nullable(),
    started: date.nullable().describe('Its first date, perhaps before the year.'),
  } satisfies ShapeOf<WrappedStreak>)
  .meta({ id: 'WrappedStreak', description: 'The longest streak that stood on a date of a year.' })

const period = {
  metrics: record(wrappedMetricSchema).describe('Those of which the user has an event in the period, by key.'),
  points: record(wrappedPointsSchema).describe('Those in which the user was given or lost points, by key.'),
  achievements: z.array(userAchievementSchema).describe('Completed in the period.'),
  leaderboards: record(wrappedLeaderboardSchema).describe(
    "The best of the user's places, as they are now, in the runs that share a date with the period; by key.",
  ),
} satisfies ShapeOf<WrappedPeriod>

export const wrappedDaySchema: z.ZodType<WrappedDay> = z
  .strictObject({ ...period, date } satisfies ShapeOf<WrappedDay>)
  .meta({ id: 'WrappedDay', description: 'The most active day of a year.' })

export const wrappedWeekSchema: z.ZodType<WrappedWeek> = z
  .strictObject({ ...period, start: date, end: date } satisfies ShapeOf<WrappedWeek>)
  .meta({ id: 'WrappedWeek', description: 'The most active week: only what happened inside the year counts in it.' })

export const wrappedMonthSchema: z.ZodType<WrappedMonth> = z
  .strictObject({
    ...period,
    month: z.int().min(0).max(11).describe('0 is January.'),
  } satisfies ShapeOf<WrappedMonth>)
  .meta({ id: 'WrappedMonth', description: 'The most active month of a year.' })

export const wrappedYearSchema: z.ZodType<WrappedYear> = z
  .strictObject({ ...period, longestStreak: wrappedStreakSchema } satisfies ShapeOf<WrappedYear>)
  .meta({ id: 'WrappedYear', description: 'A whole year.' })

export const wrappedActivitySchema: z.ZodType<WrappedActivity> = z
  .strictObject({
    daysActive: count.describe('Distinct local days with an event; weeks and months alike.'),
    weeksActive: count,
    monthsActive: count,
    mostActiveDay: wrappedDaySchema,
    mostActiveWeek: wrappedWeekSchema,
    mostActiveMonth: wrappedMonthSchema,
    entireYear: wrappedYearSchema,
  } satisfies ShapeOf<WrappedActivity>)
  .meta({
    id: 'WrappedActivity',
    description: 'What a user did in a year: the periods with the most events, then the earliest, and all of it.',
  })

export const wrappedSchema: z.ZodType<Wrapped> = z
  .strictObject({ user: userSchema, activity: wrappedActivitySchema } satisfies ShapeOf<Wrapped>)
  .meta({ id: 'Wrapped', description: 'A year of a user in review.' })
