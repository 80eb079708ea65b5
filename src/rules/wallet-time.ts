import { type Day, endOfDate, type Instant, localDate } from './calendar.ts'
import type { Movement } from './change.ts'
import type { WalletRule } from './game.ts'
import { addPayments, type Schedule } from './payments.ts'
import {
  addPending,
  expiryOf,
  figuresOf,
  firstDateFor,
  firstDateOfPeriod,
  type Hold,
  type Lot,
  type PendingLot,
  returnedParts,
  type Wallet,
  withLot,
} from './wallet.ts'

/*
 * The effects of time on a wallet, in their order. At one local midnight, pending points become available, then lots
 * expire, then points by time are paid. A hold is released at its instant. Dates are passed in spans in which all
 * payments go to one lot, so a long absence takes as many steps as there are lots, pending lots and holds.
 */

/** The time between the newest entry and `at`. `today`: the local date at `at`. */
export interface Passing {
  /** When the profile changed last. After a change of zone, a date may have begun before it. */
  readonly since: Instant
  readonly at: Instant
  readonly today: Day
  readonly zone: string
}

/** The end of a part of the time: the beginning of a local date, or an instant on the date before. */
interface Bound {
  readonly date: Day
  readonly at: Instant
}

/** Awards of one time trigger, numbered from 1. */
export interface Payer extends Schedule {
  /** True if they are due at instants; otherwise at midnights. */
  readonly isByClock: boolean
  dateOf(k: number): Day
  /** How many of the awards are due before a bound. */
  countBefore(bound: Bound): number
}

export type WalletMovement = Omit<Movement, 'system'>

export interface Passed {
  readonly wallet: Wallet
  readonly movements: readonly WalletMovement[]
  /** The points that each payer paid. */
  readonly gains: readonly number[]
}

/** `fresh`: how much of the amount was paid in this time. */
interface Fresh {
  readonly fresh: number
}

type FreshLot = Lot & Fresh
type FreshPending = PendingLot & Fresh

interface Draft {
  readonly rule: WalletRule
  readonly time: Passing
  readonly payers: readonly Payer[]
  readonly greatest: number
  /** True if no order of the payments could clip any, and no debt is paid, so that their order does not matter. */
  readonly isFree: boolean
  balance: number
  lots: readonly FreshLot[]
  pending: readonly FreshPending[]
  /** The holds that end in this time, in order of their instants. */
  readonly ending: Hold[]
  expired: number
  /** The sum of balance, pending and held. */
  bounded: number
  /** By payer: how many awards were paid or clipped, and their points. */
  readonly done: number[]
  readonly gains: number[]
  freshAvailable: number
  freshExpired: number
  readonly movements: Omit<WalletMovement, 'balance'>[]
}

/**
 * Returns `null` if nothing happened. `greatest` bounds balance, held and pending points together when points are
 * paid. Points that were paid in this time have one movement of each kind, at its end.
 */
export function passTime(
  rule: WalletRule,
  wallet: Wallet,
  time: Passing,
  payers: readonly Payer[],
  greatest: number,
): Passed | null {
  if (isQuiet(wallet, time, payers)) return null
  const draft = draftOf(rule, wallet, time, payers, greatest)
  if (draft.isFree) payExpired(draft)
  for (let date = firstDate(draft); date !== NEVER; ) {
    makeAvailable(draft, date)
    expire(draft, date)
    let stop = nextStop(draft, date)
    for (let slot = endingDate(draft); slot < stop; slot = endingDate(draft)) {
      release(draft, date, slot)
      stop = nextStop(draft, date)
    }
    const isLast = stop > time.today
    pay(draft, date, isLast ? END : beginningOf(draft, stop))
    date = isLast ? NEVER : stop
  }
  return toPassed(draft, wallet)
}

/** True if nothing happens in this time, as most of the time. */
function isQuiet({ lots, pending, holds }: Wallet, { at, today }: Passing, payers: readonly Payer[]): boolean {
  return (
    payers.length === 0 &&
    (pending[0]?.available ?? NEVER) > today &&
    (lots[0]?.expires ?? NEVER) > today &&
    holds.every(({ until }) => until > at)
  )
}

const NEVER: Day = Number.POSITIVE_INFINITY
const END: Bound = { date: NEVER, at: NEVER }

