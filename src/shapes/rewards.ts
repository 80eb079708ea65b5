import type { ChallengeReward } from './challenges.ts'
import type { Count, GameKeys, InstantText, Integer, Positive, Uuid } from './formats.ts'

/** A reward of the catalogue, with what is left of it. */
export interface Reward<Keys extends GameKeys = GameKeys> {
  readonly id: Uuid
  readonly key: Keys['rewards']
  readonly name: string
  readonly description: string | null
  /** The points system of the price. */
  readonly system: Keys['points']
  /** Name of the points system. */
  readonly systemName: string
  /** The price. */
  readonly amount: Positive
  /** How many all users together can have, or `null` for any number. */
  readonly stock: Count | null
  /** How many are left of the stock, or `null` without one. */
  readonly left: Count | null
  /** How many each user can have, or `null` for any number. */
  readonly perUser: Positive | null
  readonly status: 'active' | 'inactive'
  /** The gifts that a user gets at once; no points. Empty if the host delivers the reward. */
  readonly gives: ChallengeReward<Keys>
}

/** A reward that a user has bought. */
export interface Redemption<Keys extends GameKeys = GameKeys> {
  /** Also the id of the spend. */
  readonly id: Uuid
  readonly userId: string
  /** Key of the reward. The game may no longer have it. */
  readonly reward: Keys['rewards']
  readonly status: 'open' | 'fulfilled' | 'cancelled'
  readonly redeemedAt: InstantText
  /** The points system and the price as of then. */
  readonly system: Keys['points']
  readonly amount: Positive
  /** When it was fulfilled or cancelled, or `null` if it is open. */
  readonly settledAt: InstantText | null
}

/** The redemption that a call has made, with the balance after it. */
export interface RedeemResponse<Keys extends GameKeys = GameKeys> extends Redemption<Keys> {
  /** The user's balance of the points system. */
  readonly balance: Integer
  /** Set if an idempotency key was sent: true if the user has redeemed with it before. */
  readonly idempotentReplayed?: boolean
}
