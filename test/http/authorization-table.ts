// Written by hand from sections 4 and 4.13 of the specification and section 8 of the decisions, never from the route table.

import type { GameDefinition } from '../../src/index.ts'

export const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, laps: { name: 'Laps' } },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
  achievements: {
    tour: { name: 'Tour', trigger: 'api' },
    first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }],
      levels: { bronze: { name: 'Bronze', points: 10 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true, freezes: { max: 100 } },
  leaderboards: {
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01' },
    secret: { name: 'Secret', rankBy: 'metric', metric: 'words', start: '2026-01-01', private: true },
  },
}

/**
 * What application keys may do, in decisions' words: `own`: under their own user only; `any`: with each of them, because
 * no user is named; `no`: nothing. `public`: it is called without a key.
 */
export type Allowed = 'own' | 'any' | 'no' | 'public'

export interface Operation {
  readonly method: string
  /** As in the documents. */
  readonly path: string
  readonly applicationKeys: Allowed
  /** What a key has to be for, where it is for less than everything. Absent: `read`. */
  readonly needs?: readonly string[]
  /** When all is well. */
  readonly status: number
  /** A valid request that names a user where one can be named. */
  readonly target: (user: string) => string
  readonly body?: (user: string) => unknown
  /** Afterwards users are not what they were. */
  readonly isFinal?: boolean
}

const DATES = 'aggregation=daily&startDate=2026-03-09&endDate=2026-03-10'
const KEY_ID = '01956c3a-0000-7000-8000-000000000000'

