// Keys of single users: what they are for, until when, and how they are found and ended.

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { type Engine, onEachStorage, untyped } from '../support/engine.ts'
import { openServer, type Server } from '../support/http.ts'
import { game } from './authorization-table.ts'

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/)
const PREFIX = expect.stringMatching(/^app_[0-9a-z]{12}$/)

type Request = Parameters<Engine['admin']['applicationApiKeys']['create']>[0][number]

async function make(engine: Engine, ...requests: readonly Request[]): Promise<readonly string[]> {
  const { created, issues } = await engine.admin.applicationApiKeys.create(requests)
  expect(issues).toEqual([])
  return created.map(({ key }) => key)
}

onEachStorage('Application keys', (open) => {
  async function start(): Promise<Engine> {
    const engine = await open(game)
    for (const id of ['ann', 'bob']) await engine.users.create({ id })
    return engine
  }

  test('say whom they are of, and what they are for where it is not everything', async () => {
    const engine = await start()
    const [all, some] = await make(engine, { userId: 'ann' }, { userId: 'ann', can: ['read', 'events:words', 'read'] })
    const ofAnn = { kind: 'application', keyId: ID, tenant: '', userId: 'ann' }
    expect(await engine.authenticate(all)).toEqual(ofAnn)
    expect(await engine.authenticate(some)).toEqual({ ...ofAnn, can: ['read', 'events:words'] })
  })

  test('end at their instant, by the clock of the engine', async () => {
    const engine = await start()
    const [key] = await make(engine, { userId: 'ann', expiresAt: new Date('2026-03-10T13:00:00Z') })
    const [text] = await make(engine, { userId: 'ann', expiresAt: '2026-03-10T14:00:00+01:00' })
    engine.at('2026-03-10T12:59:59.999Z')
    expect([(await engine.authenticate(key))?.kind, (await engine.authenticate(text))?.kind]).toEqual([
      'application',
      'application',
    ])
    engine.at('2026-03-10T13:00:00.000Z')
    expect([await engine.authenticate(key), await engine.authenticate(text)]).toEqual([null, null])
  })

  test('are listed by user, in pages, without what opens anything', async () => {
    const engine = await start()
    const expiresAt = new Date('2026-03-11T12:00:00Z')
    const keys = await make(engine, { userId: 'ann', can: ['read'], expiresAt }, { userId: 'bob' }, { userId: 'ann' })
    const { list } = engine.admin.applicationApiKeys
    const [first, second, ...none] = await list({ userId: 'ann' })
    const common = { id: ID, prefix: PREFIX, userId: 'ann', createdAt: '2026-03-10T12:00:00.000Z' }
    const told = [first, second].sort((a, b) => (a?.can === null ? 1 : 0) - (b?.can === null ? 1 : 0))
    expect(told).toEqual([
      { ...common, can: ['read'], expiresAt: '2026-03-11T12:00:00.000Z' },
      { ...common, can: null, expiresAt: null },
    ])
    expect(none).toEqual([])
    const page = await list({ limit: 2 })
    const rest = await list({ after: page[1]?.id ?? '' })
    expect([...page, ...rest].map(({ userId }) => userId).sort()).toEqual(['ann', 'ann', 'bob'])
    expect([page.length, rest.length]).toEqual([2, 1])
    expect(await list({ userId: 'nobody' })).toEqual([])
    const bodies = keys.map((key) => key.slice(key.indexOf('.') + 1))
    for (const body of bodies) expect(JSON.stringify(await list())).not.toContain(body)
    engine.at('2026-03-12T12:00:00Z')
    expect(await list({ userId: 'ann' })).toHaveLength(2)
  })

  test('of one user are deleted together, and those of others stay', async () => {
    const engine = await start()
    const keys = await make(engine, { userId: 'ann' }, { userId: 'ann', can: ['read'] }, { userId: 'bob' })
    const { admin } = engine
    const ids = (await admin.applicationApiKeys.list({ userId: 'ann' })).map(({ id }) => ({ id }))
    expect(await admin.applicationApiKeys.delete({ userId: 'ann' })).toEqual({ deleted: ids, issues: [] })
    const kinds = []
    for (const key of keys) kinds.push(await engine.authenticate(key))
    expect(kinds).toEqual([null, null, expect.objectContaining({ userId: 'bob' })])
    expect(await admin.applicationApiKeys.delete({ userId: 'ann' })).toEqual({ deleted: [], issues: [] })
  })

  test('are not made for what the game has not, nor for a time that has passed', async () => {
    const engine = await start()
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{ can: ['read', 'events:word'] }, /^can\[1\]: unknown metric 'word'; did you mean 'words'\?$/],
      [{ can: ['achievements:first'] }, /^can\[0\]: unknown achievement with the trigger 'api' 'first'/],
      [{ can: ['attributes:plans'] }, /^can\[0\]: unknown user attribute 'plans'; did you mean 'plan'\?$/],
      [
        { can: ['write'] },
        /^can\[0\]: must be read, profile, attributes, events, achievements, challenges or redeem, or one of a kind/,
      ],
      [{ can: [] }, /^can: /],
      [{ can: Array.from({ length: 101 }, () => 'read') }, /^can: /],
      [{ can: 'read' }, /^can: /],
      [{ expiresAt: '2026-03-10T12:00:00Z' }, /^expiresAt: must be to come/],
      [{ expiresAt: 'tomorrow' }, /^expiresAt: must be a Date, or an instant/],
      [{ expiresAt: 1_900_000_000_000 }, /^expiresAt: must be a Date, or an instant/],
    ]
    for (const [request, message] of wrong) {
      const item = untyped<Request>({ userId: 'ann', ...(request as object) })
      const { created, issues } = await engine.admin.applicationApiKeys.create([item, { userId: 'bob' }])
      expect([created.map(({ userId }) => userId), issues.length]).toEqual([['bob'], 1])
      expect(issues[0]?.message).toMatch(message)
    }
  })
})

