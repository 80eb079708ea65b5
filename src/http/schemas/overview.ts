import { z } from 'zod'
import type { AchievementCompletion, AchievementCompletions } from '../../engine/answers/wire/achievement.ts'
import type { ActivityDay, ActivityResponse } from '../../engine/answers/wire/activity.ts'
import type {
  CurrentGameResponse,
  GameSentences,
  GamesResponse,
  StoredGameSummary,
} from '../../engine/answers/wire/games.ts'
import type {
  LeaderboardGroup,
  LeaderboardGroups,
  LeaderboardRunItem,
  LeaderboardRuns,
} from '../../engine/answers/wire/leaderboard.ts'
import type { Health, LeaderboardStatusItem, StatusResponse } from '../../engine/answers/wire/status.ts'
import { count, date, instant, record, type ShapeOf } from './parts.ts'

const after = z.string().nullable().describe('To be sent as `after` for the next page; null: there are no more.')

const day: z.ZodType<ActivityDay> = z
  .strictObject({
    date,
    events: count.describe('Events that count: they are neither voided nor held back.'),
    activeUsers: count.describe('How many users have such an event.'),
    newUsers: count.describe('Users whose local date of creation is this date.'),
    completions: count,
    points: record(z.number()).describe('What awards gave and took, by points system.'),
  } satisfies ShapeOf<ActivityDay>)
  .meta({ id: 'ActivityDay', description: 'What was done on a date in UTC.' })

export const activityResponseSchema: z.ZodType<ActivityResponse> = z
  .strictObject({
    days: z.array(day),
    before: date.nullable().describe('To be sent as `to` for the days that are missing; null: all are there.'),
  } satisfies ShapeOf<ActivityResponse>)
  .meta({ id: 'ActivityResponse', description: 'What was done, the newest date first.' })

const health: z.ZodType<Health> = z.strictObject({
  status: z.enum(['ok', 'failing']),
  storageMs: count,
  isNewestGame: z.boolean(),
  code: z.string().nullable() as z.ZodType<Health['code']>,
  message: z.string().nullable(),
})

const leaderboard: z.ZodType<LeaderboardStatusItem> = z.strictObject({
  key: z.string(),
  name: z.string(),
  run: z.strictObject({ start: date, end: date.nullable() }),
  users: count.describe('How many users are in the run; no more than 10,000 are counted.'),
} satisfies ShapeOf<LeaderboardStatusItem>)

export const statusResponseSchema: z.ZodType<StatusResponse> = z
  .strictObject({
    health,
    game: z.strictObject({ epoch: count, isNewest: z.boolean(), newestEpoch: count }),
    due: z
      .strictObject({ users: count, oldest: instant.nullable() })
      .describe('Users of all tenants to whom time has brought something that is not told yet.'),
    messages: z
      .strictObject({ waiting: count, oldest: instant.nullable() })
      .describe('Messages of all tenants that no subscription and no webhook can see yet.'),
    leaderboards: z.array(leaderboard).describe('Those that are active, with their current runs.'),
    storage: z.string(),
    users: count,
  } satisfies ShapeOf<StatusResponse>)
  .meta({ id: 'StatusResponse', description: 'How a tenant is, and what serves it.' })

const completion: z.ZodType<AchievementCompletion> = z
  .strictObject({
    userId: z.string(),
    name: z.string().nullable(),
    achievedAt: instant,
    count: count.describe('How often the user has completed it.'),
  } satisfies ShapeOf<AchievementCompletion>)
  .meta({ id: 'AchievementCompletion', description: 'A user who has an achievement.' })

export const achievementCompletionsSchema: z.ZodType<AchievementCompletions> = z
  .strictObject({ completions: z.array(completion), after } satisfies ShapeOf<AchievementCompletions>)
  .meta({ id: 'AchievementCompletions', description: 'Who has an achievement, the newest completion first.' })

const run: z.ZodType<LeaderboardRunItem> = z.strictObject({
  key: date.describe('What `run` takes where the leaderboard is read.'),
  start: date,
  end: date.nullable(),
  status: z.enum(['scheduled', 'active', 'finished']),
} satisfies ShapeOf<LeaderboardRunItem>)

export const leaderboardRunsSchema: z.ZodType<LeaderboardRuns> = z
  .strictObject({
    runs: z.array(run),
    before: date.nullable().describe('To be sent as `before` for older ones; null: there are none.'),
  } satisfies ShapeOf<LeaderboardRuns>)
  .meta({ id: 'LeaderboardRuns', description: 'Runs in which somebody has a place, the newest first.' })

const group: z.ZodType<LeaderboardGroup> = z.strictObject({
  values: record(z.string()).describe('Its value of each attribute; one that is not set is empty.'),
  users: count.describe('How many users are in it; no more than 10,000 are counted.'),
} satisfies ShapeOf<LeaderboardGroup>)

export const leaderboardGroupsSchema: z.ZodType<LeaderboardGroups> = z
  .strictObject({ groups: z.array(group), after } satisfies ShapeOf<LeaderboardGroups>)
  .meta({ id: 'LeaderboardGroups', description: 'The groups of a run.' })

const stored = {
  epoch: count,
  fingerprint: z.string(),
  policy: z.enum(['forward', 'grant', 'recompute']),
  createdAt: instant,
  definition: record(z.unknown()).describe('As `defineGame` takes it.'),
} satisfies ShapeOf<StoredGameSummary>

const sentences: z.ZodType<GameSentences> = z.strictObject({
  achievements: record(z.string()),
  points: record(record(z.string())).describe('By points system, then by id of the trigger.'),
  metrics: record(z.string()).describe('What limits of events allow, by metric.'),
  systems: record(z.string()).describe('The cap and the most points, by points system.'),
  boosts: record(record(z.string())).describe('By points system, then by id of the boost.'),
  streaks: record(z.string()).describe("The game's `streak` is there as `streak`."),
  leaderboards: record(z.string()),
} satisfies ShapeOf<GameSentences>)

export const currentGameSchema: z.ZodType<CurrentGameResponse> = z
  .strictObject({
    ...stored,
    isNewest: z.boolean().describe('Whether it is the game of the process that answers.'),
    sentences: sentences.describe('Each rule in one sentence, by key.'),
  } satisfies ShapeOf<CurrentGameResponse>)
  .meta({ id: 'CurrentGame', description: 'The newest stored game.' })

export const gamesResponseSchema: z.ZodType<GamesResponse> = z
  .strictObject({
    games: z.array(z.strictObject(stored).meta({ id: 'StoredGame', description: 'A game that is stored.' })),
    before: count.nullable().describe('To be sent as `before` for older ones; null: there are none.'),
  } satisfies ShapeOf<GamesResponse>)
  .meta({ id: 'GamesResponse', description: 'Stored games, the newest first.' })
