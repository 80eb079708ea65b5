// Types of requests and answers.

export type { AdminBoostsApi } from './api/boosts/operations.ts'
export type { ConfigurationApi, ConfigurationReads, SystemReads } from './api/configuration/operations.ts'
export type {
  AchievementReason,
  AttributeDifference,
  BalanceReason,
  ChallengeReason,
  EventReason,
  ExplainedAchievement,
  ExplainedBoost,
  ExplainedRule,
  ExplainedTrigger,
  Explanation,
  LeaderboardReason,
  Reason,
  StreakNeed,
  StreakNeeds,
  StreakReason,
} from './api/explain/facts.ts'
export type { Explain } from './api/explain/operations.ts'
export type { AdminKeysApi } from './api/keys/keys.ts'
export type { ImportOptions, ImportProgress, ImportRefusal, ImportReport } from './api/operate/import-report.ts'
export type { TenantsApi } from './api/operate/tenants.ts'
export type { CallOptions, RecordOptions, WriteOptions } from './api/operation.ts'
export type { GamificationApi } from './api/operations.ts'
export type * from './api/public-types.ts'
export type { AdminUsersApi } from './api/users/operations.ts'
export type { WithinApi } from './api/within.ts'
export {
  type ErrorCode,
  GamificationError,
  type GamificationErrorOptions,
  type Issue,
  isGamificationError,
} from './errors.ts'
export type { CatalogueRewardDefinition, GiftsDefinition } from './game/catalogue-definition.ts'
export type {
  ChallengeDefinition,
  QuestDefinition,
  RewardDefinition,
} from './game/challenge-definition.ts'
export {
  type AchievementKey,
  type ApiAchievementKey,
  type ChallengeKey,
  type DefinedGame,
  defineGame,
  type EventAttribute,
  type KeysOf,
  type LeaderboardKey,
  type MetricKey,
  type PointsKey,
  type RewardKey,
  type StreakKey,
  type UserAttribute,
} from './game/define-game.ts'
export type {
  AchievementDefinition,
  BoostDefinition,
  ClientEventDefinition,
  ClientsDefinition,
  FreezesDefinition,
  GameDefinition,
  LeaderboardDefinition,
  LevelDefinition,
  LimitDefinition,
  MetricDefinition,
  NamedStreakDefinition,
  PointsDefinition,
  StreakDefinition,
  TriggerDefinition,
} from './game/definition.ts'
export type { CriterionDefinition, EmailsDefinition, ReminderDefinition } from './game/definition-parts.ts'
export {
  createGamification,
  type GamesApi,
  type Gamification,
  type GamificationOptions,
  type RequestApi,
  type RequestOptions,
} from './gamification.ts'
export { httpStatus } from './http-status.ts'
export type {
  DeadLettersRequest,
  RetryRequest,
  SecretRotation,
  SubscribeOptions,
  WebhookDeliveriesRequest,
  WebhookReplayRequest,
  WebhookRequest,
  WebhookUpdate,
  WorkOptions,
} from './messages/requests.ts'
export type { SubscriptionsApi } from './messages/subscriptions.ts'
export type { WebhooksApi } from './messages/webhooks/calls.ts'
export type { WebhooksOptions } from './messages/webhooks/create-webhooks.ts'
export type { WorkReport } from './messages/work.ts'
export type { Logger } from './runtime/context.ts'
export type { EventName, GamificationEvents, Handler } from './runtime/host-events.ts'
export type { BatchCaller, BatchTrace, CallTrace, ReplayTrace, StorageTrace } from './runtime/tracing.ts'
export type { Drift, DriftRow, DriftValue } from './storage/audit.ts'
export type { HandlerTransaction } from './storage/outbox.ts'
export type { HostTransaction, MigrationReport, Storage } from './storage/storage.ts'