async function openKeys(definition = game): Promise<Server & { readonly host: Database.Database }> {
  const host = new Database(':memory:')
  const server = await openServer({ definition, storage: sqlite(host) })
  onTestFinished(async () => {
    await server.close()
    host.close()
  })
  for (const id of ['ann', 'bob']) await server.engine.users.create({ id })
  return { ...server, host }
}

const PATH = '/admin/v1/application-api-keys'

describe('Over HTTP', () => {
  test('keys are made, listed and deleted by user', async () => {
    const { call } = await openKeys()
    const body = [
      { userId: 'ann', can: ['read', 'events'], expiresAt: '2026-03-10T12:30:00Z', note: 'is ignored' },
      { userId: 'bob' },
    ]
    const made = await call('POST', PATH, { body })
    expect(made).toMatchObject({ status: 201, body: { issues: [] } })
    const { body: listed } = await call('GET', `${PATH}?userId=ann&limit=10`)
    expect(listed).toEqual([
      {
        id: made.body.created[0].id,
        prefix: made.body.created[0].prefix,
        userId: 'ann',
        can: ['read', 'events'],
        createdAt: '2026-03-10T12:00:00.000Z',
        expiresAt: '2026-03-10T12:30:00.000Z',
      },
    ])
    expect((await call('GET', PATH)).body).toHaveLength(2)
    expect((await call('GET', `${PATH}?after=${'f'.repeat(36)}`)).body).toEqual([])
    expect((await call('DELETE', `${PATH}?userId=ann`)).body).toEqual({ deleted: [{ id: listed[0].id }], issues: [] })
    expect((await call('GET', `${PATH}?userId=ann`)).body).toEqual([])
    for (const query of ['', `?ids=${listed[0].id}&userId=ann`, '?userId=', '?ids=x']) {
      expect((await call('DELETE', `${PATH}${query}`)).status).toBe(422)
    }
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?userId=', '?after=']) {
      expect((await call('GET', `${PATH}${query}`)).status).toBe(422)
    }
  })

  test('an expired key is answered with the bytes of no key', async () => {
    const { call, engine } = await openKeys()
    const [key] = await make(engine, { userId: 'ann', expiresAt: new Date('2026-03-10T12:30:00Z') })
    expect((await call('GET', '/v1/users/ann', { key: key ?? '' })).status).toBe(200)
    engine.at('2026-03-10T12:30:00Z')
    const expired = await call('GET', '/v1/users/ann', { key: key ?? '' })
    const none = await call('GET', '/v1/users/ann', { key: null })
    expect([expired.status, expired.text]).toEqual([401, none.text])
  })

  test.each([
    ['no JSON', 'read'],
    ['an object', '{"read":true}'],
    ['a list of other things', '[1]'],
    ['an empty list', '[]'],
    ['a word that nobody knows', '["read","everything"]'],
    ['an empty text', ''],
  ])('a key whose stored `can` is %s opens nothing', async (_, can) => {
    const { call, engine, host } = await openKeys()
    const [key = ''] = await make(engine, { userId: 'ann', can: ['read'] })
    expect((await call('GET', '/v1/users/ann', { key })).status).toBe(200)
    host.prepare('update laurels_api_keys set can = ? where user_id is not null').run(can)
    expect((await call('GET', '/v1/users/ann', { key })).status).toBe(401)
    expect((await call('GET', `${PATH}?userId=ann`)).body).toHaveLength(1)
    expect((await call('DELETE', `${PATH}?userId=ann`)).body.deleted).toHaveLength(1)
  })

  test.each([
    [{}],
    [{ by: 'x', userId: 'ann' }],
    [{ by: 'x', eventId: 'y' }],
    [{ between: { from: '2026-03-10T12:00:00Z', to: '2026-03-10T13:00:00Z' } }],
    [{ userId: 'ann', between: { from: '2026-03-10T12:00:00Z', to: '2026-03-10T12:00:00Z' } }],
    [{ userId: 'ann', between: { from: 'noon', to: '2026-03-10T12:00:00Z' } }],
    [{ by: '' }],
    [{ by: 'a b' }],
  ])('%j is no way to name events', async (body) => {
    const { call } = await openKeys()
    expect((await call('POST', '/admin/v1/events/void', { body })).status).toBe(422)
  })
})
