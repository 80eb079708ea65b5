import type { KeyHolder } from '../api/keys/types.ts'

/** Whoever makes a request: by a key, as the user of the host's own session, or as somebody whom the host lets see the console. */
export type Caller = KeyHolder | SessionUser | ConsoleCaller

export interface SessionUser {
  readonly kind: 'session'
  /** Empty where the game has no tenants. */
  readonly tenant: string
  readonly userId: string
}

/** What the host lets somebody do in the console: look, or change things too. */
export type ConsoleAccess = 'read' | 'write'

export interface ConsoleCaller {
  readonly kind: 'console'
  readonly access: ConsoleAccess
}

/** Whether the caller may do what one user may, and no more. */
export function isOneUser(caller: Caller | null): caller is Exclude<Caller, { kind: 'admin' | 'console' }> {
  return caller !== null && caller.kind !== 'admin' && caller.kind !== 'console'
}
