// One user's log from its beginning, day by day. Written from the definition of wallets alone.

import {
  type Account,
  addPending,
  amountIn,
  type Books,
  credit,
  debit,
  type Lot,
  newBooks,
  type Part,
  split,
  sumOf,
  transfer,
  turn,
} from './books.ts'
import { addDays, dateForGood, expiryDate, localDate, midnightsIn } from './calendar.ts'
import { moveTimer, paymentsIn, startTimer, type Timer } from './timers.ts'
import type { Deployed, Entry, Game, Kind, Logged, System } from './types.ts'

export interface Purse {
  /** Everything that was ever earned, in any game. */
  total: number
  /** None until a game makes the system spendable. */
  books: Books | null
  timer: Timer | null
}

export interface Life {
  tz: string
  game: Game
  /** The last instant that the walk has reached. */
  at: number
  /** The date that began at the last midnight. Holds that end at a midnight end before its date begins. */
  date: string
  isKnown: boolean
  readonly purses: Map<string, Purse>
}

export const inOrder = (log: readonly Entry[]): readonly Entry[] =>
  [...log].sort((left, right) => left.at - right.at || left.arrival - right.arrival)

export function fold(games: readonly Deployed[], log: readonly Entry[]): Life {
  const entries = inOrder(log)
  const life: Life = {
    tz: 'UTC',
    game: { systems: {} },
    at: entries[0]?.at ?? 0,
    date: '',
    isKnown: false,
    purses: new Map(),
  }
  for (const entry of entries) {
    // A void is no action of the user, and adopts no newer game. A voided event does not either.
    if (entry.act.type === 'void' || (entry.isVoid === true && life.isKnown)) continue
    live(life, entry.at)
    adopt(life, (games[entry.epoch] as Deployed).game)
    life.isKnown = true
    if (entry.isVoid !== true) act(life, entry.act)
  }
  return life
}

export function purseOf({ purses }: Life, system: string): Purse {
  const found = purses.get(system) ?? { total: 0, books: null, timer: null }
  purses.set(system, found)
  return found
}

/** The rules from now on. */
export function adopt(life: Life, game: Game): void {
  if (life.game === game) return
  life.game = game
  for (const [key, system] of Object.entries(game.systems)) {
    const purse = purseOf(life, key)
    purse.timer = startTimer(purse.timer, system.time, life.tz, life.at)
    if (system.spendable) makeSpendable(life, purse, system)
  }
}

/** Points that were earned while the system was not spendable become a lot of today. */
function makeSpendable(life: Life, purse: Purse, system: System): void {
  purse.books ??= newBooks()
  const missing = purse.total + amountIn(purse.books, 'earned')
  if (missing > 0) credit(purse.books, { at: life.at, kind: 'earned' }, 'earned', [lotOfToday(life, system, missing)])
  if (missing < 0) debit(purse.books, { at: life.at, kind: 'adjusted' }, 'earned', -missing)
}

const todayIn = ({ tz, at }: Life): string => localDate(tz, at)

function lotOfToday(life: Life, { expires }: System, amount: number, today: string = todayIn(life)): Lot {
  return { expires: expires === undefined ? null : expiryDate(today, expires.after, expires.roundTo), amount }
}

/** Time passes, in order: holds end; then, at one midnight, pending points, lots and points by time. */
export function live(life: Life, to: number): void {
  const from = life.at
  const steps: { at: number; order: number; step: () => void }[] = []
  const turnAll = (date: string): void => {
    life.date = date
    for (const { books } of life.purses.values()) if (books !== null) turn(books, life.at, date)
  }
  // After a move, more dates may have begun.
  steps.push({ at: from, order: 1, step: () => turnAll(dateForGood(life.tz, from)) })
  for (const { at, date } of midnightsIn(life.tz, from, to)) steps.push({ at, order: 1, step: () => turnAll(date) })
  for (const [key, purse] of life.purses) {
    for (const [name, { until }] of purse.books?.holds ?? [])
      if (until <= to)
        steps.push({ at: until, order: 0, step: () => release(life, key, name, localDate(life.tz, until - 1)) })
    if (purse.timer === null) continue
    const [instants, timer] = paymentsIn(purse.timer, life.tz, from, to)
    purse.timer = timer
    const points = life.game.systems[key]?.time?.points ?? 0
    for (const at of instants) steps.push({ at, order: 2, step: () => earn(life, key, points) })
  }
  for (const { at, step } of steps.sort((a, b) => a.at - b.at || a.order - b.order)) {
    life.at = at
    step()
  }
  life.at = to
}

function act(life: Life, act: Logged): void {
  switch (act.type) {
    case 'event':
      for (const [key, { each }] of Object.entries(life.game.systems)) earn(life, key, each * act.value)
      return
    case 'move': {
      const before = localDate(life.tz, life.at)
      life.tz = act.tz
      for (const purse of life.purses.values())
        purse.timer = moveTimer(purse.timer, before, localDate(life.tz, life.at))
      return
    }
    case 'adjust':
      if (act.points > 0) earn(life, act.system, act.points, 'at once')
      else take(life, act.system, -act.points, act.fromEarned)
      return
    case 'grant':
      for (const [key, points] of Object.entries(act.points)) earn(life, key, points)
      return
    case 'spend':
      spend(life, act.system, act.name, act.amount)
      return
    case 'redeem':
      spend(life, 'coins', act.name, act.amount ?? 0)
      return
    case 'cancel':
      refund(life, act.redemption, undefined)
      return
    case 'hold': {
      const books = booksOf(life, act.system)
      const parts = debit(books, { at: life.at, kind: 'held' }, 'held', act.amount)
      books.holds.set(act.name, { until: life.at + act.minutes * 60_000, parts })
      return
    }
    case 'capture':
      capture(life, act.hold, act.name, act.amount)
      return
    case 'release': {
      const system = systemOfHold(life, act.hold)
      if (system !== null) release(life, system, act.hold)
      return
    }
    case 'refund':
      refund(life, act.spend, act.amount)
      return
    case 'void':
    case 'nothing':
      return
    default:
      act satisfies never
  }
}

