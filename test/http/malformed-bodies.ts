import { gzipSync } from 'node:zlib'
import type { BindingName } from '../support/http.ts'
import {
  ANN,
  accepted,
  EVENT,
  EVENT_OF_ANN,
  type Exception,
  fine,
  type Headers,
  invalid,
  JSON_TYPE,
  LIMIT,
  type MalformedCase,
  malformed,
  post,
  row,
  tooLarge,
  unknownPath,
  unsupported,
} from './malformed-cases.ts'

/** An event of this many bytes. */
function ofSize(size: number): string {
  const [start, end] = ['{"user":{"id":"ann"},"value":1,"pad":"', '"}']
  return start + 'x'.repeat(size - start.length - end.length) + end
}

const batch = (body: string, headers: Headers = [JSON_TYPE]): MalformedCase['request'] => ({
  method: 'POST',
  path: '/admin/v1/metrics/events',
  headers,
  body,
})

/** A batch of one event, of this many bytes. */
function batchOfSize(size: number): string {
  const [start, end] = ['[{"key":"words","user":{"id":"ann"},"value":1,"pad":"', '"}]']
  return start + 'x'.repeat(size - start.length - end.length) + end
}

const IN_BATCH = '{"key":"words","user":{"id":"ann"},"value":1}'
/** The admin API alone: a batch may have 16 times as many bytes as other bodies. */
const BATCH_LIMIT = 16 * LIMIT

/** A string of JSON around bytes. */
const around = (bytes: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('{"user":{"id":"a'), Buffer.from(bytes), Buffer.from('"},"value":1}')])

const deep = '['.repeat(50_000) + ']'.repeat(50_000)
const deepObjects = `${'{"":'.repeat(50_000)}1${'}'.repeat(50_000)}`

// The parsing that express.json() does before us.

const PARSED: readonly BindingName[] = ['express-parsed']

const refusedByExpressJson = (status: number, reason: string): readonly Exception[] => [
  { bindings: PARSED, status, says: 'html of Express', reason: `express.json() comes first: ${reason}` },
]

const over100Kilobytes = refusedByExpressJson(413, 'its own limit is 100 KB')
const notStrict = refusedByExpressJson(400, 'it takes objects and lists only')
const unparsable = refusedByExpressJson(400, 'it refuses what is no JSON')

/** express.json() makes an empty body an empty object. */
const emptyIsObject: readonly Exception[] = [
  {
    bindings: PARSED,
    status: 422,
    says: 'ours',
    code: 'invalid_request',
    reason: 'express.json() makes {} of nothing',
  },
]
const replacedByExpressJson: readonly Exception[] = [
  { bindings: PARSED, status: 201, says: 'ours', reason: 'express.json() puts U+FFFD for bytes that are not UTF-8' },
]

