import type { RewardDefinition } from './challenge-definition.ts'
import type { Declared, NoSystems } from './definition-parts.ts'

/** The gifts that come with a purchase, in the same entry. */
export type GiftsDefinition<P extends string = string, A extends string = string> = Omit<
  RewardDefinition<P, A>,
  'points'
>

/** Something that users buy with points, by `rewards.redeem`. */
export interface CatalogueRewardDefinition<P extends string = string, A extends string = string> {
  readonly name: string
  readonly description?: string
  /** One spendable points system, and its price: a whole number from 1. */
  readonly cost: { readonly [System in Declared<P, NoSystems>]?: number }
  /**
   * How many all users together can have: from 0. Redemptions from before the reward had a stock do not count, and neither do
   * cancelled ones. Default: any number.
   */
  readonly stock?: number
  /** How many each user can have, without cancelled ones: from 1. Default: any number. */
  readonly perUser?: number
  /** Default `active`. An `inactive` reward cannot be redeemed. */
  readonly status?: 'active' | 'inactive'
  /** Gifts that the user gets at once. Default: none, and the host delivers the reward. */
  readonly gives?: GiftsDefinition<P, A>
}
