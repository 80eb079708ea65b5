// The books of one user and one points system, by double entry: each act moves points from one account to another.

import type { Kind, Row } from './types.ts'

/** All points come from `earned`, so that account is negative. */
const ACCOUNTS = ['earned', 'pending', 'available', 'held', 'spent', 'adjusted', 'expired'] as const
export type Account = (typeof ACCOUNTS)[number]

/** A part of what a spend or a hold took: points of one expiry date, or points that were not there. */
export interface Part {
  readonly expires: string | null | 'debt'
  readonly amount: number
}

export interface Lot {
  readonly expires: string | null
  readonly amount: number
}

export interface PendingLot extends Lot {
  readonly available: string
}

export interface Held {
  readonly until: number
  readonly parts: readonly Part[]
}

interface Posting {
  readonly at: number
  readonly kind: Kind
  readonly from: Account
  readonly to: Account
  readonly amount: number
}

export interface Books {
  readonly journal: Posting[]
  readonly accounts: Map<Account, number>
  lots: readonly Lot[]
  pending: readonly PendingLot[]
  readonly holds: Map<string, Held>
  /** The parts that each spend took and has not given back. */
  readonly spends: Map<string, readonly Part[]>
}

export const newBooks = (): Books => ({
  journal: [],
  accounts: new Map(),
  lots: [],
  pending: [],
  holds: new Map(),
  spends: new Map(),
})

export const sumOf = (parts: readonly { readonly amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0)

export const amountIn = ({ accounts }: Books, account: Account): number => accounts.get(account) ?? 0

/** Adds up the whole journal. */
function recount({ journal }: Books, account: Account): number {
  let sum = 0
  for (const { from, to, amount } of journal) {
    if (to === account) sum += amount
    if (from === account) sum -= amount
  }
  return sum
}

function post(books: Books, posting: Posting): void {
  const { from, to, amount } = posting
  if (amount === 0) return
  books.journal.push(posting)
  books.accounts.set(from, amountIn(books, from) - amount)
  books.accounts.set(to, amountIn(books, to) + amount)
}

const LATEST = '9999-12-31'
const orderOf = ({ expires }: Part): string => (expires === null ? LATEST : expires === 'debt' ? '~' : expires)
/** By expiry date; points without one are later, and points that were not there are last. */
const inOrder = <T extends Part>(parts: readonly T[]): readonly T[] =>
  [...parts].sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : orderOf(left) > orderOf(right) ? 1 : 0))

const MOST_LOTS = 120

/** Puts points into the wallet. They pay a debt first. */
function put(books: Books, { expires, amount }: Lot, balance: number): void {
  const left = amount - Math.min(amount, Math.max(0, -balance))
  if (left === 0) return
  const same = books.lots.find((lot) => lot.expires === expires)
  const others = books.lots.filter((lot) => lot !== same)
  let lots = inOrder([...others, { expires, amount: left + (same?.amount ?? 0) }])
  while (lots.length > MOST_LOTS) {
    const [first, second, ...rest] = lots as [Lot, Lot, ...Lot[]]
    lots = [{ expires: second.expires, amount: first.amount + second.amount }, ...rest]
  }
  books.lots = lots
}

interface Movement {
  readonly at: number
  readonly kind: Kind
}

/** Moves points into the wallet: the parts that expire first pay a debt first. */
export function credit(books: Books, movement: Movement, from: Account, lots: readonly Lot[]): void {
  for (const lot of inOrder(lots)) {
    put(books, lot, amountIn(books, 'available'))
    post(books, { ...movement, from, to: 'available', amount: lot.amount })
  }
}

/** Moves points out of the wallet, first those that expire first. Returns what it took; the rest is a debt. */
export function debit(books: Books, movement: Movement, to: Account, amount: number): readonly Part[] {
  const [taken, kept] = split(inOrder(books.lots), amount)
  books.lots = kept as readonly Lot[]
  post(books, { ...movement, from: 'available', to, amount })
  const debt = amount - sumOf(taken)
  return debt === 0 ? taken : [...taken, { expires: 'debt', amount: debt }]
}

