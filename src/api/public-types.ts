// Types of requests and answers. Every type here is public.

export type { PrivateRequest } from '../runtime/input.ts'
export type * from '../shapes/index.ts'
export type {
  AchievementsRequest,
  CompletionRequest,
  CompletionsRequest,
  SupportRequest,
  UserAchievementsRequest,
} from './achievements/requests.ts'
export type { BoostAttribute, BoostRequest, BoostsRequest, BoostUpdate } from './boosts/requests.ts'
export type { ChallengeRequest, ClaimRequest, RerollRequest } from './challenges/requests.ts'
export type { ConfigurationListRequest, GamesRequest } from './configuration/requests.ts'
export type {
  EventBatchItem,
  EventByKey,
  EventSummaryRequest,
  EventsBetween,
  EventsByKey,
  EventsOf,
  HeldEventsRequest,
  ImportCompletion,
  ImportItem,
  MetricEventRequest,
  VoidRequest,
} from './events/requests.ts'
export type {
  ExplainAchievement,
  ExplainBalance,
  ExplainChallenge,
  ExplainEvent,
  ExplainLeaderboard,
  ExplainRequest,
  ExplainStreak,
} from './explain/requests.ts'
export type { ApplicationKeyRequest, ApplicationKeysRequest, Capability, KeysOfUser } from './keys/requests.ts'
export type {
  LeaderboardGroupsRequest,
  LeaderboardRequest,
  LeaderboardRunsRequest,
  LeaderboardsRequest,
  UserLeaderboardRequest,
} from './leaderboards/requests.ts'
export type {
  ActivityRequest,
  ApplyOptions,
  AuditOptions,
  ExportOptions,
  ExportPageRequest,
  TenantDeletionOptions,
  TenantProgress,
  TenantsRequest,
  VerifyOptions,
  WalkProgress,
  WhatIfOptions,
} from './operate/requests.ts'
export type { PointsAdjustment, PointsSummaryRequest, UserPointsRequest } from './points/requests.ts'
export type { RedeemRequest, RedemptionsRequest } from './rewards/requests.ts'
export type {
  FreezesRequest,
  PausesRequest,
  RestoreRequest,
  StreakRankingsRequest,
  StreaksRequest,
  UserStreakRequest,
} from './streaks/requests.ts'
export type {
  DeletionRequest,
  MergeRequest,
  PreferencesUpdate,
  SuspensionRequest,
  UserEventsRequest,
  UsersRequest,
  UserUpdate,
  UserUpsert,
} from './users/requests.ts'
export type {
  CaptureRequest,
  HoldRequest,
  HoldTime,
  RefundRequest,
  SpendRequest,
  StatementRequest,
} from './wallets/requests.ts'
export type { WrappedRequest } from './year/requests.ts'
