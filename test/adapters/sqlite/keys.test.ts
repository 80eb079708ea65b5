// @heavy: It takes more than three seconds.
// API keys that several connections share, each with its own storage on one file.

import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import {
  addAdminKey,
  addApplicationKeys,
  findKey,
  loadAdminKeys,
  removeAdminKey,
  removeApplicationKeys,
  updateAdminKey,
} from '../../../src/sql/api-keys.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { adminKey, applicationKey } from '../../../src/testing/storage/key-samples.ts'
import { ANN, BOB } from '../../../src/testing/storage/samples.ts'
import { compiled, runCompiled } from '../../support/compiled.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

async function openTwice(): Promise<{ file: string; one: Storage; two: Storage; close: () => Promise<void> }> {
  const file = nextFile()
  const [one, two] = [sqlite(file), sqlite(file)]
  await one.migrate()
  return { file, one, two, close: async () => void (await Promise.all([one.close(), two.close()])) }
}

describe('What one connection does to a key holds for the next look of the other', () => {
  test('revoked, activated, rotated and removed, an admin key', async () => {
    const { one, two, close } = await openTwice()
    await addAdminKey(one, adminKey('a'), 3)
    expect(await findKey(two, 'prefix-a')).toEqual(adminKey('a'))

    for (const status of ['revoked', 'active', 'revoked', 'active'] as const) {
      await updateAdminKey(one, 'a', { status })
      expect(await findKey(two, 'prefix-a')).toEqual(adminKey('a', { status }))
      expect(await loadAdminKeys(two)).toEqual([adminKey('a', { status })])
    }
    await updateAdminKey(two, 'a', { prefix: 'new-a', hash: 'new' })
    expect(await findKey(one, 'prefix-a')).toBeNull()
    expect(await findKey(one, 'new-a')).toEqual(adminKey('a', { prefix: 'new-a', hash: 'new' }))
    await removeAdminKey(one, 'a')
    expect(await findKey(two, 'new-a')).toBeNull()
    expect(await updateAdminKey(two, 'a', { status: 'active' })).toBeNull()
    await close()
  })

  test('added and removed, an application key', async () => {
    const { one, two, close } = await openTwice()
    expect(await findKey(two, 'app_b')).toBeNull()
    await addApplicationKeys(one, [applicationKey('b'), applicationKey('c', { owner: BOB })])
    expect(await findKey(two, 'app_b')).toEqual(applicationKey('b'))
    expect(await removeApplicationKeys(one, '', ['b'])).toEqual(['b'])
    expect(await findKey(two, 'app_b')).toBeNull()
    expect(await removeApplicationKeys(two, '', ['b', 'c'])).toEqual(['c'])
    expect(await findKey(one, 'app_c')).toBeNull()
    await close()
  })

  test('last used, whichever of them says so first', async () => {
    const { one, two, close } = await openTwice()
    await addAdminKey(one, adminKey('a'), 3)
    await updateAdminKey(two, 'a', { lastUsedAt: 120_000 })
    expect(await updateAdminKey(one, 'a', { lastUsedAt: 60_000 })).toEqual(adminKey('a', { lastUsedAt: 120_000 }))
    await updateAdminKey(one, 'a', { lastUsedAt: 180_000 })
    expect(await findKey(two, 'prefix-a')).toEqual(adminKey('a', { lastUsedAt: 180_000 }))
    await close()
  })
})

