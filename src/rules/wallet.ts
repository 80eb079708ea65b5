import type { Day, Instant } from './calendar.ts'

/** Points of a spendable system that expire together. */
export interface Lot {
  /** The first local date on which they are gone, or `null` if they never expire. */
  readonly expires: Day | null
  readonly amount: number
}

/** Points that are earned, and not yet available. */
export interface PendingLot extends Lot {
  /** The local date at whose beginning they become available. */
  readonly available: Day
}

/** Points that are set aside until they are captured or released. */
export interface Hold {
  /** The id of its entry. */
  readonly id: string
  readonly amount: number
  /** The instant at which it is released, unless it was captured or released before. */
  readonly until: Instant
  /** The parts that it took from lots, in their order. The rest of its amount made or increased a debt. */
  readonly lots: readonly Lot[]
  readonly reference?: string
}

/** The points of a spendable system that a user has. */
export interface Wallet {
  /** A debt if it is negative. Then there are no lots; otherwise it is their sum. */
  readonly balance: number
  /** One for each date of expiry, in ascending order, with `null` last: at most 120. */
  readonly lots: readonly Lot[]
  /** In ascending order of `available`, then of `expires`. */
  readonly pending: readonly PendingLot[]
  /** In the order in which they were made. At most 20, but more after a merge. */
  readonly holds: readonly Hold[]
  /** Spends and captures without what was refunded, and what support took. */
  readonly spent: number
  readonly expired: number
}
