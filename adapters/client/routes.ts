// Generated from the operations by `npm run schemas`: change those, and run it.

/** `named`: the member of the query that goes into the path, as `streak` in `users/{}/streaks/{}`. */
export type ClientRoute = readonly [method: string, path: string, takes?: 'query' | 'body', named?: string]

/** The routes of calls, by group and name. */
export type ClientRoutes = { readonly [group: string]: { readonly [call: string]: ClientRoute } }

/** The route of each operation that the client has. */
export const OPERATION_ROUTES: ClientRoutes = {
  metrics: {
    event: ['POST', 'metrics/{}/event', 'body'],
  },
  achievements: {
    all: ['GET', 'achievements', 'query'],
    complete: ['POST', 'achievements/{}/complete', 'body'],
  },
  challenges: {
    list: ['GET', 'challenges'],
    get: ['GET', 'challenges/{}'],
    enrol: ['POST', 'challenges/{}/enrol', 'body'],
    abandon: ['POST', 'challenges/{}/abandon', 'body'],
    claim: ['POST', 'challenges/{}/claim', 'body'],
    reroll: ['POST', 'challenges/{}/reroll', 'body'],
  },
  points: {
    system: ['GET', 'points/{}'],
    levels: ['GET', 'points/{}/levels'],
    levelSummary: ['GET', 'points/{}/level-summary'],
    summary: ['GET', 'points/{}/summary', 'query'],
    boosts: ['GET', 'points/{}/boosts', 'query'],
    spend: ['POST', 'points/{}/spend', 'body'],
    hold: ['POST', 'points/{}/hold', 'body'],
    capture: ['POST', 'points/holds/{}/capture', 'body'],
    release: ['POST', 'points/holds/{}/release'],
    refund: ['POST', 'points/spends/{}/refund', 'body'],
    balance: ['GET', 'users/{}/points/{}/balance'],
    balances: ['GET', 'users/{}/balances'],
    statement: ['GET', 'users/{}/statement', 'query'],
  },
  rewards: {
    list: ['GET', 'rewards'],
    redeem: ['POST', 'rewards/{}/redeem', 'body'],
    redemptions: ['GET', 'rewards/redemptions', 'query'],
  },
  leaderboards: {
    all: ['GET', 'leaderboards', 'query'],
    get: ['GET', 'leaderboards/{}', 'query'],
  },
  users: {
    create: ['POST', 'users', 'body'],
    get: ['GET', 'users/{}'],
    identify: ['PUT', 'users/{}', 'body'],
    update: ['PATCH', 'users/{}', 'body'],
    getPreferences: ['GET', 'users/{}/preferences'],
    updatePreferences: ['PATCH', 'users/{}/preferences', 'body'],
    allMetrics: ['GET', 'users/{}/metrics'],
    singleMetric: ['GET', 'users/{}/metrics/{}'],
    metricEventSummary: ['GET', 'users/{}/metrics/{}/event-summary', 'query'],
    achievements: ['GET', 'users/{}/achievements', 'query'],
    challenges: ['GET', 'users/{}/challenges'],
    points: ['GET', 'users/{}/points/{}', 'query'],
    pointsEventSummary: ['GET', 'users/{}/points/{}/event-summary', 'query'],
    pointsBoosts: ['GET', 'users/{}/points/{}/boosts'],
    leaderboard: ['GET', 'users/{}/leaderboards/{}', 'query'],
    streak: ['GET', 'users/{}/streak', 'query'],
    wrapped: ['GET', 'users/{}/wrapped', 'query'],
  },
  streaks: {
    list: ['GET', 'streaks', 'query'],
    rankings: ['GET', 'streaks/rankings', 'query'],
  },
}
