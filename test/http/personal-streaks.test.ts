// Personal streaks over HTTP (specification 2.8, 4.8, 4.9; decisions, sections 4 and 5): what they count by, what they
// leave as it is, and what is refused without a trace.

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { dump } from '../support/dump.ts'
import { type Answer, openServer, type Server } from '../support/http.ts'

const definition = (customization: boolean): GameDefinition => ({
  metrics: {
    words: { name: 'Words' },
    laps: { name: 'Laps' },
    pages: { name: 'Pages', status: 'archived' },
  },
  streak: { frequency: 'daily', metrics: { words: { threshold: 10 } }, customization },
})

const LAPS = { evaluationMode: 'OR', metrics: [{ key: 'laps', threshold: 3 }] } as const
const PREFERENCES = '/v1/users/ann/preferences'

interface World {
  readonly server: Server
  /** A day of March 2026, at noon. */
  on(day: string): void
  patch(body: unknown, user?: string): Promise<Answer>
  preferences(): Promise<unknown>
  /** Ann's streak in the answer of an event. */
  send(metric: string, value: number): Promise<Answer['body']>
  streak(): Promise<Answer['body']>
  /** The lengths of the last periods. */
  history(periods: number): Promise<readonly number[]>
  tables(): ReadonlyMap<string, readonly string[]>
}

/** A server with Ann, on Tuesday, 2026-03-10. */
async function open(customization = true): Promise<World> {
  const host = new Database(':memory:')
  const server = await openServer({ definition: definition(customization), storage: sqlite(host) })
  onTestFinished(async () => {
    await server.close()
    host.close()
  })
  await server.call('POST', '/v1/users', { body: { id: 'ann' } })
  const read = async (query = ''): Promise<Answer['body']> =>
    (await server.call('GET', `/v1/users/ann/streak${query}`)).body
  return {
    server,
    on: (day) => server.engine.at(`2026-03-${day}T12:00:00.000Z`),
    patch: (body, user = 'ann') => server.call('PATCH', `/v1/users/${user}/preferences`, { body }),
    preferences: async () => (await server.call('GET', PREFERENCES)).body,
    send: async (metric, value) => {
      const { status, body } = await server.call('POST', `/v1/metrics/${metric}/event`, {
        body: { user: { id: 'ann' }, value },
      })
      expect(status).toBe(201)
      return body.currentStreak
    },
    streak: () => read(),
    history: async (periods) =>
      (await read(`?historyPeriods=${periods}`)).streakHistory.map(({ length }: { readonly length: number }) => length),
    tables: () => dump(host, { everything: true }),
  }
}

