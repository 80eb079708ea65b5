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
      boosts: { later: { name: 'Later', start: '2100-01-01', multiplier: 2 } },
    },
    coins: { name: 'Coins', spendable: true },
  },
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true, freezes: { max: 100 } },
  streaks: { gym: { frequency: 'weekly', metrics: { words: {} }, freezes: 'shared' } },
  rewards: { mug: { name: 'Mug', cost: { coins: 500_000 } } },
  challenges: {
    sprint: { name: 'Sprint', of: [{ metric: 'words', value: 500_000 }], enrol: 'manual' },
    daily: {
      name: 'Daily',
      every: 'day',
      pick: 1,
      pool: { far: { name: 'Far', of: [{ metric: 'laps', value: 500 }] } },
    },
  },
  leaderboards: {
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01' },
    secret: { name: 'Secret', rankBy: 'metric', metric: 'words', start: '2026-01-01', private: true },
  },
}

/**
 * The rights of application keys, in the words of the decisions. `own`: under their own user only. `any`: with each
 * key, because no user is named. `no`: none.
 */
export type Allowed = 'own' | 'any' | 'no' | 'public'

export interface Operation {
  readonly method: string
  /** As in the documents. */
  readonly path: string
  readonly applicationKeys: Allowed
  /** The right that a restricted key needs. `read` if absent. */
  readonly needs?: readonly string[]
  /** When all is well. */
  readonly status: number
  /** A valid request that names a user if one can be named. */
  readonly target: (user: string) => string
  readonly body?: (user: string) => unknown
  /**
   * If absent, true for all but GET. A call that changes nothing is open to viewers with read access to the console.
   */
  readonly changes?: false
  /** Afterwards users are not what they were. */
  readonly isFinal?: boolean
}

/** The properties of a row besides its path, its rights and its status. */
interface Row extends Pick<Operation, 'needs' | 'body' | 'changes' | 'isFinal'> {
  /** The path that is called, with `{user}` for the user. If absent, the key of the documents. */
  readonly at?: string
}

function operation(prefix: string, call: string, rights: Pick<Operation, 'applicationKeys' | 'status'>, row: Row) {
  const [method = '', path = ''] = call.split(' ')
  const { at = path.replace('{id}', '{user}'), ...rest } = row
  const target = (user: string): string => prefix + at.replaceAll('{user}', encodeURIComponent(user))
  return { method, path, ...rights, target, ...rest }
}

const application = (call: string, applicationKeys: Allowed, status: number, row: Row = {}): Operation =>
  operation('/v1', call, { applicationKeys, status }, row)
const admin = (call: string, applicationKeys: Allowed, status: number, row: Row = {}): Operation =>
  operation('/admin/v1', call, { applicationKeys, status }, row)

const DATES = 'aggregation=daily&startDate=2026-03-09&endDate=2026-03-10'
const KEY_ID = '01956c3a-0000-7000-8000-000000000000'

