import type { Storage } from '../../src/index.ts'

/** A storage with members of the test's in place of its own, whatever deadline it is bound to. */
export function extendStorage(
  storage: Storage,
  membersOf: (storage: Storage, deadline: number | undefined) => Partial<Storage>,
  deadline?: number,
): Storage {
  const extended: Partial<Storage> = {
    ...membersOf(storage, deadline),
    until: (deadline) => extendStorage(storage.until(deadline), membersOf, deadline),
  }
  return new Proxy(storage, { get: (_, name) => Reflect.get(name in extended ? extended : storage, name) })
}
