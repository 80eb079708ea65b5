export type { AdminBoostsApi } from './admin-boosts-api.ts'
export type { AdminUsersApi } from './admin-users-api.ts'
export type {
  Achievement,
  AchievementCompletion,
  AchievementCompletionResponse,
  AchievementCompletions,
  AchievementWithStats,
  UserAchievement,
  UserAchievementWithStats,
} from './engine/answers/wire/achievement.ts'
export type {
  AdminAttribute,
  AdminAttributeFilter,
  AdminBadge,
  AdminLeaderboard,
  AdminMetric,
  AdminPointsLevel,
  AdminPointsSystem,
  AdminPointsTrigger,
} from './engine/answers/wire/configuration.ts'
export type { GameKeys } from './engine/answers/wire/formats.ts'
export type {
  AdminKey,
  ApplicationKey,
  ApplicationKeyIssue,
  CreateApplicationKeysResponse,
  CreatedAdminKey,
  CreatedApplicationKey,
  CreatedWebhook,
  DeadLetter,
  DeadLetters,
  DeleteApplicationKeysResponse,
  DeletedKeyIssue,
  KeyHolder,
  SubscriptionStatus,
  Webhook,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookTry,
} from './engine/answers/wire/keys.ts'
export type {
  EventLeaderboard,
  LeaderboardGroup,
  LeaderboardGroups,
  LeaderboardHistoryItem,
  LeaderboardRanking,
  LeaderboardResponse,
  LeaderboardRunItem,
  LeaderboardRuns,
  LeaderboardWithRankings,
  UserLeaderboard,
} from './engine/answers/wire/leaderboard.ts'
export type {
  GamificationMessage,
  MessageBoost,
  MessageData,
  MessagePayloads,
  MessageType,
  PointsTotal,
  RankedLeaderboard,
  RevocableType,
} from './engine/answers/wire/messages.ts'
export type {
  ApproveEventResponse,
  EventSummaryItem,
  HeldEvent,
  MetricEventResponse,
  MetricResponse,
  VoidEventResponse,
  VoidEventsIssue,
  VoidEventsResponse,
} from './engine/answers/wire/metric.ts'
export type {
  AdminIssue,
  AdminPointsBoost,
  AwardTrigger,
  BoostFilter,
  CappedPoints,
  CreateBoostsResponse,
  DeleteBoostsResponse,
  PointsAward,
  PointsBoost,
  PointsChange,
  PointsLevel,
  PointsLevelSummaryItem,
  PointsRange,
  PointsSystemResponse,
  PointsTrigger,
  UpdateBoostsResponse,
  UserPoints,
} from './engine/answers/wire/points.ts'
export type {
  CurrentGameResponse,
  ExportEnd,
  ExportedEntry,
  ExportedGame,
  ExportedUser,
  ExportHeader,
  ExportLine,
  ExportPage,
  GameSentences,
  GamesResponse,
  Health,
  LeaderboardStatusItem,
  StatusResponse,
  StoredGameSummary,
  StreamError,
  StreamLine,
  StreamProgress,
} from './engine/answers/wire/status.ts'
export type {
  BulkIssue,
  CreatedPause,
  CreateFreezesResponse,
  CreatePausesResponse,
  CurrentStreak,
  DeletedPauseIssue,
  DeletePausesResponse,
  RestoreStreaksResponse,
  Streak,
  StreakHistoryItem,
  StreakPause,
  StreakRanking,
  UserStreak,
  UserStreakLength,
} from './engine/answers/wire/streak.ts'
export type {
  ActivityDay,
  ActivityResponse,
  AttributeFilter,
  DamagedUser,
  DeletedTenant,
  DeletedUser,
  ListedUser,
  LogEntry,
  LoggedProfile,
  NotificationChannel,
  StreakPreferences,
  SuspendedUser,
  Tenant,
  TenantsResponse,
  User,
  UserEventsResponse,
  UserPreferences,
  UserSuspension,
  UsersResponse,
} from './engine/answers/wire/users.ts'
export type {
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
} from './engine/answers/wire/wrapped.ts'
export type { AdminKeysApi } from './engine/calls/keys/admin-keys.ts'
export type { ApplyReport } from './engine/calls/operate/apply-game.ts'
export type { AuditReport } from './engine/calls/operate/verify.ts'
export type { TenantsApi } from './engine/calls/operate/walk-users.ts'
export type {
  WhatIfAchievement,
  WhatIfLeaderboard,
  WhatIfLevels,
  WhatIfPoints,
  WhatIfReport,
  WhatIfTrigger,
  WhatIfUser,
} from './engine/calls/operate/what-if.ts'
export type { ConfigurationApi, ConfigurationReads, SystemReads } from './engine/calls/read/read-configuration.ts'
export type { ImportOptions, ImportProgress, ImportRefusal, ImportReport } from './engine/calls/write/import-report.ts'
export type { BatchTrace, CallTrace, RefoldTrace, StorageTrace } from './engine/tracing.ts'
export type { EventName, GamificationEvents, Handler, Logger } from './engine/types.ts'
export {
  type ErrorCode,
  GamificationError,
  type GamificationErrorOptions,
  type Issue,
  isGamificationError,
} from './errors.ts'
export type { Explain } from './explain/explain.ts'
export type {
  AchievementReason,
  AttributeDifference,
  EventReason,
  ExplainedAchievement,
  ExplainedBoost,
  ExplainedRule,
  ExplainedTrigger,
  Explanation,
  Reason,
  StreakNeed,
  StreakNeeds,
  StreakReason,
} from './explain/facts.ts'
export {
  type AchievementKey,
  type ApiAchievementKey,
  type DefinedGame,
  defineGame,
  type EventAttribute,
  type KeysOf,
  type LeaderboardKey,
  type MetricKey,
  type PointsKey,
  type StreakKey,
  type UserAttribute,
} from './game/define-game.ts'
export type {
  AchievementDefinition,
  BoostDefinition,
  ClientEventDefinition,
  ClientsDefinition,
  EmailsDefinition,
  FreezesDefinition,
  GameDefinition,
  LeaderboardDefinition,
  LevelDefinition,
  LimitDefinition,
  MetricDefinition,
  NamedStreakDefinition,
  PointsDefinition,
  ReminderDefinition,
  StreakDefinition,
  TriggerDefinition,
} from './game/definition.ts'
export type { GamesApi } from './games-api.ts'
export {
  createGamification,
  type Gamification,
  type GamificationOptions,
  type RequestApi,
  type RequestOptions,
} from './gamification.ts'
export { httpStatus } from './http-status.ts'
export type { SubscriptionsApi } from './outbox/subscriptions.ts'
export type { WebhooksApi } from './outbox/webhooks/calls.ts'
export type { WebhooksOptions } from './outbox/webhooks/webhooks.ts'
export type {
  ApplyOptions,
  ApplyPolicy,
  AuditOptions,
  VerifyOptions,
  WalkProgress,
  WhatIfOptions,
} from './requests/types/audit.ts'
export type { BoostAttribute, BoostRequest, BoostsListRequest, BoostUpdate } from './requests/types/boosts.ts'
export type { CompletionRequest } from './requests/types/completion.ts'
export type { ConfigurationListRequest } from './requests/types/configuration.ts'
export type { EventSummaryRequest } from './requests/types/event-summary.ts'
export type { ExplainAchievement, ExplainEvent, ExplainRequest, ExplainStreak } from './requests/types/explain.ts'
export type { HeldEventsRequest } from './requests/types/held.ts'
export type {
  ApplicationKeyRequest,
  ApplicationKeysRequest,
  Capability,
  KeysOfUser,
} from './requests/types/keys.ts'
export type { LeaderboardRequest, LeaderboardsRequest, UserLeaderboardRequest } from './requests/types/leaderboards.ts'
export type { ImportCompletion, ImportItem, MetricEventRequest } from './requests/types/metric-event.ts'
export type {
  ActivityRequest,
  CompletionsRequest,
  GamesRequest,
  LeaderboardGroupsRequest,
  LeaderboardRunsRequest,
} from './requests/types/overview.ts'
export type { PreferencesUpdate } from './requests/types/preferences.ts'
export type {
  AchievementsRequest,
  BoostsRequest,
  PointsSummaryRequest,
  StreakRankingsRequest,
  StreaksRequest,
  UserAchievementsRequest,
  UserPointsRequest,
  UserStreakRequest,
} from './requests/types/reads.ts'
export type { FreezesRequest, PausesRequest, RestoreRequest } from './requests/types/streaks.ts'
export type {
  DeadLettersRequest,
  RetryRequest,
  SubscribeOptions,
  WorkOptions,
} from './requests/types/subscriptions.ts'
export type { UserUpdate, UserUpsert } from './requests/types/user.ts'
export type {
  DeletionRequest,
  ExportOptions,
  ExportPageRequest,
  SuspensionRequest,
  TenantDeletionOptions,
  TenantProgress,
  TenantsRequest,
  UserEventsRequest,
  UsersRequest,
} from './requests/types/users.ts'
export type { EventByKey, EventsBetween, EventsByKey, EventsOf, VoidRequest } from './requests/types/void.ts'
export type {
  SecretRotation,
  WebhookDeliveriesRequest,
  WebhookReplayRequest,
  WebhookRequest,
  WebhookUpdate,
} from './requests/types/webhooks.ts'
export type { WrappedRequest } from './requests/types/wrapped.ts'
export type { HostTransaction, MigrationReport, Storage } from './storage.ts'
export type { Drift, DriftRow, DriftValue } from './storage-audit.ts'
export type { HandlerTransaction } from './storage-outbox.ts'
export type { GamificationApi, RecordOptions, WriteOptions } from './tenant-api.ts'
export type { WithinApi } from './within-api.ts'
export type { WorkReport } from './work/worker.ts'
