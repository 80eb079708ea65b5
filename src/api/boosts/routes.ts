import { z } from 'zod'
import { listOf, schemaOf } from '../../http/openapi.ts'
import { param } from '../../http/query.ts'
import { ok, type ParamDescription, type Route, route } from '../../http/route.ts'
import { gameKey } from '../input.ts'
import {
  type BoostRequest,
  type BoostsListRequest,
  type BoostUpdate,
  boostIds,
  boostsCreateRequest,
  boostsListRequest,
  boostsUpdateRequest,
} from './requests.ts'

const tag = 'Boosts'
const path = '/points/{systemId}/boosts'
const params: { readonly [name: string]: ParamDescription } = {
  systemId: { schema: gameKey, description: 'id or key of a points system' },
}
const errors = [401, 403, 404, 422]

const list: Route = route({
  operationId: 'points_boosts_list',
  method: 'GET',
  path,
  summary: 'The boosts of a points system, of all users and of single ones',
  tag,
  params,
  query: {
    limit: { kind: 'integer', description: 'How many there are at most, 1 to 100. Default 10.', example: '100' },
    skip: { kind: 'integer', description: 'How many to pass over. Default 0.', example: '10' },
  },
  querySchema: boostsListRequest,
  answers: {
    200: {
      description: 'A part of them: those of all users, the oldest first, then those of single ones, by id.',
      schema: listOf('AdminPointsBoost'),
    },
  },
  errors,
  run: (api, { params: given, query }) =>
    ok(api.admin.points.boosts.list(param(given, 'systemId'), query as BoostsListRequest)),
})

const create: Route = route<readonly BoostRequest[]>({
  operationId: 'points_boosts_create',
  method: 'POST',
  path,
  summary: 'Give up to 100 boosts, each to all users or to one',
  tag,
  params,
  bodySchema: boostsCreateRequest,
  answers: {
    200: { description: 'Nothing was done; the issues say why.', schema: schemaOf('CreateBoostsResponse') },
    201: { description: 'The boosts.', schema: schemaOf('CreateBoostsResponse') },
  },
  errors,
  run: async (api, { params: given, body }) => {
    const answer = await api.admin.points.boosts.create(param(given, 'systemId'), body)
    return { status: answer.created.length > 0 ? 201 : 200, body: answer }
  },
})

const update: Route = route<readonly BoostUpdate[]>({
  operationId: 'points_boosts_update',
  method: 'PATCH',
  path,
  summary: 'Change up to 100 boosts that were given; what they have paid stays',
  tag,
  params,
  bodySchema: boostsUpdateRequest,
  answers: { 200: { description: 'The boosts as they are now.', schema: schemaOf('UpdateBoostsResponse') } },
  errors,
  run: (api, { params: given, body }) => ok(api.admin.points.boosts.update(param(given, 'systemId'), body)),
})

const remove: Route = route({
  operationId: 'points_boosts_delete',
  method: 'DELETE',
  path,
  summary: 'Delete up to 100 boosts that were given; what they have paid stays',
  tag,
  params,
  query: {
    ids: { kind: 'uuid-list', description: 'Ids of boosts, 1 to 100: repeated or comma-separated.', required: true },
  },
  querySchema: z.strictObject({ ids: boostIds }),
  answers: { 200: { description: 'Which boosts were deleted.', schema: schemaOf('DeleteBoostsResponse') } },
  errors,
  run: (api, { params: given, query }) =>
    ok(api.admin.points.boosts.delete(param(given, 'systemId'), query.ids as readonly string[])),
})

const get: Route = route({
  operationId: 'points_boosts_get',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'One of them: a boost',
  tag,
  params: { ...params, id: { schema: z.uuid('must be a UUID'), description: 'id of a boost' } },
  answers: { 200: { description: 'The boost.', schema: schemaOf('AdminPointsBoost') } },
  errors,
  run: (api, { params: given }) => ok(api.admin.points.boosts.get(param(given, 'systemId'), param(given, 'id'))),
})

export const boostRoutes: readonly Route[] = [list, create, update, remove, get]
