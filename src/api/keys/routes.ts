import { listOf, schemaOf } from '../../http/openapi.ts'
import { ok, type Route, type RouteResult, route } from '../../http/route.ts'
import { withoutUnknown } from '../input.ts'
import {
  type ApplicationKeyRequest,
  type ApplicationKeysRequest,
  applicationKeyRequest,
  applicationKeyRequests,
  applicationKeysQuery,
  deletedKeysQuery,
} from './requests.ts'

const tag = 'Application API keys'
const path = '/application-api-keys'

const create: Route = route<readonly ApplicationKeyRequest[]>({
  operationId: 'applicationApiKeys_create',
  method: 'POST',
  path,
  summary: 'Create keys for up to 100 users',
  tag,
  bodySchema: applicationKeyRequests,
  answers: {
    200: { description: 'No key was created; the issues say why.', schema: schemaOf('CreateApplicationKeysResponse') },
    201: { description: 'Keys were created, each shown this once.', schema: schemaOf('CreateApplicationKeysResponse') },
  },
  errors: [401, 403, 422],
  run: async (api, { body }): Promise<RouteResult> => {
    const items = body.map((item) => withoutUnknown(applicationKeyRequest, item) as ApplicationKeyRequest)
    const answer = await api.admin.applicationApiKeys.create(items)
    return { status: answer.created.length > 0 ? 201 : 200, body: answer }
  },
})

const list: Route = route({
  operationId: 'applicationApiKeys_list',
  method: 'GET',
  path,
  summary: 'List keys, without what opens anything',
  tag,
  query: {
    userId: { kind: 'text', description: 'Of this user. Default: of all users of the tenant.', example: '18' },
    after: { kind: 'text', description: 'The id of the last key of the page before.' },
    limit: { kind: 'integer', description: 'How many keys, 1 to 100. Default 100.', example: '20' },
  },
  querySchema: applicationKeysQuery,
  answers: { 200: { description: 'The keys, in order of id.', schema: listOf('ApplicationKey') } },
  errors: [401, 403, 422],
  run: (api, { query }) => ok(api.admin.applicationApiKeys.list(query as ApplicationKeysRequest)),
})

const remove: Route = route({
  operationId: 'applicationApiKeys_delete',
  method: 'DELETE',
  path,
  summary: 'Delete up to 100 keys, or all of a user, for good',
  tag,
  query: {
    ids: { kind: 'uuid-list', description: 'Ids of keys, 1 to 100: repeated or comma-separated.' },
    userId: { kind: 'text', description: 'In place of `ids`: all keys of this user.', example: '18' },
  },
  querySchema: deletedKeysQuery,
  answers: { 200: { description: 'Which keys were deleted.', schema: schemaOf('DeleteApplicationKeysResponse') } },
  errors: [401, 403, 422],
  run: (api, { query }) => {
    const { ids, userId } = query as { readonly ids?: readonly string[]; readonly userId: string }
    return ok(api.admin.applicationApiKeys.delete(ids ?? { userId }))
  },
})

export const applicationKeyRoutes: readonly Route[] = [create, list, remove]
