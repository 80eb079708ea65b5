import { addMonths, type Day, firstDayOf, firstDayOfYear, type Instant, periodOf, yearOf } from './calendar.ts'
import type { WalletRule } from './game.ts'

/** Points of a spendable system that expire together. */
export interface Lot {
  /** The first local date on which they are gone, or `null` if they never expire. */
  readonly expires: Day | null
  readonly amount: number
}

/** Points that are earned, and not yet available. */
export interface PendingLot extends Lot {
  /** The local date at whose beginning they become available. */
  readonly available: Day
}

/** Points that are set aside until they are captured or released. */
export interface Hold {
  /** The id of its entry. */
  readonly id: string
  readonly amount: number
  /** The instant at which it is released, unless it was captured or released before. */
  readonly until: Instant
  /** The parts that it took from lots, in their order. The rest of its amount made or increased a debt. */
  readonly lots: readonly Lot[]
  readonly reference?: string
}

/** The points of a spendable system that a user has. */
export interface Wallet {
  /** A debt if it is negative. Then there are no lots; otherwise it is their sum. */
  readonly balance: number
  /** One for each date of expiry, in ascending order, with `null` last: at most 120. */
  readonly lots: readonly Lot[]
  /** In ascending order of `available`, then of `expires`. */
  readonly pending: readonly PendingLot[]
  /** In the order in which they were made. At most 20, but more after a merge. */
  readonly holds: readonly Hold[]
  /** Spends and captures without what was refunded, and what support took. */
  readonly spent: number
  readonly expired: number
}

export const NO_WALLET: Wallet = { balance: 0, lots: [], pending: [], holds: [], spent: 0, expired: 0 }

/** The most lots of a wallet, and the most that a definition can lead to. */
export const MOST_LOTS = 120
/** The most open holds that a user can have of one points system. */
export const MOST_HOLDS = 20

export function walletIn(wallets: ReadonlyMap<string, Wallet>, system: string): Wallet {
  return wallets.get(system) ?? NO_WALLET
}

/** The figures of a wallet beside the total, which is everything that was ever earned. */
export interface WalletFigures {
  readonly balance: number
  readonly pending: number
  readonly held: number
  readonly spent: number
  readonly expired: number
}

export function figuresOf({ balance, pending, holds, spent, expired }: Wallet): WalletFigures {
  return { balance, pending: sumOf(pending), held: sumOf(holds), spent, expired }
}

function sumOf(parts: readonly { readonly amount: number }[]): number {
  let sum = 0
  for (const { amount } of parts) sum += amount
  return sum
}

/** The points that `maxPoints` bounds: those that can be spent now or later. */
export function boundedOf(wallet: Wallet): number {
  const { balance, pending, held } = figuresOf(wallet)
  return balance + pending + held
}

/** The equations that do not hold, in words. Empty if the wallet is sound. */
export function checkWallet(wallet: Wallet, total: number): readonly string[] {
  const { balance, pending, held, spent, expired } = figuresOf(wallet)
  const inLots = sumOf(wallet.lots)
  const wrong: string[] = []
  if (total - spent - expired - held - pending !== balance) {
    wrong.push(`total ${total} − spent ${spent} − expired ${expired} − held ${held} − pending ${pending} ≠ ${balance}`)
  }
  if (inLots !== Math.max(0, balance)) wrong.push(`the lots have ${inLots}, and the balance is ${balance}`)
  if (wallet.lots.length > MOST_LOTS) wrong.push(`${wallet.lots.length} lots are more than ${MOST_LOTS}`)
  for (const { id, amount, lots } of wallet.holds) {
    if (sumOf(lots) > amount) wrong.push(`the hold ${id} of ${amount} took ${sumOf(lots)} from lots`)
  }
  return wrong
}

/** A wallet after points came or went, and the parts of lots that did. Points that made or paid a debt are in no lot. */
export interface Moved {
  readonly wallet: Wallet
  readonly lots: readonly Lot[]
}

/** Takes points, from the lots that expire first. Whatever the lots do not have makes or increases a debt. */
export function debit(wallet: Wallet, amount: number): Moved {
  const taken: Lot[] = []
  let left = amount
  let used = 0
  for (const { expires, amount: has } of wallet.lots) {
    if (left === 0) break
    const part = Math.min(has, left)
    taken.push({ expires, amount: part })
    left -= part
    if (part === has) used += 1
  }
  const lots = wallet.lots.slice(used)
  const [first] = lots
  const cut = taken[used]
  if (first !== undefined && cut !== undefined) lots[0] = { ...first, amount: first.amount - cut.amount }
  return { wallet: { ...wallet, balance: wallet.balance - amount, lots }, lots: taken }
}

