import { z } from 'zod'
import type { DefinedGame, PointsKey } from '../../game/define-game.ts'
import type { Declared, NoSystems } from '../../game/definition-parts.ts'
import type {
  AdminPointsBoost,
  CreateBoostsResponse,
  DeleteBoostsResponse,
  PointsBoost,
  UpdateBoostsResponse,
} from '../../shapes/points.ts'
import { type ConfigurationListRequest, configurationListRequest } from '../configuration/requests.ts'
import { anyUser, bulkAnswers, bulkStatus, listOf, ownUser } from '../endpoint.ts'
import {
  adminSystemArg,
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
import * as boosts from './manage-boosts.ts'
import * as requests from './requests.ts'

export interface BoostsApi<G extends DefinedGame, M extends Mode = 'later'> {
  /**
   * Lists the system's boosts for all users, the oldest first, by dates in UTC. Finished boosts are included only on
   * request.
   */
  boosts(
    system: Declared<PointsKey<G>, NoSystems>,
    request?: requests.BoostsRequest,
    ...options: ReadOptions<M>
  ): Promise<readonly PointsBoost[]>
}

export interface UserBoostsApi<G extends DefinedGame, M extends Mode = 'later'> {
  /** Lists the boosts that apply to the user now, the user's own included, the oldest first. */
  pointsBoosts(
    id: string,
    system: Declared<PointsKey<G>, NoSystems>,
    ...options: ReadOptions<M>
  ): Promise<readonly PointsBoost[]>
}

/**
 * Boosts that are created while the game runs. `system` is the id or key of a points system; an unknown one rejects
 * with `unknown_points_system`. A boost for all users applies in every tenant and survives deploys. Invalid items are
 * listed as issues; the others are applied.
 */
export interface AdminBoostsApi {
  /** Creates 1 to 100 boosts, for all users or for single users. With `tx`, every boost must name a user. */
  create(
    system: string,
    boosts: readonly requests.BoostRequest[],
    options?: WriteOptions,
  ): Promise<CreateBoostsResponse>
  /**
   * Returns a page of the boosts, planned ones included. Boosts for all users come first, the oldest first; boosts of
   * single users follow, by id.
   */
  list(system: string, request?: ConfigurationListRequest): Promise<readonly AdminPointsBoost[]>
  /** Returns one boost. Rejects with `unknown_boost`. */
  get(system: string, id: string): Promise<AdminPointsBoost>
  /** Changes 1 to 100 boosts from now on. Points that they have paid stay. */
  update(system: string, boosts: readonly requests.BoostUpdate[], options?: WriteOptions): Promise<UpdateBoostsResponse>
  /** Deletes 1 to 100 boosts by id. Points that they have paid stay. */
  delete(system: string, ids: readonly string[], options?: WriteOptions): Promise<DeleteBoostsResponse>
}

/** The boosts of the API, in its groups. */
export interface BoostCalls<G extends DefinedGame> {
  readonly points: BoostsApi<G>
  readonly users: UserBoostsApi<G>
  readonly admin: { readonly points: { readonly boosts: AdminBoostsApi } }
}

export const boostOperations: OperationsOf<BoostCalls<DefinedGame>> = {
  points: {
    boosts: defineOperation({
      kind: 'read',
      takes: [systemArg, optionalArg('request', requests.boostsRequest)],
      endpoint: {
        at: 'GET /points/{key}/boosts',
        tag: 'Points',
        summary: 'List the boosts of a points system for all users',
        applicationKeys: anyUser,
        answers: { 200: ['Boosts of all users, the oldest first; by dates in UTC.', listOf('PointsBoost')] },
      },
      run: boosts.listBoosts,
    }),
  },
  users: {
    pointsBoosts: defineOperation({
      kind: 'read',
      takes: [userArg, systemArg],
      endpoint: {
        at: 'GET /users/{id}/points/{key}/boosts',
        tag: 'Users',
        summary: 'List the boosts that a user has now',
        applicationKeys: ownUser,
        answers: { 200: ["The boosts, the oldest first, with the user's own.", listOf('PointsBoost')] },
      },
      run: boosts.listUserBoosts,
    }),
  },
  admin: {
    points: {
      boosts: {
        list: defineOperation({
          kind: 'read',
          takes: [adminSystemArg, optionalArg('request', configurationListRequest)],
          endpoint: {
            at: 'GET /points/{systemId}/boosts',
            tag: 'Boosts',
            summary: 'List the boosts of a points system, of all users and of single ones',
            answers: {
              200: [
                'A page of boosts: first boosts for all users, the oldest first, then boosts of single users, by id.',
                listOf('AdminPointsBoost'),
              ],
            },
          },
          run: boosts.listAdminBoosts,
        }),
        create: defineOperation({
          kind: 'write',
          takes: [adminSystemArg, arg('boosts', requests.boostsCreateRequest)],
          endpoint: {
            at: 'POST /points/{systemId}/boosts',
            tag: 'Boosts',
            summary: 'Give up to 100 boosts, each to all users or to one',
            example: [{ name: 'Double weekend', start: '2026-01-10', end: '2026-01-11', multiplier: 2 }],
            answers: bulkAnswers('The boosts.', 'CreateBoostsResponse'),
            status: ({ created }) => bulkStatus(created.length),
          },
          run: boosts.createBoosts,
        }),
        update: defineOperation({
          kind: 'write',
          takes: [adminSystemArg, arg('boosts', requests.boostsUpdateRequest)],
          endpoint: {
            at: 'PATCH /points/{systemId}/boosts',
            tag: 'Boosts',
            summary: 'Change up to 100 boosts that were given; what they have paid stays',
            example: [{ id: '0198c1d2-6b3e-7c4f-8a5b-9d0e1f2a3b4c', end: '2026-01-12' }],
            answers: { 200: ['The boosts after the change.', 'UpdateBoostsResponse'] },
          },
          run: boosts.updateBoosts,
        }),
        delete: defineOperation({
          kind: 'write',
          takes: [adminSystemArg, arg('ids', requests.boostIds, 'boost ids')],
          endpoint: {
            at: 'DELETE /points/{systemId}/boosts',
            tag: 'Boosts',
            summary: 'Delete up to 100 boosts that were given; what they have paid stays',
            querySchema: z.strictObject({ ids: requests.boostIds }),
            toArguments: ({ params, query }) => [params.systemId, query.ids],
            answers: { 200: ['The deleted boosts.', 'DeleteBoostsResponse'] },
          },
          run: boosts.deleteBoosts,
        }),
        get: defineOperation({
          kind: 'read',
          takes: [adminSystemArg, arg('id', requests.givenBoostId, 'boost id')],
          endpoint: {
            at: 'GET /points/{systemId}/boosts/{id}',
            tag: 'Boosts',
            summary: 'Get a boost',
            answers: { 200: ['The boost.', 'AdminPointsBoost'] },
          },
          run: boosts.readAdminBoost,
        }),
      },
    },
  },
}
