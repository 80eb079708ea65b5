import { AsyncLocalStorage } from 'node:async_hooks'
import { GamificationError } from '../errors.ts'

export interface HandlerScope {
  /** True if it has used `tx`, whose transaction is open then. */
  isInTransaction: boolean
}

const scopes = new AsyncLocalStorage<HandlerScope>()

export function runHandler<T>(scope: HandlerScope, run: () => T): T {
  return scopes.run(scope, run)
}

/** A handler that has used `tx` must not record: with one writer, the call and the handler wait for each other. */
export function requireNoHandlerTransaction(): void {
  if (scopes.getStore()?.isInTransaction !== true) return
  const message =
    'The handler has used tx, and this call would wait for that transaction. ' +
    'Make the call before the first query of tx, or in another subscription.'
  throw new GamificationError('invalid_request', message)
}
