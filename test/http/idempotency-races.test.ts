// One key that 32 sockets send at once to two server processes on one SQLite file. SOAK=1: 500 keys in place of 50.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { compiled } from '../support/compiled.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { times } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { game } from './authorization-table.ts'
import { type ServerProcess, startServer } from './server-processes.ts'

const KEYS = process.env.SOAK === '1' ? 500 : 50
const SOCKETS = 32
const USERS = 5

const nextFile = useDatabaseFiles()

/** A connection that stays open, and on which one request is sent when told to. */
interface Line {
  readonly socket: Socket
  send(request: string): Promise<{ readonly status: number; readonly body: { readonly [name: string]: unknown } }>
}

async function openLine(port: number): Promise<Line> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  let text = ''
  const send: Line['send'] = (request) =>
    new Promise((resolve, reject) => {
      const take = (chunk: Buffer): void => {
        text += chunk.toString('utf8')
        const end = text.indexOf('\r\n\r\n')
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN)
        if (end === -1 || Buffer.byteLength(text.slice(end + 4)) < length) return
        socket.off('data', take).off('close', breakOff)
        const status = Number(text.slice(9, 12))
        const body = JSON.parse(text.slice(end + 4))
        text = ''
        resolve({ status, body })
      }
      const breakOff = (): void => reject(new Error(`Closed after ${JSON.stringify(text)}`))
      socket.on('data', take).on('close', breakOff)
      socket.write(request)
    })
  return { socket, send }
}

function toRequest(apiKey: string, idempotencyKey: string, user: string): string {
  const body = JSON.stringify({ user: { id: user }, value: 1 })
  const lines = [
    'POST /v1/metrics/words/event HTTP/1.1',
    'Host: 127.0.0.1',
    `X-API-KEY: ${apiKey}`,
    `Idempotency-Key: ${idempotencyKey}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

describe('Of 32 sockets that send one key at once to two processes', () => {
  let engine: Engine
  let servers: readonly ServerProcess[] = []
  let apiKey = ''
  const ofUsers: string[] = []

  beforeAll(async () => {
    const directory = compiled()
    const file = nextFile()
    engine = await openOn(sqlite(file, { synchronous: 'NORMAL' }), { now: NOON }, game)
    apiKey = (await engine.adminKeys.create()).key
    for (const id of times(USERS, (index) => `user-${index}`)) {
      await engine.users.create({ id })
      const { created } = await engine.admin.applicationApiKeys.create([{ userId: id }])
      ofUsers.push(created[0]?.key ?? '')
    }
    servers = await Promise.all(times(2, () => startServer({ directory, file, game, now: NOON })))
  }, 60_000)

  afterAll(async () => {
    for (const { child } of servers) child.kill()
    await Promise.all(servers.map(({ child }) => child.ended))
    await engine.close()
  })

  test(`exactly one is told 201, for each of ${KEYS} keys`, async () => {
    const lines = await Promise.all(times(SOCKETS, (index) => openLine(servers[index % 2]?.port ?? 0)))
    const winners = new Set<number>()
    for (const key of times(KEYS, (index) => index)) {
      const user = key % USERS
      // Half of the rounds are sent by the application itself, half by the user.
      const request = toRequest(key % 2 === 0 ? apiKey : (ofUsers[user] ?? ''), `key-${key}`, `user-${user}`)
      // Each process is the first to be told in every other round.
      const first = [...lines.slice(key % 2), ...lines.slice(0, key % 2)]
      const answers = await Promise.all(first.map((line) => line.send(request)))
      const statuses = answers.map(({ status }) => status)
      expect([key, statuses.filter((status) => status === 201).length]).toEqual([key, 1])
      expect([key, statuses.filter((status) => status === 202).length]).toEqual([key, SOCKETS - 1])
      expect(new Set(answers.map(({ body }) => body.eventId)).size).toBe(1)
      expect(new Set(answers.map(({ body }) => body.idempotencyKey))).toEqual(new Set([`key-${key}`]))
      expect(answers.map(({ body }) => body.idempotentReplayed)).toEqual(statuses.map((status) => status === 202))
      // Nobody else writes of this user: all see the one event.
      expect(new Set(answers.map(({ body }) => body.total))).toEqual(new Set([Math.floor(key / USERS) + 1]))
      winners.add((statuses.indexOf(201) + key) % 2)
    }
    // Both processes have won some.
    if (KEYS >= 50) expect([...winners].sort()).toEqual([0, 1])
    for (const { socket } of lines) socket.destroy()
    const totals = times(USERS, async (user) => (await engine.users.singleMetric(`user-${user}`, 'words')).current)
    expect(await Promise.all(totals)).toEqual(times(USERS, () => KEYS / USERS))
  }, 120_000)

  test('which are many at once, each is told 201 once', async () => {
    const lines = await Promise.all(times(SOCKETS, (index) => openLine(servers[index % 2]?.port ?? 0)))
    // Every socket sends all of the keys, each in an order of its own.
    const statuses = new Map<string, number[]>()
    await Promise.all(
      lines.map(async (line, offset) => {
        for (const step of times(20, (index) => index)) {
          const key = `many-${(step * 7 + offset * 3) % 20}`
          const { status } = await line.send(toRequest(apiKey, key, 'ann'))
          statuses.set(key, [...(statuses.get(key) ?? []), status])
        }
      }),
    )
    for (const { socket } of lines) socket.destroy()
    expect(statuses.size).toBe(20)
    for (const [key, told] of statuses) {
      expect([key, told.sort()]).toEqual([key, [201, ...Array(SOCKETS - 1).fill(202)]])
    }
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(20)
  }, 60_000)
})
