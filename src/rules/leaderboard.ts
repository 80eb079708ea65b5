import { addMonths, type Day, endOfDate, type Instant, monthsBetween, parseDate, toDateText } from './calendar.ts'
import type { Change } from './change.ts'
import type { Dating, Entry } from './entry.ts'
import type { Game, Leaderboard } from './game.ts'
import { hasSameMembers, type LeaderboardEntry, type UserState } from './state.ts'
import { endsOfPool } from './streak-ends.ts'
import { ruleOf, streakOf } from './streak-names.ts'
import { add, aggregate } from './total.ts'

/** One run of a leaderboard: local dates of each participant, both included. */
export interface Run {
  /** First date and version: equal if the scores can be compared. */
  readonly id: string
  readonly from: Day
  readonly to: Day | null
}

const LAST_DAY = parseDate('9999-12-31') ?? Number.POSITIVE_INFINITY

/** The run that a local date lies in; null before the first and after the last. */
export function runOn(leaderboard: Leaderboard, date: Day): Run | null {
  const { start, end, version } = leaderboard
  if (date < start || (end !== null && date > end)) return null
  const { from, next } = spanOn(leaderboard, date)
  const last = next === null || next > LAST_DAY ? null : next - 1
  const to = last === null || end === null ? (last ?? end) : Math.min(last, end)
  return { id: `${toDateText(from)} ${version}`, from, to }
}

/** Months are counted from the leaderboard's start, so a clipped month end does not shift later runs. */
function spanOn({ start, run }: Leaderboard, date: Day): { readonly from: Day; readonly next: Day | null } {
  if (run === null) return { from: start, next: null }
  const { unit, interval } = run
  if (unit === 'day') {
    const from = start + Math.floor((date - start) / interval) * interval
    return { from, next: from + interval }
  }
  const months = unit === 'year' ? 12 * interval : interval
  const whole = Math.floor(monthsBetween(start, date) / months)
  const runs = addMonths(start, whole * months) > date ? whole - 1 : whole
  return { from: addMonths(start, runs * months), next: addMonths(start, (runs + 1) * months) }
}

export function runById(leaderboard: Leaderboard, id: string): Run {
  const run =
    leaderboard.rankBy === 'streak' ? streakRun(leaderboard) : runOn(leaderboard, parseDate(id.slice(0, 10)) ?? 0)
  if (run?.id !== id) throw new RangeError(`The leaderboard ${leaderboard.key} has no run ${id}`)
  return run
}

export function isRunOf({ version }: Leaderboard, run: string): boolean {
  return run.endsWith(` ${version}`)
}

/** True if a time of day counts. If `startTime` is after `endTime`, the window is a night. */
function isInWindow({ startTime, endTime }: Pick<Leaderboard, 'startTime' | 'endTime'>, time: number): boolean {
  const hasBegun = startTime === null || time >= startTime
  const isBeforeEnd = endTime === null || time < endTime
  const isNight = startTime !== null && endTime !== null && startTime > endTime
  return isNight ? hasBegun || isBeforeEnd : hasBegun && isBeforeEnd
}

/** The group of a participant; empty text: there are no groups. An unset attribute counts as an empty one. */
export function groupOf({ breakdown }: Leaderboard, attributes: ReadonlyMap<string, string>): string {
  if (breakdown.length === 0) return ''
  return JSON.stringify(breakdown.map((attribute) => [attribute, attributes.get(attribute) ?? '']))
}

export function valuesOfGroup({ breakdown }: Leaderboard, group: string): readonly (readonly [string, string])[] {
  return breakdown.length === 0 || group === '' ? [] : JSON.parse(group)
}

export function statusOn(
  { start, end }: Pick<Leaderboard, 'start' | 'end'>,
  date: Day,
): 'scheduled' | 'active' | 'finished' {
  if (date < start) return 'scheduled'
  return end === null || date <= end ? 'active' : 'finished'
}

/** `changes` are the changes of the entry so far, up to the state `after`. */
export function scoreLeaderboards(
  game: Game,
  after: UserState,
  changes: readonly Change[],
  entry: Entry,
): readonly Change[] {
  if (game.leaderboards.size === 0) return []
  const scores = new Map<Leaderboard, number>()
  for (const change of changes) {
    if (change.type === 'metricChanged') {
      collect(scores, game.byMetric.get(change.metric)?.leaderboards, change.value)
    } else if (change.type === 'pointsAwarded') {
      collect(scores, game.pointsLeaderboards.get(change.system), change.awarded)
    }
  }
  const scored: LeaderboardChange[] = []
  for (const [leaderboard, by] of scores) push(scored, addScore(leaderboard, after, by, entry))
  for (const change of scoreStreaks(game, after, changes, entry)) push(scored, change)
  if (game.groupedLeaderboards.length === 0) return scored
  const isScored = new Set(scored.map(({ leaderboard }) => leaderboard))
  for (const leaderboard of game.groupedLeaderboards) {
    if (!isScored.has(leaderboard.key)) push(scored, moveGroup(leaderboard, after, entry.dating))
  }
  return scored
}

function collect(scores: Map<Leaderboard, number>, leaderboards: readonly Leaderboard[] | undefined, by: number): void {
  for (const leaderboard of leaderboards ?? []) {
    const known = scores.get(leaderboard)
    scores.set(leaderboard, known === undefined ? by : add(known, by))
  }
}

