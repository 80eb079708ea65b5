import type { Game } from '../../src/rules/game.ts'
import type { BenchEvent } from './game.ts'

/** A user as the hand-written transaction reads it before it decides. */
export interface Before {
  /** `pg` reads 64-bit numbers as text, so the statement casts them. */
  readonly user: UserRow
  readonly isNew: boolean
  readonly total: Total
  readonly done: ReadonlySet<string>
  readonly balances: ReadonlyMap<string, Balance>
}

export interface UserRow {
  readonly seq: number
  readonly at: number
  readonly length: number
  readonly last: number | null
  readonly kept: number | null
  readonly started: string | null
  readonly first_at: number | null
  readonly extended_at: number | null
  readonly longest: number
  readonly open: string | null
  readonly lost: string | null
}

export interface Total {
  readonly total: number
  readonly highest: number
}

export interface Balance {
  readonly total: number
  readonly level: string | null
}

export interface AwardRow {
  readonly system: string
  readonly trigger: string
  readonly ordinal: number
  readonly awarded: number
  readonly total: number
}

export interface Outcome {
  readonly total: Total
  readonly streak: Omit<UserRow, 'seq' | 'at'>
  readonly extends: boolean
  readonly completed: readonly string[]
  readonly awards: readonly AwardRow[]
  readonly balances: readonly (Balance & { readonly system: string })[]
  readonly counts: readonly (readonly [kind: string, key: string, by: number])[]
}

const DAY = 86_400_000
const NO_STREAK = { length: 0, last: null, kept: null, started: null, first_at: null, extended_at: null }

/** The changes of an event in the benchmark's game, in the zone UTC and without late events. */
export function outcomeOf(game: Game, before: Before, { metric, value }: BenchEvent, at: number): Outcome {
  const sum = before.total.total + value
  const total = { total: sum, highest: Math.max(before.total.highest, sum) }
  const streak = streakAfter(before.user, metric, value, at)
  const extended = streak.extended_at === at && streak.last !== before.user.last
  const completed = completedBy(game, before.done, metric, sum, streak.length)
  const counts: [string, string, number][] = completed.map((key) => ['completions', key, 1])
  const awards: AwardRow[] = []
  const balances: (Balance & { system: string })[] = []
  for (const { key: system, triggers, levels } of game.points.values()) {
    const known = before.balances.get(system) ?? { total: 0, level: null }
    let balance = known.total
    for (const trigger of triggers) {
      let times = 0
      if (trigger.type === 'metric' && trigger.metric === metric) {
        times = Math.floor(total.highest / trigger.threshold) - Math.floor(before.total.highest / trigger.threshold)
      } else if (trigger.type === 'achievement') times = completed.includes(trigger.achievement) ? 1 : 0
      else if (trigger.type === 'streak') times = extended && streak.length % trigger.length === 0 ? 1 : 0
      if (times === 0) continue
      const awarded = times * trigger.points
      balance += awarded
      awards.push({ system, trigger: trigger.id, ordinal: awards.length, awarded, total: balance })
    }
    const level = levels.findLast(({ points }) => points <= balance)?.key ?? null
    if (balance === known.total && (level === known.level || !before.isNew)) continue
    balances.push({ system, total: balance, level })
    if (level === known.level) continue
    if (known.level !== null) counts.push(['level', JSON.stringify([system, known.level]), -1])
    if (level !== null) counts.push(['level', JSON.stringify([system, level]), 1])
  }
  return { total, streak, extends: extended, completed, awards, balances, counts }
}

function streakAfter(user: UserRow, metric: string, value: number, at: number): Outcome['streak'] {
  const today = Math.floor(at / DAY)
  const open = JSON.parse(user.open ?? '[]') as { period: number; sums: { $: [string, number][] } }[]
  let current = open.find(({ period }) => period === today)
  if (current === undefined) {
    current = { period: today, sums: { $: [] } }
    open.push(current)
  }
  const sums = new Map(current.sums.$)
  current.sums.$ = [...sums.set(metric, (sums.get(metric) ?? 0) + value)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const isAlive = user.last !== null && user.last >= today - 1
  const lost = isAlive || user.length === 0 ? user.lost : toLostText(user)
  const { length, last, kept, started, first_at, extended_at } = isAlive ? user : NO_STREAK
  const rest = { longest: user.longest, open: JSON.stringify(open.slice(-2)), lost }
  if (last === today || (metric !== 'words' && metric !== 'pages')) {
    return { length, last, kept, started, first_at, extended_at, ...rest }
  }
  return {
    length: length + 1,
    last: today,
    kept: today,
    started: started ?? new Date(at).toISOString().slice(0, 10),
    first_at: first_at ?? at,
    extended_at: at,
    ...rest,
    longest: Math.max(user.longest, length + 1),
  }
}

function toLostText({ length, last, kept, started, first_at: firstAt, extended_at: extendedAt }: UserRow): string {
  const missed = kept === null ? null : kept + 1
  const startedOn = started === null ? null : Date.parse(started) / DAY
  return JSON.stringify({ extendedAt, firstAt, last, length, missed, started: startedOn })
}

function completedBy(game: Game, known: ReadonlySet<string>, metric: string, total: number, length: number): string[] {
  const done = new Set(known)
  const completed: string[] = []
  for (const achievement of game.achievements.values()) {
    if (done.has(achievement.key)) continue
    const isReached =
      (achievement.trigger === 'metric' && achievement.metric === metric && total >= achievement.value) ||
      (achievement.trigger === 'streak' && length >= achievement.length) ||
      (achievement.trigger === 'achievement' && achievement.achievements.every((part) => done.has(part)))
    if (!isReached) continue
    done.add(achievement.key)
    completed.push(achievement.key)
  }
  return completed
}
