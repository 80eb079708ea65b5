import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import type { GameDefinition } from '../../../src/index.ts'
import { expectProblem, expectStatus, type Server, serve } from './serve.ts'

const game: GameDefinition = { metrics: { words: { name: 'Words written' } } }

/** On a file that `lock` keeps anyone from writing to. */
async function serveOnFile(): Promise<{ server: Server; lock: () => () => void }> {
  const folder = await mkdtemp(join(tmpdir(), 'laurels-http-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'app.db')
  const server = await serve(game, { storage: sqlite(file, { busyDeadlineMs: 300 }) })
  const lock = () => {
    const other = new Database(file)
    other.exec('BEGIN IMMEDIATE')
    return () => {
      other.exec('ROLLBACK')
      other.close()
    }
  }
  return { server, lock }
}

describe('section 1: 503', () => {
  test('with Retry-After when a lock was not had in time, and nothing was committed', async () => {
    const { server, lock } = await serveOnFile()
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    const release = lock()
    const call = { body: { user: { id: 'ann' }, value: 5 }, headers: { 'Idempotency-Key': 'k' } }
    const event = await server.call('POST', '/v1/metrics/words/event', call)
    const update = await server.call('PATCH', '/v1/users/ann', { body: { name: 'Ann' } })
    release()
    for (const answer of [event, update]) {
      expectProblem(answer, 503, 'unavailable')
      expect(answer.text).not.toMatch(/app\.db|laurels-http/)
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    expect((await server.call('GET', '/v1/users/ann')).body.name).toBe(null)
    expect((await server.call('GET', '/v1/users/ann/metrics/words')).body.current).toBe(0)
    const again = await server.call('POST', '/v1/metrics/words/event', call)
    expectStatus(again, 201)
    expect(again.body).toMatchObject({ total: 5, idempotentReplayed: false })
  })

  test('never for a read that needs no lock: the last use of the key is off its path', async () => {
    const { server, lock } = await serveOnFile()
    await server.call('POST', '/v1/users', { body: { id: 'ann' } })
    const release = lock()
    server.engine.at('2026-03-10T13:00:00.000Z')
    const read = await server.call('GET', '/v1/users/ann')
    const denied = await server.call('GET', '/v1/users/ann', { key: null })
    release()
    expectStatus(read, 200)
    expectProblem(denied, 401)
  })
})
