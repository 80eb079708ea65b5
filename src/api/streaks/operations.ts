import { z } from 'zod'
import type { DefinedGame, StreakKey } from '../../game/define-game.ts'
import type { Declared, NoStreaks } from '../../game/definition-parts.ts'
import type {
  CreateFreezesResponse,
  CreatePausesResponse,
  DeletePausesResponse,
  ResetStreaksResponse,
  RestoreStreaksResponse,
  StreakRanking,
  UserStreak,
  UserStreakLength,
} from '../../shapes/streaks.ts'
import { bulkAnswers, bulkStatus, listOf, ownUser } from '../endpoint.ts'
import {
  arg,
  defineOperation,
  type Mode,
  type OperationsOf,
  optionalArg,
  type ReadOptions,
  userArg,
  type WriteOptions,
} from '../operation.ts'
import { createFreezes, createPauses, deletePauses, resetStreaks, restoreStreaks } from './manage-streaks.ts'
import { listStreaks, rankStreaks, readUserStreak } from './read-streaks.ts'
import * as requests from './requests.ts'

export interface StreakRankingsApi<M extends Mode = 'later'> {
  /**
   * Lists the users with the longest streaks, the longest first: current streaks without expired ones, or each user's
   * longest ever. Users who turned streaks off are left out.
   */
  rankings(request?: requests.StreakRankingsRequest, ...options: ReadOptions<M>): Promise<readonly StreakRanking[]>
}

export interface StreaksApi extends StreakRankingsApi {
  /** Returns the streak lengths of at most 100 users, the longest first. Unknown users are left out. */
  list(request: requests.StreaksRequest | readonly string[]): Promise<readonly UserStreakLength[]>
}

export interface UserStreakApi<G extends DefinedGame> {
  /**
   * Returns the user's current streak, or a named one. History is included on request. Rejects with `unknown_streak`.
   */
  streak(id: string, request?: requests.UserStreakRequest<Declared<StreakKey<G>, NoStreaks>>): Promise<UserStreak>
}

/** Invalid items are listed as issues; the other items are processed. */
export interface AdminStreaksApi<G extends DefinedGame> {
  readonly freezes: {
    /**
     * Gives freezes, at most 100 at once. Rejects with `streak_freezes_disabled` if the streak has no freezes of its
     * own.
     */
    create(
      request: requests.FreezesRequest<Declared<StreakKey<G>, NoStreaks>>,
      options?: WriteOptions,
    ): Promise<CreateFreezesResponse>
  }
  readonly pauses: {
    /** Pauses streaks over local dates, at most 100 at once. */
    create(request: requests.PausesRequest, options?: WriteOptions): Promise<CreatePausesResponse>
    /** Deletes at most 100 pauses by id. The days of a pause that have passed stay paused. */
    delete(ids: readonly string[], options?: WriteOptions): Promise<DeletePausesResponse>
  }
  /** Restores streaks to the length they had when they were last lost, at most 100 at once. */
  restore(
    request: requests.RestoreRequest<Declared<StreakKey<G>, NoStreaks>>,
    options?: WriteOptions,
  ): Promise<RestoreStreaksResponse>
  /**
   * Ends running streaks at once, at most 100 at once. Freezes stay, no `streak.lost` is published, and `restore` gives the
   * streaks back.
   */
  reset(
    request: requests.ResetRequest<Declared<StreakKey<G>, NoStreaks>>,
    options?: WriteOptions,
  ): Promise<ResetStreaksResponse>
}

/** The streaks of the API, in its groups. */
export interface StreakCalls<G extends DefinedGame> {
  readonly streaks: StreaksApi
  readonly users: UserStreakApi<G>
  readonly admin: { readonly streaks: AdminStreaksApi<G> }
}

