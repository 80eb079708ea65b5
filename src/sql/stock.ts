import { GamificationError } from '../errors.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import type { StockChange } from '../storage/stock.ts'
import { type StockLeft, stockKey } from '../storage/stock.ts'
import type { Storage } from '../storage/storage.ts'
import { OF_USER, statement } from './database.ts'
import type { RewardStockTable } from './tables.ts'

/** A save takes more of a reward than there is. Nothing was saved. */
export class OutOfStock extends GamificationError {
  /** Only rewards that are short. */
  readonly left: StockLeft

  constructor(left: StockLeft) {
    super('out_of_stock', 'The reward is out of stock. Nothing was saved.')
    this.left = left
  }
}

type StockRow = Pick<RewardStockTable, 'tenant_id' | 'reward'>

/** Adds to both columns of a stock. */
export const ADD_TO_STOCK: Statement<RewardStockTable, unknown> = statement(
  `insert into laurels.reward_stock as s (tenant_id, reward, taken, removed) values (:tenant_id, :reward, :taken, :removed)
    on conflict (tenant_id, reward) do update set taken = s.taken + excluded.taken, removed = s.removed + excluded.removed`,
)

export const TAKEN: Statement<StockRow, { readonly taken: number }> = statement(
  'select taken from laurels.reward_stock where tenant_id = :tenant_id and reward = :reward',
)

/** The condition of a redemption that counts as taken. */
export const IS_TAKEN = "stocked = 1 and status <> 'cancelled'"

/** How many of each reward a user has taken. */
export const TAKEN_BY_USER: Statement<UserKey, { readonly reward: string; readonly count: number }> = statement(
  `select reward, count(*) as count from laurels.redemptions where ${OF_USER} and ${IS_TAKEN} group by reward`,
)

const ALL_TAKEN = statement<{ readonly tenant: string }, { readonly reward: string; readonly taken: number }>(
  'select reward, taken from laurels.reward_stock where tenant_id = :tenant',
)

/** How many are taken of each reward with a stock. */
export async function loadTaken(storage: Pick<Storage, 'all'>, tenant: string): Promise<ReadonlyMap<string, number>> {
  const rows = await storage.all(ALL_TAKEN, { tenant })
  return new Map(rows.map(({ reward, taken }) => [reward, taken]))
}

/** The error of saves that together take more than there is, or `null`. No other transaction changes the rows meanwhile. */
export function findShortStock(
  saves: readonly { readonly tenant: string; readonly stock?: readonly StockChange[] | undefined }[],
  takenOf: (row: StockRow) => number,
): OutOfStock | null {
  const asked = new Map<string, StockRow & { by: number; most: number }>()
  for (const { tenant, stock = [] } of saves) {
    for (const { reward, by, most } of stock) {
      const key = stockKey(tenant, reward)
      const known = asked.get(key) ?? { tenant_id: tenant, reward, by: 0, most: Number.POSITIVE_INFINITY }
      known.by += by
      known.most = Math.min(known.most, most ?? Number.POSITIVE_INFINITY)
      asked.set(key, known)
    }
  }
  const left = new Map<string, number>()
  for (const [key, { tenant_id, reward, by, most }] of asked) {
    if (by <= 0 || most === Number.POSITIVE_INFINITY) continue
    const taken = takenOf({ tenant_id, reward })
    if (taken + by > most) left.set(key, Math.max(0, most - taken))
  }
  return left.size === 0 ? null : new OutOfStock(left satisfies StockLeft)
}

/** A reward that is short, as Postgres answers it. */
export interface ShortStock {
  readonly tenant: string
  readonly reward: string
  readonly left: number
}

export function toOutOfStock(short: readonly ShortStock[]): OutOfStock {
  return new OutOfStock(new Map(short.map(({ tenant, reward, left }) => [stockKey(tenant, reward), left])))
}
