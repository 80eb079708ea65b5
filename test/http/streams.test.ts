// @heavy: It takes more than three seconds.
// Walks over all users, as streams of lines, through every binding.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { type GameDefinition, GamificationError, type Storage } from '../../src/index.ts'
import { auditRows } from '../../src/sql/audit.ts'
import { aroundQuery } from '../support/around-query.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { BINDINGS, type BindingName, openServer, type Server } from '../support/http.ts'

const definition: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: { starter: { name: 'Starter', trigger: 'metric', metric: 'words', value: 10 } },
}
const easier: GameDefinition = {
  ...definition,
  achievements: { starter: { name: 'Starter', trigger: 'metric', metric: 'words', value: 5 } },
}

const USERS = 30
const EACH_MS = 25

interface World {
  readonly server: Server
  /** How many users a walk has come to. */
  audited(): number
  /** Throws the error at the user of this number, from 1. */
  breakAt(user: number, error: Error): void
}

/** A server with thirty users; a walk reads forty users a second. */
async function openWorld(binding: BindingName): Promise<World> {
  let audited = 0
  let broken: { readonly user: number; readonly error: Error } | null = null
  const kept = memory()
  const storage: Storage = extendStorage(
    kept,
    aroundQuery(
      (storage) => auditRows(storage, { tenant: '', user: '' }, null),
      async (run) => {
        audited += 1
        if (broken?.user === audited) throw broken.error
        await sleep(EACH_MS)
        return run()
      },
    ),
  )
  const server = await openServer({ definition, binding, storage })
  onTestFinished(server.close)
  for (let user = 1; user <= USERS; user += 1) {
    await server.engine.metrics.event('words', { user: { id: `user-${user}` }, value: user <= 3 ? 7 : 1 })
  }
  return {
    server,
    audited: () => audited,
    breakAt: (user, error) => {
      broken = { user, error }
    },
  }
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const post = ({ base, adminKey }: Server, path: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(`${base}/admin/v1${path}`, {
    method: 'POST',
    headers: { 'X-API-KEY': adminKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })

describe.each(BINDINGS)('Through %s', (binding) => {
  test('a walk tells how far it is a few times in a second, and ends with its report', async () => {
    const { server } = await openWorld(binding)
    const { status, headers, text } = await server.call('POST', '/admin/v1/verify', { body: {} })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    const lines = linesOf(text)
    expect(lines.at(-1)).toEqual({ report: { users: 30, entries: 30, drift: [], damaged: [] } })
    const told = lines.slice(0, -1).map(({ progress }) => progress)
    expect(told.length).toBeGreaterThan(1)
    expect(told.length).toBeLessThan(30)
    const [first] = told
    expect(first).toEqual({
      users: first.users,
      entries: first.users,
      last: { tenant: '', user: expect.any(String) },
      of: 30,
    })
    expect(told.map(({ users }) => users)).toEqual(told.map(({ users }) => users).toSorted((a, b) => a - b))
  })

  test('a walk ends between two users when the client has gone, and another may begin', async () => {
    const { server, audited } = await openWorld(binding)
    const gone = new AbortController()
    const response = await post(server, '/verify', {}, gone.signal)
    const { value } = (await response.body?.getReader().read()) ?? {}
    expect(linesOf(Buffer.from(value ?? []).toString())[0]).toMatchObject({ progress: { of: 30 } })
    gone.abort()
    await sleep(400)
    const looked = audited()
    expect(looked).toBeLessThan(USERS)
    await sleep(150)
    expect(audited()).toBe(looked)
    const again = await server.call('POST', '/admin/v1/verify', { body: { users: ['user-1', 'user-2'] } })
    expect(linesOf(again.text)).toEqual([{ report: { users: 2, entries: 2, drift: [], damaged: [] } }])
  })

  test('what fails in the middle is the last line, in the words of any other answer', async () => {
    const { server, breakAt } = await openWorld(binding)
    breakAt(15, new GamificationError('unavailable', 'The host db-7 does not answer.'))
    const failed = await server.call('POST', '/admin/v1/verify', { body: {} })
    expect(failed.status).toBe(200)
    const lines = linesOf(failed.text)
    expect(lines[0]).toMatchObject({ progress: { of: 30 } })
    expect(lines.at(-1)).toEqual({
      error: {
        error: 'The database could not be reached or locked in time. Nothing was saved; try again.',
        code: 'unavailable',
      },
    })
    const { server: other, breakAt: breakOther } = await openWorld(binding)
    breakOther(15, new TypeError('secret of the host'))
    expect(linesOf((await other.call('POST', '/admin/v1/rebuild', { body: {} })).text).at(-1)).toEqual({
      error: { error: 'Something went wrong here; the log of the server says what.', code: 'internal' },
    })
  })
})

test('what another game would change is told, then done', async () => {
  const { server } = await openWorld('node')
  const asked = await server.call('POST', '/admin/v1/what-if', { body: { definition: easier, sample: 1 } })
  expect(linesOf(asked.text).at(-1)).toEqual({
    report: {
      users: 30,
      changed: 3,
      achievements: [{ key: 'starter', gained: 3, lost: 0 }],
      points: [],
      triggers: [],
      levels: [],
      balances: [],
      leaderboards: [],
      challenges: [],
      largest: ['user-1', 'user-2', 'user-3'].map((user) => ({
        ...{ tenant: '', user, gained: ['starter'], lost: [], points: {} },
      })),
      damaged: [],
    },
  })
  const apply = (body: object) => server.call('POST', '/admin/v1/apply', { body: { definition: easier, ...body } })
  expect(linesOf((await apply({ policy: 'grant' })).text).at(-1)).toEqual({
    report: { epoch: 2, policy: 'grant', users: 30, changed: 3, damaged: [] },
  })
  const { body } = await server.call('GET', '/admin/v1/achievements/starter/completions')
  expect(body.completions.map(({ userId }: { userId: string }) => userId).sort()).toEqual([
    'user-1',
    'user-2',
    'user-3',
  ])
  const after = { tenant: '', user: 'user-5' }
  expect(linesOf((await apply({ policy: 'grant', after })).text).at(-1)).toMatchObject({
    report: { users: 4, changed: 0 },
  })
})

test('what is wrong with a body is refused before anything begins', async () => {
  const { server, audited } = await openWorld('node')
  const ask = async (path: string, body: unknown) => {
    const answer = await server.call('POST', `/admin/v1${path}`, { body })
    return [answer.status, answer.body.code, answer.body.issues?.[0]?.path]
  }
  expect(await ask('/what-if', {})).toEqual([422, 'invalid_request', 'definition'])
  expect(await ask('/what-if', { definition: { metrics: { words: {} } } })).toEqual([
    422,
    'invalid_game',
    'metrics.words.name',
  ])
  expect(await ask('/what-if', { definition: easier, sample: 0 })).toEqual([422, 'invalid_request', 'sample'])
  expect(await ask('/apply', { definition: easier })).toEqual([422, 'invalid_request', 'policy'])
  expect(await ask('/apply', { definition: 'easier', policy: 'grant' })).toEqual([422, 'invalid_game', ''])
  expect(await ask('/verify', { sample: 0.5 })).toEqual([422, 'invalid_request', 'sample'])
  expect(await ask('/verify', { users: [''] })).toEqual([422, 'invalid_request', 'users[0]'])
  expect(await ask('/rebuild', { users: Array.from({ length: 10_001 }, () => 'a') })).toEqual([
    422,
    'invalid_request',
    'users',
  ])
  expect(audited()).toBe(0)
  expect((await server.call('GET', '/admin/v1/games')).body.games).toHaveLength(1)
})
