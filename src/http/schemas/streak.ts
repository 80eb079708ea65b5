import { z } from 'zod'
import type {
  CurrentStreak,
  Streak,
  StreakHistoryItem,
  StreakPause,
  StreakRanking,
  UserStreak,
  UserStreakLength,
} from '../../engine/answers/wire/streak.ts'
import { count, date, instant, type ShapeOf } from './parts.ts'

const streak = {
  length: count.describe('In periods; 0 when there is no streak, and then every date is null.'),
  frequency: z.enum(['daily', 'weekly', 'monthly']).describe('The unit of a period.'),
  started: date.nullable().describe('The first date of the first counted period.'),
  periodStart: date.nullable().describe('The first date of the current period.'),
  periodEnd: date.nullable().describe('The last date of the current period.'),
  expires: date.nullable().describe('The last date on which the streak can still be extended.'),
  freezes: count.describe('How many freezes the user has; there when the game has freezes.').exactOptional(),
  maxFreezes: count.describe('How many a user can have.').exactOptional(),
  freezeAutoEarnInterval: count.describe('In days; there when freezes are earned by time.').exactOptional(),
  freezeAutoEarnAmount: count.describe('How many are earned each time.').exactOptional(),
} satisfies ShapeOf<Streak>

export const currentStreakSchema: z.ZodType<CurrentStreak> = z
  .strictObject({
    ...streak,
    extended: z.boolean().describe('Whether this event made the streak longer.'),
  } satisfies ShapeOf<CurrentStreak>)
  .meta({ id: 'CurrentStreak', description: "The user's streak after an event. Dates are in the user's time zone." })

export const namedStreaks: z.ZodRecord<z.ZodString, z.ZodType<CurrentStreak>> = z
  .record(z.string(), currentStreakSchema)
  .describe('The named streaks by key; there when the game has `streaks`.')

export const streakHistoryItemSchema: z.ZodType<StreakHistoryItem> = z
  .strictObject({
    periodStart: date,
    periodEnd: date,
    length: count.describe('The length of the streak in this period, 0 where it had none.'),
    usedFreeze: z
      .boolean()
      .describe('Whether a freeze was consumed for it; there when the game has freezes.')
      .exactOptional(),
    usedPause: z.boolean().describe('Whether the streak went on because of a pause.'),
  } satisfies ShapeOf<StreakHistoryItem>)
  .meta({ id: 'StreakHistoryItem', description: 'One period of a streak.' })

export const userStreakSchema: z.ZodType<UserStreak> = z
  .strictObject({
    ...streak,
    extended: instant.nullable().describe('When the streak was last made longer; null while the length is 0.'),
    rank: z
      .int()
      .min(1)
      .nullable()
      .describe(
        "The user's rank on the game's first leaderboard by the streak without groups; null where there is none.",
      ),
    pauses: z
      .array(
        z.strictObject({
          id: z.string(),
          start: date,
          end: date,
        } satisfies ShapeOf<StreakPause>),
      )
      .describe('Those that are not over.'),
    streakHistory: z.array(streakHistoryItemSchema).describe('The last periods up to the current one, oldest first.'),
  } satisfies ShapeOf<UserStreak>)
  .meta({ id: 'UserStreak', description: "A user's streak as it reads now. Dates are in the user's time zone." })

export const userStreakLengthSchema: z.ZodType<UserStreakLength> = z
  .strictObject({
    userId: z.string(),
    streakLength: count.describe('In periods.'),
    extended: instant.nullable().describe('When the streak was last made longer; null while the length is 0.'),
  } satisfies ShapeOf<UserStreakLength>)
  .meta({ id: 'UserStreakLength', description: "The length of one user's streak, among many users'." })

export const streakRankingSchema: z.ZodType<StreakRanking> = z
  .strictObject({
    userId: z.string(),
    name: z.string().nullable(),
    streakLength: count.describe('In periods.'),
  } satisfies ShapeOf<StreakRanking>)
  .meta({ id: 'StreakRanking', description: 'A user among those with the longest streaks.' })
