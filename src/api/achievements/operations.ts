import type { AchievementKey, ApiAchievementKey, DefinedGame, KeysOf, UserAttribute } from '../../game/define-game.ts'
import type { Declared, NoApiAchievements } from '../../game/definition-parts.ts'
import { gameKey } from '../../runtime/input.ts'
import type {
  AchievementCompletionResponse,
  AchievementCompletions,
  AchievementWithStats,
  RevokedAchievement,
  UserAchievementWithStats,
} from '../../shapes/achievements.ts'
import { anyUser, listOf, ownUser } from '../endpoint.ts'
import {
  type Answer,
  arg,
  defineOperation,
  type Mode,
  type OperationsOf,
  type Options,
  optionalArg,
  type ReadOptions,
  type RecordOptions,
  userArg,
  type WriteOptions,
} from '../operation.ts'
import { assertedActions } from '../users/actions.ts'
import * as achievements from './achievements.ts'
import * as requests from './requests.ts'

export interface CompletionApi<G extends DefinedGame, M extends Mode = 'later'> {
  /**
   * Completes an achievement with the trigger `api`. Completing it again returns the existing completion. An
   * achievement that repeats is completed once for each `idempotencyKey`.
   */
  complete(
    achievement: Declared<ApiAchievementKey<G>, NoApiAchievements>,
    request: requests.CompletionRequest<UserAttribute<G>>,
    ...options: Options<M, RecordOptions>
  ): Answer<M, AchievementCompletionResponse<KeysOf<G>>>
}

/** The calls that the client has, too. */
export interface ClientAchievementsApi<G extends DefinedGame, M extends Mode = 'later'> extends CompletionApi<G, M> {
  /**
   * Lists every achievement with the number and share of users who completed it. With `userAttributes`, it lists only
   * achievements that such a user can complete.
   */
  all(
    request?: requests.AchievementsRequest,
    ...options: ReadOptions<M>
  ): Promise<readonly AchievementWithStats<KeysOf<G>>[]>
}

export interface AchievementsApi<G extends DefinedGame> extends ClientAchievementsApi<G> {
  /** Lists the users who have an achievement, the newest completion first. Rejects with `unknown_achievement`. */
  completions(achievement: AchievementKey<G>, request?: requests.CompletionsRequest): Promise<AchievementCompletions>
}

export interface UserAchievementsApi<G extends DefinedGame, M extends Mode = 'later'> {
  /**
   * Lists the user's achievements with stats. With a parameter, it includes achievements that are not completed yet.
   */
  achievements(
    id: string,
    request?: requests.UserAchievementsRequest,
    ...options: ReadOptions<M>
  ): Promise<readonly UserAchievementWithStats<KeysOf<G>>[]>
}

export interface AdminAchievementsApi<G extends DefinedGame> {
  /**
   * Grants an achievement and pays its points, even if it is locked or the user lacks the attributes. An
   * achievement that repeats is completed again; otherwise an existing completion does not change. Rejects with
   * `unknown_user` and `unknown_achievement`.
   */
  grant(
    achievement: AchievementKey<G>,
    request: requests.SupportRequest,
    options?: WriteOptions,
  ): Promise<AchievementCompletionResponse<KeysOf<G>>>
  /**
   * Revokes an achievement, with all completions of one that repeats. After that, only a grant completes it. Points
   * that it paid, and composites that needed it, stay. Rejects with `achievement_not_completed` if the user does
   * not have it.
   */
  revoke(
    achievement: AchievementKey<G>,
    request: requests.SupportRequest,
    options?: WriteOptions,
  ): Promise<RevokedAchievement<KeysOf<G>>>
}

/** The achievements of the API, in its groups. */
export interface AchievementCalls<G extends DefinedGame> {
  readonly achievements: AchievementsApi<G>
  readonly users: UserAchievementsApi<G>
  readonly admin: { readonly achievements: AdminAchievementsApi<G> }
}

const achievement = arg('achievement', gameKey, 'achievement key')

export const achievementOperations: OperationsOf<AchievementCalls<DefinedGame>> = {
  achievements: {
    all: defineOperation({
      kind: 'read',
      takes: [optionalArg('request', requests.achievementsRequest)],
      endpoint: {
        at: 'GET /achievements',
        tag: 'Achievements',
        summary: 'List all achievements with completion stats',
        applicationKeys: anyUser,
        answers: { 200: ['The active achievements.', listOf('AchievementWithStats')] },
      },
      run: achievements.listAchievements,
    }),
    complete: defineOperation({
      kind: 'write',
      takes: [achievement, arg('request', requests.completionRequest, 'completion')],
      dryRun: true,
      endpoint: {
        at: 'POST /achievements/{key}/complete',
        tag: 'Achievements',
        summary: 'Complete an achievement for a user',
        bodySchema: requests.completionBody,
        example: { user: { id: '18' } },
        takesIdempotencyKey: true,
        applicationKeys: {
          may: 'its own user, as `user.id`',
          users: ({ read }) => [read.user.id],
          actions: ({ params, read }) => [
            { type: 'achievement', achievement: params.key },
            ...assertedActions(read.user),
          ],
        },
        answers: { 201: ['The user has the achievement, now or before.', 'AchievementCompletionResponse'] },
      },
      run: achievements.completeAchievement,
    }),
    completions: defineOperation({
      kind: 'read',
      takes: [achievement, optionalArg('request', requests.completionsRequest)],
      endpoint: {
        at: 'GET /achievements/{key}/completions',
        tag: 'Overview',
        api: 'admin',
        summary: 'List the users who have an achievement, the newest completion first',
        answers: { 200: ['A page of completions.', 'AchievementCompletions'] },
      },
      run: achievements.listCompletions,
    }),
  },
  users: {
    achievements: defineOperation({
      kind: 'read',
      takes: [userArg, optionalArg('request', requests.userAchievementsRequest)],
      endpoint: {
        at: 'GET /users/{id}/achievements',
        tag: 'Users',
        summary: "List a user's achievements",
        applicationKeys: ownUser,
        answers: { 200: ['The achievements.', listOf('UserAchievementWithStats')] },
      },
      run: achievements.listUserAchievements,
    }),
  },
  admin: {
    achievements: {
      grant: defineOperation({
        kind: 'write',
        takes: [achievement, arg('request', requests.supportRequest, 'grant')],
        endpoint: {
          at: 'POST /achievements/{key}/grant',
          tag: 'Achievements',
          summary: 'Grant an achievement to a user',
          tool: { name: 'grant_achievement', isDestructive: false },
          example: { userId: '18', reason: 'The words of Monday were lost' },
          answers: { 201: ['The user has the achievement, now or before.', 'AchievementCompletionResponse'] },
        },
        run: achievements.grantAchievement,
      }),
      revoke: defineOperation({
        kind: 'write',
        takes: [achievement, arg('request', requests.supportRequest, 'revocation')],
        endpoint: {
          at: 'POST /achievements/{key}/revoke',
          tag: 'Achievements',
          summary: 'Revoke an achievement of a user, who gets it again by a grant only',
          tool: { name: 'revoke_achievement', isIdempotent: true },
          example: { userId: '18', reason: 'The words were generated' },
          answers: { 200: ['The user no longer has the achievement.', 'RevokedAchievement'] },
        },
        run: achievements.revokeFromUser,
      }),
    },
  },
}
