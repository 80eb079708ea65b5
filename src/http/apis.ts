import { achievementOperations } from '../api/achievements/operations.ts'
import { boostOperations } from '../api/boosts/operations.ts'
import { challengeOperations } from '../api/challenges/operations.ts'
import { configurationOperations } from '../api/configuration/operations.ts'
import { eventOperations } from '../api/events/operations.ts'
import { explainOperations } from '../api/explain/operations.ts'
import { keyOperations } from '../api/keys/operations.ts'
import { leaderboardOperations } from '../api/leaderboards/operations.ts'
import { operateOperations } from '../api/operate/operations.ts'
import { pointsOperations } from '../api/points/operations.ts'
import { rewardOperations } from '../api/rewards/operations.ts'
import { streakOperations } from '../api/streaks/operations.ts'
import { userOperations } from '../api/users/operations.ts'
import { walletOperations } from '../api/wallets/operations.ts'
import { yearOperations } from '../api/year/operations.ts'
import type { DefinedGame } from '../game/define-game.ts'
import type { Gamification } from '../gamification.ts'
import { checkServing, checkSessions } from './check-options.ts'
import { type ConsoleHandler, type ConsoleSettings, createConsoleHandler } from './console.ts'
import type { HttpHandler } from './exchange.ts'
import { createHandler, createSessionHandler, type SessionHandler } from './handler.ts'
import { serversAt, toOpenApi } from './openapi.ts'
import { routesFrom } from './operation-routes.ts'
import type { HttpOptions, SessionOptions, SessionReaders } from './options.ts'
import { type HttpApi, ok, type Route, routesOf } from './route.ts'
import { amongRoute } from './routes/among.ts'
import { previewVoidRoute } from './routes/events.ts'
import { accountRoutes, gameRoutes, health, walkRoutes } from './routes/operate.ts'
import { namedStreakRoute } from './routes/streaks.ts'
import { webhookRoutes } from './routes/webhooks.ts'

export const applicationApi: HttpApi = withPublic({
  title: 'laurels application API',
  description: 'Users and their data: metric events, achievements, points, streaks and leaderboards.',
  callers: 'keys',
  closesEnums: true,
  prefix: '/v1',
  routes: [
    ...routesFrom('application', { achievements: achievementOperations.achievements }),
    ...routesFrom('application', { metrics: eventOperations.metrics }),
    ...routesFrom('application', userOperations),
    ...routesFrom('application', { users: eventOperations.users }),
    ...routesFrom('application', { users: achievementOperations.users }),
    ...routesFrom('application', { users: streakOperations.users }),
    namedStreakRoute,
    ...routesFrom('application', { users: pointsOperations.users }),
    ...routesFrom('application', yearOperations),
    ...routesFrom('application', { streaks: streakOperations.streaks }),
    ...routesFrom('application', { points: pointsOperations.points }),
    ...routesFrom('application', boostOperations),
    ...routesFrom('application', { leaderboards: leaderboardOperations.leaderboards }),
    amongRoute,
    ...routesFrom('application', { users: leaderboardOperations.users }),
    ...routesFrom('application', challengeOperations),
    ...routesFrom('application', walletOperations),
    ...routesFrom('application', rewardOperations),
  ],
})

export const adminApi: HttpApi = withPublic({
  title: 'laurels admin API',
  description: 'Administration: keys, users, boosts, webhooks, and reads of the configuration.',
  callers: 'keys',
  closesEnums: false,
  prefix: '/admin/v1',
  routes: [
    ...routesFrom('admin', keyOperations),
    ...routesFrom('admin', { status: operateOperations.status, activity: operateOperations.activity }),
    ...routesFrom('admin', { achievements: achievementOperations.achievements }),
    ...routesFrom('admin', leaderboardOperations),
    ...gameRoutes,
    ...routesFrom('admin', userOperations),
    ...routesFrom('admin', { users: { ...eventOperations.users, ...operateOperations.users } }),
    ...routesFrom('admin', explainOperations),
    ...routesFrom('admin', streakOperations),
    ...routesFrom('admin', { events: eventOperations.events, admin: eventOperations.admin }),
    previewVoidRoute,
    ...routesFrom('admin', { admin: pointsOperations.admin }),
    ...routesFrom('admin', { admin: achievementOperations.admin }),
    ...routesFrom('admin', rewardOperations),
    ...routesFrom('admin', boostOperations),
    // The last: `/metrics/{id}` also matches longer-named paths below `/metrics`.
    ...routesFrom('admin', configurationOperations),
    ...webhookRoutes,
    ...walkRoutes,
    ...accountRoutes,
  ],
})

/** The calls for application keys, made by users who are signed in to the host's app. */
export const userApi: HttpApi = withPublic({
  title: 'laurels user API',
  description: 'The data of one signed-in user, for the pages of an app.',
  callers: 'sessions',
  closesEnums: false,
  prefix: '/user/v1',
  routes: applicationApi.routes.filter(({ applicationKeys }) => applicationKeys !== undefined),
})

function withPublic(api: HttpApi): HttpApi {
  const made = new Map<unknown, object>()
  const document: Route = routesOf('Description')('GET /openapi.json', 'openapi', {
    summary: 'Get this document',
    isPublic: true,
    answers: ok('OpenAPI 3.1.', { type: 'object', additionalProperties: {} }),
    run: async ({ served: { base, wholeNumbers } }) => {
      const known = made.get(wholeNumbers) ?? toOpenApi(complete, { wholeNumbers })
      made.set(wholeNumbers, known)
      return { ...known, servers: serversAt(base) }
    },
  })
  const complete: HttpApi = { ...api, routes: [...api.routes, health, document] }
  return complete
}

/** `own`: the options of the binding. Throws for options that do not exist or are wrong. */
export function serve<G extends DefinedGame>(
  gamification: Gamification<G>,
  api: HttpApi,
  options: HttpOptions,
  own: readonly string[] = [],
): HttpHandler {
  checkServing(gamification, options, own)
  const other =
    api === adminApi
      ? { title: 'application API', routes: applicationApi.routes }
      : { title: 'admin API', routes: adminApi.routes }
  const closing = { ...options, closesEnums: api.closesEnums }
  return createHandler(gamification as unknown as Gamification<DefinedGame>, api.routes, closing, other)
}

export function serveSessions<G extends DefinedGame, Request>(
  gamification: Gamification<G>,
  options: SessionOptions & SessionReaders<Request>,
  own: readonly string[],
): SessionHandler<Request> {
  checkSessions(gamification, options, own)
  return createSessionHandler(gamification as unknown as Gamification<DefinedGame>, userApi.routes, options)
}

/** The handler of the console's requests: both tables of routes, below `/api`. */
export function serveConsole<G extends DefinedGame>(
  gamification: Gamification<G>,
  settings: ConsoleSettings,
): ConsoleHandler {
  const tables = [applicationApi, adminApi]
  return createConsoleHandler(gamification as unknown as Gamification<DefinedGame>, tables, settings)
}