describe('A personal streak', () => {
  test('is answered and read again as it was sent, ALL as AND, and 0 where there is no threshold', async () => {
    const { patch, preferences } = await open()
    const metrics = [
      { key: 'words', threshold: 0 },
      { key: 'laps', threshold: 0.5 },
    ]
    const expected = { notifications: {}, streak: { evaluationMode: 'AND', metrics } }
    const sent = [{ key: 'words', threshold: null }, metrics[1]]
    const answer = await patch({ streak: { evaluationMode: 'ALL', metrics: sent } })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: expected })
    expect(await preferences()).toEqual(expected)
  })

  test('is changed in what the next one names: each of its fields alone, and the others stay', async () => {
    const { patch, preferences } = await open()
    const metrics = [{ key: 'words', threshold: 5 }, { key: 'laps' }]
    await patch({ notifications: { recap: ['push'] }, streak: { evaluationMode: 'AND', metrics } })
    await patch({ streak: { metrics: [{ key: 'laps' }] } })
    const notifications = { recap: ['push'] }
    const laps = [{ key: 'laps', threshold: 0 }]
    expect(await preferences()).toEqual({ notifications, streak: { evaluationMode: 'AND', metrics: laps } })
    await patch({ streak: { evaluationMode: 'OR' } })
    expect(await preferences()).toEqual({ notifications, streak: { evaluationMode: 'OR', metrics: laps } })
    await patch({ streak: { enabled: false } })
    const off = { enabled: false, evaluationMode: 'OR', metrics: laps }
    expect(await preferences()).toEqual({ notifications, streak: off })
    await patch({ streak: {} })
    expect(await preferences()).toEqual({ notifications, streak: off })
    const answer = await patch({ streak: { enabled: true, evaluationMode: 'AND' } })
    expect(answer.body).toEqual({ notifications, streak: { enabled: true, evaluationMode: 'AND', metrics: laps } })
  })

  test.each([
    [{ enabled: true }, { enabled: true }],
    [{ evaluationMode: 'ALL' }, { evaluationMode: 'AND' }],
    [{ metrics: [{ key: 'laps', threshold: 2 }] }, { evaluationMode: 'OR', metrics: [{ key: 'laps', threshold: 2 }] }],
  ])('appears with what was set of it, metrics with the mode OR: %j', async (streak, expected) => {
    const { patch, preferences } = await open()
    expect((await patch({ streak })).body).toEqual({ notifications: {}, streak: expected })
    expect(await preferences()).toEqual({ notifications: {}, streak: expected })
  })

  test('that names nothing is not set', async () => {
    const { patch, preferences } = await open()
    expect((await patch({ streak: {} })).body).toEqual({ notifications: {} })
    expect(await preferences()).toEqual({ notifications: {} })
  })

  test.each(['0', '-0', 'null'])('of a threshold of %s counts any change above 0', async (threshold) => {
    const { server, preferences, send } = await open()
    const body = `{"streak":{"metrics":[{"key":"laps","threshold":${threshold}}]}}`
    const { status } = await server.call('PATCH', PREFERENCES, {
      body,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(status).toBe(200)
    expect(await preferences()).toEqual({
      notifications: {},
      streak: { evaluationMode: 'OR', metrics: [{ key: 'laps', threshold: 0 }] },
    })
    expect((await send('laps', 0)).length).toBe(0)
    expect((await send('laps', 0.1)).length).toBe(1)
  })

  test('of metrics without a mode counts any of them', async () => {
    const { patch, send } = await open()
    await patch({ streak: { metrics: [{ key: 'words', threshold: 5 }, { key: 'laps' }] } })
    expect((await send('laps', 1)).length).toBe(1)
  })

  test.each([true, false])(
    'switched off is 0, and begins at 0 once it is on again (customization: %s)',
    async (customization) => {
      const { on, patch, send, streak, history } = await open(customization)
      for (const day of ['10', '11']) {
        on(day)
        await send('words', 10)
      }
      const { status, body } = await patch({ streak: { enabled: false } })
      expect({ status, body }).toEqual({ status: 200, body: { notifications: {}, streak: { enabled: false } } })
      const none = { length: 0, started: null, periodStart: null, periodEnd: null, expires: null }
      expect(await streak()).toMatchObject({ ...none, extended: null })
      on('12')
      expect(await send('words', 10)).toMatchObject({ ...none, extended: false })
      await patch({ streak: { enabled: true } })
      expect(await streak()).toMatchObject({ ...none, extended: null })
      on('13')
      expect(await send('words', 10)).toMatchObject({ length: 1, started: '2026-03-13', extended: true })
      expect((await history(1)).at(-1)).toBe(1)
    },
  )

  test('stays where an update does not name it, or says null', async () => {
    const { patch, preferences } = await open()
    await patch({ streak: LAPS })
    await patch({})
    await patch({ notifications: { recap: ['push'] } })
    await patch({ streak: null })
    expect(await preferences()).toEqual({ notifications: { recap: ['push'] }, streak: LAPS })
  })

  test('counts by its own metrics and thresholds, up to the threshold and not before', async () => {
    const { patch, send, streak } = await open()
    await patch({ streak: LAPS })
    expect(await send('words', 1_000)).toMatchObject({ length: 0, extended: false })
    expect(await send('laps', 2)).toMatchObject({ length: 0, extended: false })
    expect(await streak()).toMatchObject({ length: 0, started: null })
    expect(await send('laps', 1)).toMatchObject({ length: 1, extended: true })
    expect(await streak()).toMatchObject({ length: 1, started: '2026-03-10', expires: '2026-03-11' })
  })

  test('of AND counts once each of its metrics has its threshold', async () => {
    const { patch, send } = await open()
    const metrics = [{ key: 'words', threshold: 2 }, { key: 'laps' }]
    await patch({ streak: { evaluationMode: 'AND', metrics } })
    expect((await send('laps', 1)).length).toBe(0)
    expect((await send('words', 1)).length).toBe(0)
    expect((await send('words', 1)).length).toBe(1)
  })

  test('is of one user alone', async () => {
    const { server, patch } = await open()
    await patch({ streak: LAPS })
    const { body } = await server.call('POST', '/v1/metrics/words/event', { body: { user: { id: 'bob' }, value: 10 } })
    expect(body.currentStreak.length).toBe(1)
  })

  test('counts what was done earlier on the day that it is set on, with the next event', async () => {
    const { patch, send } = await open()
    expect((await send('laps', 3)).length).toBe(0)
    await patch({ streak: LAPS })
    expect(await send('words', 1)).toMatchObject({ length: 1, extended: true })
  })
})

