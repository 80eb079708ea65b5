import { z } from 'zod'
import {
  type FreezesRequest,
  freezesRequest,
  type PausesRequest,
  pauseIds,
  pausesRequest,
  type RestoreRequest,
  restoreRequest,
} from '../../requests/streaks.ts'
import { ok, type Route, route } from '../route.ts'
import {
  createFreezesResponseSchema,
  createPausesResponseSchema,
  deletePausesResponseSchema,
  restoreStreaksResponseSchema,
} from '../schemas/streak-management.ts'

const tag = 'Streaks'
const errors = [401, 403, 422]

const createFreezes: Route = route<FreezesRequest>({
  operationId: 'streaks_freezes_create',
  method: 'POST',
  path: '/streaks/freezes',
  summary: 'Give streak freezes to up to 100 users',
  tag,
  bodySchema: freezesRequest,
  answers: { 200: { description: 'Who got none, and why.', schema: createFreezesResponseSchema } },
  errors,
  run: (api, { body }) => ok(api.admin.streaks.freezes.create(body)),
})

const createPauses: Route = route<PausesRequest>({
  operationId: 'streaks_pauses_create',
  method: 'POST',
  path: '/streaks/pauses',
  summary: 'Pause the streaks of up to 100 users',
  tag,
  bodySchema: pausesRequest,
  answers: { 200: { description: 'The pauses.', schema: createPausesResponseSchema } },
  errors,
  run: (api, { body }) => ok(api.admin.streaks.pauses.create(body)),
})

const deletePauses: Route = route({
  operationId: 'streaks_pauses_delete',
  method: 'DELETE',
  path: '/streaks/pauses',
  summary: 'End up to 100 pauses',
  tag,
  query: {
    ids: { kind: 'uuid-list', description: 'Ids of pauses, 1 to 100: repeated or comma-separated.', required: true },
  },
  querySchema: z.object({ ids: pauseIds }),
  answers: { 200: { description: 'Which pauses were ended.', schema: deletePausesResponseSchema } },
  errors,
  run: (api, { query }) => ok(api.admin.streaks.pauses.delete(query.ids as readonly string[])),
})

const restore: Route = route<RestoreRequest>({
  operationId: 'streaks_restore',
  method: 'POST',
  path: '/streaks/restore',
  summary: 'Restore the streaks of up to 100 users',
  tag,
  bodySchema: restoreRequest,
  answers: { 200: { description: 'Whose streak was restored.', schema: restoreStreaksResponseSchema } },
  errors,
  run: (api, { body }) => ok(api.admin.streaks.restore(body)),
})

export const streakRoutes: readonly Route[] = [createFreezes, createPauses, deletePauses, restore]
