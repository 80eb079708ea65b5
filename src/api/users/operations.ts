import type { DefinedGame, MetricKey, UserAttribute } from '../../game/define-game.ts'
import type {
  DeletedUser,
  MergeResponse,
  SuspendedUser,
  User,
  UserPreferences,
  UsersResponse,
} from '../../shapes/users.ts'
import { ownUser } from '../endpoint.ts'
import {
  type Answer,
  arg,
  defineOperation,
  type Mode,
  type OperationsOf,
  type Options,
  optionalArg,
  type ReadOptions,
  userArg,
} from '../operation.ts'
import { preferenceActions, updateActions } from './actions.ts'
import { mergeUsers } from './merge-users.ts'
import { getUser, listUsers, readPreferences } from './read-user.ts'
import * as requests from './requests.ts'
import {
  createUser,
  deleteUser,
  identifyUser,
  restoreUser,
  suspendUser,
  updatePreferences,
  updateUser,
} from './write-user.ts'

export interface UserReadsApi<M extends Mode = 'later'> {
  /** Returns a user's profile. Rejects with `unknown_user`, as every other read of a user does. */
  get(id: string, ...options: ReadOptions<M>): Promise<User>
  /** Returns the user's notification preferences and streak settings. */
  getPreferences(id: string, ...options: ReadOptions<M>): Promise<UserPreferences>
}

export interface UserWritesApi<G extends DefinedGame, M extends Mode = 'later'> {
  /** Creates a user, or updates the user if the id exists. */
  create(user: requests.UserUpsert<UserAttribute<G>>, ...options: Options<M>): Answer<M, User>
  /**
   * Creates the user, or updates an existing one; call it at login. Absent fields keep their values, and `null`
   * clears a field.
   */
  identify(id: string, update: requests.UserUpdate<UserAttribute<G>>, ...options: Options<M>): Answer<M, User>
  /** Updates a user. Rejects with `unknown_user` if the user does not exist; `identify` would create one. */
  update(id: string, update: requests.UserUpdate<UserAttribute<G>>, ...options: Options<M>): Answer<M, User>
  /** Sets preferences. Types of notification and streak settings that the update does not name keep their values. */
  updatePreferences(
    id: string,
    update: requests.PreferencesUpdate<MetricKey<G>>,
    ...options: Options<M>
  ): Answer<M, UserPreferences>
}

export interface UserRemovalApi<M extends Mode = 'later'> {
  /**
   * Deletes every row of the user, in one commit. Ranks and counts no longer include the user, and the user's keys stop
   * working. Later calls treat the id as unknown. A new user may take it.
   */
  delete(id: string, request?: requests.DeletionRequest, ...options: Options<M>): Answer<M, DeletedUser>
  /**
   * Hides the user from all leaderboards, including finished runs. Others move up; the user's events return no rank.
   * Everything else continues to work. Suspending again changes nothing.
   */
  suspend(id: string, request?: requests.SuspensionRequest, ...options: Options<M>): Answer<M, SuspendedUser>
  /** Ends the suspension. Ranks and counts include the user again. */
  restore(id: string, ...options: Options<M>): Answer<M, SuspendedUser>
}

/** Administration of users: for your own staff and jobs, not for clients. */
export interface AdminUsersApi extends UserRemovalApi {
  /**
   * Returns a page of the users, by id. `search` is a part of the id or the name. One call reads at most 10,000 users,
   * so a page can be short or empty although more pages follow. `after` is null on the last page.
   */
  list(request?: requests.UsersRequest): Promise<UsersResponse>
  /**
   * Merges two users: both logs are replayed as one, in the order of the instants. `from` becomes an alias of `into`,
   * so every later call for `from` reaches `into`. Completions of either user stay. An idempotency key that both users
   * have used counts once. Application keys of `from` are deleted unless `keepKeys` is true. Merging a merged user
   * again changes nothing. Rejects with `unknown_user`, and with `total_out_of_range` if a total would leave its
   * bounds.
   */
  merge(request: requests.MergeRequest): Promise<MergeResponse>
}

/** The calls of users themselves, in the groups of the API. */
export interface UserCalls<G extends DefinedGame> {
  readonly users: UserReadsApi & UserWritesApi<G> & AdminUsersApi
}

const updated = {
  tag: 'Users',
  bodySchema: requests.userUpdate,
  example: { name: 'Ann', tz: 'Europe/London', attributes: { plan: 'pro' } },
  applicationKeys: { ...ownUser, actions: ({ read }: { readonly read: requests.ParsedUpdate }) => updateActions(read) },
} as const

