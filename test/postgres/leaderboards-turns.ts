import type { Storage } from '../../src/storage.ts'
import { createRandom } from '../crash/random.ts'

/** Several storages of one schema as one: every call goes to any of them, as if each came to another process. */
export function inTurns(storages: readonly [Storage, ...Storage[]], seed: number): Storage {
  const random = createRandom(seed)
  return new Proxy(storages[0], {
    get: (first, name, receiver) => {
      if (name === 'close') return () => Promise.all(storages.map((storage) => storage.close()))
      const storage = storages[random.whole(0, storages.length - 1)] ?? first
      return Reflect.get(storage, name, receiver)
    },
  })
}
