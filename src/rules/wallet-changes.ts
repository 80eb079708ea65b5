import type { Day, Instant } from './calendar.ts'
import type { Change, Movement } from './change.ts'
import type { Entry, HoldCaptured, HoldReleased, PointsHeld, Spend } from './entry.ts'
import { type Game, isSpendable, type PointsSystem, type SpendableSystem, type WalletRule } from './game.ts'
import { compareCodePoints } from './position.ts'
import { type UserState, zoneOf } from './state.ts'
import {
  addPending,
  boundedOf,
  credit,
  debit,
  expiryOf,
  giveBack,
  type Hold,
  sliceOf,
  type Wallet,
  walletIn,
} from './wallet.ts'
import { type Payer, passTime, type WalletMovement } from './wallet-time.ts'

/* From wallets to changes: what entries about points, and time, change in the wallet of a user. */

type About = Omit<Movement, 'system' | 'balance' | 'at'>

/** The changes by which a wallet became another one. */
function changesOf(system: string, wallet: Wallet, movements: readonly WalletMovement[]): readonly Change[] {
  return [
    { type: 'walletChanged', system, wallet },
    ...movements.map((movement): Change => ({ type: 'pointsMoved', system, ...movement })),
  ]
}

function changeOf(system: string, wallet: Wallet, { at }: Pick<Entry, 'at'>, about: About): readonly Change[] {
  return changesOf(system, wallet, [{ ...about, at, balance: wallet.balance }])
}

/** For the wallet of a system that a newer game has made not spendable: nothing comes in, and its lots still expire. */
const FORMER: WalletRule = { expires: null, pendingDays: 0, graceDays: 30 }

function ruleOf(game: Game, system: string): WalletRule {
  return game.points.get(system)?.wallet ?? FORMER
}

/** The greatest sum of balance, held and pending points to which points can be earned. */
function greatestOf({ maxPoints }: PointsSystem, wallet: Wallet, total: number): number {
  return Math.min(maxPoints ?? Number.MAX_SAFE_INTEGER, boundedOf(wallet) + Number.MAX_SAFE_INTEGER - total)
}

/** How much of points that are due can be earned: `maxPoints` bounds the balance, held and pending points together. */
export function clipEarned(system: PointsSystem, wallet: Wallet, total: number, due: number): number {
  return Math.min(due, Math.max(0, greatestOf(system, wallet, total) - boundedOf(wallet)))
}

/** Adds points that were earned on a date. */
export function earn(wallet: Wallet, { wallet: rule }: SpendableSystem, amount: number, date: Day): Wallet {
  const lot = { expires: expiryOf(rule, date), amount }
  if (rule.pendingDays === 0) return credit(wallet, [lot]).wallet
  return { ...wallet, pending: addPending(wallet.pending, { available: date + rule.pendingDays, ...lot }) }
}

/** The changes by points that an entry earned. `before`: the wallet without them. */
export function earned(
  { key, wallet: rule }: SpendableSystem,
  before: Wallet,
  after: Wallet,
  entry: Pick<Entry, 'at' | 'dating'>,
): readonly Change[] {
  const points = boundedOf(after) - boundedOf(before)
  if (points === 0) return []
  const debt = rule.pendingDays > 0 ? 0 : Math.min(points, Math.max(0, -before.balance))
  const lots = points === debt ? [] : [{ expires: expiryOf(rule, entry.dating.date), amount: points - debt }]
  return changeOf(key, after, entry, { kind: 'earned', points, amount: after.balance - before.balance, lots })
}

export interface PassedWallet {
  readonly changes: readonly Change[]
  readonly gains: readonly number[]
}

/** Lets time pass for the wallet of a system. Returns `null` if nothing happened. */
export function passWallet(
  key: string,
  system: PointsSystem | undefined,
  state: UserState,
  { at, today }: { readonly at: Instant; readonly today: Day },
  payers: readonly Payer[] = [],
): PassedWallet | null {
  const wallet = walletIn(state.wallets, key)
  const total = state.points.get(key)?.total ?? 0
  const greatest = system === undefined ? 0 : greatestOf(system, wallet, total)
  const time = { since: state.updated, at, today, zone: zoneOf(state.profile) }
  const passed = passTime(system?.wallet ?? FORMER, wallet, time, payers, greatest)
  return passed === null ? null : { changes: changesOf(key, passed.wallet, passed.movements), gains: passed.gains }
}

/** Time in the wallets of systems without triggers by time. The wallets of the others pass with their payments. */
export function passWallets(
  game: Game,
  state: UserState,
  local: { readonly at: Instant; readonly today: Day },
): readonly Change[] {
  const changes: Change[] = []
  for (const key of [...state.wallets.keys()].sort(compareCodePoints)) {
    const system = game.points.get(key)
    if (system === undefined || !isSpendable(system) || !game.timedSystems.includes(system)) {
      changes.push(...(passWallet(key, system, state, local)?.changes ?? []))
    }
  }
  return changes
}

/** A spend of any kind. Its id is the id of the entry. */
export interface SpendRequest {
  readonly system: string
  readonly amount: number
  readonly reference?: string
}

