import fc from 'fast-check'
import { OPERATIONS } from './authorization-table.ts'
import type { RawRequest } from './raw-connection.ts'

/*
 * Valid requests of every route, most of them damaged in one or two places. They send legal HTTP, because Node refuses
 * the rest.
 */

type Change<T> = (value: T) => T
type Header = readonly [name: string, value: string]

const oddString = fc.oneof(
  fc.constantFrom('', '\0', '\ud83e', '\udd89', '__proto__', 'constructor', 'x'.repeat(256), 'x'.repeat(1_025), '🦉'),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
)
const oddJson: fc.Arbitrary<unknown> = fc.oneof(
  oddString,
  fc.constantFrom(null, true, 0, -0, -1, 0.1, 1e15, 1e16, 1e308, [], {}, [[]], [null], { id: null }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Puts something else in the place of a value, beside it, or leaves it out. */
function damageValue(value: unknown, path: readonly number[], change: Change<unknown>): unknown {
  const [next, ...rest] = path
  if (next === undefined || typeof value !== 'object' || value === null) return change(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return change(value)
  const at = next % entries.length
  const changed = entries.flatMap(([key, inner], index): [string, unknown][] => {
    if (index !== at) return [[key, inner]]
    const damaged = damageValue(inner, rest, change)
    return damaged === undefined ? [] : [[key, damaged]]
  })
  return Array.isArray(value) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed)
}

const bodyChange: fc.Arbitrary<Change<unknown>> = fc
  .tuple(
    fc.array(fc.nat(9), { maxLength: 4 }),
    fc.oneof(
      oddJson.map(
        (odd): Change<unknown> =>
          () =>
            odd,
      ),
      fc.constant<Change<unknown>>(() => undefined),
      fc.constant<Change<unknown>>((value) => [value, value]),
      fc.tuple(oddString, oddJson).map(
        ([name, odd]): Change<unknown> =>
          (value) =>
            typeof value === 'object' ? { ...value, [name]: odd } : odd,
      ),
    ),
  )
  .map(
    ([path, change]): Change<unknown> =>
      (value) =>
        damageValue(value, path, change),
  )

const encode = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, ''))

const oddSegment = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '%2F',
    '%zz',
    '%',
    '%00',
    '%ff',
    '%ED%A0%80',
    '%C0%AF',
    'a#b',
    'a\\b',
    'a;b',
  ),
  oddString.map(encode),
)

/** Changes a path below its prefix, because the host answers what lies elsewhere. */
const pathChange: fc.Arbitrary<Change<string>> = fc.tuple(fc.nat(9), oddSegment).map(([place, segment]) => (path) => {
  const segments = path.split('/')
  const first = path.startsWith('/admin') ? 3 : 2
  return segments.with(first + (place % (segments.length - first)), segment).join('/')
})

const queryChange: fc.Arbitrary<Change<string>> = fc.oneof(
  fc
    .constantFrom(
      '%zz',
      'x=%ff',
      '=',
      '&&',
      'userIds=%00',
      'userIds[9]=ann',
      'limit=-1',
      'awards=1&awards=2',
      '__proto__=1',
    )
    .map(
      (pair): Change<string> =>
        (query) =>
          query === '' ? pair : `${query}&${pair}`,
    ),
  fc.constant<Change<string>>((query) => `${query}&${query}`),
  fc.constant<Change<string>>((query) => query.replaceAll('=', '[]=')),
  oddString.map(
    (text): Change<string> =>
      (query) =>
        query.replace(/=[^&]*/, () => `=${encode(text)}`),
  ),
)

const bytesChange: fc.Arbitrary<Change<Buffer>> = fc.oneof(
  fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom([0xff], [0xe2, 0x82], [0x00], [0x22], [0x7d]))
    .map(
      ([place, bytes]): Change<Buffer> =>
        (body) => {
          const index = Math.floor(place * body.length)
          return Buffer.concat([body.subarray(0, index), Buffer.from(bytes), body.subarray(index)])
        },
    ),
  fc.constantFrom<Change<Buffer>>(
    (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    (body) => body.subarray(0, -1),
    () => Buffer.alloc(0),
    (body) => Buffer.from(body.toString(), 'utf16le'),
    (body) => Buffer.concat([body, Buffer.alloc(262_145, ' ')]),
  ),
)

const oddHeader: fc.Arbitrary<Header> = fc.tuple(
  fc.constantFrom('Tenant-ID', 'Idempotency-Key', 'Content-Encoding', 'Content-Type', 'Accept', 'X-API-KEY', 'Via'),
  fc.oneof(
    fc.constantFrom('', ',', 'a, b', 'x'.repeat(256), '\xe9\xff', 'text/plain', 'application/json; charset=utf-16'),
    fc.string({ unit: fc.constantFrom(...'ab01 ,;:="\\<>()\t\x7e\xe9'), maxLength: 12 }),
  ),
)

const few = <T>(change: fc.Arbitrary<Change<T>>): fc.Arbitrary<Change<T>> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant<Change<T>>((value) => value) }, { weight: 1, arbitrary: change })

/** A request by one of these keys. */
export const requestBy = (keys: readonly string[]): fc.Arbitrary<RawRequest> =>
  fc
    .record({
      operation: fc.constantFrom(...OPERATIONS),
      user: fc.constantFrom('ann', 'ann', 'ann', 'bob', 'zoe', 'ünï 😀', '__proto__'),
      key: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...keys) }, fc.constantFrom('', 'junk', `${keys[0]}x`)),
      tenant: fc.oneof({ weight: 9, arbitrary: fc.constant('acme') }, fc.constantFrom('other', 'a,b', '')),
      odd: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.array(oddHeader, { minLength: 1, maxLength: 2 })),
      method: few(
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'TRACE', 'QUERY').map(
          (other): Change<string> =>
            () =>
              other,
        ),
      ),
      path: few(pathChange),
      query: few(queryChange),
      body: fc.oneof(
        fc.constant<Change<unknown>>((value) => value),
        bodyChange,
      ),
      bytes: few(bytesChange),
      chunk: fc.option(fc.constantFrom(1_000, 65_536), { freq: 4 }),
    })
    .map(({ operation, user, key, tenant, odd, method, path, query, body, bytes, chunk }) => {
      const [asked = '', queried = ''] = operation.target(user).split('?')
      const changed = query(queried)
      const json = operation.body === undefined ? undefined : (JSON.stringify(body(operation.body(user))) ?? '')
      const typed: readonly Header[] = json === undefined ? [] : [['Content-Type', 'application/json']]
      return {
        method: method(operation.method),
        path: path(asked) + (changed === '' ? '' : `?${changed}`),
        headers: [['X-API-KEY', key] as const, ['Tenant-ID', tenant] as const, ...typed, ...odd],
        ...(json === undefined ? {} : { body: bytes(Buffer.from(json)) }),
        ...(chunk === null ? {} : { chunk }),
      }
    })
