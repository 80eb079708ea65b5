import type {
  ApiAchievementKey,
  ChallengeKey,
  DefinedGame,
  MetricKey,
  RewardKey,
  UserAttribute,
} from '../../game/define-game.ts'
import { withoutUnknown } from '../../runtime/input.ts'
import type { ApplicationKey, CreateApplicationKeysResponse, DeleteApplicationKeysResponse } from '../../shapes/keys.ts'
import { bulkStatus, listOf } from '../endpoint.ts'
import { arg, defineOperation, type OperationsOf, optionalArg } from '../operation.ts'
import { createApplicationKeys, deleteApplicationKeys, listApplicationKeys } from './keys.ts'
import * as requests from './requests.ts'

/** API keys of single users, safe in their browsers and apps. */
export interface ApplicationKeysApi<G extends DefinedGame> {
  /** Creates at most 100 keys. Invalid items are listed as issues; the other items get their keys. */
  create(requests: readonly requests.ApplicationKeyRequest<CapabilityOf<G>>[]): Promise<CreateApplicationKeysResponse>
  /** Returns a page of the keys, expired ones included, without their secrets. */
  list(request?: requests.ApplicationKeysRequest): Promise<readonly ApplicationKey[]>
  /** Deletes at most 100 keys by id, or all keys of one user. Deleting is final. */
  delete(keys: readonly string[] | requests.KeysOfUser): Promise<DeleteApplicationKeysResponse>
}

/** Capabilities of an application key, in the keys of the game. */
type CapabilityOf<G extends DefinedGame> = requests.Capability<
  MetricKey<G>,
  ApiAchievementKey<G>,
  UserAttribute<G>,
  ChallengeKey<G>,
  RewardKey<G>
>

/** The application keys of the API, in its groups. */
export interface KeyCalls<G extends DefinedGame> {
  readonly admin: { readonly applicationApiKeys: ApplicationKeysApi<G> }
}

export const keyOperations: OperationsOf<KeyCalls<DefinedGame>> = {
  admin: {
    applicationApiKeys: {
      create: defineOperation({
        kind: 'change',
        takes: [arg('requests', requests.applicationKeyRequests, 'application keys')],
        endpoint: {
          at: 'POST /application-api-keys',
          tag: 'Application API keys',
          summary: 'Create keys for up to 100 users',
          bodySchema: requests.applicationKeyRequests,
          example: [{ userId: '18', can: ['read', 'events:words-written'] }],
          toArguments: ({ read }) => [read.map((item) => withoutUnknown(requests.applicationKeyRequest, item))],
          answers: {
            200: ['No key was created; the issues say why.', 'CreateApplicationKeysResponse'],
            201: ['Keys were created. Each is shown only this once.', 'CreateApplicationKeysResponse'],
          },
          status: ({ created }) => bulkStatus(created.length),
        },
        run: createApplicationKeys,
      }),
      list: defineOperation({
        kind: 'read',
        takes: [optionalArg('request', requests.applicationKeysQuery, 'options')],
        endpoint: {
          at: 'GET /application-api-keys',
          tag: 'Application API keys',
          summary: 'List keys, without their secrets',
          answers: { 200: ['The keys, in order of id.', listOf('ApplicationKey')] },
        },
        run: listApplicationKeys,
      }),
      delete: defineOperation({
        kind: 'change',
        takes: [arg('keys', requests.deletedKeys, 'application keys')],
        endpoint: {
          at: 'DELETE /application-api-keys',
          tag: 'Application API keys',
          summary: 'Delete up to 100 keys, or all of a user, for good',
          querySchema: requests.deletedKeysQuery,
          toArguments: ({ query: { ids, userId } }) => [ids ?? { userId }],
          answers: { 200: ['The deleted keys.', 'DeleteApplicationKeysResponse'] },
        },
        run: deleteApplicationKeys,
      }),
    },
  },
}
