import type { Storage } from '../storage/storage.ts'

/** Runs one call of a storage; `operation` is the name of the method, `call` the method itself. */
export type Around = (
  operation: string,
  given: readonly unknown[],
  call: (given: readonly unknown[]) => unknown,
) => unknown

/** A storage each of whose calls runs within `around`, whatever deadline it is bound to. */
export function wrapStorage(storage: Storage, around: Around): Storage {
  return new Proxy(storage, {
    get: (_, operation) => {
      const member: unknown = Reflect.get(storage, operation)
      if (typeof member !== 'function') return member
      if (operation === 'until') return (deadline: number) => wrapStorage(storage.until(deadline), around)
      return (...given: readonly unknown[]) =>
        around(String(operation), given, (args) => Reflect.apply(member, storage, args))
    },
  })
}
