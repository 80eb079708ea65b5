import { achievementsRequest, completionBody, supportRequest } from '../../api/achievements/requests.ts'
import { assertedActions } from '../../api/actions.ts'
import { anyUser, listOf } from '../../api/endpoint.ts'
import { created, ok, type Route, routesOf } from '../route.ts'

const route = routesOf('Achievements')

export const achievementRoutes: readonly Route[] = [
  route('GET /achievements', 'achievements_all', {
    summary: 'List all achievements with completion stats',
    querySchema: achievementsRequest,
    applicationKeys: anyUser,
    answers: ok('The active achievements.', listOf('AchievementWithStats')),
  }),
  route('POST /achievements/{key}/complete', 'achievements_complete', {
    summary: 'Complete an achievement for a user',
    bodySchema: completionBody,
    example: { user: { id: '18' } },
    takesIdempotencyKey: true,
    applicationKeys: {
      may: 'its own user, as `user.id`',
      users: ({ read }) => [read.user.id],
      actions: ({ params, read }) => [{ type: 'achievement', achievement: params.key }, ...assertedActions(read.user)],
    },
    answers: created('The user has the achievement, now or before.', 'AchievementCompletionResponse'),
    run: (api, { params, body, idempotencyKey }) =>
      api.achievements.complete(params.key, { ...body, ...(idempotencyKey === null ? {} : { idempotencyKey }) }),
  }),
]

export const adminAchievementRoutes: readonly Route[] = [
  route('POST /achievements/{key}/grant', 'achievements_grant', {
    summary: 'Grant an achievement to a user',
    bodySchema: supportRequest,
    example: { userId: '18', reason: 'The words of Monday were lost' },
    answers: created('The user has the achievement, now or before.', 'AchievementCompletionResponse'),
  }),
  route('POST /achievements/{key}/revoke', 'achievements_revoke', {
    summary: 'Revoke an achievement of a user, who gets it again by a grant only',
    bodySchema: supportRequest,
    example: { userId: '18', reason: 'The words were generated' },
    answers: ok('The user no longer has the achievement.', 'RevokedAchievement'),
  }),
]
