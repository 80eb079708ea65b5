import type { Count, DateText, InstantText, Integer, Positive, Uuid } from './formats.ts'

/** Points that expire together. */
export interface WalletLot {
  readonly amount: Positive
  /** The first local date on which they are gone, or `null` if they never expire. */
  readonly expires: DateText | null
}

/** Points that are earned, and not yet available. */
export interface PendingWalletLot extends WalletLot {
  /** The local date at whose beginning they become available. */
  readonly available: DateText
}

/** Points that are set aside until they are captured or released. */
export interface WalletHold {
  readonly id: Uuid
  readonly amount: Positive
  /** When it releases itself. */
  readonly expiresAt: InstantText
  readonly reference: string | null
}

/** A user's balance in one points system, with the parts that it consists of. */
export interface PointsBalance {
  readonly system: string
  /** Name of the points system. */
  readonly name: string
  /** Everything that was ever earned. Levels and leaderboards use it. */
  readonly total: Count
  /** The points that can be spent. Below 0 if earlier points were taken back after they were spent. */
  readonly balance: Integer
  /** Points that are earned and not yet available. */
  readonly pending: Count
  /** Points that holds have set aside. */
  readonly held: Count
  /** Points that were spent and not refunded, and points that support took. */
  readonly spent: Integer
  readonly expired: Count
  /** The parts of the balance, the first to expire first. Empty if the balance is below 0. */
  readonly lots: readonly WalletLot[]
  readonly pendingLots: readonly PendingWalletLot[]
  readonly holds: readonly WalletHold[]
  /** The points that expire next, or `null` if none do. */
  readonly nextExpiry: { readonly amount: Positive; readonly date: DateText } | null
}

/** One line of a statement: points that came, went, or became available. */
export interface PointsMovement {
  /**
   * - `earned`: the balance changes once the points are `available`, if the system has `pending`.
   * - `captured`: a part of a hold was spent. The balance changed when it was held.
   * - `released`: a hold, or the rest of it, returned to the balance.
   * - `adjusted`: by support.
   */
  readonly kind:
    | 'earned'
    | 'available'
    | 'spent'
    | 'held'
    | 'captured'
    | 'released'
    | 'refunded'
    | 'expired'
    | 'adjusted'
  readonly date: InstantText
  /** How many points it is about. */
  readonly points: Positive
  /** The change of the balance. */
  readonly amount: Integer
  /** The balance after it. */
  readonly balance: Integer
  /** Id of the entry in the log that caused it. `null` if time caused it, and no entry has followed. */
  readonly entryId: Uuid | null
  /** For `spent`, `captured` and `refunded`. */
  readonly spendId?: Uuid
  /** For `held`, `captured` and `released`. */
  readonly holdId?: Uuid
  /** The host's own reference of the spend or hold. */
  readonly reference?: string
  /** For `held`: when it releases itself. */
  readonly expiresAt?: InstantText
  /** The parts that came or went. Points that made or paid a debt are in none. */
  readonly lots: readonly WalletLot[]
}

/** A page of a user's statement in one points system. */
export interface PointsStatement {
  readonly system: string
  /** The newest first. */
  readonly movements: readonly PointsMovement[]
  /** The `before` of the next page, or `null` if there are no older movements. */
  readonly next: string | null
}

interface KeyedAnswer {
  readonly userId: string
  readonly system: string
  /** The balance now. */
  readonly balance: Integer
  /** Set if an idempotency key was sent: true if the call was recorded before. */
  readonly idempotentReplayed?: boolean
  readonly idempotencyKey?: string
}

/** Points that were spent. */
export interface SpendResponse extends KeyedAnswer {
  readonly spendId: Uuid
  readonly amount: Positive
}

/** Points that were set aside. */
export interface HoldResponse extends KeyedAnswer {
  readonly holdId: Uuid
  readonly amount: Positive
  /** When it releases itself. */
  readonly expiresAt: InstantText
}

/** A hold that was spent, in part or whole. The rest returned to the balance. */
export interface CaptureResponse extends KeyedAnswer {
  readonly spendId: Uuid
  readonly holdId: Uuid
  /** The points that were spent. */
  readonly amount: Positive
}

/** A hold that returned to the balance. */
export interface ReleaseResponse {
  readonly holdId: Uuid
  readonly userId: string
  readonly system: string
  /** The points that returned: 0 if the hold had ended before. */
  readonly released: Count
  readonly balance: Integer
}

/** A spend that was given back, in part or whole. */
export interface RefundResponse extends KeyedAnswer {
  readonly refundId: Uuid
  readonly spendId: Uuid
  readonly refunded: Positive
}
