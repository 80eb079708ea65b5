// @heavy: It takes more than three seconds.

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import { loadGames } from '../../src/sql/games.ts'
import { aroundQuery } from '../support/around-query.ts'
import { BINDINGS, listen } from '../support/bindings.ts'
import { limit } from '../support/busy-machine.ts'
import { NOON, openOn, STORAGES } from '../support/engine.ts'
import { extendStorage } from '../support/extend-storage.ts'

const DEFINITION = { metrics: { words: { name: 'Words' } } }
const game = defineGame(DEFINITION)

function on(storage: Storage) {
  const engine = createGamification({ game, storage })
  onTestFinished(() => engine.close())
  return engine
}

describe('An engine', () => {
  test.each(STORAGES)('that can work is healthy, on $name', async ({ create }) => {
    const engine = on(create())
    await engine.migrate()
    expect(await engine.health()).toEqual({
      status: 'ok',
      storageMs: expect.any(Number),
      isNewestGame: true,
      code: null,
      message: null,
    })
  })

  test('that is behind by a deploy says so, and works', async () => {
    const storage = memory()
    const old = await openOn(storage, { now: NOON }, DEFINITION)
    const next = await old.redefine({ metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } } })
    expect(await old.health()).toMatchObject({ status: 'ok', isNewestGame: false })
    expect(await next.health()).toMatchObject({ status: 'ok', isNewestGame: true })
  })

  test('whose database was never migrated says what to do', async () => {
    expect(await on(sqlite(new Database(':memory:'))).health()).toMatchObject({
      status: 'failing',
      code: 'storage_unusable',
      message: expect.stringContaining('migrate()'),
    })
  })

  test('whose Postgres is not there says so within two seconds', async () => {
    const start = performance.now()
    const health = await on(postgres('postgres://u:secret@127.0.0.1:1/x')).health()
    expect(health).toMatchObject({ status: 'failing', code: 'unavailable' })
    expect(JSON.stringify(health)).not.toMatch('secret')
    expect(performance.now() - start).toBeLessThan(limit(4_000))
  })

  test('whose storage hangs is failing after two seconds, and is asked once by all who ask meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const storage = memory()
    let asked = 0
    const engine = createGamification({
      game,
      storage: extendStorage(
        storage,
        aroundQuery(loadGames, () => {
          asked += 1
          return new Promise(() => undefined)
        }),
      ),
    })
    const healths = [engine.health(), engine.health(), engine.health()]
    await vi.advanceTimersByTimeAsync(1_999)
    expect(await Promise.race([...healths, 'waiting'])).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    for (const health of healths) expect(await health).toMatchObject({ status: 'failing', code: 'unavailable' })
    expect(asked).toBe(1)
  })
})

describe.each(BINDINGS)('GET /health, through %s', (binding) => {
  test('answers ok to anybody, and 503 without a reason when the storage does not answer', async () => {
    const storage = memory()
    let isDown = false
    const engine = await openOn(
      extendStorage(
        storage,
        aroundQuery(loadGames, async (run) => {
          if (isDown) throw new Error('the secret reason')
          return run()
        }),
      ),
      { now: NOON },
      DEFINITION,
    )
    const server = await listen(binding, engine)
    onTestFinished(async () => {
      await server.close()
      await engine.close()
    })
    const ask = async (path: string) => {
      const response = await fetch(server.base + path)
      return { status: response.status, body: await response.text() }
    }
    for (const path of ['/v1/health', '/admin/v1/health', '/user/v1/health']) {
      expect(await ask(path)).toEqual({ status: 200, body: '{"status":"ok"}' })
    }
    isDown = true
    for (const path of ['/v1/health', '/admin/v1/health', '/user/v1/health']) {
      const { status, body } = await ask(path)
      expect({ status, code: JSON.parse(body).code }).toEqual({ status: 503, code: 'unavailable' })
      expect(body).not.toMatch('secret')
    }
  })
})
