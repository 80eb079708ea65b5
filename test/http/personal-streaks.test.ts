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

  test('counts by its own metrics and thresholds, up to the threshold and not before', async () => {
    const { patch, send, streak } = await open()
    await patch({ streak: LAPS })
    expect(await send('words', 1_000)).toMatchObject({ length: 0, extended: false })
    expect(await send('laps', 2)).toMatchObject({ length: 0, extended: false })
    expect(await streak()).toMatchObject({ length: 0, started: null })
    expect(await send('laps', 1)).toMatchObject({ length: 1, extended: true })
    expect(await streak()).toMatchObject({ length: 1, started: '2026-03-10', expires: '2026-03-11' })
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