function draftOf(rule: WalletRule, wallet: Wallet, time: Passing, payers: readonly Payer[], greatest: number): Draft {
  const { balance, pending, held } = figuresOf(wallet)
  const bounded = balance + pending + held
  const due = payers.reduce((sum, { count, points }) => sum + count * points, 0)
  const ending = wallet.holds.filter(({ until }) => until <= time.at)
  return {
    ...{ rule, time, payers, greatest, balance, bounded },
    isFree: balance >= 0 && bounded + due <= greatest,
    lots: wallet.lots.map(asOld),
    pending: wallet.pending.map(asOld),
    ending: ending.sort((left, right) => left.until - right.until),
    expired: wallet.expired,
    done: payers.map(() => 0),
    gains: payers.map(() => 0),
    freshAvailable: 0,
    freshExpired: 0,
    movements: [],
  }
}

function asOld<Each extends Lot>(lot: Each): Each & Fresh {
  return { ...lot, fresh: 0 }
}

/** The first date with an effect, up to today, or `NEVER`. */
function firstDate(draft: Draft): Day {
  const { lots, pending, time } = draft
  const midnight = Math.min(pending[0]?.available ?? NEVER, lots[0]?.expires ?? NEVER)
  return Math.min(midnight <= time.today ? midnight : NEVER, endingDate(draft), nextPayment(draft))
}

/** The date at whose end the next hold is released: a midnight at which a hold ends has its other effects later. */
function endingDate({ ending, time: { zone, today } }: Draft): Day {
  const [hold] = ending
  return hold === undefined ? NEVER : Math.min(today, localDate(zone, hold.until - 1))
}

function nextPayment({ payers, done, time }: Draft): Day {
  let next = NEVER
  for (const [index, payer] of payers.entries()) {
    const paid = done[index] ?? 0
    if (paid < payer.count) next = Math.min(next, time.today, payer.dateOf(paid + 1))
  }
  return next
}

/** The next midnight with an effect, or at which payments begin to go to another lot. */
function nextStop(draft: Draft, date: Day): Day {
  const { lots, pending, greatest, bounded } = draft
  const midnight = Math.min(pending[0]?.available ?? NEVER, lots[0]?.expires ?? NEVER)
  const payment = bounded < greatest ? nextPayment(draft) : NEVER
  return payment === NEVER ? midnight : Math.min(midnight, Math.max(payment, endOfLot(draft, date)))
}

/** The first date after another whose payments go to another lot. */
function endOfLot({ rule, isFree, time: { today } }: Draft, date: Day): Day {
  const expires = expiryOf(rule, date)
  const isOfDate = rule.expires?.roundTo === 'day'
  const end = isOfDate ? date + 1 : expires === null ? NEVER : firstDateFor(rule, expires)
  if (rule.pendingDays === 0) return end
  const available = today - rule.pendingDays
  return isFree && date <= available ? Math.min(end, available + 1) : date + 1
}

/** Only payers by the clock need the instant, which takes most of the time to find. */
function beginningOf({ payers, time: { zone } }: Draft, date: Day): Bound {
  return { date, at: payers.some(({ isByClock }) => isByClock) ? endOfDate(zone, date - 1) : NEVER }
}

/** Pays the awards that were earned and have expired in this time. */
function payExpired(draft: Draft): void {
  const { rule, payers, done, gains, time } = draft
  if (rule.expires === null || payers.length === 0) return
  const first = firstDateFor(rule, firstDateOfPeriod(rule.expires.roundTo, time.today))
  const bound = beginningOf(draft, first)
  for (const [index, payer] of payers.entries()) {
    const count = payer.countBefore(bound)
    const amount = count * payer.points
    done[index] = count
    gains[index] = amount
    draft.expired += amount
    draft.freshExpired += amount
    draft.freshAvailable += amount
  }
}

/** Pays the awards until a bound. All of them are earned as on one date. */
function pay(draft: Draft, date: Day, bound: Bound): void {
  const { rule, payers, done, gains, time } = draft
  const due = payers.map((payer, index): Schedule => {
    const paid = done[index] ?? 0
    const count = bound === END ? payer.count : payer.countBefore(bound)
    return { points: payer.points, count: Math.max(0, count - paid), at: (k) => payer.at(paid + k) }
  })
  if (due.every(({ count }) => count === 0)) return
  let amount = 0
  for (const [index, gained] of addPayments(due, draft.bounded, draft.greatest).entries()) {
    done[index] = (done[index] ?? 0) + (due[index]?.count ?? 0)
    gains[index] = (gains[index] ?? 0) + gained
    amount += gained
  }
  if (amount === 0) return
  draft.bounded += amount
  const lot = { expires: expiryOf(rule, date), amount, fresh: amount }
  const available = date + rule.pendingDays
  const isLater = rule.pendingDays > 0 && (!draft.isFree || available > time.today)
  if (isLater) draft.pending = addPending(draft.pending, { ...lot, available }, addFresh)
  else {
    draft.freshAvailable += amount
    addTo(draft, lot)
  }
}