/** The first points of some parts, and the others. */
export function split<T extends Part>(parts: readonly T[], amount: number): readonly [readonly T[], readonly T[]] {
  let left = amount
  const first: T[] = []
  const others: T[] = []
  for (const part of parts) {
    const taken = Math.min(left, part.amount)
    left -= taken
    if (taken > 0) first.push({ ...part, amount: taken })
    if (part.amount > taken) others.push({ ...part, amount: part.amount - taken })
  }
  return [first, others]
}

export function addPending(books: Books, at: number, lot: PendingLot): void {
  books.pending = [...books.pending, lot]
  post(books, { at, kind: 'earned', from: 'earned', to: 'pending', amount: lot.amount })
}

/** Points that are no longer held, or no longer in the wallet, and do not return to it. */
export function transfer(books: Books, movement: Movement, from: Account, to: Account, amount: number): void {
  post(books, { ...movement, from, to, amount })
}

/** At the midnight with which a date begins: pending points become available, then lots expire. */
export function turn(books: Books, at: number, date: string): void {
  const due = books.pending.filter(({ available }) => available <= date)
  books.pending = books.pending.filter((lot) => !due.includes(lot))
  for (const { expires, amount } of [...due].sort((a, b) => (a.available < b.available ? -1 : 1)))
    credit(books, { at, kind: 'available' }, 'pending', [{ expires, amount }])
  const gone = books.lots.filter(({ expires }) => expires !== null && expires <= date)
  books.lots = books.lots.filter((lot) => !gone.includes(lot))
  for (const { amount } of gone) post(books, { at, kind: 'expired', from: 'available', to: 'expired', amount })
}

/** The statement, oldest first. */
export function rowsOf({ journal }: Books): readonly Row[] {
  let balance = 0
  return together(
    journal.map(({ at, kind, from, to, amount: points }) => {
      const amount = (to === 'available' ? points : 0) - (from === 'available' ? points : 0)
      balance += amount
      return { at, kind, points, amount, balance }
    }),
  )
}

/** Rows of one kind at one instant are one row: it may be of several lots. */
export function together(rows: readonly Row[]): readonly Row[] {
  const all: Row[] = []
  for (const row of rows) {
    const last = all.at(-1)
    if (last?.at !== row.at || last.kind !== row.kind) all.push(row)
    else all[all.length - 1] = { ...row, points: last.points + row.points, amount: last.amount + row.amount }
  }
  return all
}

/** Each sentence that is not true of the books. */
export function faultsOf(books: Books): readonly string[] {
  const sum = (account: Account): number => recount(books, account)
  const faults: string[] = []
  const claim = (name: string, isTrue: boolean): void => void (isTrue || faults.push(name))
  claim(
    'each account is its journal',
    ACCOUNTS.every((account) => amountIn(books, account) === sum(account)),
  )
  claim('the accounts add up to nothing', ACCOUNTS.reduce((all, account) => all + sum(account), 0) === 0)
  claim(
    'earned − spent − expired − held − pending = balance',
    -sum('earned') - sum('spent') - sum('adjusted') - sum('expired') - sum('held') - sum('pending') ===
      sum('available'),
  )
  claim('the lots are the balance, or nothing', sumOf(books.lots) === Math.max(0, sum('available')))
  claim('the pending lots are what is pending', sumOf(books.pending) === sum('pending'))
  claim('the holds are what is held', sumOf([...books.holds.values()].flatMap(({ parts }) => parts)) === sum('held'))
  claim('the spends are what is spent', sumOf([...books.spends.values()].flat()) === sum('spent'))
  claim(
    'nothing but the balance is negative',
    ACCOUNTS.slice(3).every((account) => sum(account) >= 0),
  )
  claim('a lot has points', books.lots.every(({ amount }) => amount > 0) && books.lots.length <= MOST_LOTS)
  claim(
    'each transfer is of whole points above zero',
    books.journal.every(({ amount }) => Number.isInteger(amount) && amount > 0),
  )
  return faults
}
