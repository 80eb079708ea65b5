import { listOf } from '../../api/endpoint.ts'
import {
  applicationKeyRequest,
  applicationKeyRequests,
  applicationKeysQuery,
  deletedKeysQuery,
} from '../../api/keys/requests.ts'
import { withoutUnknown } from '../../runtime/input.ts'
import { created, ok, type Route, routesOf } from '../route.ts'

const route = routesOf('Application API keys')

export const applicationKeyRoutes: readonly Route[] = [
  route('POST /application-api-keys', 'applicationApiKeys_create', {
    summary: 'Create keys for up to 100 users',
    bodySchema: applicationKeyRequests,
    example: [{ userId: '18', can: ['read', 'events:words-written'] }],
    answers: {
      ...ok('No key was created; the issues say why.', 'CreateApplicationKeysResponse'),
      ...created('Keys were created. Each is shown only this once.', 'CreateApplicationKeysResponse'),
    },
    run: (api, { read }) =>
      api.admin.applicationApiKeys.create(read.map((item) => withoutUnknown(applicationKeyRequest, item))),
    status: (answer) => (answer.created.length > 0 ? 201 : 200),
  }),
  route('GET /application-api-keys', 'applicationApiKeys_list', {
    summary: 'List keys, without their secrets',
    querySchema: applicationKeysQuery,
    answers: ok('The keys, in order of id.', listOf('ApplicationKey')),
  }),
  route('DELETE /application-api-keys', 'applicationApiKeys_delete', {
    summary: 'Delete up to 100 keys, or all of a user, for good',
    querySchema: deletedKeysQuery,
    answers: ok('The deleted keys.', 'DeleteApplicationKeysResponse'),
    run: (api, { query: { ids, userId } }) => api.admin.applicationApiKeys.delete(ids ?? { userId }),
  }),
]
