import { z } from 'zod'
import { schemaOf } from '../../http/openapi.ts'
import { ok, type Route, type RouteResult, route } from '../../http/route.ts'
import type { SchemaName } from '../../http/schemas.ts'
import {
  type FreezesRequest,
  freezesRequest,
  type PausesRequest,
  pauseIds,
  pausesRequest,
  type RestoreRequest,
  restoreRequest,
} from './requests.ts'

const tag = 'Streaks'
const errors = [401, 403, 422]

/** 201 where at least one item was carried out. */
function bulk(body: object, done: number): RouteResult {
  return { status: done > 0 ? 201 : 200, body }
}

function bulkAnswers(description: string, name: SchemaName): Route['answers'] {
  const schema = schemaOf(name)
  return { 200: { description: 'Nothing was done; the issues say why.', schema }, 201: { description, schema } }
}

const createFreezes: Route = route<FreezesRequest>({
  operationId: 'streaks_freezes_create',
  method: 'POST',
  path: '/streaks/freezes',
  summary: 'Give streak freezes to up to 100 users',
  tag,
  bodySchema: freezesRequest,
  answers: bulkAnswers('Who got none, and why.', 'CreateFreezesResponse'),
  errors,
  run: async (api, { body }) => {
    const answer = await api.admin.streaks.freezes.create(body)
    return bulk(answer, body.freezes.length - answer.issues.length)
  },
})

const createPauses: Route = route<PausesRequest>({
  operationId: 'streaks_pauses_create',
  method: 'POST',
  path: '/streaks/pauses',
  summary: 'Pause the streaks of up to 100 users',
  tag,
  bodySchema: pausesRequest,
  answers: bulkAnswers('The pauses.', 'CreatePausesResponse'),
  errors,
  run: async (api, { body }) => {
    const answer = await api.admin.streaks.pauses.create(body)
    return bulk(answer, answer.created.length)
  },
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
  querySchema: z.strictObject({ ids: pauseIds }),
  answers: { 200: { description: 'Which pauses were ended.', schema: schemaOf('DeletePausesResponse') } },
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
  answers: bulkAnswers('Whose streak was restored.', 'RestoreStreaksResponse'),
  errors,
  run: async (api, { body }) => {
    const answer = await api.admin.streaks.restore(body)
    return bulk(answer, answer.restoredUsers.length)
  },
})

export const streakRoutes: readonly Route[] = [createFreezes, createPauses, deletePauses, restore]
