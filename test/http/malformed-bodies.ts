import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { BindingName } from '../support/http.ts'
import {
  ANN,
  accepted,
  EVENT,
  EVENT_OF_ANN,
  type Exception,
  type Headers,
  invalid,
  JSON_TYPE,
  LIMIT,
  type MalformedCase,
  malformed,
  post,
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
/** Of the admin API alone: a batch may have 16 times as many bytes as other bodies. */
const BATCH_LIMIT = 16 * LIMIT

/** A string of JSON around bytes. */
const around = (bytes: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('{"user":{"id":"a'), Buffer.from(bytes), Buffer.from('"},"value":1}')])

const deep = '['.repeat(50_000) + ']'.repeat(50_000)
const deepObjects = `${'{"":'.repeat(50_000)}1${'}'.repeat(50_000)}`

// What express.json() does before us.

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
  { what: 'a batch', request: batch(`[${IN_BATCH},${IN_BATCH}]`), status: 202 },
  {
    what: 'a batch of unknown metrics',
    request: batch('[{"key":"nothing","user":{"id":"ann"},"value":1}]'),
    status: 202,
  },
  { what: 'an empty batch', request: batch('[]'), ...invalid },
  { what: 'one event in place of a batch', request: batch(IN_BATCH), ...invalid },
  { what: 'a batch with null in it', request: batch(`[${IN_BATCH},null]`), ...invalid },
  { what: 'a batch of 1,000', request: batch(`[${Array(1_000).fill(IN_BATCH).join(',')}]`), status: 202 },
  { what: 'a batch of 1,001', request: batch(`[${Array(1_001).fill(IN_BATCH).join(',')}]`), ...invalid },
  { what: 'a batch cut short', request: batch(`[${IN_BATCH}`), ...malformed, exceptions: unparsable },
  { what: 'a batch as text', request: batch(`[${IN_BATCH}]`, [['Content-Type', 'text/plain']]), ...unsupported },
  {
    what: 'a batch of 4,194,304 bytes',
    request: batch(batchOfSize(BATCH_LIMIT)),
    status: 202,
    exceptions: over100Kilobytes,
  },
  {
    what: 'a batch of 4,194,305 bytes',
    request: batch(batchOfSize(BATCH_LIMIT + 1)),
    ...tooLarge,
    exceptions: over100Kilobytes,
  },

  { what: 'an event', request: post(EVENT_OF_ANN), ...accepted },
  { what: 'an event in chunks', request: post(EVENT_OF_ANN, [JSON_TYPE], 7), ...accepted },

  // Malformed JSON.
  { what: 'a body cut short', request: post('{"user":'), ...malformed, exceptions: unparsable },
  { what: 'words', request: post('{not json}'), ...malformed, exceptions: unparsable },
  { what: 'two values', request: post(`${EVENT_OF_ANN}{}`), ...malformed, exceptions: unparsable },
  { what: 'a trailing comma', request: post('{"user":{"id":"ann"},"value":1,}'), ...malformed, exceptions: unparsable },
  { what: 'NaN', request: post('{"user":{"id":"ann"},"value":NaN}'), ...malformed, exceptions: unparsable },
  {
    what: 'U+0000 as it is in a string',
    request: post('{"user":{"id":"a\0"},"value":1}'),
    ...malformed,
    exceptions: unparsable,
  },
  { what: 'spaces only', request: post('   '), ...malformed, exceptions: unparsable },
  { what: 'U+0000 only', request: post('\0'), ...malformed, exceptions: unparsable },
  { what: '50,000 lists without end', request: post('['.repeat(50_000)), ...malformed, exceptions: unparsable },
  { what: 'an empty body', request: post(''), ...malformed, exceptions: emptyIsObject },
  { what: 'an empty body in chunks', request: post('', [JSON_TYPE], 1), ...malformed, exceptions: emptyIsObject },
  { what: 'no body', request: { method: 'POST', path: EVENT, headers: [JSON_TYPE] }, ...malformed },
  {
    what: 'no body for PATCH',
    request: { method: 'PATCH', path: ANN, headers: [JSON_TYPE] },
    ...malformed,
  },

  // JSON that is no event.
  { what: 'null', request: post('null'), ...invalid, exceptions: notStrict },
  { what: '5', request: post('5'), ...invalid, exceptions: notStrict },
  { what: 'true', request: post('true'), ...invalid, exceptions: notStrict },
  { what: 'a string', request: post('"text"'), ...invalid, exceptions: notStrict },
  { what: 'a list', request: post('[]'), ...invalid },
  { what: 'an event in a list', request: post(`[${EVENT_OF_ANN}]`), ...invalid },
  { what: 'an empty object', request: post('{}'), ...invalid },
  { what: 'a user that is null', request: post('{"user":null,"value":1}'), ...invalid },
  { what: 'a user that is a list', request: post('{"user":["ann"],"value":1}'), ...invalid },
  { what: 'a value in a string', request: post('{"user":{"id":"ann"},"value":"1"}'), ...invalid },
  { what: 'a value over all numbers', request: post('{"user":{"id":"ann"},"value":1e999}'), ...invalid },
  {
    what: 'a value over 1e15',
    request: post('{"user":{"id":"ann"},"value":1e16}'),
    status: 422,
    code: 'value_out_of_range',
  },
  { what: 'an event inside __proto__', request: post(`{"__proto__":${EVENT_OF_ANN}}`), ...invalid },
  { what: 'a user twice', request: post('{"user":{"id":5},"user":{"id":"ann"},"value":1}'), ...accepted },

  // Content types.
  { what: 'text/plain', request: post(EVENT_OF_ANN, [['Content-Type', 'text/plain']]), ...unsupported },
  {
    what: 'a form',
    request: post('user=ann', [['Content-Type', 'application/x-www-form-urlencoded']]),
    ...unsupported,
  },
  {
    what: 'multipart',
    request: post(EVENT_OF_ANN, [['Content-Type', 'multipart/form-data; boundary=x']]),
    ...unsupported,
  },
  { what: 'application/jsonl', request: post(EVENT_OF_ANN, [['Content-Type', 'application/jsonl']]), ...unsupported },
  { what: 'no content type', request: post(EVENT_OF_ANN, []), ...unsupported },
  { what: 'an empty content type', request: post(EVENT_OF_ANN, [['Content-Type', '']]), ...unsupported },
  { what: 'half a content type', request: post(EVENT_OF_ANN, [['Content-Type', 'application/']]), ...unsupported },
  { what: 'junk for a content type', request: post(EVENT_OF_ANN, [['Content-Type', '@@ ; =']]), ...unsupported },
  { what: 'neither content type nor body', request: { method: 'POST', path: EVENT }, ...unsupported },
  {
    what: 'a content type in capitals',
    request: post(EVENT_OF_ANN, [['CONTENT-TYPE', 'Application/JSON']]),
    ...accepted,
  },
  { what: 'the content type twice', request: post(EVENT_OF_ANN, [JSON_TYPE, JSON_TYPE]), ...malformed },
  {
    what: 'the content type twice in one header',
    request: post(EVENT_OF_ANN, [['Content-Type', 'application/json, application/json']]),
    ...malformed,
  },
  {
    what: 'JSON and text/plain',
    request: post(EVENT_OF_ANN, [JSON_TYPE, ['Content-Type', 'text/plain']]),
    ...unsupported,
  },
  {
    what: 'text/plain and JSON',
    request: post(EVENT_OF_ANN, [['Content-Type', 'text/plain'], JSON_TYPE]),
    ...unsupported,
  },

  // Character sets and encodings.
  {
    what: 'UTF-8 by name',
    request: post(EVENT_OF_ANN, [['Content-Type', 'application/json; charset="UTF-8"']]),
    ...accepted,
  },
  {
    what: 'UTF-16',
    request: post(Buffer.from(EVENT_OF_ANN, 'utf16le'), [['Content-Type', 'application/json; charset=utf-16']]),
    ...unsupported,
  },
  {
    what: 'UTF-16 by name only',
    request: post(EVENT_OF_ANN, [['Content-Type', 'application/json;charset=UTF-16LE']]),
    ...unsupported,
    exceptions: unparsable,
  },
  {
    what: 'UTF-16 without saying so',
    request: post(Buffer.from(EVENT_OF_ANN, 'utf16le')),
    ...malformed,
    exceptions: unparsable,
  },
  {
    what: 'UTF-8, and another one behind it',
    request: post(EVENT_OF_ANN, [['Content-Type', 'application/json; charset=utf-8; charset=utf-7']]),
    ...unsupported,
  },
  {
    what: 'UTF-8 twice',
    request: post(EVENT_OF_ANN, [['Content-Type', 'application/json; charset=utf-8; charset=utf8']]),
    ...accepted,
  },
  { what: 'an empty encoding', request: post(EVENT_OF_ANN, [JSON_TYPE, ['Content-Encoding', '']]), ...accepted },
  {
    what: 'Latin 1',
    request: post(EVENT_OF_ANN, [['Content-Type', 'application/json; charset=iso-8859-1']]),
    ...unsupported,
    exceptions: refusedByExpressJson(415, 'it knows UTF only'),
  },
  {
    what: 'gzip',
    request: post(gzipSync(EVENT_OF_ANN), [JSON_TYPE, ['Content-Encoding', 'gzip']]),
    ...unsupported,
  },
  {
    what: 'gzip by name only',
    request: post(EVENT_OF_ANN, [JSON_TYPE, ['Content-Encoding', 'gzip']]),
    ...unsupported,
    exceptions: refusedByExpressJson(400, 'it cannot be unzipped'),
  },
  {
    what: 'brotli',
    request: post(brotliCompressSync(EVENT_OF_ANN), [JSON_TYPE, ['Content-Encoding', 'br']]),
    ...unsupported,
  },
  {
    what: 'an encoding that nobody knows',
    request: post(EVENT_OF_ANN, [JSON_TYPE, ['Content-Encoding', 'x-none']]),
    ...unsupported,
    exceptions: refusedByExpressJson(415, 'it does not know it'),
  },
  {
    what: 'the encoding identity',
    request: post(EVENT_OF_ANN, [JSON_TYPE, ['Content-Encoding', 'Identity']]),
    ...accepted,
  },
  {
    what: 'gzip without saying so',
    request: post(gzipSync(EVENT_OF_ANN)),
    ...malformed,
    exceptions: unparsable,
  },

  // Bytes.
  {
    what: 'a byte order mark',
    request: post(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(EVENT_OF_ANN)])),
    ...accepted,
  },
  {
    what: 'two byte order marks',
    request: post(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]), Buffer.from(EVENT_OF_ANN)])),
    ...malformed,
    exceptions: unparsable,
  },
  { what: 'the byte FF', request: post(around([0xff])), ...malformed, exceptions: replacedByExpressJson },
  { what: 'a cut character', request: post(around([0xe2, 0x82])), ...malformed, exceptions: replacedByExpressJson },
  { what: 'an overlong slash', request: post(around([0xc0, 0xaf])), ...malformed, exceptions: replacedByExpressJson },
  {
    what: 'a surrogate in UTF-8',
    request: post(around([0xed, 0xa0, 0x80])),
    ...malformed,
    exceptions: replacedByExpressJson,
  },

  // Strings (decisions, section 2).
  { what: 'a lone surrogate as an id', request: post('{"user":{"id":"\\ud800"},"value":1}'), ...invalid },
  { what: 'surrogates the wrong way round', request: post('{"user":{"id":"\\udc00\\ud800"},"value":1}'), ...invalid },
  { what: 'U+0000 in an id', request: post('{"user":{"id":"a\\u0000"},"value":1}'), ...invalid },
  { what: 'U+0000 in an email', request: post('{"user":{"id":"ann","email":"a\\u0000"},"value":1}'), ...invalid },
  {
    what: 'U+0000 in the value of an attribute',
    request: post('{"user":{"id":"ann"},"value":1,"attributes":{"source":"\\u0000"}}'),
    ...invalid,
  },
  {
    what: 'a lone surrogate as the name of an attribute',
    request: post('{"user":{"id":"ann"},"value":1,"attributes":{"\\udfff":"x"}}'),
    ...invalid,
  },
  {
    what: 'a lone surrogate in a field that is ignored',
    request: post('{"user":{"id":"ann"},"value":1,"ignored":"\\ud800"}'),
    ...accepted,
  },
  { what: 'a pair of surrogates', request: post('{"user":{"id":"\\ud83d\\ude00"},"value":1}'), ...accepted },

  // Depth.
  { what: '50,000 levels', request: post(deep), ...invalid },
  { what: '50,000 levels of objects', request: post(deepObjects), ...invalid, exceptions: over100Kilobytes },
  {
    what: '50,000 levels in a field that is ignored',
    request: post(`{"user":{"id":"ann"},"value":1,"ignored":${deep}}`),
    ...accepted,
  },
  {
    what: '50,000 levels of objects in a field that is ignored',
    request: post(`{"user":{"id":"ann"},"value":1,"ignored":${deepObjects}}`),
    ...accepted,
    exceptions: over100Kilobytes,
  },
  {
    what: '50,000 levels as the attributes',
    request: post(`{"user":{"id":"ann"},"value":1,"attributes":${deep}}`),
    ...invalid,
  },
  {
    what: '50,000 levels as an attribute',
    request: post(`{"user":{"id":"ann"},"value":1,"attributes":{"source":${deep}}}`),
    ...invalid,
  },
  { what: '50,000 levels as the user', request: post(`{"user":${deep},"value":1}`), ...invalid },
  {
    what: '50,000 levels as the id',
    request: post(`{"user":{"id":${deepObjects}},"value":1}`),
    ...invalid,
    exceptions: over100Kilobytes,
  },
  {
    what: '50,000 levels as the preferences',
    request: { method: 'PATCH', path: `${ANN}/preferences`, headers: [JSON_TYPE], body: `{"notifications":${deep}}` },
    ...invalid,
  },
  {
    what: '50,000 levels as an item of new keys',
    request: { method: 'POST', path: '/admin/v1/application-api-keys', headers: [JSON_TYPE], body: deep },
    // Each item is judged on its own: an issue.
    status: 200,
  },

  // Sizes.
  { what: '262,144 bytes', request: post(ofSize(LIMIT)), ...accepted, exceptions: over100Kilobytes },
  {
    what: '262,144 bytes in chunks',
    request: post(ofSize(LIMIT), [JSON_TYPE], 65_536),
    ...accepted,
    exceptions: over100Kilobytes,
  },
  { what: '262,145 bytes', request: post(ofSize(LIMIT + 1)), ...tooLarge, exceptions: over100Kilobytes },
  {
    what: '262,145 bytes in chunks',
    request: post(ofSize(LIMIT + 1), [JSON_TYPE], 65_536),
    ...tooLarge,
    exceptions: over100Kilobytes,
  },
  { what: '1 MB', request: post(ofSize(1_048_576)), ...tooLarge, exceptions: over100Kilobytes },
  {
    what: '1 MB in chunks',
    request: post(ofSize(1_048_576), [JSON_TYPE], 16_384),
    ...tooLarge,
    exceptions: over100Kilobytes,
  },
  {
    what: '3 MB, over the limit of Fastify too',
    request: post(ofSize(3_145_728)),
    ...tooLarge,
    exceptions: over100Kilobytes,
  },
  {
    what: '1 MB without a key',
    request: { ...post(ofSize(1_048_576)), headers: [JSON_TYPE, ['X-API-KEY', 'none']] },
    status: 401,
    code: 'unauthorized',
    exceptions: over100Kilobytes,
  },
  {
    what: '1 MB in chunks without a key',
    request: { ...post(ofSize(1_048_576), [], 16_384), headers: [JSON_TYPE, ['X-API-KEY', 'none']] },
    status: 401,
    code: 'unauthorized',
    exceptions: over100Kilobytes,
  },
  {
    what: '1 MB at an unknown path',
    request: { ...post(ofSize(1_048_576)), path: '/v1/nothing' },
    ...unknownPath,
    exceptions: over100Kilobytes,
  },
  {
    what: 'a body for GET',
    request: { method: 'GET', path: ANN, headers: [JSON_TYPE], body: EVENT_OF_ANN },
    status: 200,
  },
  {
    what: 'a malformed body for GET',
    request: { method: 'GET', path: ANN, headers: [['Content-Type', '@@']], body: '{' },
    status: 200,
  },
]