function push(changes: LeaderboardChange[], change: LeaderboardChange | null): void {
  if (change !== null) changes.push(change)
}

type LeaderboardChange = Extract<Change, { readonly type: `leaderboard${string}` }>

export function entryOf(state: UserState, { key }: Leaderboard, run: string): LeaderboardEntry | null {
  return state.leaderboards.get(key)?.find((entry) => entry.run === run) ?? null
}

/** The score of a value in the order of a leaderboard, and the value of a score. */
export function toScore({ isLowest }: Leaderboard, value: number): number {
  return isLowest ? 0 - value : value
}

/** The value after one more event or award. `previous`: undefined before the first one of the run. */
export function nextValue(leaderboard: Leaderboard, previous: number | undefined, by: number): number {
  const score = previous === undefined ? undefined : toScore(leaderboard, previous)
  return toScore(leaderboard, aggregate(leaderboard.aggregation, score, by))
}

/** A user is ranked in a run from the first event or award that counts in it, whatever it is worth. */
function addScore(leaderboard: Leaderboard, state: UserState, by: number, entry: Entry): LeaderboardChange | null {
  const { date, time } = entry.dating
  const run = runOn(leaderboard, date)
  if (run === null || !isInWindow(leaderboard, time)) return null
  const previous = entryOf(state, leaderboard, run.id)
  const value = nextValue(leaderboard, previous?.value, by)
  const group = groupOf(leaderboard, state.profile.attributes)
  if (previous !== null && previous.value === value && previous.group === group) return null
  const reachedAt = previous?.value === value ? previous.reachedAt : entry.at
  const scored = { run: run.id, group, value, reachedAt, until: null }
  return { type: 'leaderboardScored', leaderboard: leaderboard.key, entry: scored, previous }
}

/** A user who changes group moves with the value of the current run; a run that is over keeps its groups. */
function moveGroup(leaderboard: Leaderboard, state: UserState, { date }: Dating): LeaderboardChange | null {
  const run = runOn(leaderboard, date)
  const previous = run === null ? null : entryOf(state, leaderboard, run.id)
  const group = groupOf(leaderboard, state.profile.attributes)
  if (previous === null || previous.group === group) return null
  return { type: 'leaderboardScored', leaderboard: leaderboard.key, entry: { ...previous, group }, previous }
}

/** The changes that can move the length of a streak, or its end: choices, pauses, freezes and newer games move the end. */
const STREAK_CHANGES: ReadonlySet<Change['type']> = new Set([
  'userCreated',
  'profileChanged',
  'preferencesChanged',
  'gameAdopted',
  'earlierDaysChanged',
  'pausesChanged',
  'freezesEarned',
  'freezesGranted',
  'streakStarted',
  'streakExtended',
  'streakHeld',
  'streakFrozen',
  'streakPaused',
  'streakLost',
  'streakReset',
  'streakRestored',
  'streakMoved',
] satisfies Change['type'][])

function scoreStreaks(
  game: Game,
  after: UserState,
  changes: readonly Change[],
  entry: Entry,
): readonly (LeaderboardChange | null)[] {
  if (game.streakLeaderboards.length === 0 || !changes.some(({ type }) => STREAK_CHANGES.has(type))) return []
  const ends = new Map(game.freezePools.flatMap((pool) => [...endsOfPool(game, pool, after)]))
  return game.streakLeaderboards.map((board) => scoreStreak(board, game, after, ends.get(board.streak) ?? null, entry))
}

/** Ranks a user by the length of the streak, until the streak expires. A finished leaderboard does not change. */
function scoreStreak(
  leaderboard: Leaderboard,
  game: Game,
  after: UserState,
  until: Instant | null,
  entry: Entry,
): LeaderboardChange | null {
  const run = streakRun(leaderboard)
  if (leaderboard.end !== null && entry.dating.date > leaderboard.end) return null
  const previous = entryOf(after, leaderboard, run.id)
  const rule = ruleOf(game, leaderboard.streak)
  const { length, extendedAt, firstAt } = streakOf(after, leaderboard.streak)
  if (rule === null || length === 0) {
    return previous === null ? null : { type: 'leaderboardLeft', leaderboard: leaderboard.key, previous }
  }
  const scored: LeaderboardEntry = {
    run: run.id,
    group: groupOf(leaderboard, after.profile.attributes),
    value: length,
    reachedAt: extendedAt ?? firstAt ?? entry.at,
    until,
  }
  if (previous !== null && hasSameMembers(previous, scored)) return null
  return { type: 'leaderboardScored', leaderboard: leaderboard.key, entry: scored, previous }
}

export function streakRun({ start, end, version }: Leaderboard): Run {
  return { id: `${toDateText(start)} ${version}`, from: start, to: end }
}

export function visibleLeaderboards(game: Game, includePrivate: boolean): readonly Leaderboard[] {
  return [...game.leaderboards.values()].filter((leaderboard) => includePrivate || !leaderboard.private)
}

/** Streaks are ranked if they are alive at this moment. A finished leaderboard stays as it ended. */
export function rankedAt({ end }: Leaderboard, now: Instant): Instant {
  return end === null ? now : Math.min(now, endOfDate('UTC', end))
}

/** No ranks are shown yet. Streaks score before the start, so that those alive then rank at once. */
export function isConcealed(leaderboard: Leaderboard, date: Day): boolean {
  return leaderboard.rankBy === 'streak' && statusOn(leaderboard, date) === 'scheduled'
}
