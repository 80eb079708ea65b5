/** `named`: what the query may name, and where the call goes then. */
export type Route = readonly [
  method: string,
  path: string,
  takes?: 'query' | 'body',
  named?: readonly [name: string, path: string],
]

/** Where each call goes; `{}` stands for its texts, in their order, and what is asked or sent follows them. */
export const ROUTES: { readonly [group: string]: { readonly [call: string]: Route } } = {
  metrics: { event: ['POST', 'metrics/{}/event', 'body'] },
  achievements: { all: ['GET', 'achievements', 'query'], complete: ['POST', 'achievements/{}/complete', 'body'] },
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
    streak: ['GET', 'users/{}/streak', 'query', ['streak', 'users/{}/streaks/{}']],
    points: ['GET', 'users/{}/points/{}', 'query'],
    pointsBoosts: ['GET', 'users/{}/points/{}/boosts'],
    pointsEventSummary: ['GET', 'users/{}/points/{}/event-summary', 'query'],
    wrapped: ['GET', 'users/{}/wrapped', 'query'],
    leaderboard: ['GET', 'users/{}/leaderboards/{}', 'query'],
  },
  streaks: { list: ['GET', 'streaks', 'query'], rankings: ['GET', 'streaks/rankings', 'query'] },
  points: {
    system: ['GET', 'points/{}'],
    levels: ['GET', 'points/{}/levels'],
    boosts: ['GET', 'points/{}/boosts', 'query'],
    levelSummary: ['GET', 'points/{}/level-summary'],
    summary: ['GET', 'points/{}/summary', 'query'],
  },
  leaderboards: { all: ['GET', 'leaderboards', 'query'], get: ['GET', 'leaderboards/{}', 'query'] },
}
