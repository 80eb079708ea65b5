import type { Storage } from '../../../src/storage/storage.ts'
import { createRandom } from '../../crash/random.ts'

/** Several storages of one schema as one: every call goes to any of them, as if each came to another process. */
export function inTurns(storages: readonly [Storage, ...Storage[]], seed: number): Storage {
  const random = createRandom(seed)
  const wrap = (turns: readonly Storage[], first: Storage): Storage =>
    new Proxy(first, {
      get: (_, name) => {
        if (name === 'close') return () => Promise.all(turns.map((storage) => storage.close()))
        const storage = turns[random.whole(0, turns.length - 1)] ?? first
        if (name !== 'until') return Reflect.get(storage, name)
        return (deadline: number) => {
          const bound = turns.map((each) => each.until(deadline))
          return wrap(bound, bound[0] ?? first)
        }
      },
    })
  return wrap(storages, storages[0])
}
