// @heavy: It takes more than three seconds.
// Idempotency over HTTP, through every binding (specification 4.3.1; decisions, sections 1 and 4).

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { dump } from '../support/dump.ts'
import { UUID_7 } from '../support/engine.ts'
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

/** The answer to a POST, as a client sees it. */
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
      const { metricId, eventId } = bodyOf(first)
      expect(bodyOf(replay)).toMatchObject({
        metricId,
        eventId,
        total: 13,
        achievements: [],
        points: {},
        leaderboards: {},
      })
      expect(bodyOf(replay)).toMatchObject({ idempotentReplayed: true, idempotencyKey: 'k-1' })
      expect(bodyOf(replay).currentStreak).toMatchObject({ length: 1, extended: false })
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