/** Pays a debt, then adds the rest to the lots. Returns the amount that was added. */
function addTo(draft: Draft, { expires, amount, fresh }: FreshLot): number {
  const added = amount - Math.min(amount, Math.max(0, -draft.balance))
  draft.balance += amount
  if (added > 0) draft.lots = withLot(draft.lots, { expires, amount: added, fresh: Math.min(fresh, added) }, addFresh)
  return added
}

function addFresh<Each extends FreshLot>(lot: Each, { amount, fresh }: Each): Each {
  return { ...lot, amount: lot.amount + amount, fresh: lot.fresh + fresh }
}

function makeAvailable(draft: Draft, date: Day): void {
  for (let [lot] = draft.pending; lot !== undefined && lot.available <= date; [lot] = draft.pending) {
    draft.pending = draft.pending.slice(1)
    const { expires, amount, fresh } = lot
    const added = addTo(draft, lot)
    const old = amount - fresh
    draft.freshAvailable += fresh
    if (old === 0) continue
    const part = added - Math.min(fresh, added)
    const lots = part === 0 ? [] : [{ expires, amount: part }]
    draft.movements.push({ kind: 'available', points: old, amount: old, at: midnightOf(draft, lot.available), lots })
  }
}

function expire(draft: Draft, date: Day): void {
  for (let [lot] = draft.lots; lot !== undefined && (lot.expires ?? NEVER) <= date; [lot] = draft.lots) {
    draft.lots = draft.lots.slice(1)
    const { expires, amount, fresh } = lot
    draft.balance -= amount
    draft.bounded -= amount
    draft.expired += amount
    draft.freshExpired += fresh
    const old = amount - fresh
    if (old === 0 || expires === null) continue
    const lots = [{ expires, amount: old }]
    draft.movements.push({ kind: 'expired', points: old, amount: -old, at: midnightOf(draft, expires), lots })
  }
}

/** Releases the next hold that ends, after the payments before its instant. */
function release(draft: Draft, date: Day, slot: Day): void {
  const hold = draft.ending.shift()
  if (hold === undefined) return
  const { id, amount, until, reference } = hold
  pay(draft, date, { date: slot + 1, at: until })
  const lots: Lot[] = []
  for (const part of returnedParts(draft.rule, hold, slot)) {
    const added = addTo(draft, asOld(part))
    if (added > 0) lots.push({ expires: part.expires, amount: added })
  }
  const about = { spend: id, lots, ...(reference === undefined ? {} : { reference }) }
  draft.movements.push({ kind: 'released', points: amount, amount, at: within(draft, until), ...about })
}

/** The instant at which a local date began. */
function midnightOf(draft: Draft, date: Day): Instant {
  return within(draft, endOfDate(draft.time.zone, date - 1))
}

/** A date that began before a change of zone happens with the change. */
function within({ time: { since, at } }: Draft, instant: Instant): Instant {
  return Math.max(since, Math.min(instant, at))
}

function toPassed(draft: Draft, wallet: Wallet): Passed {
  const { balance, lots, pending, expired, gains, time } = draft
  const kept = wallet.holds.filter(({ until }) => until > time.at)
  let running = wallet.balance
  const movements = [...draft.movements, ...freshMovements(draft)].map((movement): WalletMovement => {
    running += movement.amount
    return { ...movement, balance: running }
  })
  const asLot = ({ expires, amount }: FreshLot): Lot => ({ expires, amount })
  const later = pending.map(({ available, expires, amount }): PendingLot => ({ available, expires, amount }))
  const passed: Wallet = {
    ...wallet,
    ...{ balance, lots: lots.map(asLot), pending: later, holds: kept, expired },
  }
  return { wallet: passed, movements, gains }
}

function freshMovements(draft: Draft): readonly Omit<WalletMovement, 'balance'>[] {
  const { gains, rule, freshAvailable, freshExpired, time } = draft
  const earned = gains.reduce((sum, gained) => sum + gained, 0)
  const isPending = rule.pendingDays > 0
  const movements: Omit<WalletMovement, 'balance'>[] = [
    { kind: 'earned', points: earned, amount: isPending ? 0 : earned, at: time.at },
    { kind: 'available', points: isPending ? freshAvailable : 0, amount: freshAvailable, at: time.at },
    { kind: 'expired', points: freshExpired, amount: -freshExpired, at: time.at },
  ]
  return movements.filter(({ points }) => points > 0)
}