describe('What had counted before a personal streak', () => {
  test('is not shortened by it: neither the day that it is set on nor those before', async () => {
    const { on, patch, send, streak, history } = await open()
    for (const day of ['10', '11', '12']) {
      on(day)
      await send('words', 10)
    }
    const before = await streak()
    expect(before).toMatchObject({ length: 3, started: '2026-03-10', expires: '2026-03-13' })
    await patch({ streak: LAPS })
    expect(await streak()).toEqual(before)
    expect(await history(4)).toEqual([0, 1, 2, 3])
    // Nor by what comes later on the same day, be it too little or less than nothing.
    expect(await send('laps', 1)).toMatchObject({ length: 3, extended: false, expires: '2026-03-13' })
    expect(await send('laps', -5)).toMatchObject({ length: 3, extended: false, expires: '2026-03-13' })
    expect(await send('words', -10)).toMatchObject({ length: 3, extended: false, expires: '2026-03-13' })
    expect(await history(4)).toEqual([0, 1, 2, 3])
  })

  test('is not counted twice: the day that counted counts no more by the new metrics', async () => {
    const { on, patch, send, history } = await open()
    await send('words', 10)
    await patch({ streak: LAPS })
    expect(await send('laps', 3)).toMatchObject({ length: 1, extended: false })
    on('11')
    expect(await send('laps', 3)).toMatchObject({ length: 2, extended: true })
    expect(await history(2)).toEqual([1, 2])
  })

  test('goes on by the new metrics, and is lost by them alone', async () => {
    const { on, patch, send, streak, history } = await open()
    await send('words', 10)
    await patch({ streak: LAPS })
    on('11')
    expect(await send('words', 10)).toMatchObject({ length: 1, extended: false, expires: '2026-03-11' })
    expect(await send('laps', 3)).toMatchObject({ length: 2, extended: true, started: '2026-03-10' })
    on('12')
    expect(await send('words', 10)).toMatchObject({ length: 2, extended: false, expires: '2026-03-12' })
    on('13')
    expect(await streak()).toMatchObject({ length: 0, started: null })
    expect(await history(4)).toEqual([1, 2, 0, 0])
  })

  test('counts the same when a late event has the log folded again', async () => {
    const { server, on, patch, send, streak, history } = await open()
    await send('words', 10)
    on('11')
    await patch({ streak: LAPS })
    await send('laps', 3)
    expect(await streak()).toMatchObject({ length: 2, started: '2026-03-10' })
    const occurredAt = new Date('2026-03-09T12:00:00.000Z')
    await server.engine.metrics.event('words', { user: { id: 'ann' }, value: 10, occurredAt })
    expect(await streak()).toMatchObject({ length: 3, started: '2026-03-09' })
    expect(await history(3)).toEqual([1, 2, 3])
  })
})

