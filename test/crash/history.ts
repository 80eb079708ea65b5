import type { ImportItem } from '../../src/api/events/requests.ts'
import { createRandom, type Random } from './random.ts'

interface HistoryItem extends ImportItem<'words' | 'hints', never, 'source'> {
  readonly user: { readonly id: string; readonly tz: string }
  readonly idempotencyKey: string
  readonly occurredAt: Date
}

interface HistoryOptions {
  readonly items: number
  readonly users: number
  readonly seed: number
}

const ZONES = ['UTC', 'America/New_York', 'Asia/Tokyo', 'Asia/Kolkata', 'Pacific/Kiritimati', 'America/Sao_Paulo']
const START = Date.parse('2026-01-01T00:00:00Z')
const DAYS = 120
const DAY = 86_400_000
const LATE_SHARE = 0.02
const AROUND_A_MOVE = 4

/**
 * A made-up history of 120 days, in the order in which it arrives: by time, but for 2 % that come much later. Every
 * fifth user moves to another zone once. No instant occurs twice, so nothing depends on the order of arrival.
 */
export function makeHistory({ items, users, seed }: HistoryOptions): readonly HistoryItem[] {
  const random = createRandom(seed)
  const step = Math.floor((DAYS * DAY) / items)
  const inOrder = Array.from({ length: items }, (_, index): HistoryItem => {
    const number = random.whole(0, users - 1)
    const isHint = random.chance(0.05)
    return {
      metric: isHint ? 'hints' : 'words',
      user: { id: `user-${number}`, tz: zoneOf(number, index / items) },
      value: isHint ? 1 : random.whole(1, 25),
      ...(random.chance(0.3) ? { attributes: { source: 'mobile' } } : {}),
      idempotencyKey: `item-${index}`,
      occurredAt: new Date(START + index * step + random.whole(0, step - 1)),
    }
  })
  return delaySome(inOrder, random)
}

function zoneOf(user: number, elapsed: number): string {
  const first = user % ZONES.length
  const hasMoved = user % 5 === 0 && elapsed > 0.5
  return ZONES[(first + (hasMoved ? 1 : 0)) % ZONES.length] ?? 'UTC'
}

function delaySome(inOrder: readonly HistoryItem[], random: Random): readonly HistoryItem[] {
  const placed = inOrder.map((item, index) => {
    const isLate = random.chance(LATE_SHARE) && !isAroundMove(inOrder, index)
    const delay = isLate ? random.whole(inOrder.length / 10, inOrder.length / 2) : 0
    return { item, place: index + delay }
  })
  return placed.sort((left, right) => left.place - right.place).map(({ item }) => item)
}

/** A move that comes late may take a completion away, and then what is kept depends on what was known when. */
function isAroundMove(items: readonly HistoryItem[], index: number): boolean {
  const item = items[index]
  const own = items.filter(({ user }) => user.id === item?.user.id)
  const place = own.findIndex(({ idempotencyKey }) => idempotencyKey === item?.idempotencyKey)
  const near = own.slice(Math.max(0, place - AROUND_A_MOVE), place + AROUND_A_MOVE + 1)
  return new Set(near.map(({ user }) => user.tz)).size > 1
}

/** Events that come after a later one of the same user. */
export function lateAmong(items: readonly HistoryItem[]): readonly HistoryItem[] {
  const newest = new Map<string, Date>()
  return items.filter(({ user, occurredAt }) => {
    const known = newest.get(user.id)
    const isLate = known !== undefined && occurredAt < known
    if (!isLate) newest.set(user.id, occurredAt)
    return isLate
  })
}

/** The sum of the values by user and metric. */
export function totalsOf(items: readonly HistoryItem[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const { user, metric, value } of items) {
    const key = `${user.id} ${metric}`
    totals.set(key, (totals.get(key) ?? 0) + value)
  }
  return totals
}

/** The most local dates in a row with at least `threshold` words, by user; without those who moved. */
export function longestStreaksOf(items: readonly HistoryItem[], threshold: number): ReadonlyMap<string, number> {
  const zones = new Map<string, Set<string>>()
  const sums = new Map<string, Map<string, number>>()
  const formatters = new Map(ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('en-CA', { timeZone })]))
  for (const { user, metric, value, occurredAt } of items) {
    zones.set(user.id, (zones.get(user.id) ?? new Set()).add(user.tz))
    if (metric !== 'words') continue
    const date = formatters.get(user.tz)?.format(occurredAt) ?? ''
    const own = sums.get(user.id) ?? new Map<string, number>()
    sums.set(user.id, own.set(date, (own.get(date) ?? 0) + value))
  }
  const settled = [...sums].filter(([user]) => zones.get(user)?.size === 1)
  return new Map(settled.map(([user, own]) => [user, longestRun(own, threshold)]))
}

function longestRun(sums: ReadonlyMap<string, number>, threshold: number): number {
  const days = [...sums].filter(([, sum]) => sum >= threshold).map(([date]) => Date.parse(date) / DAY)
  const counted = new Set(days)
  let longest = 0
  for (const day of days) {
    if (counted.has(day - 1)) continue
    let length = 1
    while (counted.has(day + length)) length += 1
    longest = Math.max(longest, length)
  }
  return longest
}
