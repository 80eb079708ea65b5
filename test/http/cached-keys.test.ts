// Admin keys that are cached between requests, and keys that another process ends meanwhile.

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createGamification, type DefinedGame, defineGame, type Gamification, type Storage } from '../../src/index.ts'
import { findKey } from '../../src/sql/api-keys.ts'
import { aroundQuery } from '../support/around-query.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { usePlaces } from '../support/places.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })

async function start(storage: Storage): Promise<Gamification<DefinedGame>> {
  const engine = createGamification<DefinedGame>({ game, storage })
  onTestFinished(() => engine.close())
  await engine.migrate()
  return engine
}

describe.each(usePlaces())('On $name', ({ make }) => {
  test('an admin key is read once for many requests, and an application key for each', async () => {
    const asked: string[] = []
    const storage = extendStorage(
      make()(),
      aroundQuery(
        (each) => findKey(each, ''),
        (run, { prefix }: { readonly prefix: string }) => {
          asked.push(prefix.slice(0, 4))
          return run()
        },
      ),
    )
    const engine = await start(storage)
    await engine.users.create({ id: 'ann' })
    const { key } = await engine.adminKeys.create()
    const { created } = await engine.admin.applicationApiKeys.create([{ userId: 'ann' }])
    // The first use of a minute is written.
    expect(await engine.authenticate(key)).toMatchObject({ kind: 'admin' })
    await vi.waitFor(async () => expect((await engine.adminKeys.list())[0]?.lastUsed).not.toBe(null))
    asked.length = 0
    for (let index = 0; index < 50; index += 1) {
      expect(await engine.authenticate(key)).toMatchObject({ kind: 'admin' })
    }
    // On Postgres once a second.
    expect(asked.length).toBeLessThan(5)
    asked.length = 0
    for (let index = 0; index < 3; index += 1) await engine.authenticate(created[0]?.key)
    expect(asked).toEqual(['app_', 'app_', 'app_'])
  })

  test('an admin key that was revoked, rotated or deleted in this process is refused at once', async () => {
    const engine = await start(make()())
    const { id, key } = await engine.adminKeys.create()
    expect(await engine.authenticate(key)).toEqual({ kind: 'admin', keyId: id })
    await engine.adminKeys.revoke(id)
    expect(await engine.authenticate(key)).toBe(null)
    await engine.adminKeys.reactivate(id)
    expect(await engine.authenticate(key)).toEqual({ kind: 'admin', keyId: id })
    const rotated = await engine.adminKeys.rotate(id)
    expect(await engine.authenticate(key)).toBe(null)
    expect(await engine.authenticate(rotated.key)).toEqual({ kind: 'admin', keyId: id })
    await engine.adminKeys.delete(id)
    expect(await engine.authenticate(rotated.key)).toBe(null)
  })

  test('an admin key that was read before a revocation, and answered after it, is not cached', async () => {
    const lookup = Promise.withResolvers<void>()
    let isHeld = false
    const storage = extendStorage(
      make()(),
      aroundQuery(
        (each) => findKey(each, ''),
        async (run) => {
          const rows = await run()
          if (isHeld) await lookup.promise
          return rows
        },
      ),
    )
    const engine = await start(storage)
    const { id, key } = await engine.adminKeys.create()
    isHeld = true
    const early = engine.authenticate(key)
    // Its row was read before the revocation.
    await new Promise((resolve) => setTimeout(resolve, 100))
    await engine.adminKeys.revoke(id)
    isHeld = false
    lookup.resolve()
    expect(await early).toEqual({ kind: 'admin', keyId: id })
    expect(await engine.authenticate(key)).toBe(null)
  })

  test('an admin key that another process revoked is refused within a second', async () => {
    const open = make()
    const [engine, other] = [await start(open()), await start(open())]
    const { id, key } = await engine.adminKeys.create()
    expect(await engine.authenticate(key)).toEqual({ kind: 'admin', keyId: id })
    await other.adminKeys.revoke(id)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await engine.authenticate(key)).toBe(null)
  })

  test('an engine that was closed rejects a key that it had cached', async () => {
    const engine = await start(make()())
    const { key } = await engine.adminKeys.create()
    expect(await engine.authenticate(key)).toMatchObject({ kind: 'admin' })
    await engine.close()
    await expect(engine.authenticate(key)).rejects.toMatchObject({ code: 'closed' })
  })
})
