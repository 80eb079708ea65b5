import type { MovementKind } from './change.ts'
import type { Game } from './game.ts'
import type { UserState } from './state.ts'
import { checkWallet, walletIn } from './wallet.ts'

/* The equations of wallets, which hold for every user. */

interface CheckedMovement {
  readonly system: string
  readonly kind: MovementKind
  readonly points: number
  readonly amount: number
  readonly balance: number
  readonly spend?: string | null
  readonly hold?: string | null
}

/**
 * The equations that do not hold for a user, in words. `movements`: all movements of the user, in their order. The wallet
 * of a system that the game has made not spendable is passed over, because its total changes without it.
 */
export function checkWallets(game: Game, state: UserState, movements: readonly CheckedMovement[]): readonly string[] {
  return game.spendableSystems.flatMap(({ key }) => {
    const wallet = walletIn(state.wallets, key)
    const own = movements.filter(({ system }) => system === key)
    const wrong = [
      ...checkWallet(wallet, state.points.get(key)?.total ?? 0),
      ...checkBalances(own, wallet.balance),
      ...checkParts(own),
    ]
    return wrong.map((what) => `${key}: ${what}`)
  })
}

function checkBalances(movements: readonly CheckedMovement[], last: number): readonly string[] {
  let balance = 0
  const wrong: string[] = []
  for (const movement of movements) {
    balance += movement.amount
    if (balance !== movement.balance) {
      wrong.push(`a movement of kind ${movement.kind} leads to ${movement.balance}, and its amounts to ${balance}`)
      balance = movement.balance
    }
  }
  if (balance !== last) wrong.push(`the movements lead to ${balance}, and the balance is ${last}`)
  return wrong
}

/** Refunds are at most their spend, and what was captured and released is at most the hold. */
function checkParts(movements: readonly CheckedMovement[]): readonly string[] {
  const left = new Map<string, number>()
  const wrong: string[] = []
  const take = (id: string, { kind, points }: CheckedMovement): void => {
    const rest = (left.get(id) ?? 0) - points
    left.set(id, rest)
    if (rest < 0) wrong.push(`${-rest} points of kind ${kind} are more than ${id} has`)
  }
  for (const movement of movements) {
    const { kind, points, spend, hold } = movement
    if (kind === 'captured' && hold != null) take(hold, movement)
    if (spend == null) continue
    if (kind === 'spent' || kind === 'held' || kind === 'captured') left.set(spend, points)
    else take(spend, movement)
  }
  return wrong
}
