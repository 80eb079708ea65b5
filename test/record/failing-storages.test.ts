// The errors about a storage that fails in the middle.

import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import {
  type ErrorCode,
  GamificationError,
  type ImportItem,
  type ImportRefusal,
  type Storage,
} from '../../src/index.ts'
import { NOON, openOn } from '../support/engine.ts'
import { extendStorage } from '../support/extend-storage.ts'

const game = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 1, max: 5 } },
} as const

/** In memory, and once something fails, every save in which this user is. */
function failingFor(user: string): { readonly storage: Storage; fail(code: ErrorCode): void } {
  const storage = memory()
  let failure: ErrorCode | null = null
  return {
    storage: extendStorage(storage, (storage) => ({
      commit: async (users, decide) => {
        if (failure === null || users.every((load) => load.user !== user)) return storage.commit(users, decide)
        throw new GamificationError(failure, 'The disk is not well.')
      },
    })),
    fail: (code) => {
      failure = code
    },
  }
}

describe('An import', () => {
  test('stops when the disk is full, and says so once, not of each item', async () => {
    const { storage, fail } = failingFor('bob')
    const engine = await openOn(storage, { now: NOON }, game)
    const refused: ImportRefusal[] = []
    const items: ImportItem[] = ['ann', 'bob'].map((id) => ({ metric: 'words', user: { id }, value: 1 }))
    fail('storage_full')
    await expect(engine.import(items, { onRefused: (refusal) => refused.push(refusal) })).rejects.toMatchObject({
      code: 'storage_full',
    })
    expect(refused).toEqual([])
    await engine.close()
  })
})

describe('Freezes for more users than one save has', () => {
  const users = Array.from({ length: 65 }, (_, index) => `user-${index + 1}`)
  const freezes = users.map((userId) => ({ userId }))

  test('that some were given before the storage failed are answered, with an issue for each of the others', async () => {
    const { storage, fail } = failingFor('user-65')
    const engine = await openOn(storage, { now: NOON }, game)
    await engine.import(users.map((id) => ({ metric: 'words', user: { id }, value: 1 })))
    fail('unavailable')

    const { issues } = await engine.admin.streaks.freezes.create({ freezes })

    expect(issues).toContainEqual(
      expect.objectContaining({ userId: 'user-65', severity: 'error', message: 'The disk is not well.' }),
    )
    expect(issues.map(({ userId }) => userId)).not.toContain('user-1')
    expect((await engine.users.streak('user-1')).freezes).toBe(2)
    expect((await engine.users.streak('user-65')).freezes).toBe(1)
    await engine.close()
  })

  test('that nobody was given are refused as a whole', async () => {
    const { storage, fail } = failingFor('user-65')
    const engine = await openOn(storage, { now: NOON }, game)
    await engine.import([{ metric: 'words', user: { id: 'user-65' }, value: 1 }])
    fail('unavailable')
    const given = engine.admin.streaks.freezes.create({ freezes: freezes.slice(-1) })
    await expect(given).rejects.toMatchObject({ code: 'unavailable', message: 'The disk is not well.' })
    await engine.close()
  })
})
