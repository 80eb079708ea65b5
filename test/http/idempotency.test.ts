// Idempotency over HTTP, through every binding (specification 4.3.1; decisions, sections 1 and 4).

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { type ErrorCode, type GameDefinition, GamificationError, type Storage } from '../../src/index.ts'
import { limit } from '../support/busy-machine.ts'
import { dump } from '../support/dump.ts'
import { UUID_7 } from '../support/engine.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { BINDINGS, type BindingName, openServer, type Server } from '../support/http.ts'
import { ask, type RawAnswer, type RawCall } from './raw.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages' }, hints: { name: 'Hints' } },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
  achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 10, points: 5 },
        { type: 'metric', metric: 'hints', threshold: 1, points: -5, blockIfOutOfPoints: true },
      ],
      levels: { bronze: { name: 'Bronze', points: 5 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

interface World {
  readonly server: Server
  tables(): ReadonlyMap<string, readonly string[]>
}

async function open(binding: BindingName): Promise<World> {
  const host = new Database(':memory:')
  const server = await openServer({ definition: game, binding, storage: sqlite(host) })
  onTestFinished(async () => {
    await server.close()
    host.close()
  })
  return { server, tables: () => dump(host, { everything: true }) }
}

type Headers = NonNullable<RawCall['headers']>

const withKey = (...keys: readonly string[]): Headers => keys.map((key) => ['Idempotency-Key', key] as const)

interface Sent {
  readonly metric?: string
  readonly user?: string
  readonly value?: number
  readonly key?: string
  readonly body?: string
}

function send({ port, adminKey }: Server, headers: Headers, sent: Sent = {}): Promise<RawAnswer> {
  const { metric = 'words', user = 'ann', value = 12, key = adminKey } = sent
  const body = sent.body ?? JSON.stringify({ user: { id: user }, value })
  return ask(port, 'POST', `/v1/metrics/${metric}/event`, { key, headers, body })
}

const bodyOf = ({ text }: RawAnswer) => JSON.parse(text)

/** What a POST is answered with, as a client sees it. */
const told = (answer: RawAnswer): unknown => [answer.status, bodyOf(answer).total, bodyOf(answer).idempotentReplayed]

describe.each(BINDINGS)('Through %s', (binding) => {
  test('the first use of a key is 201, every other 202 with what is now so, and changes no table', async () => {
    const { server, tables } = await open(binding)
    const first = await send(server, withKey('k-1'))
    expect(first.status).toBe(201)
    expect(bodyOf(first)).toMatchObject({
      eventId: UUID_7,
      total: 12,
      achievements: [{ key: 'ten' }],
      points: { xp: { total: 5, added: 5 } },
      currentStreak: { length: 1, extended: true },
      idempotentReplayed: false,
      idempotencyKey: 'k-1',
    })
    await send(server, [], { value: 1 })
    const before = tables()
    for (const sent of [{}, { value: 999 }, { value: -1 }, { body: '{"user":{"id":"ann","name":"Eve"},"value":0}' }]) {
      const replay = await send(server, withKey('k-1'), sent)
      expect(replay.status).toBe(202)
      expect(bodyOf(replay)).toEqual({
        metricId: bodyOf(first).metricId,
        eventId: bodyOf(first).eventId,
        total: 13,
        achievements: [],
        currentStreak: {
          length: 1,
          frequency: 'daily',
          started: '2026-03-10',
          periodStart: '2026-03-10',
          periodEnd: '2026-03-10',
          expires: '2026-03-11',
          extended: false,
        },
        points: {},
        leaderboards: {},
        idempotentReplayed: true,
        idempotencyKey: 'k-1',
      })
      expect(tables()).toEqual(before)
    }
  })

  test("an application key replays its own user's events, and learns nothing of another's", async () => {
    const { server, tables } = await open(binding)
    await send(server, withKey('k-1'))
    await send(server, withKey('k-1'), { user: 'bob' })
    await send(server, withKey('k-2'), { user: 'bob' })
    const key = await server.applicationKey('ann')
    const before = tables()
    expect(told(await send(server, withKey('k-1'), { key }))).toEqual([202, 12, true])
    const [used, unused] = [
      await send(server, withKey('k-1'), { key, user: 'bob' }),
      await send(server, withKey('k-9'), { key, user: 'bob' }),
    ]
    expect([used.status, used]).toEqual([403, unused])
    expect(tables()).toEqual(before)
    // A key of bob's is nothing to ann.
    expect(told(await send(server, withKey('k-2'), { key }))).toEqual([201, 24, false])
  })

  test.each([
    ['empty', ['']],
    ['blank', [' \t ']],
    ['of 256 characters', ['k'.repeat(256)]],
    ['of 5,000 characters', ['k'.repeat(5_000)]],
    ['with a space', ['a b']],
    ['with a tab', ['a\tb']],
    ['of a letter outside ASCII', ['cl\u00e9']],
    ['of UTF-8', [Buffer.from('\u{1f511}').toString('latin1')]],
    ['with a control character of Latin-1', ['a\u0085']],
    ['sent twice', ['a', 'b']],
    ['sent twice with the same value', ['a', 'a']],
    ['sent twice, first empty', ['', 'a']],
    ['sent three times', ['a', 'b', 'c']],
  ])('a key %s is 400, and writes nothing', async (_, keys) => {
    const { server, tables } = await open(binding)
    const before = tables()
    const answer = await send(server, withKey(...keys))
    expect([answer.status, bodyOf(answer)]).toEqual([400, { error: expect.any(String), code: expect.any(String) }])
    const lowered = keys.map((key) => ['idempotency-key', key] as const)
    expect((await send(server, lowered)).status).toBe(400)
    expect(tables()).toEqual(before)
    expect(told(await send(server, withKey('a')))).toEqual([201, 12, false])
  })
})

/** A storage whose next writes fail in this way: before anything is stored, or after. */
function failing(inner: Storage, code: ErrorCode, times: number, when: 'before' | 'after'): Storage {
  let left = times
  return extendStorage(inner, (inner) => ({
    commit: async (requests, decide) => {
      const isFailing = left > 0
      left -= 1
      if (isFailing && when === 'before') throw new GamificationError(code, 'It fails.')
      const answer = await inner.commit(requests, decide)
      if (isFailing) throw new GamificationError(code, 'It fails.')
      return answer
    },
  }))
}

async function openFailing(binding: BindingName, code: ErrorCode, when: 'before' | 'after'): Promise<Server> {
  const server = await openServer({ definition: game, binding, storage: failing(memory(), code, 1, when) })
  onTestFinished(() => server.close())
  return server
}

describe.each(BINDINGS)('Through %s, when the storage fails', (binding) => {
  test.each(['unavailable', 'storage_full'] as const)(
    '%s is 503 with Retry-After, nothing was stored, and the same key then 201',
    async (code) => {
      const server = await openFailing(binding, code, 'before')
      const answer = await send(server, withKey('k-1'))
      expect([answer.status, bodyOf(answer).code, answer.head]).toEqual([
        503,
        code,
        expect.stringMatching(/\r\nretry-after: \d+/i),
      ])
      expect((await ask(server.port, 'GET', '/v1/users/ann', { key: server.adminKey })).status).toBe(404)
      expect(told(await send(server, withKey('k-1')))).toEqual([201, 12, false])
    },
  )

  // No answer would be true, and the client may repeat the call only because it carries a key.
  test.each(['before', 'after'] as const)(
    'whether it happened is not known (it failed %s the commit): the connection closes at once without an answer',
    async (when) => {
      const server = await openFailing(binding, 'outcome_unknown', when)
      const headers = [...withKey('k-1'), ['Content-Type', 'application/json'] as const]
      const body = '{"user":{"id":"ann"},"value":12}'
      const asked = { key: server.adminKey, headers, body, patience: 1_500 }
      const began = performance.now()
      expect(
        (await ask(server.port, 'POST', '/v1/metrics/words/event', asked).catch(() => ({ status: 0 }))).status,
      ).toBe(0)
      // Closed, and not given up by us.
      expect(performance.now() - began).toBeLessThan(limit(1_400))
      expect(told(await send(server, withKey('k-1')))).toEqual(when === 'before' ? [201, 12, false] : [202, 12, true])
    },
  )
})
