import { GamificationError } from '../errors.ts'
import { checkOptions } from '../options.ts'
import type { Storage } from '../storage/storage.ts'
import type { Context } from './context.ts'
import { keyId, parse } from './input.ts'

export const NEVER: number = Number.POSITIVE_INFINITY

export function deadlineFrom({ deadlineMs }: Pick<Storage, 'deadlineMs'>, arrivedAt: number): number {
  return deadlineMs === null ? NEVER : arrivedAt + deadlineMs
}

/** The moment at which a request arrived, as the host gives it. Throws `invalid_request`. */
export function toArrival(given: unknown): number {
  if (typeof given === 'number' && Number.isFinite(given)) return given
  const message = 'arrivedAt must be the moment at which the request arrived, by performance.now(): a finite number.'
  throw new GamificationError('invalid_request', message)
}

/** Parses the host's options of a request. Throws `invalid_request`. */
export function toRequest(
  arrivedAt: unknown,
  options: {
    readonly by?: string | null
    readonly isClient?: boolean
    readonly confirm?: (() => Promise<void>) | null
  } = {},
): Request {
  checkOptions('options', options, ['by', 'isClient', 'confirm'])
  const { by = null, isClient = false, confirm = null } = options
  if (typeof isClient !== 'boolean') throw new GamificationError('invalid_request', 'isClient must be true or false.')
  if (confirm !== null && typeof confirm !== 'function') {
    throw new GamificationError('invalid_request', 'confirm must be a function.')
  }
  return { arrivedAt: toArrival(arrivedAt), by: by === null ? null : parse(keyId, by, 'by'), isClient, confirm }
}

export function waitedTooLong(): GamificationError {
  const message = 'The call waited behind others until its deadline, and was not begun. Nothing was saved; try again.'
  return new GamificationError('unavailable', message)
}

export interface Request {
  readonly arrivedAt: number
  readonly by: string | null
  readonly isClient: boolean
  readonly confirm: Context['confirm']
}

/** The context of a call that arrived at this moment: the storage has to answer all its questions by one deadline. */
export function startCall(
  context: Context,
  { arrivedAt = performance.now(), by = null, isClient = false, confirm = null }: Partial<Request> = {},
): Context {
  const deadline = deadlineFrom(context.storage, arrivedAt)
  return { ...context, deadline, by, isClient, confirm, storage: storageBy(context.storage, deadline) }
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
