import { ownUser } from '../../api/endpoint.ts'
import { userStreakRequest } from '../../api/streaks/requests.ts'
import { REQUEST_TEXTS } from '../request-texts.ts'
import { ok, type Route, routesOf, seesPrivate } from '../route.ts'

/** `users.streak` of one of the named streaks: an operation has one route. */
export const namedStreakRoute: Route = routesOf('Users', ownUser)(
  'GET /users/{id}/streaks/{key}',
  'users_namedStreak',
  {
    summary: "Get one of a user's named streaks",
    querySchema: userStreakRequest,
    texts: REQUEST_TEXTS['users.streak'] ?? {},
    answers: ok('The current streak, with its history on request.', 'UserStreak'),
    run: (api, { params, query }, caller) =>
      api.users.streak(params.id, { ...query, streak: params.key, includePrivate: seesPrivate(caller) }),
  },
)