/** Spends points. A replay never refuses: points that are missing make a debt. */
export function spendPoints(
  game: Game,
  state: UserState,
  entry: Pick<Entry, 'id' | 'at'>,
  { system, amount, reference }: SpendRequest,
): readonly Change[] {
  if (game.points.get(system)?.wallet == null) return []
  const { wallet, lots } = debit(walletIn(state.wallets, system), amount)
  const about = { kind: 'spent', points: amount, amount: -amount, spend: entry.id, lots } as const
  return changeOf(system, { ...wallet, spent: wallet.spent + amount }, entry, { ...about, ...named(reference) })
}

function named(reference: string | undefined): { readonly reference?: string } {
  return reference === undefined ? {} : { reference }
}

export function holdPoints(game: Game, state: UserState, entry: Entry & PointsHeld): readonly Change[] {
  const { id, system, amount, until, reference } = entry
  if (game.points.get(system)?.wallet == null) return []
  const { wallet, lots } = debit(walletIn(state.wallets, system), amount)
  const hold: Hold = { id, amount, until, lots, ...named(reference) }
  const about = { kind: 'held', points: amount, amount: -amount, spend: id, lots, until } as const
  return changeOf(system, { ...wallet, holds: [...wallet.holds, hold] }, entry, { ...about, ...named(reference) })
}

/** An open hold, and the key of its points system. Returns `null` if the user has none with this id. */
export function findHold({ wallets }: UserState, id: string): { readonly system: string; readonly hold: Hold } | null {
  for (const [system, { holds }] of wallets) {
    const hold = holds.find((each) => each.id === id)
    if (hold !== undefined) return { system, hold }
  }
  return null
}

/** Captures the part of a hold that would expire first, and releases the rest. A release captures nothing. */
export function endHold(game: Game, state: UserState, entry: Entry & (HoldCaptured | HoldReleased)): readonly Change[] {
  const found = findHold(state, entry.hold)
  if (found === null) return []
  const { system, hold } = found
  const captured = entry.kind === 'holdReleased' ? 0 : Math.min(entry.amount ?? hold.amount, hold.amount)
  const before = walletIn(state.wallets, system)
  const open = {
    ...before,
    holds: before.holds.filter(({ id }) => id !== hold.id),
    spent: before.spent + captured,
  }
  const movements: WalletMovement[] = []
  const { at, id } = entry
  const about = named(hold.reference)
  if (captured > 0) {
    const { lots } = sliceOf(hold, 0, captured)
    const taken = { kind: 'captured', points: captured, amount: 0, balance: open.balance, at } as const
    movements.push({ ...taken, spend: id, hold: hold.id, lots, ...about })
  }
  const rest = sliceOf(hold, captured, hold.amount)
  const { wallet, lots } = giveBack(ruleOf(game, system), open, rest, entry.dating.date)
  if (rest.amount > 0) {
    const returned = {
      kind: 'released',
      points: rest.amount,
      amount: rest.amount,
      balance: wallet.balance,
      at,
    } as const
    movements.push({ ...returned, spend: hold.id, lots, ...about })
  }
  return changesOf(system, wallet, movements)
}

/** Refunds the part of a spend that would expire last, of what was not refunded before. */
export function refundPoints(
  game: Game,
  state: UserState,
  entry: Pick<Entry, 'at' | 'dating'>,
  id: string,
  spend: Spend | undefined,
  requested: number,
): readonly Change[] {
  if (spend === undefined) return []
  const { system, refunded } = spend
  const left = spend.amount - refunded
  const amount = Math.min(requested, left)
  if (amount <= 0) return []
  const before = walletIn(state.wallets, system)
  const part = sliceOf(spend, left - amount, left)
  const { wallet, lots } = giveBack(ruleOf(game, system), before, part, entry.dating.date)
  const about = { kind: 'refunded', points: amount, amount, spend: id, lots } as const
  return changeOf(system, { ...wallet, spent: wallet.spent - amount }, entry, about)
}

/** The wallets of systems that a newer game has made spendable begin with the total, as if it was earned today. */
export function adoptWallets(
  newGame: Game,
  state: UserState,
  local: { readonly at: Instant; readonly today: Day },
): readonly Change[] {
  return newGame.spendableSystems.flatMap(({ key, wallet: rule }) => {
    const before = walletIn(state.wallets, key)
    const { spent, expired } = before
    const missing = (state.points.get(key)?.total ?? 0) - spent - expired - boundedOf(before)
    if (missing === 0) return []
    // The total may have become lower while the system was not spendable.
    const expires = expiryOf(rule, local.today)
    const { wallet, lots } = missing > 0 ? credit(before, [{ expires, amount: missing }]) : debit(before, -missing)
    const kind = missing > 0 ? 'earned' : 'adjusted'
    return changeOf(key, wallet, local, { kind, points: Math.abs(missing), amount: missing, lots })
  })
}

/** Support takes points from the balance, which does not fall below 0, or gives some, which are available at once. */
export function adjustWallet(
  { key, wallet: rule }: SpendableSystem,
  before: Wallet,
  amount: number,
  entry: Pick<Entry, 'at' | 'dating'>,
): readonly Change[] {
  if (amount === 0) return []
  const expires = expiryOf(rule, entry.dating.date)
  const { wallet, lots } = amount > 0 ? credit(before, [{ expires, amount }]) : debit(before, -amount)
  return changeOf(key, wallet, entry, { kind: 'adjusted', points: Math.abs(amount), amount, lots })
}
