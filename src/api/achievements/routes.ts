import { assertedDeeds } from '../../http/capabilities.ts'
import { listOf, schemaOf } from '../../http/openapi.ts'
import { achievement, anyUser, param, userAttributes } from '../../http/query.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { type AchievementsRequest, achievementsRequest, type CompletionRequest, completionBody } from './requests.ts'

const all: Route = route({
  operationId: 'achievements_all',
  method: 'GET',
  path: '/achievements',
  summary: 'List all achievements with completion stats',
  tag: 'Achievements',
  query: { userAttributes },
  querySchema: achievementsRequest,
  applicationKeys: anyUser,
  answers: { 200: { description: 'The active achievements.', schema: listOf('AchievementWithStats') } },
  errors: [401, 422],
  run: (api, { query }) => ok(api.achievements.all(query as AchievementsRequest)),
})

const complete: Route = route<CompletionRequest>({
  operationId: 'achievements_complete',
  method: 'POST',
  path: '/achievements/{key}/complete',
  summary: 'Complete an achievement for a user',
  tag: 'Achievements',
  params: achievement,
  bodySchema: completionBody,
  takesIdempotencyKey: true,
  applicationKeys: {
    may: 'its own user, as `user.id`',
    users: ({ body }) => [body.user.id],
    deeds: ({ params, body }) => [
      { type: 'achievement', achievement: param(params, 'key') },
      ...assertedDeeds(body.user),
    ],
  },
  answers: {
    201: {
      description: 'The user has the achievement, now or before.',
      schema: schemaOf('AchievementCompletionResponse'),
    },
  },
  errors: [400, 401, 404, 422],
  run: (api, { params, body: { user }, idempotencyKey }) =>
    created(
      api.achievements.complete(param(params, 'key'), {
        user,
        ...(idempotencyKey === null ? {} : { idempotencyKey }),
      }),
    ),
})

export const achievementRoutes: readonly Route[] = [all, complete]
