import type { Instant } from './calendar.ts'

/** A reward that a user has bought. */
export interface Redemption {
  /** The id of the entry, and of the spend. */
  readonly id: string
  /** Key of the reward. */
  readonly reward: string
  readonly at: Instant
  /** The price as of then. */
  readonly system: string
  readonly amount: number
  /** True if the reward had a stock, from which it was taken. */
  readonly isStocked: boolean
  /** `cancelled`: the points were refunded, and a stock was given back. */
  readonly status: 'open' | 'fulfilled' | 'cancelled'
  /** When it was fulfilled or cancelled, or `null` if it is open. */
  readonly settledAt: Instant | null
}

/** A redemption, and the user who has it. */
export interface OwnedRedemption extends Redemption {
  readonly user: string
}
