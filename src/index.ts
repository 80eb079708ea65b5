// What calls take, and what they answer.
export type * from './engine/answers/wire/index.ts'
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
export type {
  BatchTrace,
  CallTrace,
  EventName,
  GamificationEvents,
  Handler,
  Logger,
  RefoldTrace,
  StorageTrace,
} from './engine/types.ts'
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
export {
  createGamification,
  type GamesApi,
  type Gamification,
  type GamificationOptions,
  type RequestApi,
  type RequestOptions,
} from './gamification.ts'
export { httpStatus } from './http-status.ts'
export type { SubscriptionsApi } from './outbox/subscriptions.ts'
export type { WebhooksApi } from './outbox/webhooks/calls.ts'
export type { WebhooksOptions } from './outbox/webhooks/webhooks.ts'
export type * from './requests/types/index.ts'
export type { HostTransaction, MigrationReport, Storage } from './storage.ts'
export type { Drift, DriftRow, DriftValue } from './storage-audit.ts'
export type { HandlerTransaction } from './storage-outbox.ts'
export type { AdminBoostsApi, AdminUsersApi, GamificationApi, RecordOptions, WriteOptions } from './tenant-api.ts'
export type { WithinApi } from './within-api.ts'
export type { WorkReport } from './work/worker.ts'
