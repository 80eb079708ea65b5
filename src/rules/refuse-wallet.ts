import { DAY } from './calendar.ts'
import type { EntryOf } from './entry.ts'
import { type Game, isSpendable } from './game.ts'
import { quoteName, unknownName } from './names.ts'
import type { UserState } from './state.ts'
import { figuresOf, MOST_HOLDS, walletIn } from './wallet.ts'
import { findHold } from './wallet-changes.ts'

interface Refusal {
  readonly code:
    | 'unknown_points_system'
    | 'not_spendable'
    | 'insufficient_points'
    | 'too_many_holds'
    | 'hold_out_of_range'
    | 'unknown_hold'
    | 'capture_too_large'
    | 'unknown_spend'
    | 'refund_too_large'
  readonly message: string
}

const LONGEST_HOLD = 90

type AboutWallet = EntryOf<'pointsSpent' | 'pointsHeld' | 'holdCaptured' | 'holdReleased' | 'pointsRefunded'>

/** Why an entry about a wallet is not accepted, or `null` if it is. The state must be settled. */
export function refuseWallet(game: Game, state: UserState, entry: AboutWallet): Refusal | null {
  switch (entry.kind) {
    case 'pointsSpent':
      return refuseSpend(game, state, entry)
    case 'pointsHeld':
      return refuseSpend(game, state, entry) ?? refuseHold(state, entry)
    case 'holdCaptured':
    case 'holdReleased':
      return refuseEnd(game, state, entry)
    case 'pointsRefunded':
      return refuseRefund(game, entry)
    default:
      return entry satisfies never
  }
}

function refuseSystem({ points }: Game, key: string): Refusal | null {
  const system = points.get(key)
  if (system === undefined) {
    return { code: 'unknown_points_system', message: unknownName('points system', key, points.keys()) }
  }
  if (isSpendable(system)) return null
  const help = 'Set `spendable: true` in its definition, or name another points system.'
  return { code: 'not_spendable', message: `The points system ${quoteName(key)} is not spendable. ${help}` }
}

/** Why points cannot be spent, or `null` if they can. */
export function refuseSpend(
  game: Game,
  state: UserState,
  { system: key, amount }: { readonly system: string; readonly amount: number },
): Refusal | null {
  const refused = refuseSystem(game, key)
  if (refused !== null) return refused
  const { balance, pending, held } = figuresOf(walletIn(state.wallets, key))
  if (balance >= amount) return null
  const beside = [...(pending > 0 ? [`${pending} pending`] : []), ...(held > 0 ? [`${held} held`] : [])]
  const more = beside.length === 0 ? '' : `, with ${beside.join(' and ')}`
  const message = `The balance of ${quoteName(key)} is ${balance}${more}, which is less than ${amount}. Nothing was saved.`
  return { code: 'insufficient_points', message }
}

function refuseHold(state: UserState, { system, until, at }: EntryOf<'pointsHeld'>): Refusal | null {
  const { holds } = walletIn(state.wallets, system)
  if (holds.length >= MOST_HOLDS) {
    const help = 'Capture or release one first.'
    const message = `The user has ${holds.length} open holds of ${quoteName(system)}, the most there can be. ${help}`
    return { code: 'too_many_holds', message }
  }
  if (until > at && until - at <= LONGEST_HOLD * DAY) return null
  const message = `A hold lasts at most ${LONGEST_HOLD} days, and it ends after it began. Nothing was saved.`
  return { code: 'hold_out_of_range', message }
}

function refuseEnd(game: Game, state: UserState, entry: EntryOf<'holdCaptured' | 'holdReleased'>): Refusal | null {
  const found = findHold(state, entry.hold)
  if (found === null) {
    const why = 'It was captured or released, has expired, or never existed.'
    return { code: 'unknown_hold', message: `The user has no open hold ${quoteName(entry.hold)}. ${why}` }
  }
  const refused = refuseSystem(game, found.system)
  if (refused !== null) return refused
  const { amount } = found.hold
  if (entry.kind === 'holdReleased' || (entry.amount ?? amount) <= amount) return null
  const message = `The hold has ${amount} points, which is less than ${entry.amount}. Capture at most ${amount}.`
  return { code: 'capture_too_large', message }
}

function refuseRefund(game: Game, { spend: id, of: spend, amount }: EntryOf<'pointsRefunded'>): Refusal | null {
  if (spend === undefined) {
    const help = 'Give the id that `points.spend`, `points.capture` or `rewards.redeem` answered.'
    return { code: 'unknown_spend', message: `The user has no spend ${quoteName(id)}. ${help}` }
  }
  const refused = refuseSystem(game, spend.system)
  if (refused !== null) return refused
  const left = spend.amount - spend.refunded
  if (amount <= left && left > 0) return null
  const message =
    left === 0
      ? `All of the spend was refunded before: ${spend.amount} points.`
      : `The spend has ${left} of ${spend.amount} points left, which is less than ${amount}. Nothing was saved.`
  return { code: 'refund_too_large', message }
}
