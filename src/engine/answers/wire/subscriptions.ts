import type { GamificationMessage } from './messages.ts'

/** How far a subscription is. */
export interface SubscriptionStatus {
  readonly name: string
  readonly types: readonly string[]
  /** Everything up to and including it was handed over. */
  readonly position: number
  /** How many messages wait for it; no more than 10,000 are counted. */
  readonly behind: number
  /** How many were put aside. */
  readonly deadLetters: number
  /** How often handing over what comes next has failed. */
  readonly tries: number
  /** ISO 8601; null: nothing has failed. */
  readonly nextTryAt: string | null
  readonly lastError: string | null
  /** Whether a process hands over its messages now. */
  readonly isActive: boolean
  /** Whether what was before the subscription is still handed over. */
  readonly isCatchingUp: boolean
}

/** A message that was put aside. */
export interface DeadLetter {
  readonly message: GamificationMessage
  readonly position: number
  readonly tries: number
  readonly lastError: string | null
  readonly lastTryAt: string | null
  /** Whether it waits to be handed over again. */
  readonly isRetried: boolean
}

export interface DeadLetters {
  /** The newest first. */
  readonly deadLetters: readonly DeadLetter[]
  /** `before` of the next page; null: there are no more. */
  readonly next: number | null
}
