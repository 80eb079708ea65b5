import type { BindingName } from '../support/http.ts'
import {
  ANN,
  EVENT_OF_ANN,
  type Exception,
  get,
  invalid,
  JSON_TYPE,
  type MalformedCase,
  malformed,
  post,
  unknownPath,
} from './malformed-cases.ts'

const EXPRESS: readonly BindingName[] = ['express', 'express-4', 'express-parsed']

const outsideOfTheMount = (status: number, express: number = status): readonly Exception[] => [
  ...(express === 404
    ? [
        {
          bindings: EXPRESS,
          status: 404,
          says: 'html of Express' as const,
          reason: 'not under the path it mounts us at',
        },
      ]
    : [{ bindings: EXPRESS, status: express, says: 'ours' as const, reason: 'its routes are matched in any case' }]),
  { bindings: ['fastify'], status, says: 'JSON of Fastify', reason: 'not under the prefix: its own not-found handler' },
]

const dotSegment: readonly Exception[] = [
  {
    bindings: ['fetch'],
    status: 404,
    says: 'ours',
    code: 'unknown_path',
    reason: 'the URL standard takes dot segments away, percent-encoded ones too, when the Request is made',
  },
]

function expressOnly404(): readonly Exception[] {
  return [
    { bindings: EXPRESS, status: 404, says: 'html of Express', reason: 'it does not decode what it compares with /v1' },
  ]
}

const ID_255 = 'x'.repeat(255)
const ID_256 = 'x'.repeat(256)
const EMOJI_255 = '%F0%9F%98%80'.repeat(255)

export const PATHS: readonly MalformedCase[] = [
  { what: '%zz', request: get('/v1/users/%zz'), ...malformed },
  { what: '%ff', request: get('/v1/users/%ff'), ...malformed },
  { what: '%', request: get('/v1/users/%'), ...malformed },
  { what: '%2', request: get('/v1/users/ann%2'), ...malformed },
  { what: 'a surrogate in UTF-8', request: get('/v1/users/%ED%A0%80'), ...malformed },
  { what: '%00', request: get('/v1/users/%00'), ...malformed },
  { what: '%00 in an id', request: get('/v1/users/ann%00/metrics'), ...malformed },
  {
    what: '%zz for a metric',
    request: { ...post(EVENT_OF_ANN), path: '/v1/metrics/%zz/event' },
    ...malformed,
  },
  { what: '%00 for a metric', request: { ...post(EVENT_OF_ANN), path: '/v1/metrics/%00/event' }, ...malformed },
  { what: '%zz at an unknown path', request: get('/v1/%zz'), ...unknownPath },
  { what: '//v1', request: get('//v1/users/ann'), ...unknownPath, exceptions: outsideOfTheMount(404) },
  { what: '/', request: get('/'), ...unknownPath, exceptions: outsideOfTheMount(404) },
  { what: '/v10', request: get('/v10/users/ann'), ...unknownPath, exceptions: outsideOfTheMount(404) },
  { what: '/V1', request: get('/V1/users/ann'), ...unknownPath, exceptions: outsideOfTheMount(404, 200) },
  { what: 'an encoded /v1', request: get('/%761/users/ann'), ...unknownPath, exceptions: expressOnly404() },
  { what: '/v1', request: get('/v1'), ...unknownPath },
  { what: '/v1/', request: get('/v1/'), ...unknownPath },
  { what: '/v1?', request: get('/v1?x=1'), ...unknownPath },
  { what: '/v1//users', request: { ...post('{"id":"ann"}'), path: '/v1//users' }, ...unknownPath },
  { what: '/v1//users/ann', request: get('/v1//users/ann'), ...unknownPath },
  { what: '/v1/users//ann', request: get('/v1/users//ann'), ...unknownPath },
  { what: 'no id', request: get('/v1/users/'), ...unknownPath },
  { what: 'no id before metrics', request: get('/v1/users//metrics'), ...unknownPath },
  { what: 'a trailing slash', request: get('/v1/users/ann/'), ...unknownPath },
  { what: 'a trailing slash after metrics', request: get('/v1/users/ann/metrics/'), ...unknownPath },
  { what: 'a trailing slash after achievements', request: get('/v1/achievements/'), ...unknownPath },
  { what: 'an unknown path', request: get('/v1/nothing'), ...unknownPath },
  { what: 'an unknown path of a user', request: get('/v1/users/ann/nothing'), ...unknownPath },
  { what: 'an unknown path of the admin API', request: get('/admin/v1/nothing'), ...unknownPath },
  { what: 'an admin path of the application API', request: get('/v1/application-api-keys'), ...unknownPath },
  { what: 'Users', request: get('/v1/Users/ann'), ...unknownPath },
  { what: 'a slash that is encoded', request: get('/v1/users%2Fann'), ...unknownPath },
  { what: 'letters that are encoded', request: get('/v1/%75sers/%61nn'), status: 200 },
  { what: 'a slash in an id', request: get('/v1/users/a%2Fb'), status: 404, code: 'unknown_user' },
  { what: 'a plus in an id', request: get('/v1/users/a+b'), status: 404, code: 'unknown_user' },
  { what: 'a semicolon in an id', request: get('/v1/users/ann;x=1'), status: 404, code: 'unknown_user' },
  { what: 'a space in an id', request: get('/v1/users/%20'), status: 404, code: 'unknown_user' },
  { what: '..', request: get('/v1/users/..'), ...invalid, exceptions: dotSegment },
  { what: '.', request: get('/v1/users/.'), ...invalid, exceptions: dotSegment },
  { what: '%2e%2e', request: get('/v1/users/%2e%2e'), ...invalid, exceptions: dotSegment },
  { what: '%2E', request: get('/v1/users/%2E'), ...invalid, exceptions: dotSegment },
  { what: '...', request: get('/v1/users/...'), status: 404, code: 'unknown_user' },
  { what: '__proto__', request: get('/v1/users/__proto__'), status: 404, code: 'unknown_user' },
  { what: 'a metric constructor', request: get(`${ANN}/metrics/constructor`), status: 404, code: 'unknown_metric' },
  { what: 'an id of 255 characters', request: get(`/v1/users/${ID_255}`), status: 404, code: 'unknown_user' },
  { what: 'an id of 256 characters', request: get(`/v1/users/${ID_256}`), ...invalid },
  { what: 'an id of 255 emoji', request: get(`/v1/users/${EMOJI_255}`), status: 404, code: 'unknown_user' },
  {
    what: 'a new user with an id of 255 emoji',
    request: { method: 'PUT', path: `/v1/users/${EMOJI_255}`, headers: [JSON_TYPE], body: '{}' },
    status: 200,
  },
  { what: 'a metric of 255 characters', request: get(`${ANN}/metrics/${ID_255}`), status: 404, code: 'unknown_metric' },
  {
    what: 'an event of a metric of 255 characters',
    request: { ...post(EVENT_OF_ANN), path: `/v1/metrics/${ID_255}/event` },
    status: 422,
    code: 'unknown_metric',
  },
]
