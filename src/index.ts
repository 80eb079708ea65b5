export type { CompletionRequest } from './engine/complete-achievement.ts'
export type { Logger } from './engine/context.ts'
export type { EventName, GamificationEvents, Handler } from './engine/emitter.ts'
export type { ImportItem } from './engine/import-events.ts'
export type { ImportOptions, ImportProgress, ImportRefusal, ImportReport } from './engine/import-tally.ts'
export type { PreferencesUpdate } from './engine/preferences.ts'
export type { AchievementsRequest, UserAchievementsRequest } from './engine/read-achievements.ts'
export type { UserPointsRequest } from './engine/read-points.ts'
export type { UserStreakRequest } from './engine/read-streak.ts'
export type { MetricEventRequest } from './engine/record-event.ts'
export type { EventSummaryRequest } from './engine/summarize-events.ts'
export type { UserUpdate, UserUpsert } from './engine/user-input.ts'
export type {
  Achievement,
  AchievementCompletionResponse,
  AchievementWithStats,
  AttributeFilter,
  AwardTrigger,
  CurrentStreak,
  EventLeaderboard,
  EventSummaryItem,
  MetricEventResponse,
  MetricResponse,
  NotificationChannel,
  PointsAward,
  PointsChange,
  PointsLevel,
  Streak,
  StreakHistoryItem,
  StreakPreferences,
  User,
  UserAchievement,
  UserAchievementWithStats,
  UserPoints,
  UserPreferences,
  UserStreak,
} from './engine/wire.ts'
export {
  type ErrorCode,
  GamificationError,
  type GamificationErrorOptions,
  type Issue,
  isGamificationError,
} from './errors.ts'
export {
  type AchievementKey,
  type ApiAchievementKey,
  type DefinedGame,
  defineGame,
  type EventAttribute,
  type LeaderboardKey,
  type MetricKey,
  type PointsKey,
  type UserAttribute,
} from './game/define-game.ts'
export type {
  AchievementDefinition,
  GameDefinition,
  LeaderboardDefinition,
  LevelDefinition,
  MetricDefinition,
  PointsDefinition,
  StreakDefinition,
  TriggerDefinition,
} from './game/definition.ts'
export { createGamification, type Gamification, type GamificationOptions } from './gamification.ts'
export type { MigrationReport, Storage } from './storage.ts'
export type { GamificationApi } from './tenant-api.ts'
