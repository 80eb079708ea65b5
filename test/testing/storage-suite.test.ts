import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { Decide, LoadedUser, Storage, UserSave } from '../../src/storage/storage.ts'
import { storageSuite } from '../../src/testing/storage-suite.ts'
import { queryCases } from '../sql/cases/query-cases.ts'
import { extendStorage } from '../support/extend-storage.ts'

test('Every case of the storage suite has an id of its own, which is short', () => {
  const ids = [...storageSuite, ...queryCases].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^(?=.{5,35}$)[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)*$/)
})

test('Every case of the storage suite has a name of its own', () => {
  expect(new Set(storageSuite.map(({ name }) => name)).size).toBe(storageSuite.length)
})

const idOf = ({ tenant, user }: LoadedUser): string => JSON.stringify([tenant, user])

/** Asks for all users but the first, then for the first, and then for the last again: what it says then is stored. */
function inParts(decide: Decide): Decide {
  return (users, epoch) => {
    if (users.length < 2) return decide(users, epoch)
    const answers = new Map<string, UserSave | null>()
    for (const part of [users.slice(1), users.slice(0, 1), users.slice(-1)]) {
      const saves = decide(part, epoch)
      expect(saves).toHaveLength(part.length)
      for (const [index, user] of part.entries()) answers.set(idOf(user), saves[index] ?? null)
    }
    return users.map((user) => answers.get(idOf(user)) ?? null)
  }
}

function askingInParts(): Storage {
  const storage = memory()
  return extendStorage(storage, (storage) => ({
    commit: (requests, decide) => storage.commit(requests, inParts(decide)),
  }))
}

describe('A storage that asks decide for some users first and for the others later', () => {
  for (const { id, name, run } of storageSuite) {
    test(`${id}: ${name}`, async () => {
      const storage = askingInParts()
      await run(storage).finally(() => storage.close())
    })
  }
})
