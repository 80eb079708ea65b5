import { GamificationError } from '../errors.ts'

/** What a save takes from the stock of a reward, or gives back if negative. */
export interface StockChange {
  readonly reward: string
  readonly by: number
  /** How many may be taken in all, or `null` if the save must not be refused. */
  readonly most: number | null
}

/** How many are left of rewards, by `stockKey`. */
export type StockLeft = ReadonlyMap<string, number>

export const NOTHING_KNOWN: StockLeft = new Map()

export function stockKey(tenant: string, reward: string): string {
  return JSON.stringify([tenant, reward])
}

/** A save takes more of a reward than there is. Nothing was saved. */
export class OutOfStock extends GamificationError {
  /** The rewards of which there is too little. */
  readonly left: StockLeft

  constructor(left: StockLeft) {
    super('out_of_stock', 'The reward is out of stock. Nothing was saved.')
    this.left = left
  }
}
