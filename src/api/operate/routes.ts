import { GamificationError } from '../../errors.ts'
import { objectOf, schemaOf } from '../../http/openapi.ts'
import { achievement, leaderboard, param, user } from '../../http/query.ts'
import { ok, type QueryParameter, type Route, type RouteResult, route } from '../../http/route.ts'
import { completionsRequest } from '../achievements/requests.ts'
import { explainQuery, toExplainRequest } from '../explain/requests.ts'
import {
  type LeaderboardGroupsRequest,
  leaderboardGroupsRequest,
  leaderboardRunsRequest,
} from '../leaderboards/requests.ts'
import { type ActivityRequest, activityRequest, type GamesRequest, gamesRequest } from './requests.ts'

const tag = 'Overview'
const after: QueryParameter = { kind: 'text', description: '`after` of the answer before.' }
const limit: QueryParameter = { kind: 'integer', description: 'How many, 1 to 100. Default 50.' }

const activity: Route = route({
  operationId: 'activity',
  method: 'GET',
  path: '/activity',
  summary: 'How much was done on each date in UTC, the newest first',
  tag,
  query: {
    from: { kind: 'text', description: 'The first date, `YYYY-MM-DD`.', required: true, example: '2026-03-01' },
    to: { kind: 'text', description: 'The last date, at most 91 days later.', required: true, example: '2026-03-31' },
  },
  querySchema: activityRequest,
  answers: { 200: { description: 'The days that were read in time.', schema: schemaOf('ActivityResponse') } },
  errors: [401, 403, 422],
  run: (api, { query }) => ok(api.activity.days({ from: '', to: '', ...query } satisfies ActivityRequest)),
})

const status: Route = route({
  operationId: 'status',
  method: 'GET',
  path: '/status',
  summary: 'How the tenant is, and what serves it',
  tag,
  answers: { 200: { description: 'How it is.', schema: schemaOf('StatusResponse') } },
  errors: [401, 403],
  run: (api) => ok(api.status()),
})

const completions: Route = route({
  operationId: 'achievements_completions',
  method: 'GET',
  path: '/achievements/{key}/completions',
  summary: 'Who has an achievement, the newest completion first',
  tag,
  params: achievement,
  query: { after, limit },
  querySchema: completionsRequest,
  answers: { 200: { description: 'A page of them.', schema: schemaOf('AchievementCompletions') } },
  errors: [401, 403, 404, 422],
  run: (api, { params, query }) => ok(api.achievements.completions(param(params, 'key'), query)),
})

const runs: Route = route({
  operationId: 'leaderboards_runs',
  method: 'GET',
  path: '/leaderboards/{key}/runs',
  summary: 'The runs of a leaderboard in which somebody has a place, the newest first',
  tag,
  params: leaderboard,
  query: { before: { kind: 'text', description: '`before` of the answer before.', example: '2026-01-05' }, limit },
  querySchema: leaderboardRunsRequest,
  answers: { 200: { description: 'A page of them.', schema: schemaOf('LeaderboardRuns') } },
  errors: [401, 403, 404, 422],
  run: (api, { params, query }) => ok(api.leaderboards.runs(param(params, 'key'), query)),
})

const groups: Route = route({
  operationId: 'leaderboards_groups',
  method: 'GET',
  path: '/leaderboards/{key}/groups',
  summary: 'The groups of one run of a leaderboard, with how many users each has',
  tag,
  params: leaderboard,
  query: {
    run: { kind: 'text', description: 'A date in the run. Without it: the current run.', example: '2026-01-15' },
    after,
    limit,
  },
  querySchema: leaderboardGroupsRequest,
  answers: { 200: { description: 'A page of them.', schema: schemaOf('LeaderboardGroups') } },
  errors: [401, 403, 404, 422],
  run: (api, { params, query }) => ok(api.leaderboards.groups(param(params, 'key'), query as LeaderboardGroupsRequest)),
})

const game: Route = route({
  operationId: 'game',
  method: 'GET',
  path: '/game',
  summary: 'The game in force, with a sentence for each of its rules',
  tag,
  answers: { 200: { description: 'The game.', schema: schemaOf('CurrentGame') } },
  errors: [401, 403],
  run: (api) => ok(api.games.current()),
})

const games: Route = route({
  operationId: 'games',
  method: 'GET',
  path: '/games',
  summary: 'All games that are stored, the newest first',
  tag,
  query: {
    before: { kind: 'integer', description: '`before` of the answer before.' },
    limit: { kind: 'integer', description: 'How many, 1 to 20. Default 10.' },
  },
  querySchema: gamesRequest,
  answers: { 200: { description: 'A page of them.', schema: schemaOf('GamesResponse') } },
  errors: [401, 403, 422],
  run: (api, { query }) => ok(api.games.list(query as GamesRequest)),
})

export const overviewRoutes: readonly Route[] = [status, activity, completions, runs, groups, game, games]

/** For load balancers: it tells nothing but whether. */
export const health: Route = route({
  operationId: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Whether calls can be answered',
  tag: 'Description',
  isPublic: true,
  answers: { 200: { description: 'They can.', schema: objectOf('status', { type: 'string', const: 'ok' }) } },
  run: async (api): Promise<RouteResult> => {
    const { status } = await api.health()
    if (status !== 'ok') throw new GamificationError('unavailable', 'The storage does not answer.')
    return { status: 200, body: { status } }
  },
})

export const explain: Route = route({
  operationId: 'users_explain',
  method: 'GET',
  path: '/users/{id}/explain',
  summary: 'Why a user has an achievement, what an event did, or what became of a streak on a date',
  tag: 'Users',
  params: user,
  query: {
    achievement: { kind: 'text', description: 'Key of an achievement.', example: 'novelist' },
    event: { kind: 'text', description: 'Id of an event.' },
    date: { kind: 'text', description: 'A local date of the user, `YYYY-MM-DD`.', example: '2026-03-10' },
    streak: { kind: 'text', description: "With `date`: key of a named streak. Default: the game's `streak`." },
  },
  querySchema: explainQuery,
  answers: { 200: { description: 'Reasons, each with a sentence.', schema: schemaOf('Explanation') } },
  errors: [401, 403, 404, 422],
  run: (api, { params, query }) => ok(api.explain(param(params, 'id'), toExplainRequest(query))),
})
