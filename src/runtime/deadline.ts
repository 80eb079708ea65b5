import { GamificationError } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'

export const NEVER: number = Number.POSITIVE_INFINITY

export function deadlineFrom({ deadlineMs }: Pick<Storage, 'deadlineMs'>, arrivedAt: number): number {
  return arrivedAt + deadlineMs
}

export function waitedTooLong(): GamificationError {
  const message = 'The call waited behind others until its deadline, and was not begun. Nothing was saved; try again.'
  return new GamificationError('unavailable', message)
}

/** Reads of a whole log, or of all users: they may be of any length. */
const IN_PARTS: ReadonlySet<string | symbol> = new Set([
  'readLog',
  'readEvents',
  'eventValues',
  'awardValues',
  'pointsTotals',
  'longestStreaks',
  'eventsBy',
] satisfies readonly (keyof Storage)[])

/** The storage with a deadline. Reads in parts get a new deadline for each part, and so do the calls after them. */
export function storageBy(storage: Storage, deadline: number): Storage {
  if (deadline === NEVER) return storage
  let end = deadline
  let bound: Storage | null = null
  return new Proxy(storage, {
    get: (_, name) => {
      if (!IN_PARTS.has(name)) {
        bound ??= storage.until(end)
        return Reflect.get(bound, name)
      }
      const read = Reflect.get(storage, name)
      return async (...given: readonly unknown[]) => {
        const part = await Reflect.apply(read, storage, given)
        end = Math.max(end, deadlineFrom(storage, performance.now()))
        bound = null
        return part
      }
    },
  })
}
