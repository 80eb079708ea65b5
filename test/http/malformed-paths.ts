import type { BindingName } from '../support/http.ts'
import {
  ANN,
  EVENT_OF_ANN,
  type Exception,
  fine,
  get,
  invalid,
  JSON_TYPE,
  type MalformedCase,
  malformed,
  post,
  row,
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

const ID_256 = 'x'.repeat(256)
const EMOJI_255 = '%F0%9F%98%80'.repeat(255)

export const PATHS: readonly MalformedCase[] = [
  row('%zz', get('/v1/users/%zz'), malformed),
  row('%', get('/v1/users/%'), malformed),
  row('a surrogate in UTF-8', get('/v1/users/%ED%A0%80'), malformed),
  row('%00', get('/v1/users/%00'), malformed),
  row('%zz for a metric', { ...post(EVENT_OF_ANN), path: '/v1/metrics/%zz/event' }, malformed),
  row('%zz at an unknown path', get('/v1/%zz'), unknownPath),
  row('//v1', get('//v1/users/ann'), unknownPath, outsideOfTheMount(404)),
  row('/', get('/'), unknownPath, outsideOfTheMount(404)),
  row('/v10', get('/v10/users/ann'), unknownPath, outsideOfTheMount(404)),
  row('/V1', get('/V1/users/ann'), unknownPath, outsideOfTheMount(404, 200)),
  row('an encoded /v1', get('/%761/users/ann'), unknownPath, expressOnly404()),
  row('/v1', get('/v1'), unknownPath),
  row('/v1//users/ann', get('/v1//users/ann'), unknownPath),
  row('/v1/users//ann', get('/v1/users//ann'), unknownPath),
  row('no id before metrics', get('/v1/users//metrics'), unknownPath),
  row('a trailing slash', get('/v1/users/ann/'), unknownPath),
  row('an unknown path', get('/v1/nothing'), unknownPath),
  row('an unknown path of the admin API', get('/admin/v1/nothing'), unknownPath),
  row('an admin path of the application API', get('/v1/application-api-keys'), unknownPath),
  row('a slash that is encoded', get('/v1/users%2Fann'), unknownPath),
  row('letters that are encoded', get('/v1/%75sers/%61nn'), fine),
  row('a slash in an id', get('/v1/users/a%2Fb'), { status: 404, code: 'unknown_user' }),
  row('..', get('/v1/users/..'), invalid, dotSegment),
  row('%2e%2e', get('/v1/users/%2e%2e'), invalid, dotSegment),
  row('...', get('/v1/users/...'), { status: 404, code: 'unknown_user' }),
  row('__proto__', get('/v1/users/__proto__'), { status: 404, code: 'unknown_user' }),
  row('a metric constructor', get(`${ANN}/metrics/constructor`), { status: 404, code: 'unknown_metric' }),
  row('an id of 256 characters', get(`/v1/users/${ID_256}`), invalid),
  row('an id of 255 emoji', get(`/v1/users/${EMOJI_255}`), { status: 404, code: 'unknown_user' }),
  row(
    'a new user with an id of 255 emoji',
    { method: 'PUT', path: `/v1/users/${EMOJI_255}`, headers: [JSON_TYPE], body: '{}' },
    fine,
  ),
]