function booksOf(life: Life, system: string): Books {
  const purse = purseOf(life, system)
  purse.books ??= newBooks()
  return purse.books
}

/** `maxPoints` bounds what is in the wallet, held and pending. Points from support are never pending. */
function earn(life: Life, key: string, points: number, available: 'in time' | 'at once' = 'in time'): void {
  const system = life.game.systems[key]
  const purse = purseOf(life, key)
  if (system === undefined || points <= 0) return
  const most = system.maxPoints ?? Number.MAX_SAFE_INTEGER
  if (!system.spendable) {
    const added = Math.max(0, Math.min(points, most - purse.total))
    purse.total += added
    return
  }
  const books = booksOf(life, key)
  const has = amountIn(books, 'available') + amountIn(books, 'held') + amountIn(books, 'pending')
  const added = Math.max(0, Math.min(points, most - has))
  if (added === 0) return
  purse.total += added
  const lot = lotOfToday(life, system, added)
  if (system.pending === undefined || available === 'at once') {
    // Support's points are adjustments in the statement.
    const kind = available === 'at once' ? 'adjusted' : 'earned'
    credit(books, { at: life.at, kind }, 'earned', [lot])
    return
  }
  addPending(books, life.at, { ...lot, available: addDays(localDate(life.tz, life.at), system.pending.days) })
}

/** By support: from the balance, which stays above zero, or from what was earned. */
function take(life: Life, key: string, points: number, fromEarned: boolean): void {
  const purse = purseOf(life, key)
  if (life.game.systems[key]?.spendable !== true) {
    purse.total -= Math.min(points, purse.total)
    return
  }
  const books = booksOf(life, key)
  const most = fromEarned ? purse.total : Math.max(0, amountIn(books, 'available'))
  const taken = Math.min(points, most)
  if (fromEarned) purse.total -= taken
  debit(books, { at: life.at, kind: 'adjusted' }, fromEarned ? 'earned' : 'adjusted', taken)
}

function spend(life: Life, system: string, name: string, amount: number): void {
  const books = booksOf(life, system)
  books.spends.set(name, debit(books, { at: life.at, kind: 'spent' }, 'spent', amount))
}

interface Return {
  readonly kind: Kind
  readonly from: Account
  readonly today: string
}

/** Points that return to the wallet have their dates again. Expired ones get some more days. */
function giveBack(life: Life, key: string, { kind, from, today }: Return, parts: readonly Part[]): void {
  const system = life.game.systems[key]
  if (system === undefined) return
  const grace = addDays(today, system.refundGrace?.days ?? 30)
  const lots = parts.map(({ expires, amount }): Lot => {
    if (expires === 'debt') return lotOfToday(life, system, amount, today)
    return { expires: expires !== null && expires <= life.date ? grace : expires, amount }
  })
  credit(booksOf(life, key), { at: life.at, kind }, from, lots)
}

export function systemOfHold({ purses }: Life, name: string): string | null {
  return [...purses].find(([, { books }]) => books?.holds.has(name))?.[0] ?? null
}

export function systemOfSpend({ purses }: Life, name: string): string | null {
  return [...purses].find(([, { books }]) => books?.spends.has(name))?.[0] ?? null
}

/** A hold that ends at a midnight ends on the date before. */
function release(life: Life, system: string, name: string, today: string = todayIn(life)): void {
  const books = booksOf(life, system)
  const held = books.holds.get(name)
  books.holds.delete(name)
  if (held !== undefined) giveBack(life, system, { kind: 'released', from: 'held', today }, held.parts)
}

/** Takes what expires first, and releases the rest. */
function capture(life: Life, hold: string, name: string, amount: number | undefined): void {
  const system = systemOfHold(life, hold)
  if (system === null) return
  const books = booksOf(life, system)
  const parts = books.holds.get(hold)?.parts ?? []
  books.holds.delete(hold)
  const [taken, rest] = split(parts, amount ?? sumOf(parts))
  transfer(books, { at: life.at, kind: 'captured' }, 'held', 'spent', sumOf(taken))
  books.spends.set(name, taken)
  giveBack(life, system, { kind: 'released', from: 'held', today: todayIn(life) }, rest)
}

/** The part that the spend took last comes back first. */
function refund(life: Life, name: string, amount: number | undefined): void {
  const system = systemOfSpend(life, name)
  if (system === null) return
  const books = booksOf(life, system)
  const parts = books.spends.get(name) ?? []
  const [kept, returned] = split(parts, sumOf(parts) - (amount ?? sumOf(parts)))
  books.spends.set(name, kept)
  giveBack(life, system, { kind: 'refunded', from: 'spent', today: todayIn(life) }, returned)
}
