import type { DefinedGame, KeysOf, PointsKey } from '../../game/define-game.ts'
import type { Declared, NoSystems } from '../../game/definition-parts.ts'
import type { EventSummaryItem } from '../../shapes/events.ts'
import type {
  AdjustPointsResponse,
  PointsLevel,
  PointsLevelSummaryItem,
  PointsRange,
  PointsSystemResponse,
  UserPoints,
} from '../../shapes/points.ts'
import { anyUser, listOf, ownUser } from '../endpoint.ts'
import { type EventSummaryRequest, eventSummaryRequest } from '../events/requests.ts'
import {
  arg,
  defineOperation,
  type Mode,
  type OperationsOf,
  optionalArg,
  type ReadOptions,
  systemArg,
  userArg,
  type WriteOptions,
} from '../operation.ts'
import * as points from './points.ts'
import * as requests from './requests.ts'

export interface PointsApi<G extends DefinedGame, M extends Mode = 'later'> {
  /**
   * Returns the system as the game defines it, with its triggers. Rejects with `unknown_points_system`, as all
   * methods of `points` do.
   */
  system(
    system: Declared<PointsKey<G>, NoSystems>,
    ...options: ReadOptions<M>
  ): Promise<PointsSystemResponse<KeysOf<G>>>
  /** Lists the system's levels, the lowest first. */
  levels(system: Declared<PointsKey<G>, NoSystems>, ...options: ReadOptions<M>): Promise<readonly PointsLevel[]>
  /** Returns the number of users on each level. */
  levelSummary(
    system: Declared<PointsKey<G>, NoSystems>,
    ...options: ReadOptions<M>
  ): Promise<readonly PointsLevelSummaryItem[]>
  /**
   * Counts the users without points, and the users in each of ten ranges of the same size. The ranges end at the
   * highest total, rounded up to a power of ten. Reads every user of the tenant.
   */
  summary(
    system: Declared<PointsKey<G>, NoSystems>,
    request?: requests.PointsSummaryRequest,
    ...options: ReadOptions<M>
  ): Promise<readonly PointsRange[]>
}

export interface UserPointsApi<G extends DefinedGame, M extends Mode = 'later'> {
  /** Returns the user's total, level and newest awards in one points system. */
  points(
    id: string,
    system: Declared<PointsKey<G>, NoSystems>,
    request?: requests.UserPointsRequest,
    ...options: ReadOptions<M>
  ): Promise<UserPoints<KeysOf<G>>>
  /**
   * Summarizes the user's points in one system: one item for every day, week or month, with the points gained and
   * lost on local dates in the range. Both dates are `YYYY-MM-DD`. Rejects with `unknown_points_system`.
   */
  pointsEventSummary(
    id: string,
    system: Declared<PointsKey<G>, NoSystems>,
    request: EventSummaryRequest,
    ...options: ReadOptions<M>
  ): Promise<readonly EventSummaryItem[]>
}

export interface AdminPointsApi<G extends DefinedGame> {
  /**
   * Gives or takes points by a decision of support. Boosts, caps and cooldowns do not apply; the total stays
   * between 0 and `maxPoints`. Rejects with `unknown_user`, `unknown_points_system`, and `idempotency_key_reused`
   * if the key was used for another adjustment.
   */
  adjust(
    system: Declared<PointsKey<G>, NoSystems>,
    adjustment: requests.PointsAdjustment,
    options?: WriteOptions,
  ): Promise<AdjustPointsResponse<KeysOf<G>>>
}

/** The points of the API, in its groups. */
export interface PointsCalls<G extends DefinedGame> {
  readonly points: PointsApi<G>
  readonly users: UserPointsApi<G>
  readonly admin: { readonly points: AdminPointsApi<G> }
}

// Both summaries read all users, so they need an admin key.
export const pointsOperations: OperationsOf<PointsCalls<DefinedGame>> = {
  points: {
    system: defineOperation({
      kind: 'read',
      takes: [systemArg],
      endpoint: {
        at: 'GET /points/{key}',
        tag: 'Points',
        summary: 'Get a points system with its triggers',
        applicationKeys: anyUser,
        answers: { 200: ['The system.', 'PointsSystem'] },
      },
      run: points.readPointsSystem,
    }),
    levels: defineOperation({
      kind: 'read',
      takes: [systemArg],
      endpoint: {
        at: 'GET /points/{key}/levels',
        tag: 'Points',
        summary: 'List the levels of a points system, the lowest first',
        applicationKeys: anyUser,
        answers: { 200: ['The levels.', listOf('PointsLevel')] },
      },
      run: points.listLevels,
    }),
    levelSummary: defineOperation({
      kind: 'read',
      takes: [systemArg],
      endpoint: {
        at: 'GET /points/{key}/level-summary',
        tag: 'Points',
        summary: 'Count the users on each level',
        answers: { 200: ['Users by level.', listOf('PointsLevelSummaryItem')] },
      },
      run: points.summarizeLevels,
    }),
    summary: defineOperation({
      kind: 'read',
      takes: [systemArg, optionalArg('request', requests.pointsSummaryRequest)],
      endpoint: {
        at: 'GET /points/{key}/summary',
        tag: 'Points',
        summary: 'Count the users in each range of points',
        answers: { 200: ['Users by range of points.', listOf('PointsRange')] },
      },
      run: points.summarizePoints,
    }),
  },
  users: {
    points: defineOperation({
      kind: 'read',
      takes: [userArg, systemArg, optionalArg('request', requests.userPointsRequest)],
      endpoint: {
        at: 'GET /users/{id}/points/{key}',
        tag: 'Users',
        summary: "Get a user's points in one system",
        tool: { name: 'user_points' },
        applicationKeys: ownUser,
        answers: { 200: ['The points, and the newest awards.', 'UserPoints'] },
      },
      run: points.readUserPoints,
    }),
    pointsEventSummary: defineOperation({
      kind: 'read',
      takes: [userArg, systemArg, arg('request', eventSummaryRequest, 'summary request')],
      endpoint: {
        at: 'GET /users/{id}/points/{key}/event-summary',
        tag: 'Users',
        summary: "Summarize a user's points over time",
        applicationKeys: ownUser,
        answers: { 200: ['One item for every period.', listOf('EventSummaryItem')] },
      },
      run: points.summarizeAwards,
    }),
  },
  admin: {
    points: {
      adjust: defineOperation({
        kind: 'write',
        takes: [systemArg, arg('adjustment', requests.adjustmentRequest)],
        endpoint: {
          at: 'POST /points/{key}/adjust',
          tag: 'Points',
          summary: 'Give a user points, or take them',
          tool: { name: 'adjust_points' },
          example: { userId: '18', points: -50, reason: 'Counted twice' },
          takesIdempotencyKey: true,
          answers: {
            201: ['The points, adjusted.', 'AdjustPointsResponse'],
            202: ['The adjustment was there before.', 'AdjustPointsResponse'],
          },
          status: ({ idempotentReplayed }) => (idempotentReplayed === true ? 202 : 201),
        },
        run: points.adjustUserPoints,
      }),
    },
  },
}
