import { GamificationError } from '../errors.ts'
import { checkOptions } from '../options.ts'
import type { Context } from './context.ts'
import { deadlineFrom } from './deadline.ts'
import { keyId, parse } from './input.ts'

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
  return { ...context, deadline, by, isClient, confirm, storage: context.storage.until(deadline) }
}
