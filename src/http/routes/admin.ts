import { z } from 'zod'
import { applicationKeyIds, applicationKeyRequest, applicationKeyRequests } from '../../requests/keys.ts'
import { withoutUnknown } from '../../requests/known.ts'
import type { ApplicationKeyRequest } from '../../requests/types/keys.ts'
import { ok, type Route, type RouteResult, route } from '../route.ts'
import { createApplicationKeysResponseSchema, deleteApplicationKeysResponseSchema } from '../schemas/keys.ts'

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
    200: { description: 'No key was created; the issues say why.', schema: createApplicationKeysResponseSchema },
    201: { description: 'Keys were created, each shown this once.', schema: createApplicationKeysResponseSchema },
  },
  errors: [401, 403, 422],
  run: async (api, { body }): Promise<RouteResult> => {
    const items = body.map((item) => withoutUnknown(applicationKeyRequest, item) as ApplicationKeyRequest)
    const answer = await api.admin.applicationApiKeys.create(items)
    return { status: answer.created.length > 0 ? 201 : 200, body: answer }
  },
})

const remove: Route = route({
  operationId: 'applicationApiKeys_delete',
  method: 'DELETE',
  path,
  summary: 'Delete up to 100 keys for good',
  tag,
  query: {
    ids: { kind: 'uuid-list', description: 'Ids of keys, 1 to 100: repeated or comma-separated.', required: true },
  },
  querySchema: z.object({ ids: applicationKeyIds }),
  answers: { 200: { description: 'Which keys were deleted.', schema: deleteApplicationKeysResponseSchema } },
  errors: [401, 403, 422],
  run: (api, { query }) => ok(api.admin.applicationApiKeys.delete(query.ids as readonly string[])),
})

export const applicationKeyRoutes: readonly Route[] = [create, remove]