describe('403: while personal streaks are off', () => {
  test('one is refused, and no row of any table is written, the notifications of the same body included', async () => {
    const { patch, preferences, tables } = await open(false)
    await patch({ notifications: { recap: ['push'] } })
    const before = tables()
    const answer = await patch({ notifications: { recap: ['email'], reactivation: [] }, streak: LAPS })
    expect(answer).toMatchObject({ status: 403, body: { code: 'streak_customization_disabled' } })
    expect(tables()).toEqual(before)
    expect(await preferences()).toEqual({ notifications: { recap: ['push'] } })
  })

  test('that is said of unknown metrics and unknown users too, who stay unknown', async () => {
    const { server, patch, tables } = await open(false)
    const before = tables()
    for (const [streak, user] of [
      [{ metrics: [{ key: 'swims' }] }, 'ann'],
      [{ evaluationMode: 'AND' }, 'ann'],
      [{ enabled: true, evaluationMode: 'AND' }, 'ann'],
      [LAPS, 'zoe'],
    ] as const) {
      const answer = await patch({ streak }, user)
      expect(answer).toMatchObject({ status: 403, body: { code: 'streak_customization_disabled' } })
    }
    expect(tables()).toEqual(before)
    expect((await server.call('GET', '/v1/users/zoe')).status).toBe(404)
  })

  test('but not of a body that is wrong anyway, nor of one without streak', async () => {
    const { patch } = await open(false)
    const wrong = await patch({ streak: { metrics: [] } })
    expect(wrong).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
    expect((await patch({ notifications: { recap: ['push'] }, streak: null })).status).toBe(200)
    expect((await patch({ streak: {} })).status).toBe(200)
  })
})

describe('422, and no row of any table is written:', () => {
  const laps = { key: 'laps', threshold: 1 }

  test.each([
    ['a metric twice', { metrics: [laps, laps] }, 'invalid_request'],
    ['a metric twice, with other thresholds', { metrics: [laps, { key: 'laps', threshold: 2 }] }, 'invalid_request'],
    ['a metric twice, among others', { metrics: [laps, { key: 'words' }, { key: 'laps' }] }, 'invalid_request'],
    ['a threshold below 0', { metrics: [{ key: 'laps', threshold: -1 }] }, 'invalid_request'],
    ['a threshold of more than any sum', { metrics: [{ key: 'laps', threshold: 1e16 }] }, 'invalid_request'],
    ['a threshold beyond all numbers', '{"metrics":[{"key":"laps","threshold":1e999}]}', 'invalid_request'],
    ['a threshold as text', { metrics: [{ key: 'laps', threshold: '1' }] }, 'invalid_request'],
    ['an empty threshold', { metrics: [{ key: 'laps', threshold: '' }] }, 'invalid_request'],
    ['enabled as text', { enabled: 'false' }, 'invalid_request'],
    ['enabled as a number, beside metrics', { enabled: 0, metrics: [laps] }, 'invalid_request'],
    ['metrics that are null', { metrics: null }, 'invalid_request'],
    ['an empty list of metrics', { metrics: [] }, 'invalid_request'],
    ['an empty key', { metrics: [{ key: '', threshold: 1 }] }, 'invalid_request'],
    ['a list in place of the streak', [laps], 'invalid_request'],
    ['a mode in small letters', { evaluationMode: 'or', metrics: [laps] }, 'invalid_request'],
    ['an unknown metric', { metrics: [{ key: 'swims', threshold: 1 }] }, 'unknown_metric'],
    ['an unknown metric beside a known one', { metrics: [laps, { key: 'Laps' }] }, 'unknown_metric'],
    ['a metric named __proto__', '{"metrics":[{"key":"__proto__"}]}', 'unknown_metric'],
    ['an archived metric', { metrics: [{ key: 'pages' }] }, 'unknown_metric'],
  ])('%s', async (_, streak, code) => {
    const { server, patch, preferences, tables } = await open()
    await patch({ notifications: { recap: ['push'] }, streak: LAPS })
    const before = tables()
    const text = typeof streak === 'string' ? streak : JSON.stringify(streak)
    const answer = await server.call('PATCH', PREFERENCES, {
      body: `{"notifications":{"recap":["email"]},"streak":${text}}`,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(answer).toMatchObject({ status: 422, body: { code } })
    expect(tables()).toEqual(before)
    expect(await preferences()).toEqual({ notifications: { recap: ['push'] }, streak: LAPS })
  })
})
