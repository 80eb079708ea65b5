import {
  ANN,
  EVENT,
  EVENT_OF_ANN,
  get,
  invalid,
  JSON_TYPE,
  type MalformedCase,
  malformed,
  post,
  unknownPath,
  VALID_KEY,
} from './malformed-cases.ts'

/** Queries and headers. */
export const QUERIES: readonly MalformedCase[] = [
  // Queries.
  { what: '?%zz', request: get(`${ANN}?%zz`), ...malformed },
  { what: '?x=%zz', request: get(`${ANN}?x=%zz`), ...malformed },
  { what: '?x=%ff', request: get(`/v1/achievements?x=%ff`), ...malformed },
  { what: 'a surrogate in a query', request: get('/v1/achievements?userAttributes=plan:%ED%A0%80'), ...malformed },
  { what: 'a cut query', request: get('/v1/streaks?userIds=ann%'), ...malformed },
  { what: 'a bad query for POST', request: { ...post(EVENT_OF_ANN), path: `${EVENT}?%zz` }, ...malformed },
  { what: 'a bad query at an unknown path', request: get('/v1/nothing?%zz'), ...unknownPath },
  { what: 'an empty query', request: get(`${ANN}?`), status: 200 },
  { what: 'a query of marks', request: get(`${ANN}?&&=&?`), status: 200 },
  { what: 'an unknown parameter', request: get(`${ANN}?__proto__=1&constructor=2`), status: 200 },
  { what: 'U+0000 in a parameter', request: get('/v1/streaks?userIds=a%00'), ...invalid },
  { what: 'U+0000 in an attribute', request: get('/v1/achievements?userAttributes=plan:%00'), ...invalid },
  { what: 'an empty id in a list', request: get('/v1/streaks?userIds=ann,,bob'), ...invalid },
  { what: '101 ids', request: get(`/v1/streaks?userIds=${Array(101).fill('a').join(',')}`), ...invalid },
  { what: 'an empty list of ids', request: get('/v1/streaks?userIds='), ...invalid },
  { what: 'an empty id by its place', request: get('/v1/streaks?userIds[0]='), ...invalid },
  { what: 'no ids', request: get('/v1/streaks'), status: 200 },
  { what: 'ids by their places', request: get('/v1/streaks?userIds[0]=ann&userIds%5B1%5D=bob'), status: 200 },
  { what: 'includeFinished 1', request: get('/v1/leaderboards?includeFinished=1'), ...invalid },
  {
    what: 'includeFinished twice',
    request: get('/v1/points/xp/boosts?includeFinished=true&includeFinished=true'),
    ...invalid,
  },
  { what: 'historyPeriods 401', request: get(`${ANN}/streak?historyPeriods=401`), ...invalid },
  { what: 'historyPeriods 0', request: get(`${ANN}/streak?historyPeriods=0`), status: 200 },
  { what: 'HEAD', request: { method: 'HEAD', path: ANN }, status: 200 },
  { what: 'HEAD with a bad query', request: { method: 'HEAD', path: `${ANN}?%zz` }, ...malformed },
  { what: 'HEAD at an unknown path', request: { method: 'HEAD', path: '/v1/nothing' }, ...unknownPath },
  { what: 'ids twice', request: get('/v1/streaks?userIds=ann&userIds=bob'), status: 200 },
  { what: 'historyPeriods twice', request: get(`${ANN}/streak?historyPeriods=1&historyPeriods=2`), ...invalid },
  { what: 'awards twice', request: get(`${ANN}/points/xp?awards=1&awards=1`), ...invalid },
  { what: 'awards 1e2', request: get(`${ANN}/points/xp?awards=1e2`), ...invalid },
  { what: 'awards 101', request: get(`${ANN}/points/xp?awards=101`), ...invalid },
  { what: 'awards without a number', request: get(`${ANN}/points/xp?awards=`), ...invalid },
  {
    what: 'userAttributes twice',
    request: get('/v1/achievements?userAttributes=plan:a&userAttributes=plan:b'),
    ...invalid,
  },
  {
    what: 'an aggregation twice',
    request: get(
      `${ANN}/metrics/words/event-summary?aggregation=daily&aggregation=daily&startDate=2026-03-01&endDate=2026-03-02`,
    ),
    ...invalid,
  },
  { what: 'no ids to delete', request: { method: 'DELETE', path: '/admin/v1/application-api-keys' }, ...invalid },
  {
    what: 'ids to delete that are none',
    request: { method: 'DELETE', path: '/admin/v1/application-api-keys?ids=1' },
    ...invalid,
  },

  // Headers.
  {
    what: 'a valid key twice',
    request: {
      ...get(ANN),
      headers: [
        ['X-API-KEY', VALID_KEY],
        ['X-API-KEY', VALID_KEY],
      ],
    },
    status: 401,
    code: 'unauthorized',
  },
  {
    what: 'what a browser accepts',
    request: { ...get('/v1/nothing'), headers: [['Accept', 'text/html,application/xhtml+xml;q=0.9']] },
    ...unknownPath,
  },
  {
    what: 'another method in a header',
    request: { ...get(ANN), headers: [['X-HTTP-Method-Override', 'DELETE']] },
    status: 200,
  },
  { what: 'an answer known already', request: { ...get(ANN), headers: [['If-None-Match', '*']] }, status: 200 },
  { what: 'a part of an answer', request: { ...get(ANN), headers: [['Range', 'bytes=0-4']] }, status: 200 },
  {
    what: 'an idempotency key twice',
    request: post(EVENT_OF_ANN, [JSON_TYPE, ['Idempotency-Key', 'a'], ['Idempotency-Key', 'a']]),
    status: 400,
    code: 'invalid_idempotency_key',
  },
  {
    what: 'an empty idempotency key',
    request: post(EVENT_OF_ANN, [JSON_TYPE, ['Idempotency-Key', '']]),
    status: 400,
    code: 'invalid_idempotency_key',
  },
  {
    what: 'the version of a client twice',
    request: {
      ...get(ANN),
      headers: [
        ['X-SDK-VERSION', 'a'],
        ['X-SDK-VERSION', 'b'],
      ],
    },
    status: 200,
  },
]
