import type { Entry } from '../../rules/entry.ts'
import type { Game } from '../../rules/game.ts'
import { quoteName } from '../../rules/names.ts'
import type { CommandRefusal } from '../../runtime/command.ts'
import type { UserSave } from '../../storage/saves.ts'
import { type StockChange, type StockLeft, stockKey } from '../../storage/stock.ts'

/** By how much an entry changes what is taken of a reward, or `null` if it does not. */
function takenBy(entry: Entry): Pick<StockChange, 'reward' | 'by'> | null {
  if (entry.kind === 'rewardRedeemed') return entry.stocked === true ? { reward: entry.reward, by: 1 } : null
  if (entry.kind !== 'redemptionCancelled') return null
  return entry.redeemed.stocked === true ? { reward: entry.redeemed.reward, by: -1 } : null
}

/**
 * The stocks that new entries take from. `game` says how many there are. Without it the entries happened elsewhere, and are
 * not refused.
 */
export function stockOf(entries: readonly Entry[], game: Game | null): Pick<UserSave, 'stock'> {
  const changes = new Map<string, number>()
  for (const entry of entries) {
    const taken = takenBy(entry)
    if (taken !== null) changes.set(taken.reward, (changes.get(taken.reward) ?? 0) + taken.by)
  }
  if (changes.size === 0) return {}
  const stock = [...changes].map(([reward, by]) => ({ reward, by, most: game?.rewards.get(reward)?.stock ?? null }))
  return { stock: stock.filter(({ by }) => by !== 0) }
}

/** Counts down what is left of rewards while the commands of one commit are decided. */
export interface StockInHand {
  /** Returns a refusal if an accepted entry takes more than is left. */
  take(tenant: string, entry: Entry): CommandRefusal | null
}

/** `left`: what a commit before found. A reward that is not in it is taken for granted: the commit finds out. */
export function takeInHand(left: StockLeft): StockInHand {
  const rest = new Map(left)
  return {
    take: (tenant, entry) => {
      const taken = rest.size === 0 ? null : takenBy(entry)
      if (taken === null) return null
      const key = stockKey(tenant, taken.reward)
      const known = rest.get(key)
      if (known === undefined) return null
      if (known < taken.by) return outOfStock(taken.reward)
      rest.set(key, known - taken.by)
      return null
    },
  }
}

function outOfStock(reward: string): CommandRefusal {
  return { code: 'out_of_stock', message: `The reward ${quoteName(reward)} is out of stock. Nothing was saved.` }
}