describe('No more admin keys are stored than there may be', () => {
  beforeAll(() => void compiled(), 60_000)

  test('though two connections wait for the file and then race for the last places', async () => {
    const { file, one, two, close } = await openTwice()
    await addAdminKey(one, adminKey('first'), 3)
    const other = new Database(file)
    other.exec('begin immediate')
    const callers = Array.from({ length: 50 }, (_, index) => {
      return addAdminKey(index % 2 === 0 ? one : two, adminKey(`key-${index}`), 3)
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    other.exec('rollback')
    other.close()
    expect((await Promise.all(callers)).filter(Boolean)).toEqual([true, true])
    expect(await loadAdminKeys(two)).toHaveLength(3)
    await close()
  })

  test('though four processes do it at once', async () => {
    const { file, one, close } = await openTwice()
    const script = `
      import { sqlite } from './adapters/sqlite/index.js'
      import { addAdminKey } from './src/sql/api-keys.js'
      import { adminKey } from './src/testing/storage/key-samples.js'
      const storage = sqlite(process.argv[1])
      const ids = Array.from({ length: 25 }, (_, index) => process.argv[2] + '-' + index)
      const answers = await Promise.all(ids.map((id) => addAdminKey(storage, adminKey(id), 3)))
      console.log(JSON.stringify(ids.filter((_, index) => answers[index])))
      await storage.close()`
    const runs = await Promise.all(['a', 'b', 'c', 'd'].map((name) => runCompiled(script, file, name)))
    const stored: string[] = runs.flatMap(({ stdout }) => JSON.parse(stdout))
    expect(stored).toHaveLength(3)
    expect((await loadAdminKeys(one)).map(({ id }) => id)).toEqual(stored.sort())
    await close()
  }, 60_000)

  test('for nobody else can write between the count and the key', async () => {
    const file = nextFile()
    const locks: string[] = []
    const storage = sqlite(file, {
      driver: async () =>
        class extends Database {
          constructor(path: string, options: Database.Options) {
            super(path, options)
            const prepare = this.prepare.bind(this)
            const value = (text: string): unknown => {
              if (text.includes('laurels_api_keys')) locks.push(`${text.split(' ')[0]}: ${lockOf(file)}`)
              return prepare(text)
            }
            Object.defineProperty(this, 'prepare', { value })
          }
        },
    })
    await storage.migrate()
    await addAdminKey(storage, adminKey('a'), 3)
    // One statement counts and inserts.
    expect(locks.filter((lock) => lock.startsWith('insert'))).toEqual(['insert: SQLITE_BUSY'])
    expect(lockOf(file)).toBe('free')
    await storage.close()
  })

  /** The code of the error that SQLite answers another connection with, or `free`. */
  function lockOf(file: string): string {
    const other = new Database(file, { timeout: 0 })
    try {
      other.exec('begin immediate; rollback')
      return 'free'
    } catch (error) {
      return error instanceof Database.SqliteError ? error.code : String(error)
    } finally {
      other.close()
    }
  }

  test('An application key without an owner, which would be an admin key, is refused; so is the reverse', async () => {
    const storage = memory()
    await storage.migrate()
    const keys = [applicationKey('a'), applicationKey('b', { owner: null })]
    await expect(addApplicationKeys(storage, keys)).rejects.toMatchObject({ code: 'internal' })
    await expect(addAdminKey(storage, adminKey('c', { owner: ANN }), 3)).rejects.toMatchObject({ code: 'internal' })
    expect(await loadAdminKeys(storage)).toEqual([])
    expect(await Promise.all(['app_a', 'app_b', 'prefix-c'].map((prefix) => findKey(storage, prefix)))).toEqual([
      null,
      null,
      null,
    ])
    await storage.close()
  })
})

test('Admin keys are counted by an index of their own, for there may be an application key for every user', async () => {
  const host = new Database(':memory:')
  const texts: string[] = []
  const storage = sqlite(
    Object.assign(host, {
      prepare: new Proxy(host.prepare, {
        apply: (prepare, self, args: [string]) => {
          texts.push(args[0])
          return Reflect.apply(prepare, self, args)
        },
      }),
    }),
  )
  await storage.migrate()
  await addAdminKey(storage, adminKey('a'), 3)
  await loadAdminKeys(storage)
  const asked = texts.filter((text) => /^(select|insert)/.test(text) && text.includes('laurels_api_keys'))
  const plans = asked.map((text) => {
    const values = [...text.matchAll(/\?/g)].map(() => null)
    const plan = host.prepare<null[], { detail: string }>(`explain query plan ${text}`).all(...values)
    return plan.map(({ detail }) => detail).filter((detail) => detail.includes('laurels_api_keys'))
  })
  expect(plans).toEqual([
    ['SCAN laurels_api_keys USING COVERING INDEX laurels_admin_keys'],
    ['SCAN laurels_api_keys USING INDEX laurels_admin_keys'],
  ])
  await storage.close()
})
