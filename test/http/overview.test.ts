// The admin API's figures of all users together: the answers match the calls in-process.

import { expect, onTestFinished, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { openServer, type Server } from '../support/http.ts'

const definition: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  userAttributes: ['plan'],
  achievements: { starter: { name: 'Starter', trigger: 'metric', metric: 'words', value: 10 } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  streaks: { gym: { frequency: 'weekly', metrics: { words: {} } } },
  leaderboards: {
    plans: { name: 'Plans', rankBy: 'metric', metric: 'words', start: '2026-03-01', breakdown: ['plan'] },
  },
}

async function open(multiTenant = false): Promise<Server> {
  const server = await openServer({ definition: { ...definition, multiTenant } })
  onTestFinished(server.close)
  return server
}

const get = async (server: Server, path: string) => (await server.call('GET', `/admin/v1${path}`)).body

test('the routes answer what the calls do', async () => {
  const server = await open()
  const { engine } = server
  await engine.metrics.event('words', { user: { id: 'ann', attributes: { plan: 'pro' } }, value: 12 })
  expect(await get(server, '/activity?from=2026-03-10&to=2026-03-10')).toEqual({
    days: [{ date: '2026-03-10', events: 1, activeUsers: 1, newUsers: 1, completions: 1, points: {} }],
    before: null,
  })
  expect(await get(server, '/status')).toMatchObject({
    users: 1,
    storage: 'memory',
    leaderboards: [{ key: 'plans', users: 1 }],
  })
  expect(await get(server, '/achievements/starter/completions')).toEqual({
    completions: [{ userId: 'ann', name: null, achievedAt: '2026-03-10T12:00:00.000Z', count: 1 }],
    after: null,
  })
  expect(await get(server, '/leaderboards/plans/runs?limit=1')).toEqual({
    runs: [{ key: '2026-03-01', start: '2026-03-01', end: null, status: 'active' }],
    before: null,
  })
  expect(await get(server, '/leaderboards/plans/groups?run=2026-03-01')).toEqual({
    groups: [{ values: { plan: 'pro' }, users: 1 }],
    after: null,
  })
  expect(await get(server, '/game')).toMatchObject({ epoch: 1, definition: { metrics: { words: { name: 'Words' } } } })
  expect(await get(server, '/games?limit=1')).toMatchObject({ games: [{ epoch: 1 }], before: null })
  expect(await get(server, '/admin-keys')).toMatchObject([{ status: 'active' }])
  expect(await get(server, '/tenants')).toEqual({ tenants: [{ id: '', users: 1 }], after: null })
  expect(await get(server, '/subscriptions')).toEqual([])
})

test('why is asked by an achievement, an event or a date', async () => {
  const server = await open()
  const { eventId } = await server.engine.metrics.event('words', { user: { id: 'ann' }, value: 12 })
  const explain = (query: string) => server.call('GET', `/admin/v1/users/ann/explain?${query}`)
  expect((await explain('achievement=starter')).body).toMatchObject({
    subject: { achievement: 'starter' },
    holds: true,
  })
  expect((await explain(`event=${eventId}`)).body).toMatchObject({ subject: { event: eventId }, holds: true })
  expect((await explain('date=2026-03-10')).body).toMatchObject({ subject: { streak: '2026-03-10' }, holds: true })
  expect((await explain('date=2026-03-10&streak=gym')).body).toMatchObject({
    subject: { streak: '2026-03-10', key: 'gym' },
    holds: true,
  })
  for (const query of ['', 'achievement=starter&date=2026-03-10', 'streak=gym', 'date=10.3.2026']) {
    expect({ query, status: (await explain(query)).status }).toEqual({ query, status: 422 })
  }
  expect((await explain('achievement=nothing')).body.code).toBe('unknown_achievement')
})

test('in a game with tenants each tells of its own, and needs to be named', async () => {
  const server = await open(true)
  await server.engine.tenant('acme').metrics.event('words', { user: { id: 'ann' }, value: 12 })
  const ask = async (path: string, tenant: string) =>
    (await server.call('GET', `/admin/v1${path}`, { headers: { 'Tenant-ID': tenant } })).body
  expect((await ask('/status', 'acme')).users).toBe(1)
  expect((await ask('/status', 'umbrella')).users).toBe(0)
  expect((await ask('/achievements/starter/completions', 'umbrella')).completions).toEqual([])
  expect((await ask('/tenants', 'umbrella')).tenants).toEqual([{ id: 'acme', users: 1 }])
  expect((await server.call('GET', '/admin/v1/status')).body.code).toBe('tenant_required')
  const headers = { 'Tenant-ID': 'acme' }
  const verified = await server.call('POST', '/admin/v1/verify', { body: { users: ['ann'] }, headers })
  expect(JSON.parse(verified.text)).toEqual({ report: { users: 1, entries: 1, drift: [], damaged: [] } })
})
