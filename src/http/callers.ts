import type { KeyHolder } from '../engine/answers/wire/keys.ts'

/** Whoever makes a request: by a key, or as the user of the host's own session. */
export type Caller = KeyHolder | SessionUser

export interface SessionUser {
  readonly kind: 'session'
  /** Empty where the game has no tenants. */
  readonly tenant: string
  readonly userId: string
}

/** Whether the caller may do what one user may, and no more. */
export function isOneUser(caller: Caller | null): caller is Exclude<Caller, { kind: 'admin' }> {
  return caller !== null && caller.kind !== 'admin'
}