export const streakOperations: OperationsOf<StreakCalls<DefinedGame>> = {
  streaks: {
    list: defineOperation({
      kind: 'read',
      takes: [optionalArg('request', requests.streaksOrIds)],
      endpoint: {
        at: 'GET /streaks',
        tag: 'Streaks',
        summary: 'List the lengths of several streaks, the longest first',
        querySchema: requests.streaksRequest,
        applicationKeys: {
          may: 'its own user, in `userIds`',
          users: ({ query: { userIds } }) => (Array.isArray(userIds) ? userIds : []),
        },
        answers: { 200: ['The lengths.', listOf('UserStreakLength')] },
      },
      run: listStreaks,
    }),
    rankings: defineOperation({
      kind: 'read',
      takes: [optionalArg('request', requests.streakRankingsRequest)],
      // It reads all users, so it needs an admin key.
      endpoint: {
        at: 'GET /streaks/rankings',
        tag: 'Streaks',
        summary: 'List the users with the longest streaks',
        answers: { 200: ['The users, best first.', listOf('StreakRanking')] },
      },
      run: rankStreaks,
    }),
  },
  users: {
    streak: defineOperation({
      kind: 'read',
      takes: [userArg, optionalArg('request', requests.userStreakRequest)],
      endpoint: {
        at: 'GET /users/{id}/streak',
        tag: 'Users',
        summary: "Get a user's streak",
        hidesPrivate: true,
        applicationKeys: ownUser,
        answers: { 200: ['The current streak, with its history on request.', 'UserStreak'] },
      },
      run: readUserStreak,
    }),
  },
  admin: {
    streaks: {
      freezes: {
        create: defineOperation({
          kind: 'write',
          takes: [arg('request', requests.freezesRequest, 'freezes')],
          endpoint: {
            at: 'POST /streaks/freezes',
            tag: 'Streaks',
            summary: 'Give streak freezes to up to 100 users',
            // The streak may be unknown.
            canMiss: true,
            bodySchema: requests.freezesRequest,
            example: { freezes: [{ userId: '18' }] },
            answers: bulkAnswers('The users who got none, and why.', 'CreateFreezesResponse'),
            status: ({ issues }, { freezes }) => bulkStatus(freezes.length - issues.length),
          },
          run: createFreezes,
        }),
      },
      pauses: {
        create: defineOperation({
          kind: 'write',
          takes: [arg('request', requests.pausesRequest, 'pauses')],
          endpoint: {
            at: 'POST /streaks/pauses',
            tag: 'Streaks',
            summary: 'Pause the streaks of up to 100 users',
            example: { pauses: [{ userId: '18', start: '2026-08-01', end: '2026-08-14' }] },
            answers: bulkAnswers('The pauses.', 'CreatePausesResponse'),
            status: ({ created }) => bulkStatus(created.length),
          },
          run: createPauses,
        }),
        delete: defineOperation({
          kind: 'write',
          takes: [arg('ids', requests.pauseIds, 'pause ids')],
          endpoint: {
            at: 'DELETE /streaks/pauses',
            tag: 'Streaks',
            summary: 'End up to 100 pauses',
            querySchema: z.strictObject({ ids: requests.pauseIds }),
            toArguments: ({ query }) => [query.ids],
            answers: { 200: ['The pauses that were ended.', 'DeletePausesResponse'] },
          },
          run: deletePauses,
        }),
      },
      restore: defineOperation({
        kind: 'write',
        takes: [arg('request', requests.restoreRequest, 'users')],
        endpoint: {
          at: 'POST /streaks/restore',
          tag: 'Streaks',
          summary: 'Restore the streaks of up to 100 users',
          // The streak may be unknown.
          canMiss: true,
          example: { users: [{ id: '18' }] },
          answers: bulkAnswers('The users whose streak was restored.', 'RestoreStreaksResponse'),
          status: ({ restoredUsers }) => bulkStatus(restoredUsers.length),
        },
        run: restoreStreaks,
      }),
      reset: defineOperation({
        kind: 'write',
        takes: [arg('request', requests.resetRequest, 'users')],
        endpoint: {
          at: 'POST /streaks/reset',
          tag: 'Streaks',
          summary: 'Reset the streaks of up to 100 users',
          // The streak may be unknown.
          canMiss: true,
          example: { users: [{ id: '18' }] },
          answers: { 200: ['The users whose streak was reset.', 'ResetStreaksResponse'] },
        },
        run: resetStreaks,
      }),
    },
  },
}