/** By operation id. */
export const APPLICATION_API: { readonly [operationId: string]: Operation } = {
  achievements_all: {
    method: 'GET',
    path: '/achievements',
    applicationKeys: 'any',
    status: 200,
    target: () => '/v1/achievements?userAttributes=plan:pro',
  },
  achievements_complete: {
    method: 'POST',
    path: '/achievements/{key}/complete',
    applicationKeys: 'own',
    needs: ['achievements:tour', 'profile'],
    status: 201,
    target: () => '/v1/achievements/tour/complete',
    body: (user) => ({ user: { id: user, name: 'Called' } }),
  },
  metrics_event: {
    method: 'POST',
    path: '/metrics/{key}/event',
    applicationKeys: 'own',
    needs: ['events:words', 'profile'],
    status: 201,
    target: () => '/v1/metrics/words/event',
    body: (user) => ({ user: { id: user, name: 'Called' }, value: 3 }),
  },
  users_create: {
    method: 'POST',
    path: '/users',
    applicationKeys: 'own',
    needs: ['profile'],
    status: 201,
    target: () => '/v1/users',
    body: (user) => ({ id: user, name: 'Called' }),
  },
  users_get: {
    method: 'GET',
    path: '/users/{id}',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}`,
  },
  users_identify: {
    method: 'PUT',
    path: '/users/{id}',
    applicationKeys: 'own',
    needs: ['profile', 'attributes:plan'],
    status: 200,
    target: (user) => `/v1/users/${user}`,
    body: () => ({ name: 'Called', attributes: { plan: 'pro' } }),
  },
  users_update: {
    method: 'PATCH',
    path: '/users/{id}',
    applicationKeys: 'own',
    needs: ['profile'],
    status: 200,
    target: (user) => `/v1/users/${user}`,
    body: (user) => ({ id: user, name: 'Called again' }),
  },
  users_getPreferences: {
    method: 'GET',
    path: '/users/{id}/preferences',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/preferences`,
  },
  users_updatePreferences: {
    method: 'PATCH',
    path: '/users/{id}/preferences',
    applicationKeys: 'own',
    needs: ['profile'],
    status: 200,
    target: (user) => `/v1/users/${user}/preferences`,
    body: () => ({
      notifications: { recap: ['email'] },
      streak: { evaluationMode: 'OR', metrics: [{ key: 'laps', threshold: 2 }] },
    }),
  },
  users_allMetrics: {
    method: 'GET',
    path: '/users/{id}/metrics',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/metrics`,
  },
  users_singleMetric: {
    method: 'GET',
    path: '/users/{id}/metrics/{key}',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/metrics/words`,
  },
  users_metricEventSummary: {
    method: 'GET',
    path: '/users/{id}/metrics/{key}/event-summary',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/metrics/words/event-summary?${DATES}`,
  },
  users_achievements: {
    method: 'GET',
    path: '/users/{id}/achievements',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/achievements?includeIncomplete=true`,
  },
  users_streak: {
    method: 'GET',
    path: '/users/{id}/streak',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/streak?historyPeriods=3`,
  },
  users_points: {
    method: 'GET',
    path: '/users/{id}/points/{key}',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/points/xp?awards=3`,
  },
  users_pointsEventSummary: {
    method: 'GET',
    path: '/users/{id}/points/{key}/event-summary',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/points/xp/event-summary?${DATES}`,
  },
  users_wrapped: {
    method: 'GET',
    path: '/users/{id}/wrapped',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/wrapped?year=2026`,
  },
  streaks_list: {
    method: 'GET',
    path: '/streaks',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/streaks?userIds=${user}`,
  },
  // Across users.
  streaks_rankings: {
    method: 'GET',
    path: '/streaks/rankings',
    applicationKeys: 'no',
    status: 200,
    target: () => '/v1/streaks/rankings?limit=3&type=longest',
  },
  points_system: {
    method: 'GET',
    path: '/points/{key}',
    applicationKeys: 'any',
    status: 200,
    target: () => '/v1/points/xp',
  },
  points_levels: {
    method: 'GET',
    path: '/points/{key}/levels',
    applicationKeys: 'any',
    status: 200,
    target: () => '/v1/points/xp/levels',
  },
  points_boosts: {
    method: 'GET',
    path: '/points/{key}/boosts',
    applicationKeys: 'any',
    status: 200,
    target: () => '/v1/points/xp/boosts?includeFinished=true',
  },
  users_pointsBoosts: {
    method: 'GET',
    path: '/users/{id}/points/{key}/boosts',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/points/xp/boosts`,
  },
  // The decisions do not name these two: denied until they do.
  points_levelSummary: {
    method: 'GET',
    path: '/points/{key}/level-summary',
    applicationKeys: 'no',
    status: 200,
    target: () => '/v1/points/xp/level-summary',
  },
  points_summary: {
    method: 'GET',
    path: '/points/{key}/summary',
    applicationKeys: 'no',
    status: 200,
    target: () => '/v1/points/xp/summary',
  },
  // Private leaderboards: see leaderboard-rights.test.ts.
  leaderboards_all: {
    method: 'GET',
    path: '/leaderboards',
    applicationKeys: 'any',
    status: 200,
    target: () => '/v1/leaderboards',
  },
  leaderboards_get: {
    method: 'GET',
    path: '/leaderboards/{key}',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/leaderboards/top?userId=${user}&limit=1`,
  },
  users_leaderboard: {
    method: 'GET',
    path: '/users/{id}/leaderboards/{key}',
    applicationKeys: 'own',
    status: 200,
    target: (user) => `/v1/users/${user}/leaderboards/top?numEvents=3`,
  },
  health: {
    method: 'GET',
    path: '/health',
    applicationKeys: 'public',
    status: 200,
    target: () => '/v1/health',
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    applicationKeys: 'public',
    status: 200,
    target: () => '/v1/openapi.json',
  },
}

/** By operation id. */
export const ADMIN_API: { readonly [operationId: string]: Operation } = {
  applicationApiKeys_create: {
    method: 'POST',
    path: '/application-api-keys',
    applicationKeys: 'no',
    status: 201,
    target: () => '/admin/v1/application-api-keys',
    body: () => [{ userId: 'ann' }],
  },
  applicationApiKeys_list: {
    method: 'GET',
    path: '/application-api-keys',
    applicationKeys: 'no',
    status: 200,
    target: (user) => `/admin/v1/application-api-keys?userId=${user}&limit=20`,
  },
  applicationApiKeys_delete: {
    method: 'DELETE',
    path: '/application-api-keys',
    applicationKeys: 'no',
    status: 200,
    target: () => `/admin/v1/application-api-keys?ids=${KEY_ID}`,
  },
  streaks_freezes_create: {
    method: 'POST',
    path: '/streaks/freezes',
    applicationKeys: 'no',
    status: 201,
    target: () => '/admin/v1/streaks/freezes',
    body: (user) => ({ freezes: [{ userId: user }] }),
  },
  streaks_pauses_create: {
    method: 'POST',
    path: '/streaks/pauses',
    applicationKeys: 'no',
    status: 201,
    target: () => '/admin/v1/streaks/pauses',
    body: (user) => ({ pauses: [{ userId: user, start: '2026-03-20', end: '2026-03-21' }] }),
  },
  streaks_pauses_delete: {
    method: 'DELETE',
    path: '/streaks/pauses',
    applicationKeys: 'no',
    status: 200,
    target: () => `/admin/v1/streaks/pauses?ids=${KEY_ID}`,
  },
  streaks_restore: {
    method: 'POST',
    path: '/streaks/restore',
    applicationKeys: 'no',
    // The table's users have lost no streak.
    status: 200,
    target: () => '/admin/v1/streaks/restore',
    body: (user) => ({ users: [{ id: user }] }),
  },
  metrics_events: {
    method: 'POST',
    path: '/metrics/events',
    applicationKeys: 'no',
    status: 202,
    target: () => '/admin/v1/metrics/events',
    body: (user) => [{ key: 'words', user: { id: user, name: 'Called' }, value: 3 }],
  },
  events_void: {
    method: 'POST',
    path: '/events/void',
    applicationKeys: 'no',
    // The table's users have no event with this key.
    status: 404,
    target: () => '/admin/v1/events/void',
    body: (user) => ({ userId: user, metric: 'words', idempotencyKey: 'none' }),
  },
  events_approve: {
    method: 'POST',
    path: '/events/approve',
    applicationKeys: 'no',
    // The table's users have no event with this key.
    status: 404,
    target: () => '/admin/v1/events/approve',
    body: (user) => ({ userId: user, metric: 'words', idempotencyKey: 'none' }),
  },
  events_held: {
    method: 'GET',
    path: '/events/held',
    applicationKeys: 'no',
    status: 200,
    target: (user) => `/admin/v1/events/held?userId=${encodeURIComponent(user)}&limit=5`,
  },
  attributes_list: {
    method: 'GET',
    path: '/attributes',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/attributes?limit=5',
  },
  attributes_get: {
    method: 'GET',
    path: '/attributes/{id}',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/attributes/plan',
  },
  metrics_list: {
    method: 'GET',
    path: '/metrics',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/metrics',
  },
  metrics_get: {
    method: 'GET',
    path: '/metrics/{id}',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/metrics/words',
  },
  points_systems_list: {
    method: 'GET',
    path: '/points',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/points?limit=5&skip=0',
  },
  points_systems_get: {
    method: 'GET',
    path: '/points/{id}',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/points/xp',
  },
  points_levels_list: {
    method: 'GET',
    path: '/points/{systemId}/levels',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/points/xp/levels',
  },
  points_levels_get: {
    method: 'GET',
    path: '/points/{systemId}/levels/{id}',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/points/xp/levels/bronze',
  },
  points_triggers_list: {
    method: 'GET',
    path: '/points/{systemId}/triggers',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/points/xp/triggers',
  },
  points_triggers_get: {
    method: 'GET',
    path: '/points/{systemId}/triggers/{id}',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/points/xp/triggers/f3f7ac69-7b56-5253-9c14-6d483032e237',
  },
  leaderboards_list: {
    method: 'GET',
    path: '/leaderboards',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/leaderboards',
  },
  leaderboards_get: {
    method: 'GET',
    path: '/leaderboards/{id}',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/leaderboards/secret',
  },
  users_list: {
    method: 'GET',
    path: '/users',
    applicationKeys: 'no',
    status: 200,
    target: () => '/admin/v1/users?search=a&limit=5',
  },
  users_events: {
    method: 'GET',
    path: '/users/{id}/events',
    applicationKeys: 'no',
    status: 200,
    target: (user) => `/admin/v1/users/${encodeURIComponent(user)}/events?limit=5`,
  },
  users_export: {
    method: 'GET',
    path: '/users/{id}/export',
    applicationKeys: 'no',
    status: 200,
    target: (user) => `/admin/v1/users/${encodeURIComponent(user)}/export`,
  },
  users_suspend: {
    method: 'POST',
    path: '/users/{id}/suspend',
    applicationKeys: 'no',
    status: 200,
    target: (user) => `/admin/v1/users/${encodeURIComponent(user)}/suspend`,
    body: () => ({ from: ['leaderboards'], reason: 'Forged' }),
  },
  users_restore: {
    method: 'POST',
    path: '/users/{id}/restore',
    applicationKeys: 'no',
    status: 200,
    target: (user) => `/admin/v1/users/${encodeURIComponent(user)}/restore`,
  },
  users_merge: {
    method: 'POST',
    path: '/users/{id}/merge',
    applicationKeys: 'no',
    status: 200,
    target: (user) => `/admin/v1/users/${encodeURIComponent(user)}/merge`,
    isFinal: true,
    body: (user) => ({ into: user === 'ann' ? 'bob' : 'ann' }),
  },
  users_delete: {
    method: 'DELETE',
    path: '/users/{id}',
    applicationKeys: 'no',
    status: 200,
    isFinal: true,
    target: (user) => `/admin/v1/users/${encodeURIComponent(user)}`,
  },
  health: {
    method: 'GET',
    path: '/health',
    applicationKeys: 'public',
    status: 200,
    target: () => '/admin/v1/health',
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    applicationKeys: 'public',
    status: 200,
    target: () => '/admin/v1/openapi.json',
  },
}

export const OPERATIONS: readonly Operation[] = [...Object.values(APPLICATION_API), ...Object.values(ADMIN_API)]
