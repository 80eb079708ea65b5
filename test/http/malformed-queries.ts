import {
  ANN,
  EVENT,
  EVENT_OF_ANN,
  fine,
  get,
  invalid,
  JSON_TYPE,
  type MalformedCase,
  malformed,
  post,
  row,
  unknownPath,
  VALID_KEY,
} from './malformed-cases.ts'

/** Queries and headers. */
export const QUERIES: readonly MalformedCase[] = [
  // Queries.
  row('?%zz', get(`${ANN}?%zz`), malformed),
  row('?x=%zz', get(`${ANN}?x=%zz`), malformed),
  row('?x=%ff', get(`/v1/achievements?x=%ff`), malformed),
  row('a surrogate in a query', get('/v1/achievements?userAttributes=plan:%ED%A0%80'), malformed),
  row('a cut query', get('/v1/streaks?userIds=ann%'), malformed),
  row('a bad query for POST', { ...post(EVENT_OF_ANN), path: `${EVENT}?%zz` }, malformed),
  row('a bad query at an unknown path', get('/v1/nothing?%zz'), unknownPath),
  row('an empty query', get(`${ANN}?`), fine),
  row('a query of marks', get(`${ANN}?&&=&?`), fine),
  row('an unknown parameter', get(`${ANN}?__proto__=1&constructor=2`), fine),
  row('U+0000 in a parameter', get('/v1/streaks?userIds=a%00'), invalid),
  row('U+0000 in an attribute', get('/v1/achievements?userAttributes=plan:%00'), invalid),
  row('an empty id in a list', get('/v1/streaks?userIds=ann,,bob'), invalid),
  row('101 ids', get(`/v1/streaks?userIds=${Array(101).fill('a').join(',')}`), invalid),
  row('an empty list of ids', get('/v1/streaks?userIds='), invalid),
  row('an empty id by its place', get('/v1/streaks?userIds[0]='), invalid),
  row('no ids', get('/v1/streaks'), fine),
  row('ids by their places', get('/v1/streaks?userIds[0]=ann&userIds%5B1%5D=bob'), fine),
  row('includeFinished 1', get('/v1/leaderboards?includeFinished=1'), invalid),
  row('includeFinished twice', get('/v1/points/xp/boosts?includeFinished=true&includeFinished=true'), invalid),
  row('historyPeriods 401', get(`${ANN}/streak?historyPeriods=401`), invalid),
  row('historyPeriods 0', get(`${ANN}/streak?historyPeriods=0`), fine),
  row('HEAD', { method: 'HEAD', path: ANN }, fine),
  row('HEAD with a bad query', { method: 'HEAD', path: `${ANN}?%zz` }, malformed),
  row('HEAD at an unknown path', { method: 'HEAD', path: '/v1/nothing' }, unknownPath),
  row('ids twice', get('/v1/streaks?userIds=ann&userIds=bob'), fine),
  row('historyPeriods twice', get(`${ANN}/streak?historyPeriods=1&historyPeriods=2`), invalid),
  row('awards twice', get(`${ANN}/points/xp?awards=1&awards=1`), invalid),
  row('awards 1e2', get(`${ANN}/points/xp?awards=1e2`), invalid),
  row('awards 101', get(`${ANN}/points/xp?awards=101`), invalid),
  row('awards without a number', get(`${ANN}/points/xp?awards=`), invalid),
  row('userAttributes twice', get('/v1/achievements?userAttributes=plan:a&userAttributes=plan:b'), invalid),
  row(
    'an aggregation twice',
    get(
      `${ANN}/metrics/words/event-summary?aggregation=daily&aggregation=daily&startDate=2026-03-01&endDate=2026-03-02`,
    ),
    invalid,
  ),
  row('no ids to delete', { method: 'DELETE', path: '/admin/v1/application-api-keys' }, invalid),
  row('ids to delete that are none', { method: 'DELETE', path: '/admin/v1/application-api-keys?ids=1' }, invalid),

  // Headers.
  row(
    'a valid key twice',
    {
      ...get(ANN),
      headers: [
        ['X-API-KEY', VALID_KEY],
        ['X-API-KEY', VALID_KEY],
      ],
    },
    { status: 401, code: 'unauthorized' },
  ),
  row(
    'what a browser accepts',
    { ...get('/v1/nothing'), headers: [['Accept', 'text/html,application/xhtml+xml;q=0.9']] },
    unknownPath,
  ),
  row('another method in a header', { ...get(ANN), headers: [['X-HTTP-Method-Override', 'DELETE']] }, fine),
  row('an answer known already', { ...get(ANN), headers: [['If-None-Match', '*']] }, fine),
  row('a part of an answer', { ...get(ANN), headers: [['Range', 'bytes=0-4']] }, fine),
  row('an idempotency key twice', post(EVENT_OF_ANN, [JSON_TYPE, ['Idempotency-Key', 'a'], ['Idempotency-Key', 'a']]), {
    status: 400,
    code: 'invalid_idempotency_key',
  }),
  row('an empty idempotency key', post(EVENT_OF_ANN, [JSON_TYPE, ['Idempotency-Key', '']]), {
    status: 400,
    code: 'invalid_idempotency_key',
  }),
  row(
    'the version of a client twice',
    {
      ...get(ANN),
      headers: [
        ['X-SDK-VERSION', 'a'],
        ['X-SDK-VERSION', 'b'],
      ],
    },
    fine,
  ),
]
