import { type Instant, toDateText } from '../rules/calendar.ts'
import type { Movement } from '../rules/change.ts'
import type { PointsSystem } from '../rules/game.ts'
import type { UserState } from '../rules/state.ts'
import { figuresOf, type Lot, walletIn } from '../rules/wallet.ts'
import type * as Types from '../shapes/wallets.ts'
import { toInstantText } from './users.ts'

/** The figures of a spendable system that answers show beside its total. Nothing for other systems. */
export function toFigures(
  { key, wallet: rule }: PointsSystem,
  { wallets }: Pick<UserState, 'wallets'>,
): { readonly balance?: number; readonly pending?: number; readonly held?: number } {
  if (rule === null) return {}
  const { balance, pending, held } = figuresOf(walletIn(wallets, key))
  return { balance, pending, held }
}

/** The points that a user can spend. The state must be settled. */
export function toBalance({ key, name }: Pick<PointsSystem, 'key' | 'name'>, state: UserState): Types.PointsBalance {
  const wallet = walletIn(state.wallets, key)
  const { lots, pending, holds } = wallet
  const first = lots.find(({ expires }) => expires !== null)
  return {
    system: key,
    name,
    total: state.points.get(key)?.total ?? 0,
    ...figuresOf(wallet),
    lots: lots.map(toLot),
    pendingLots: pending.map((lot) => ({ ...toLot(lot), available: toDateText(lot.available) })),
    holds: holds.map(({ id, amount, until, reference = null }) => {
      return { id, amount, expiresAt: toInstantText(until), reference }
    }),
    nextExpiry: first?.expires == null ? null : { amount: first.amount, date: toDateText(first.expires) },
  }
}

function toLot({ amount, expires }: Lot): Types.WalletLot {
  return { amount, expires: expires === null ? null : toDateText(expires) }
}

/** A movement of the rules, or its row. */
type Moved = Pick<Movement, 'kind' | 'at' | 'points' | 'amount' | 'balance'> & {
  readonly spend?: string | null
  readonly hold?: string | null
  readonly lots?: readonly Lot[]
  readonly reference?: string | null
  readonly until?: Instant | null
}

/** `entryId`: null if time caused it, and no entry has stored it. */
export function toMovement(moved: Moved, entryId: string | null): Types.PointsMovement {
  const { kind, at, points, amount, balance, lots = [] } = moved
  const { spend = null, hold = null, reference = null, until = null } = moved
  const isOfHold = kind === 'held' || kind === 'released'
  const [spendId, holdId] = isOfHold ? [null, spend] : [spend, hold]
  return {
    ...{ kind, date: toInstantText(at), points, amount, balance, entryId },
    ...(spendId === null ? {} : { spendId }),
    ...(holdId === null ? {} : { holdId }),
    ...(reference === null ? {} : { reference }),
    ...(until === null ? {} : { expiresAt: toInstantText(until) }),
    lots: lots.map(toLot),
  }
}