/** By operation id. */
export const APPLICATION_API: { readonly [operationId: string]: Operation } = {
  achievements_all: application('GET /achievements', 'any', 200, { at: '/achievements?userAttributes=plan:pro' }),
  achievements_complete: application('POST /achievements/{key}/complete', 'own', 201, {
    at: '/achievements/tour/complete',
    body: (user) => ({ user: { id: user, name: 'Called' } }),
    needs: ['achievements:tour', 'profile'],
  }),
  metrics_event: application('POST /metrics/{key}/event', 'own', 201, {
    at: '/metrics/words/event',
    body: (user) => ({ user: { id: user, name: 'Called' }, value: 3 }),
    needs: ['events:words', 'profile'],
  }),
  users_create: application('POST /users', 'own', 201, {
    body: (user) => ({ id: user, name: 'Called' }),
    needs: ['profile'],
  }),
  users_get: application('GET /users/{id}', 'own', 200),
  users_identify: application('PUT /users/{id}', 'own', 200, {
    body: () => ({ name: 'Called', attributes: { plan: 'pro' } }),
    needs: ['profile', 'attributes:plan'],
  }),
  users_update: application('PATCH /users/{id}', 'own', 200, {
    body: (user) => ({ id: user, name: 'Called again' }),
    needs: ['profile'],
  }),
  users_getPreferences: application('GET /users/{id}/preferences', 'own', 200),
  users_updatePreferences: application('PATCH /users/{id}/preferences', 'own', 200, {
    body: () => ({
      notifications: { recap: ['email'] },
      streak: { evaluationMode: 'OR', metrics: [{ key: 'laps', threshold: 2 }] },
    }),
    needs: ['profile'],
  }),
  users_allMetrics: application('GET /users/{id}/metrics', 'own', 200),
  users_singleMetric: application('GET /users/{id}/metrics/{key}', 'own', 200, { at: '/users/{user}/metrics/words' }),
  users_metricEventSummary: application('GET /users/{id}/metrics/{key}/event-summary', 'own', 200, {
    at: `/users/{user}/metrics/words/event-summary?${DATES}`,
  }),
  users_achievements: application('GET /users/{id}/achievements', 'own', 200, {
    at: '/users/{user}/achievements?includeIncomplete=true',
  }),
  users_streak: application('GET /users/{id}/streak', 'own', 200, { at: '/users/{user}/streak?historyPeriods=3' }),
  users_namedStreak: application('GET /users/{id}/streaks/{key}', 'own', 200, {
    at: '/users/{user}/streaks/gym?historyPeriods=3',
  }),
  users_points: application('GET /users/{id}/points/{key}', 'own', 200, { at: '/users/{user}/points/xp?awards=3' }),
  users_pointsEventSummary: application('GET /users/{id}/points/{key}/event-summary', 'own', 200, {
    at: `/users/{user}/points/xp/event-summary?${DATES}`,
  }),
  users_wrapped: application('GET /users/{id}/wrapped', 'own', 200, { at: '/users/{user}/wrapped?year=2026' }),
  streaks_list: application('GET /streaks', 'own', 200, { at: '/streaks?userIds={user}' }),
  // Across users.
  streaks_rankings: application('GET /streaks/rankings', 'no', 200, { at: '/streaks/rankings?limit=3&type=longest' }),
  points_system: application('GET /points/{key}', 'any', 200, { at: '/points/xp' }),
  points_levels: application('GET /points/{key}/levels', 'any', 200, { at: '/points/xp/levels' }),
  points_boosts: application('GET /points/{key}/boosts', 'any', 200, { at: '/points/xp/boosts?includeFinished=true' }),
  users_pointsBoosts: application('GET /users/{id}/points/{key}/boosts', 'own', 200, {
    at: '/users/{user}/points/xp/boosts',
  }),
  // The decisions do not name these two: denied until they do.
  points_levelSummary: application('GET /points/{key}/level-summary', 'no', 200, { at: '/points/xp/level-summary' }),
  points_summary: application('GET /points/{key}/summary', 'no', 200, { at: '/points/xp/summary' }),
  // The table's users have no coins, and so no holds and no spends.
  points_spend: application('POST /points/{key}/spend', 'no', 409, {
    at: '/points/coins/spend',
    body: (user) => ({ user, amount: 5 }),
  }),
  points_hold: application('POST /points/{key}/hold', 'no', 409, {
    at: '/points/coins/hold',
    body: (user) => ({ user, amount: 5, expiresIn: { hours: 1 } }),
  }),
  points_capture: application('POST /points/holds/{id}/capture', 'no', 404, {
    at: '/points/holds/none/capture',
    body: () => ({ amount: 5 }),
  }),
  points_release: application('POST /points/holds/{id}/release', 'no', 404, { at: '/points/holds/none/release' }),
  points_refund: application('POST /points/spends/{id}/refund', 'no', 404, {
    at: '/points/spends/none/refund',
    body: () => ({ amount: 5 }),
  }),
  points_balance: application('GET /users/{id}/points/{key}/balance', 'own', 200, {
    at: '/users/{user}/points/coins/balance',
  }),
  points_balances: application('GET /users/{id}/balances', 'own', 200),
  points_statement: application('GET /users/{id}/statement', 'own', 200, {
    at: '/users/{user}/statement?system=coins',
  }),
  challenges_list: application('GET /challenges', 'any', 200),
  challenges_get: application('GET /challenges/{key}', 'any', 200, { at: '/challenges/sprint' }),
  challenges_enrol: application('POST /challenges/{key}/enrol', 'own', 201, {
    at: '/challenges/sprint/enrol',
    body: (user) => ({ user }),
    needs: ['challenges:sprint'],
  }),
  challenges_abandon: application('POST /challenges/{key}/abandon', 'own', 200, {
    at: '/challenges/sprint/abandon',
    body: (user) => ({ user }),
    needs: ['challenges:sprint'],
  }),
  // The table's users have completed no challenge.
  challenges_claim: application('POST /challenges/{key}/claim', 'own', 422, {
    at: '/challenges/sprint/claim',
    body: (user) => ({ user }),
    needs: ['challenges:sprint'],
  }),
  // No quest can be replaced in the table's game.
  challenges_reroll: application('POST /challenges/{key}/reroll', 'own', 422, {
    at: '/challenges/daily/reroll',
    body: (user) => ({ user, quest: 'far' }),
    needs: ['challenges:daily'],
  }),
  rewards_list: application('GET /rewards', 'any', 200),
  // The table's users cannot afford it.
  rewards_redeem: application('POST /rewards/{key}/redeem', 'own', 409, {
    at: '/rewards/mug/redeem',
    body: (user) => ({ user }),
    needs: ['redeem:mug'],
  }),
  rewards_redemptions: application('GET /rewards/redemptions', 'own', 200, {
    at: '/rewards/redemptions?user={user}',
  }),
  users_challenges: application('GET /users/{id}/challenges', 'own', 200),
  // Private leaderboards: see leaderboard-rights.test.ts.
  leaderboards_all: application('GET /leaderboards', 'any', 200),
  leaderboards_get: application('GET /leaderboards/{key}', 'own', 200, {
    at: '/leaderboards/top?userId={user}&limit=1',
  }),
  leaderboards_among: application('GET /leaderboards/{key}/among', 'own', 200, {
    at: '/leaderboards/top/among?userIds={user}',
  }),
  users_leaderboard: application('GET /users/{id}/leaderboards/{key}', 'own', 200, {
    at: '/users/{user}/leaderboards/top?numEvents=3',
  }),
  health: application('GET /health', 'public', 200),
  openapi: application('GET /openapi.json', 'public', 200),
}

