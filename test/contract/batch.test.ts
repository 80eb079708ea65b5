// @heavy: It takes more than three seconds.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import type { Engine } from '../support/engine.ts'
import { openServer, type Server } from '../support/http.ts'
import type { BatchItem } from './api.ts'

/*
 * The documents leave this open, and laurels decides it so: an item with the wrong shape (`invalid_request`) refuses
 * the whole array. Any other refusal of a single event is an issue of its item, with its code and the severity `error`.
 * Unknown metrics are such issues, and the status stays 202 even if no event is accepted. Items of one user happen in
 * the order of the array. `accepted` counts replays too.
 */

const PATH = '/admin/v1/metrics/events'

const definition: GameDefinition = {
  metrics: {
    words: { name: 'Words written' },
    hints: { name: 'Hints taken' },
    old: { name: 'Old', status: 'archived' },
  },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    hundred: { name: 'A hundred', trigger: 'metric', metric: 'words', value: 100 },
    web: { name: 'Web', trigger: 'metric', metric: 'words', value: 10, eventAttributes: { source: 'web' } },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 10, points: 10 },
        { type: 'metric', metric: 'hints', threshold: 1, points: -5, blockIfOutOfPoints: true },
      ],
      levels: { bronze: { name: 'Bronze', points: 20 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: { words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
}

const item = (id: string, value = 1, more: Partial<BatchItem> = {}): BatchItem => ({
  key: 'words',
  user: { id },
  value,
  ...more,
})

/** `count` items of ten users, each with a key of its own. */
const keyed = (count: number): BatchItem[] =>
  Array.from({ length: count }, (_, index) => item(`user-${index % 10}`, 1, { idempotencyKey: `key-${index}` }))

async function open(options: Partial<Parameters<typeof openServer>[0]> = {}): Promise<Server> {
  const server = await openServer({ definition, ...options })
  onTestFinished(() => server.close())
  return server
}

const totalOf = async (engine: Engine, id: string): Promise<number> =>
  (await engine.users.singleMetric(id, 'words')).current

/** The totals of ten users. */
const totalsOf = (engine: Engine): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: 10 }, (_, index) => totalOf(engine, `user-${index}`)))

/** By what is wrong, in words; each is refused by the rules, with its code. */
const REFUSED: readonly (readonly [code: string, bad: BatchItem])[] = [
  ['unknown_metric', item('bad-1', 1, { key: 'nothing' })],
  ['metric_archived', item('bad-2', 1, { key: 'old' })],
  ['unknown_attribute', item('bad-3', 1, { attributes: { colour: 'red' } })],
  ['unknown_attribute', item('bad-4', 1, { user: { id: 'bad-4', attributes: { colour: 'red' } } })],
  ['unknown_time_zone', item('bad-5', 1, { user: { id: 'bad-5', tz: 'Mars/Olympus' } })],
  ['email_required', item('bad-6', 1, { user: { id: 'bad-6', subscribeToEmails: true } })],
  ['value_out_of_range', item('bad-7', 2e15)],
  ['occurred_at_out_of_range', item('bad-8', 1, { occurredAt: '1969-12-31T23:59:59.999Z' })],
  ['occurred_at_out_of_range', item('bad-9', 1, { occurredAt: '2026-03-10T12:05:00.001Z' })],
  ['out_of_points', item('bad-10', 1, { key: 'hints' })],
]

const MISSHAPEN: readonly (readonly [what: string, bad: unknown])[] = [
  ['a number', 7],
  ['no key', { user: { id: 'bad' }, value: 1 }],
  ['a key that is a number', { ...item('bad'), key: 7 }],
  ['no user', { key: 'words', value: 1 }],
  ['an empty id', item('')],
  ['no value', { key: 'words', user: { id: 'bad' } }],
  ['a value that is a string', { ...item('bad'), value: '1' }],
  ['an attribute that is a number', { ...item('bad'), attributes: { source: 1 } }],
  ['a key that is no string', { ...item('bad'), idempotencyKey: 7 }],
  ['an idempotency key with a space', item('bad', 1, { idempotencyKey: 'a b' })],
  ['a day that is not there', item('bad', 1, { occurredAt: '2026-02-30T12:00:00.000Z' })],
  ['an instant that is a number', { ...item('bad'), occurredAt: 1 }],
]

describe('a batch of events over HTTP', () => {
  test('of a thousand with each mistake of the rules once accepts the others, and tells of each by its index', async () => {
    const server = await open()
    const items: BatchItem[] = [...keyed(1000 - REFUSED.length - 3)]
    const indexes = REFUSED.map(([, bad], index) => {
      items.splice(index * 97 + 5, 0, bad)
      return index * 97 + 5
    })
    // A total that would leave its bounds, and a key that is used twice.
    items.push(item('rich', 1e15), item('rich', 1e15), item('user-0', 50, { idempotencyKey: 'key-0' }))
    expect(items).toHaveLength(1000)
    const { status, body } = await server.call('POST', PATH, { body: items })
    expect(status).toBe(202)
    expect(body).toEqual({
      accepted: 989,
      replayed: 1,
      issues: [
        ...REFUSED.map(([code], index) => ({
          index: indexes[index],
          severity: 'error',
          message: expect.stringMatching(/\S+ \S+/),
          code,
        })),
        { index: 998, severity: 'error', message: expect.stringMatching(/\S+ \S+/), code: 'total_out_of_range' },
      ],
    })
    // 987 keys of ten users.
    expect(await totalsOf(server.engine)).toEqual([99, 99, 99, 99, 99, 99, 99, 98, 98, 98])
    expect(await totalOf(server.engine, 'rich')).toBe(1e15)
    for (let index = 1; index <= REFUSED.length; index += 1) {
      const { status } = await server.call('GET', `/v1/users/bad-${index}`)
      expect({ index, status }).toEqual({ index, status: 404 })
    }
  })

  test.each(MISSHAPEN)('with %s in it is 422 as a whole, and nothing is stored', async (_, bad) => {
    const server = await open()
    const { status, body } = await server.call('POST', PATH, { body: [item('ann'), bad, item('bob')] })
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid_request' })
    expect(body.issues[0].path).toMatch(/^\W*1\b/)
    for (const id of ['ann', 'bob', 'bad']) expect((await server.call('GET', `/v1/users/${id}`)).status).toBe(404)
  })

  test.each([
    ['an object', { events: [item('ann')] }],
    ['one event', item('ann')],
    ['a string', '"ann"'],
    ['null', 'null'],
  ])('that is %s is 422', async (_, body) => {
    const server = await open()
    const headers = { 'Content-Type': 'application/json' }
    const answer = await server.call('POST', PATH, { body, headers })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 422, code: 'invalid_request' })
    expect((await server.call('GET', '/v1/users/ann')).status).toBe(404)
  })

  test('of which nothing is accepted is 202 all the same', async () => {
    const server = await open()
    const { status, body } = await server.call('POST', PATH, { body: [item('ann', 1, { key: 'nothing' })] })
    expect({ status, body }).toMatchObject({
      status: 202,
      body: { accepted: 0, replayed: 0, issues: [{ index: 0, severity: 'error', code: 'unknown_metric' }] },
    })
  })

  test('is for admin keys alone', async () => {
    const server = await open()
    await server.engine.users.create({ id: 'ann' })
    const body = [item('ann')]
    const own = await server.applicationKey('ann')
    expect((await server.call('POST', PATH, { body, key: own })).status).toBe(403)
    expect((await server.call('POST', PATH, { body, key: null })).status).toBe(401)
    expect(await totalOf(server.engine, 'ann')).toBe(0)
  })
})