/** Adds points. The parts that expire first pay a debt; the others are added to the lots. */
export function credit(wallet: Wallet, parts: readonly Lot[]): Moved {
  let debt = Math.max(0, -wallet.balance)
  let { balance, lots } = wallet
  const added: Lot[] = []
  for (const { expires, amount } of [...parts].sort(compareLots)) {
    balance += amount
    const paid = Math.min(debt, amount)
    debt -= paid
    if (amount === paid) continue
    const lot = { expires, amount: amount - paid }
    lots = withLot(lots, lot)
    added.push(lot)
  }
  return { wallet: { ...wallet, balance, lots }, lots: added }
}

/** Ascending by the date of expiry. Lots that never expire are last. */
export function compareLots({ expires: left }: Lot, { expires: right }: Lot): number {
  if (left === right) return 0
  if (left === null) return 1
  return right === null ? -1 : left - right
}

/** Lots of one date are one. If there are more than `MOST_LOTS`, the first two become one with the later date. */
export function withLot<Each extends Lot>(
  lots: readonly Each[],
  lot: Each,
  add: (lot: Each, other: Each) => Each = addLots,
): readonly Each[] {
  let index = lots.length
  for (; index > 0; index -= 1) {
    const before = lots[index - 1]
    const order = before === undefined ? -1 : compareLots(before, lot)
    if (before !== undefined && order === 0) return lots.with(index - 1, add(before, lot))
    if (order < 0) break
  }
  const longer = lots.toSpliced(index, 0, lot)
  const [first, second] = longer
  if (longer.length <= MOST_LOTS || first === undefined || second === undefined) return longer
  return longer.toSpliced(0, 2, add(second, first))
}

/** Both amounts in the first of two lots. */
function addLots<Each extends Lot>(lot: Each, other: Each): Each {
  return { ...lot, amount: lot.amount + other.amount }
}

/** Adds points that become available later. Lots of one date with one expiry are one. */
export function addPending<Each extends PendingLot>(
  pending: readonly Each[],
  lot: Each,
  add: (lot: Each, other: Each) => Each = addLots,
): readonly Each[] {
  const at = pending.findIndex(({ available, expires }) => available === lot.available && expires === lot.expires)
  const known = pending[at]
  if (known !== undefined) return pending.with(at, add(known, lot))
  return [...pending, lot].sort((left, right) => left.available - right.available || compareLots(left, right))
}

/** Points that a spend or a hold took: the parts from lots in their order, and after them the part that made a debt. */
export interface Taken {
  readonly amount: number
  readonly lots: readonly Lot[]
}

/** The part of taken points that begins after `from` of them and ends after `to`. */
export function sliceOf({ lots }: Taken, from: number, to: number): Taken {
  const parts: Lot[] = []
  let begins = 0
  for (const { expires, amount } of lots) {
    const part = Math.min(begins + amount, to) - Math.max(begins, from)
    if (part > 0) parts.push({ expires, amount: part })
    begins += amount
  }
  return { amount: to - from, lots: parts }
}

/** Returns points to their lots (`returnedParts`). */
export function giveBack(rule: WalletRule, wallet: Wallet, taken: Taken, today: Day): Moved {
  return credit(wallet, returnedParts(rule, taken, today))
}

/**
 * Lots that are returned, in ascending order. Those that have expired expire after the grace; the part that made a debt
 * is as if earned today.
 */
export function returnedParts(rule: WalletRule, { amount, lots }: Taken, today: Day): readonly Lot[] {
  const parts = lots.map((lot) =>
    lot.expires === null || lot.expires > today ? lot : { ...lot, expires: today + rule.graceDays },
  )
  const owed = amount - sumOf(lots)
  if (owed > 0) parts.push({ expires: expiryOf(rule, today), amount: owed })
  return parts.sort(compareLots)
}

/** The first local date on which points are gone that were earned on a date, or `null` if they never expire. */
export function expiryOf({ expires }: WalletRule, date: Day): Day | null {
  if (expires === null) return null
  const { unit, count, roundTo } = expires
  const after = unit === 'day' ? date + count : addMonths(date, monthsOf(unit, count))
  return roundTo === 'day' ? after : firstDateOfPeriod(roundTo, after, 1)
}

/** The first date of the day, month or year of a date, or of one that is `count` later. */
export function firstDateOfPeriod(unit: 'day' | 'month' | 'year', date: Day, count = 0): Day {
  if (unit === 'day') return date + count
  if (unit === 'year') return firstDayOfYear(yearOf(date) + count)
  return firstDayOf('monthly', 'monday', periodOf('monthly', 'monday', date) + count)
}

/** The first date whose points have an age on `expires` or later, before it is rounded. */
export function firstDateFor({ expires: rule }: WalletRule, expires: Day): Day {
  if (rule === null) return Number.NEGATIVE_INFINITY
  const { unit, count } = rule
  if (unit === 'day') return expires - count
  return firstDayOf('monthly', 'monday', periodOf('monthly', 'monday', expires) - monthsOf(unit, count))
}

function monthsOf(unit: 'month' | 'year', count: number): number {
  return unit === 'year' ? 12 * count : count
}
