import { addDays, periodOf } from '../dates.ts'
import type { Challenge, Criterion, Entry, Quest, QuestLife, Window } from './types.ts'

export function sortedOf(log: readonly Entry[]): readonly Entry[] {
  return [...log].sort((left, right) => left.at - right.at || left.arrival - right.arrival)
}

export function newQuest(criteria: readonly Criterion[]): QuestLife {
  return {
    isCounted: false,
    isTouched: false,
    counts: criteria.map(() => 0),
    sums: criteria.map(() => []),
    met: criteria.map(() => false),
    doneAt: null,
    claimUntil: null,
    isClaimed: false,
  }
}

export function questOf({ name, of, pool, ...rest }: Challenge, quest: string): Quest | undefined {
  return pool === undefined ? { name, of: of ?? [], ...rest } : pool[quest]
}

export function openCriteria(rule: Challenge, quest: string, { met }: QuestLife): readonly number[] {
  const open = met.flatMap((isMet, index) => (isMet ? [] : [index]))
  return questOf(rule, quest)?.inOrder ? open.slice(0, 1) : open
}

export function isAllDone(window: Window | undefined): boolean {
  return window?.picked.every((quest) => window.quests.get(quest)?.doneAt != null) === true
}

/** The first date of a window that has always been. */
export const NO_START = ''

const periods = new Map<string, { first: string; last: string }>()

/** The first and the last date of the day, week or month of a date. */
function periodAround(every: 'day' | 'week' | 'month', date: string): { first: string; last: string } {
  const name = `${every} ${date}`
  const known = periods.get(name)
  if (known !== undefined) return known
  const frequency = ({ day: 'daily', week: 'weekly', month: 'monthly' } as const)[every]
  const calendar = { frequency, weekStartsOn: 'monday' } as const
  const first = periodOf(calendar, date)
  let last = first
  while (periodOf(calendar, addDays(last, 1)) === first) last = addDays(last, 1)
  periods.set(name, { first, last })
  return { first, last }
}

export function spanOn({ every, start, end }: Challenge, date: string): { start: string; end: string | null } | null {
  if ((start !== undefined && date < start) || (end !== undefined && date > end)) return null
  if (every === undefined) return { start: start ?? NO_START, end: end ?? null }
  const { first, last } = periodAround(every, date)
  return {
    start: start !== undefined && start > first ? start : first,
    end: end !== undefined && end < last ? end : last,
  }
}

/* The hash of a quest, in arithmetic of whole numbers: FNV-1a of 32 bits, then the last step of MurmurHash3. */

const WORD = 1n << 32n

export function hashOf(user: string, challenge: string, window: string, quest: string): number {
  let hash = 2_166_136_261n
  for (const char of JSON.stringify([user, challenge, window, quest]))
    hash = ((hash ^ BigInt(char.charCodeAt(0))) * 16_777_619n) % WORD
  hash ^= hash >> 16n
  hash = (hash * 0x85ebca6bn) % WORD
  hash ^= hash >> 13n
  hash = (hash * 0xc2b2ae35n) % WORD
  return Number(hash ^ (hash >> 16n))
}

const orders = new Map<string, string[]>()

export function orderOf(user: string, key: string, { pool = {}, same }: Challenge, start: string): string[] {
  const who = same === 'everyone' ? '' : user
  const name = JSON.stringify([who, key, start, Object.keys(pool)])
  const known = orders.get(name)
  if (known !== undefined) return known
  const hashes = Object.keys(pool).map((quest) => ({ quest, hash: hashOf(who, key, start, quest) }))
  const order = hashes.sort((a, b) => b.hash - a.hash || (a.quest < b.quest ? -1 : 1)).map(({ quest }) => quest)
  orders.set(name, order)
  return order
}
