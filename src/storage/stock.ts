/** How many of a reward a save takes from its stock. Negative if it gives some back. */
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
