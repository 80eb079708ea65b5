// The calls of a history, the games under which users make them, and the wallets that follow.

export type After = { readonly days: number } | { readonly months: number } | { readonly years: number }
export type RoundTo = 'day' | 'month' | 'year'

export interface System {
  readonly spendable: boolean
  readonly expires?: { readonly after: After; readonly roundTo?: RoundTo }
  readonly pending?: { readonly days: number }
  readonly refundGrace?: { readonly days: number }
  readonly maxPoints?: number
  /** The price of a reward, if the points can be spent. */
  readonly price?: number
  /** Points for each page. */
  readonly each: number
  readonly time?: { readonly every: { readonly hours: number } | { readonly days: number }; readonly points: number }
}

export interface Game {
  readonly systems: { readonly [key: string]: System }
}

export interface Deployed {
  readonly game: Game
  /** The instant from which it was in force. */
  readonly since: number
}

export type Policy = 'forward' | 'grant' | 'recompute'

/** A spend, a capture and a hold are named by the history; the engine gives its own id. */
export type Act =
  | { readonly type: 'event'; readonly key: string; readonly value: number; readonly occurredAt?: number }
  | { readonly type: 'void'; readonly key: string }
  | { readonly type: 'move'; readonly tz: string }
  | { readonly type: 'adjust'; readonly system: string; readonly points: number; readonly fromEarned: boolean }
  | { readonly type: 'spend'; readonly system: string; readonly amount: number; readonly name: string }
  | {
      readonly type: 'hold'
      readonly system: string
      readonly amount: number
      readonly minutes: number
      readonly name: string
    }
  | { readonly type: 'capture'; readonly hold: string; readonly amount?: number; readonly name: string }
  | { readonly type: 'release'; readonly hold: string }
  | { readonly type: 'refund'; readonly spend: string; readonly amount?: number; readonly name: string }
  | { readonly type: 'redeem'; readonly name: string; readonly amount?: number }
  | { readonly type: 'cancel'; readonly redemption: string }
  | { readonly type: 'merge'; readonly into: string }
  | { readonly type: 'delete' }
  | { readonly type: 'apply'; readonly game: Game; readonly policy: Policy }

export interface Call {
  readonly at: number
  readonly user: string
  readonly act: Act
}

/** The part of a call that the user's log keeps. A grant is what a newer game gave. */
export type Logged =
  | Exclude<Act, { type: 'merge' | 'delete' | 'apply' }>
  | { readonly type: 'grant'; readonly points: { readonly [system: string]: number } }
  | { readonly type: 'nothing' }

export interface Entry {
  readonly at: number
  readonly arrival: number
  readonly epoch: number
  readonly act: Logged
  readonly isVoid?: true
}

/** `done`, or the code of the refusal. */
export interface Answer {
  readonly code: string
  /** The balance afterwards, if the call is about points that are spent. */
  readonly balance?: number
}

export interface Look {
  readonly total: number
  readonly balance: number
  readonly pending: number
  readonly held: number
  readonly spent: number
  readonly expired: number
  readonly lots: readonly { readonly amount: number; readonly expires: string | null }[]
  readonly pendingLots: readonly { readonly amount: number; readonly available: string }[]
  readonly holds: readonly { readonly name: string; readonly amount: number; readonly until: number }[]
  readonly nextExpiry: { readonly date: string; readonly amount: number } | null
}

export type Kind =
  | 'earned'
  | 'available'
  | 'spent'
  | 'held'
  | 'captured'
  | 'released'
  | 'refunded'
  | 'expired'
  | 'adjusted'

/** A line of the statement: `amount` is the change of the balance. */
export interface Row {
  readonly at: number
  readonly kind: Kind
  readonly points: number
  readonly amount: number
  readonly balance: number
}
