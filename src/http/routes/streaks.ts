import { z } from 'zod'
import { listOf } from '../../api/endpoint.ts'
import * as requests from '../../api/streaks/requests.ts'
import type { SchemaName } from '../../shapes/schema-names.ts'
import { created, ok, type Route, routesOf } from '../route.ts'

const route = routesOf('Streaks')

export function bulkAnswers(description: string, name: SchemaName): Route['answers'] {
  return { ...ok('Nothing was done; the issues say why.', name), ...created(description, name) }
}

/** 201 if at least one item was carried out. */
export const statusOf = (done: number): number => (done > 0 ? 201 : 200)

export const adminStreakRoutes: readonly Route[] = [
  route('POST /streaks/freezes', 'streaks_freezes_create', {
    summary: 'Give streak freezes to up to 100 users',
    // The streak may be unknown.
    canMiss: true,
    bodySchema: requests.freezesRequest,
    example: { freezes: [{ userId: '18' }] },
    answers: bulkAnswers('The users who got none, and why.', 'CreateFreezesResponse'),
    run: (api, { body }) => api.admin.streaks.freezes.create(body),
    status: ({ issues }, { freezes }) => statusOf(freezes.length - issues.length),
  }),
  route('POST /streaks/pauses', 'streaks_pauses_create', {
    summary: 'Pause the streaks of up to 100 users',
    bodySchema: requests.pausesRequest,
    example: { pauses: [{ userId: '18', start: '2026-08-01', end: '2026-08-14' }] },
    answers: bulkAnswers('The pauses.', 'CreatePausesResponse'),
    run: (api, { body }) => api.admin.streaks.pauses.create(body),
    status: (answer) => statusOf(answer.created.length),
  }),
  route('DELETE /streaks/pauses', 'streaks_pauses_delete', {
    summary: 'End up to 100 pauses',
    querySchema: z.strictObject({ ids: requests.pauseIds }),
    answers: ok('The pauses that were ended.', 'DeletePausesResponse'),
    run: (api, { query }) => api.admin.streaks.pauses.delete(query.ids),
  }),
  route('POST /streaks/restore', 'streaks_restore', {
    summary: 'Restore the streaks of up to 100 users',
    // The streak may be unknown.
    canMiss: true,
    bodySchema: requests.restoreRequest,
    example: { users: [{ id: '18' }] },
    answers: bulkAnswers('The users whose streak was restored.', 'RestoreStreaksResponse'),
    run: (api, { body }) => api.admin.streaks.restore(body),
    status: ({ restoredUsers }) => statusOf(restoredUsers.length),
  }),
]

export const streakRoutes: readonly Route[] = [
  route('GET /streaks', 'streaks_list', {
    summary: 'List the lengths of several streaks, the longest first',
    querySchema: requests.streaksRequest,
    applicationKeys: {
      may: 'its own user, in `userIds`',
      users: ({ query: { userIds } }) => (Array.isArray(userIds) ? userIds : []),
    },
    answers: ok('The lengths.', listOf('UserStreakLength')),
  }),
  // It reads all users, so it needs an admin key.
  route('GET /streaks/rankings', 'streaks_rankings', {
    summary: 'List the users with the longest streaks',
    querySchema: requests.streakRankingsRequest,
    answers: ok('The users, best first.', listOf('StreakRanking')),
  }),
]