export const userOperations: OperationsOf<UserCalls<DefinedGame>> = {
  users: {
    create: defineOperation({
      kind: 'write',
      takes: [arg('user', requests.userUpsert)],
      endpoint: {
        at: 'POST /users',
        tag: 'Users',
        summary: 'Create a user',
        bodySchema: requests.userUpsert,
        example: { id: '18', name: 'Ann', email: 'ann@example.com', tz: 'Europe/London' },
        applicationKeys: {
          may: 'its own user, as `id`',
          users: ({ read }) => [read.id],
          actions: ({ read }) => updateActions(read),
        },
        answers: { 201: ['The user, created or updated.', 'User'] },
      },
      run: createUser,
    }),
    get: defineOperation({
      kind: 'read',
      takes: [userArg],
      endpoint: {
        at: 'GET /users/{id}',
        tag: 'Users',
        summary: 'Get a user',
        applicationKeys: ownUser,
        answers: { 200: ['The user.', 'User'] },
      },
      run: getUser,
    }),
    identify: defineOperation({
      kind: 'write',
      takes: [userArg, arg('update', requests.userUpdate, 'user')],
      endpoint: {
        ...updated,
        at: 'PUT /users/{id}',
        summary: 'Identify a user: create it or update it',
        answers: { 200: ['The user, created or updated.', 'User'] },
        canMiss: false,
      },
      run: identifyUser,
    }),
    update: defineOperation({
      kind: 'write',
      takes: [userArg, arg('update', requests.userUpdate, 'user')],
      endpoint: {
        ...updated,
        at: 'PATCH /users/{id}',
        summary: 'Update a user',
        answers: { 200: ['The user, updated.', 'User'] },
      },
      run: updateUser,
    }),
    getPreferences: defineOperation({
      kind: 'read',
      takes: [userArg],
      endpoint: {
        at: 'GET /users/{id}/preferences',
        tag: 'Users',
        summary: "Get a user's preferences",
        applicationKeys: ownUser,
        answers: { 200: ['The preferences.', 'UserPreferences'] },
      },
      run: readPreferences,
    }),
    updatePreferences: defineOperation({
      kind: 'write',
      takes: [userArg, arg('update', requests.preferencesUpdate, 'preferences')],
      endpoint: {
        at: 'PATCH /users/{id}/preferences',
        tag: 'Users',
        summary: "Update a user's preferences",
        bodySchema: requests.preferencesUpdate,
        example: { notifications: { streak_reminder: ['push'] } },
        applicationKeys: { ...ownUser, actions: ({ read }) => preferenceActions(read) },
        answers: { 200: ['The preferences, updated.', 'UserPreferences'] },
        statuses: { unknown_metric: 422 },
      },
      run: updatePreferences,
    }),
    list: defineOperation({
      kind: 'read',
      takes: [optionalArg('request', requests.usersRequest)],
      endpoint: {
        at: 'GET /users',
        tag: 'Users',
        api: 'admin',
        summary: 'List users by id, or search them by id or name',
        tool: { name: 'find_users' },
        answers: { 200: ['A page of the users.', 'UsersResponse'] },
      },
      run: listUsers,
    }),
    delete: defineOperation({
      kind: 'write',
      takes: [userArg, optionalArg('request', requests.deletionRequest, 'options')],
      endpoint: {
        at: 'DELETE /users/{id}',
        tag: 'Users',
        api: 'admin',
        summary: 'Delete a user for good',
        answers: { 200: ['The user is deleted.', 'DeletedUser'] },
      },
      run: deleteUser,
    }),
    suspend: defineOperation({
      kind: 'write',
      takes: [userArg, optionalArg('request', requests.suspensionRequest)],
      endpoint: {
        at: 'POST /users/{id}/suspend',
        tag: 'Users',
        api: 'admin',
        summary: 'Leave a user out of leaderboards',
        example: { reason: 'Suspected of cheating' },
        answers: { 200: ['The user is suspended.', 'SuspendedUser'] },
      },
      run: suspendUser,
    }),
    restore: defineOperation({
      kind: 'write',
      takes: [userArg],
      endpoint: {
        at: 'POST /users/{id}/restore',
        tag: 'Users',
        api: 'admin',
        summary: 'Put a suspended user back on leaderboards',
        answers: { 200: ['The user is not suspended.', 'SuspendedUser'] },
      },
      run: restoreUser,
    }),
    merge: defineOperation({
      kind: 'change',
      takes: [arg('request', requests.mergeRequest)],
      endpoint: {
        at: 'POST /users/{id}/merge',
        tag: 'Users',
        api: 'admin',
        summary: 'Merge a user into another one',
        bodySchema: requests.mergeBody,
        example: { into: '18' },
        toArguments: ({ params, read }) => [{ from: params.id, ...read }],
        answers: { 200: ['The users are one.', 'MergeResponse'] },
      },
      run: mergeUsers,
    }),
  },
}