export const BODIES: readonly MalformedCase[] = [
  // Batches of events.
  row('a batch', batch(`[${IN_BATCH},${IN_BATCH}]`), { status: 202 }),
  row('an empty batch', batch('[]'), invalid),
  row('one event in place of a batch', batch(IN_BATCH), invalid),
  row('a batch with null in it', batch(`[${IN_BATCH},null]`), invalid),
  row('a batch of 1,000', batch(`[${Array(1_000).fill(IN_BATCH).join(',')}]`), { status: 202 }),
  row('a batch of 1,001', batch(`[${Array(1_001).fill(IN_BATCH).join(',')}]`), invalid),
  row('a batch cut short', batch(`[${IN_BATCH}`), malformed, unparsable),
  row('a batch of 4,194,304 bytes', batch(batchOfSize(BATCH_LIMIT)), { status: 202 }, over100Kilobytes),
  row('a batch of 4,194,305 bytes', batch(batchOfSize(BATCH_LIMIT + 1)), tooLarge, over100Kilobytes),

  row('an event', post(EVENT_OF_ANN), accepted),
  row('an event in chunks', post(EVENT_OF_ANN, [JSON_TYPE], 7), accepted),

  // Malformed JSON.
  row('a body cut short', post('{"user":'), malformed, unparsable),
  row('NaN', post('{"user":{"id":"ann"},"value":NaN}'), malformed, unparsable),
  row('U+0000 as it is in a string', post('{"user":{"id":"a\0"},"value":1}'), malformed, unparsable),
  row('spaces only', post('   '), malformed, unparsable),
  row('an empty body', post(''), malformed, emptyIsObject),
  row('no body', { method: 'POST', path: EVENT, headers: [JSON_TYPE] }, malformed),

  // JSON that is no event.
  row('null', post('null'), invalid, notStrict),
  row('a string', post('"text"'), invalid, notStrict),
  row('a list', post('[]'), invalid),
  row('a value over all numbers', post('{"user":{"id":"ann"},"value":1e999}'), invalid),
  row('an event inside __proto__', post(`{"__proto__":${EVENT_OF_ANN}}`), invalid),
  row('a user twice', post('{"user":{"id":5},"user":{"id":"ann"},"value":1}'), accepted),

  // Content types.
  row('text/plain', post(EVENT_OF_ANN, [['Content-Type', 'text/plain']]), unsupported),
  row('a form', post('user=ann', [['Content-Type', 'application/x-www-form-urlencoded']]), unsupported),
  row('no content type', post(EVENT_OF_ANN, []), unsupported),
  row('junk for a content type', post(EVENT_OF_ANN, [['Content-Type', '@@ ; =']]), unsupported),
  row('neither content type nor body', { method: 'POST', path: EVENT }, unsupported),
  row('a content type in capitals', post(EVENT_OF_ANN, [['CONTENT-TYPE', 'Application/JSON']]), accepted),
  row('the content type twice', post(EVENT_OF_ANN, [JSON_TYPE, JSON_TYPE]), malformed),
  row('JSON and text/plain', post(EVENT_OF_ANN, [JSON_TYPE, ['Content-Type', 'text/plain']]), unsupported),

  // Character sets and encodings.
  row('UTF-8 by name', post(EVENT_OF_ANN, [['Content-Type', 'application/json; charset="UTF-8"']]), accepted),
  row(
    'UTF-16',
    post(Buffer.from(EVENT_OF_ANN, 'utf16le'), [['Content-Type', 'application/json; charset=utf-16']]),
    unsupported,
  ),
  row('UTF-16 without saying so', post(Buffer.from(EVENT_OF_ANN, 'utf16le')), malformed, unparsable),
  row(
    'UTF-8, and another one behind it',
    post(EVENT_OF_ANN, [['Content-Type', 'application/json; charset=utf-8; charset=utf-7']]),
    unsupported,
  ),
  row('an empty encoding', post(EVENT_OF_ANN, [JSON_TYPE, ['Content-Encoding', '']]), accepted),
  row(
    'Latin 1',
    post(EVENT_OF_ANN, [['Content-Type', 'application/json; charset=iso-8859-1']]),
    unsupported,
    refusedByExpressJson(415, 'it knows UTF only'),
  ),
  row('gzip', post(gzipSync(EVENT_OF_ANN), [JSON_TYPE, ['Content-Encoding', 'gzip']]), unsupported),
  row(
    'gzip by name only',
    post(EVENT_OF_ANN, [JSON_TYPE, ['Content-Encoding', 'gzip']]),
    unsupported,
    refusedByExpressJson(400, 'it cannot be unzipped'),
  ),
  row(
    'an encoding that nobody knows',
    post(EVENT_OF_ANN, [JSON_TYPE, ['Content-Encoding', 'x-none']]),
    unsupported,
    refusedByExpressJson(415, 'it does not know it'),
  ),
  row('the encoding identity', post(EVENT_OF_ANN, [JSON_TYPE, ['Content-Encoding', 'Identity']]), accepted),

  // Bytes.
  row('a byte order mark', post(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(EVENT_OF_ANN)])), accepted),
  row('the byte FF', post(around([0xff])), malformed, replacedByExpressJson),
  row('a cut character', post(around([0xe2, 0x82])), malformed, replacedByExpressJson),
  row('an overlong slash', post(around([0xc0, 0xaf])), malformed, replacedByExpressJson),

  // Strings (decisions, section 2).
  row('a lone surrogate as an id', post('{"user":{"id":"\\ud800"},"value":1}'), invalid),
  row('U+0000 in an id', post('{"user":{"id":"a\\u0000"},"value":1}'), invalid),
  row(
    'a lone surrogate in a field that is ignored',
    post('{"user":{"id":"ann"},"value":1,"ignored":"\\ud800"}'),
    accepted,
  ),

  // Depth.
  row('50,000 levels', post(deep), invalid),
  row('50,000 levels in a field that is ignored', post(`{"user":{"id":"ann"},"value":1,"ignored":${deep}}`), accepted),
  row(
    '50,000 levels of objects in a field that is ignored',
    post(`{"user":{"id":"ann"},"value":1,"ignored":${deepObjects}}`),
    accepted,
    over100Kilobytes,
  ),
  row(
    '50,000 levels as the preferences',
    { method: 'PATCH', path: `${ANN}/preferences`, headers: [JSON_TYPE], body: `{"notifications":${deep}}` },
    invalid,
  ),
  {
    what: '50,000 levels as an item of new keys',
    request: { method: 'POST', path: '/admin/v1/application-api-keys', headers: [JSON_TYPE], body: deep },
    // Each item is judged on its own: an issue.
    status: 200,
  },

  // Sizes.
  row('262,144 bytes', post(ofSize(LIMIT)), accepted, over100Kilobytes),
  row('262,144 bytes in chunks', post(ofSize(LIMIT), [JSON_TYPE], 65_536), accepted, over100Kilobytes),
  row('262,145 bytes', post(ofSize(LIMIT + 1)), tooLarge, over100Kilobytes),
  row('262,145 bytes in chunks', post(ofSize(LIMIT + 1), [JSON_TYPE], 65_536), tooLarge, over100Kilobytes),
  row('3 MB, over the limit of Fastify too', post(ofSize(3_145_728)), tooLarge, over100Kilobytes),
  row(
    '1 MB without a key',
    { ...post(ofSize(1_048_576)), headers: [JSON_TYPE, ['X-API-KEY', 'none']] },
    { status: 401, code: 'unauthorized' },
    over100Kilobytes,
  ),
  row('1 MB at an unknown path', { ...post(ofSize(1_048_576)), path: '/v1/nothing' }, unknownPath, over100Kilobytes),
  row('a body for GET', { method: 'GET', path: ANN, headers: [JSON_TYPE], body: EVENT_OF_ANN }, fine),
  row('a malformed body for GET', { method: 'GET', path: ANN, headers: [['Content-Type', '@@']], body: '{' }, fine),
]