/** By operation id. */
export const ADMIN_API: { readonly [operationId: string]: Operation } = {
  applicationApiKeys_create: admin('POST /application-api-keys', 'no', 201, { body: () => [{ userId: 'ann' }] }),
  applicationApiKeys_list: admin('GET /application-api-keys', 'no', 200, {
    at: '/application-api-keys?userId={user}&limit=20',
  }),
  applicationApiKeys_delete: admin('DELETE /application-api-keys', 'no', 200, {
    at: `/application-api-keys?ids=${KEY_ID}`,
  }),
  rewards_fulfil: admin('POST /rewards/redemptions/{id}/fulfil', 'no', 404, { at: '/rewards/redemptions/none/fulfil' }),
  rewards_cancel: admin('POST /rewards/redemptions/{id}/cancel', 'no', 404, { at: '/rewards/redemptions/none/cancel' }),
  streaks_freezes_create: admin('POST /streaks/freezes', 'no', 201, {
    body: (user) => ({ freezes: [{ userId: user }] }),
  }),
  streaks_pauses_create: admin('POST /streaks/pauses', 'no', 201, {
    body: (user) => ({ pauses: [{ userId: user, start: '2026-03-20', end: '2026-03-21' }] }),
  }),
  streaks_pauses_delete: admin('DELETE /streaks/pauses', 'no', 200, { at: `/streaks/pauses?ids=${KEY_ID}` }),
  streaks_settings_get: admin('GET /streaks/settings', 'no', 200),
  environments_list: admin('GET /environments', 'no', 200),
  settings_get: admin('GET /settings', 'no', 200),
  achievements_list: admin('GET /achievements', 'no', 200),
  achievements_get: admin('GET /achievements/{id}', 'no', 200, { at: '/achievements/first' }),
  // The table's users have lost no streak.
  streaks_restore: admin('POST /streaks/restore', 'no', 200, { body: (user) => ({ users: [{ id: user }] }) }),
  streaks_reset: admin('POST /streaks/reset', 'no', 200, { body: (user) => ({ users: [{ id: user }] }) }),
  metrics_events: admin('POST /metrics/events', 'no', 202, {
    body: (user) => [{ key: 'words', user: { id: user, name: 'Called' }, value: 3 }],
  }),
  // The table's users have no event with this key.
  events_void: admin('POST /events/void', 'no', 404, {
    body: (user) => ({ userId: user, metric: 'words', idempotencyKey: 'none' }),
  }),
  // The table's users have no event with this key.
  events_approve: admin('POST /events/approve', 'no', 404, {
    body: (user) => ({ userId: user, metric: 'words', idempotencyKey: 'none' }),
  }),
  events_held: admin('GET /events/held', 'no', 200, { at: '/events/held?userId={user}&limit=5' }),
  attributes_list: admin('GET /attributes', 'no', 200, { at: '/attributes?limit=5' }),
  attributes_get: admin('GET /attributes/{id}', 'no', 200, { at: '/attributes/plan' }),
  metrics_list: admin('GET /metrics', 'no', 200),
  metrics_get: admin('GET /metrics/{id}', 'no', 200, { at: '/metrics/words' }),
  points_systems_list: admin('GET /points', 'no', 200, { at: '/points?limit=5&skip=0' }),
  points_systems_get: admin('GET /points/{id}', 'no', 200, { at: '/points/xp' }),
  points_levels_list: admin('GET /points/{systemId}/levels', 'no', 200, { at: '/points/xp/levels' }),
  points_levels_get: admin('GET /points/{systemId}/levels/{id}', 'no', 200, { at: '/points/xp/levels/bronze' }),
  points_boosts_list: admin('GET /points/{systemId}/boosts', 'no', 200, { at: '/points/xp/boosts' }),
  points_boosts_create: admin('POST /points/{systemId}/boosts', 'no', 201, {
    at: '/points/xp/boosts',
    body: (user) => [{ userId: user, name: 'Double', start: '2026-03-20', multiplier: 2 }],
  }),
  points_boosts_update: admin('PATCH /points/{systemId}/boosts', 'no', 200, {
    at: '/points/xp/boosts',
    body: () => [{ id: KEY_ID, multiplier: 3 }],
  }),
  points_boosts_delete: admin('DELETE /points/{systemId}/boosts', 'no', 200, { at: `/points/xp/boosts?ids=${KEY_ID}` }),
  points_boosts_get: admin('GET /points/{systemId}/boosts/{id}', 'no', 200, {
    at: '/points/xp/boosts/35fcdd03-b267-5ebc-a3d0-61d61d3bd98e',
  }),
  points_triggers_list: admin('GET /points/{systemId}/triggers', 'no', 200, { at: '/points/xp/triggers' }),
  points_triggers_get: admin('GET /points/{systemId}/triggers/{id}', 'no', 200, {
    at: '/points/xp/triggers/f3f7ac69-7b56-5253-9c14-6d483032e237',
  }),
  leaderboards_list: admin('GET /leaderboards', 'no', 200),
  leaderboards_get: admin('GET /leaderboards/{id}', 'no', 200, { at: '/leaderboards/secret' }),
  webhooks_list: admin('GET /webhooks', 'no', 200),
  webhooks_create: admin('POST /webhooks', 'no', 201, {
    body: () => ({ url: 'https://example.com/', types: ['streak.lost'] }),
  }),
  // The table has no webhook.
  webhooks_get: admin('GET /webhooks/{id}', 'no', 404, { at: `/webhooks/${KEY_ID}` }),
  webhooks_update: admin('PATCH /webhooks/{id}', 'no', 404, {
    at: `/webhooks/${KEY_ID}`,
    body: () => ({ url: 'https://example.org/' }),
  }),
  webhooks_delete: admin('DELETE /webhooks/{id}', 'no', 404, { at: `/webhooks/${KEY_ID}` }),
  webhooks_deliveries: admin('GET /webhooks/{id}/deliveries', 'no', 404, {
    at: `/webhooks/${KEY_ID}/deliveries?limit=5&state=dead`,
  }),
  webhooks_replay: admin('POST /webhooks/{id}/replay', 'no', 404, {
    at: `/webhooks/${KEY_ID}/replay`,
    body: () => ({ state: 'dead' }),
  }),
  webhooks_rotateSecret: admin('POST /webhooks/{id}/rotate-secret', 'no', 404, {
    at: `/webhooks/${KEY_ID}/rotate-secret`,
    body: () => ({ overlapHours: 0 }),
  }),
  status: admin('GET /status', 'no', 200),
  activity: admin('GET /activity', 'no', 200, { at: '/activity?from=2026-03-09&to=2026-03-10' }),
  activity_retention: admin('GET /activity/retention', 'no', 200, {
    at: '/activity/retention?from=2026-03-09&to=2026-03-10',
  }),
  achievements_completions: admin('GET /achievements/{key}/completions', 'no', 200, {
    at: '/achievements/first/completions?limit=5',
  }),
  leaderboards_runs: admin('GET /leaderboards/{key}/runs', 'no', 200, { at: '/leaderboards/secret/runs' }),
  leaderboards_groups: admin('GET /leaderboards/{key}/groups', 'no', 200, { at: '/leaderboards/secret/groups' }),
  game: admin('GET /game', 'no', 200),
  games: admin('GET /games', 'no', 200),
  users_explain: admin('GET /users/{id}/explain', 'no', 200, { at: '/users/{user}/explain?achievement=first' }),
  events_previewVoid: admin('POST /events/void/preview', 'no', 404, {
    body: () => ({ eventId: KEY_ID }),
    changes: false,
  }),
  verify: admin('POST /verify', 'no', 200, { body: (user) => ({ users: [user] }), changes: false }),
  rebuild: admin('POST /rebuild', 'no', 200, { body: (user) => ({ users: [user] }) }),
  whatIf: admin('POST /what-if', 'no', 200, { body: (user) => ({ definition: game, users: [user] }), changes: false }),
  apply: admin('POST /apply', 'no', 200, { body: () => ({ definition: game, policy: 'forward' }) }),
  adminKeys_list: admin('GET /admin-keys', 'no', 200),
  tenants_list: admin('GET /tenants', 'no', 200),
  subscriptions_list: admin('GET /subscriptions', 'no', 200),
  subscriptions_deadLetters: admin('GET /subscriptions/{name}/dead-letters', 'no', 200, {
    at: '/subscriptions/mailer/dead-letters',
  }),
  subscriptions_retry: admin('POST /subscriptions/{name}/retry', 'no', 200, {
    at: '/subscriptions/mailer/retry',
    body: () => ({}),
  }),
  users_list: admin('GET /users', 'no', 200, { at: '/users?search=a&limit=5' }),
  users_events: admin('GET /users/{id}/events', 'no', 200, { at: '/users/{user}/events?limit=5' }),
  users_export: admin('GET /users/{id}/export', 'no', 200),
  points_adjust: admin('POST /points/{key}/adjust', 'no', 201, {
    at: '/points/xp/adjust',
    body: (user) => ({ userId: user, points: 5, reason: 'Lost words' }),
  }),
  achievements_grant: admin('POST /achievements/{key}/grant', 'no', 201, {
    at: '/achievements/first/grant',
    body: (user) => ({ userId: user, reason: 'Lost words' }),
  }),
  achievements_revoke: admin('POST /achievements/{key}/revoke', 'no', 200, {
    at: '/achievements/first/revoke',
    body: (user) => ({ userId: user, reason: 'Generated' }),
  }),
  users_suspend: admin('POST /users/{id}/suspend', 'no', 200, {
    body: () => ({ from: ['leaderboards'], reason: 'Forged' }),
  }),
  users_restore: admin('POST /users/{id}/restore', 'no', 200),
  users_merge: admin('POST /users/{id}/merge', 'no', 200, {
    body: (user) => ({ into: user === 'ann' ? 'bob' : 'ann' }),
    isFinal: true,
  }),
  users_delete: admin('DELETE /users/{id}', 'no', 200, { isFinal: true }),
  health: admin('GET /health', 'public', 200),
  openapi: admin('GET /openapi.json', 'public', 200),
}

export const OPERATIONS: readonly Operation[] = [...Object.values(APPLICATION_API), ...Object.values(ADMIN_API)]

export const doesChange = ({ method, changes }: Operation): boolean => changes ?? method !== 'GET'
