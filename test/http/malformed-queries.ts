import {
  ANN,
  EVENT,
  EVENT_OF_ANN,
  fine,
  get,
  invalid,
  type MalformedCase,
  malformed,
  post,
  row,
  unknownPath,
} from './malformed-cases.ts'

/** Queries and headers. */
export const QUERIES: readonly MalformedCase[] = [
  // Queries.
  row('?%zz', get(`${ANN}?%zz`), malformed),
  row('?x=%zz', get(`${ANN}?x=%zz`), malformed),
  row('a bad query for POST', { ...post(EVENT_OF_ANN), path: `${EVENT}?%zz` }, malformed),
  row('a bad query at an unknown path', get('/v1/nothing?%zz'), unknownPath),
  row('an empty query', get(`${ANN}?`), fine),
  row('a query of marks', get(`${ANN}?&&=&?`), fine),
  row('an unknown parameter', get(`${ANN}?__proto__=1&constructor=2`), fine),
  row('U+0000 in a parameter', get('/v1/streaks?userIds=a%00'), invalid),
  row('no ids', get('/v1/streaks'), fine),
  row('ids by their places', get('/v1/streaks?userIds[0]=ann&userIds%5B1%5D=bob'), fine),
  row('includeFinished twice', get('/v1/points/xp/boosts?includeFinished=true&includeFinished=true'), invalid),
  row('historyPeriods 401', get(`${ANN}/streak?historyPeriods=401`), invalid),
  row('HEAD', { method: 'HEAD', path: ANN }, fine),
  row('HEAD with a bad query', { method: 'HEAD', path: `${ANN}?%zz` }, malformed),
  row('HEAD at an unknown path', { method: 'HEAD', path: '/v1/nothing' }, unknownPath),
  row('ids twice', get('/v1/streaks?userIds=ann&userIds=bob'), fine),
  row('historyPeriods twice', get(`${ANN}/streak?historyPeriods=1&historyPeriods=2`), invalid),
  row('awards 101', get(`${ANN}/points/xp?awards=101`), invalid),
  row('no ids to delete', { method: 'DELETE', path: '/admin/v1/application-api-keys' }, invalid),

  // Headers.
  row(
    'what a browser accepts',
    { ...get('/v1/nothing'), headers: [['Accept', 'text/html,application/xhtml+xml;q=0.9']] },
    unknownPath,
  ),
  row('an answer known already', { ...get(ANN), headers: [['If-None-Match', '*']] }, fine),
  row('a part of an answer', { ...get(ANN), headers: [['Range', 'bytes=0-4']] }, fine),
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
