import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { awardId } from '../../game/ids.ts'
import { markOf } from '../../rules/challenge-windows.ts'
import type { AboutStreak, Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import type { Boost, Game } from '../../rules/game.ts'
import type { Redemption } from '../../rules/redemption.ts'
import type { ChallengeMark } from '../../rules/state.ts'
import { emptyState, type LeaderboardEntry, type UserState } from '../../rules/state.ts'
import type { CappedAward } from '../../runtime/command.ts'
import { parseStateText, stateText } from '../../sql/state-text.ts'
import type { Award, AwardedBoost, LeaderboardRow, Movement, Snapshot, StreakPeriod } from '../../storage/rows.ts'
import type { CounterChange, StoredUser } from '../../storage/storage.ts'

/** A user has at most one period of each streak by its first date. */
export function periodKey({ start, streak }: Pick<StreakPeriod, 'start' | 'streak'>): string {
  return streak === undefined ? `${start}` : `${start} ${streak}`
}

/** Rows that grow with the log, unlike the state, which is bounded. */
export interface DerivedRows {
  readonly awards: Map<string, AwardFacts>
  /** By points system and place (`movementKey`). */
  readonly movements: Map<string, Movement>
  /** By streak and first date (`periodKey`). */
  readonly periods: Map<string, StreakPeriod>
  /** By challenge, first date and quest (`windowKey`). */
  readonly challenges: Map<string, ChallengeMark>
  /** By id. */
  readonly redemptions: Map<string, Redemption>
  /** By leaderboard and run (`leaderboardRowKey`). */
  readonly leaderboards: Map<string, LeaderboardRow>
}

type OtherRows = Omit<DerivedRows, 'awards'>

/** An award whose id, which follows from its entry, system and trigger, has not been made yet. */
export type AwardFacts = Omit<Award, 'id'>

export function awardKey({ entryId, system, trigger }: AwardFacts): string {
  return `${entryId} ${trigger} ${system}`
}

/** A known `id` is not computed again. */
export function toAwardRow(facts: AwardFacts, id?: string): Award {
  return { ...facts, id: id ?? awardId(facts.entryId, facts.system, facts.trigger) }
}

export function noDerivedRows(): DerivedRows {
  return { awards: new Map(), ...noOtherRows() }
}

/** No rows, of those that are no awards. */
export function noOtherRows(): OtherRows {
  return {
    movements: new Map(),
    periods: new Map(),
    challenges: new Map(),
    redemptions: new Map(),
    leaderboards: new Map(),
  }
}

export function leaderboardRowKey({ leaderboard, run }: Pick<LeaderboardRow, 'leaderboard' | 'run'>): string {
  return `${run} ${leaderboard}`
}

const PERIODS = {
  streakStarted: 'counted',
  streakExtended: 'counted',
  streakHeld: 'counted',
  streakFrozen: 'frozen',
  streakPaused: 'paused',
} as const

type PeriodChange = Extract<Change, { readonly type: keyof typeof PERIODS }>

function isPeriod(change: Change): change is PeriodChange {
  return Object.hasOwn(PERIODS, change.type)
}

export function windowKey({ challenge, start, quest }: Pick<ChallengeMark, 'challenge' | 'start' | 'quest'>): string {
  return JSON.stringify([challenge, start, quest])
}

/** Adds the rows that a state knows: of the newest runs and windows. Others no longer change. */
export function addKnownRows({ leaderboards, challenges }: DerivedRows, state: UserState): void {
  for (const [challenge, { windows }] of state.challenges) {
    for (const window of windows) {
      for (const quest of window.quests) putMark(challenges, markOf(challenge, window, quest))
    }
  }
  for (const [leaderboard, entries] of state.leaderboards) {
    for (const entry of entries) putScore(leaderboards, leaderboard, entry)
  }
}

export function addDerivedRows(rows: DerivedRows, entry: Entry, changes: readonly Change[]): void {
  for (const facts of awardFactsOf(entry, changes)) rows.awards.set(awardKey(facts), facts)
  addOtherRows(rows, entry, changes)
}

/** The awards of an entry, in order. Several payments of one trigger are one award, in the place of the last. */
export function awardFactsOf(entry: Entry, changes: readonly Change[]): readonly AwardFacts[] {
  const facts: AwardFacts[] = []
  let ordinal = 0
  for (const change of changes) {
    if (change.type !== 'pointsAwarded') continue
    const { system, trigger, awarded, total, boosts } = change
    const known = facts.findIndex((each) => each.trigger === trigger && each.system === system)
    const [earlier] = known === -1 ? [] : facts.splice(known, 1)
    const award = {
      system,
      trigger,
      entryId: entry.id,
      at: entry.at,
      seq: entry.seq,
      ordinal,
      awarded: awarded + (earlier?.awarded ?? 0),
      total,
    }
    ordinal += 1
    facts.push(boosts === undefined ? award : { ...award, boosts: boosts.map(toAwardedBoost) })
  }
  return facts
}

/** Adds the rows of an entry that are no awards. */
export function addOtherRows(rows: OtherRows, entry: Entry, changes: readonly Change[]): void {
  for (const movement of movementsOf(entry, changes)) rows.movements.set(movementKey(movement), movement)
  for (const change of changes) {
    if (isPeriod(change)) {
      putPeriod(rows, change, { start: change.date, length: change.length, kind: PERIODS[change.type] })
    } else if (change.type === 'streakRestored' && change.date !== null) {
      putPeriod(rows, change, { start: change.date, length: change.streak.length, kind: 'counted' })
    } else if (change.type === 'challengeAbandoned') {
      rows.challenges.delete(windowKey(change.mark))
    } else if ('redemption' in change) {
      rows.redemptions.set(change.redemption.id, change.redemption)
    } else if (isMarked(change)) {
      putMark(rows.challenges, change.mark)
    } else if (change.type === 'leaderboardScored') {
      putScore(rows.leaderboards, change.leaderboard, change.entry)
    } else if (change.type === 'leaderboardLeft') {
      const { leaderboard, previous } = change
      rows.leaderboards.delete(leaderboardRowKey({ leaderboard, run: previous.run }))
    }
  }
}

export function movementKey({ system, at, seq, ordinal }: Movement): string {
  return `${at} ${seq} ${ordinal} ${system}`
}

const NO_MOVEMENTS: readonly Movement[] = []

/** The movements of an entry, in order. */
export function movementsOf(entry: Pick<Entry, 'seq' | 'id'>, changes: readonly Change[]): readonly Movement[] {
  let movements: Movement[] | null = null
  for (const change of changes) {
    if (change.type !== 'pointsMoved') continue
    movements ??= []
    movements.push(toMovement(change, entry, movements.length))
  }
  return movements ?? NO_MOVEMENTS
}

function toMovement(
  moved: Extract<Change, { readonly type: 'pointsMoved' }>,
  { seq, id: entryId }: Pick<Entry, 'seq' | 'id'>,
  ordinal: number,
): Movement {
  const { system, kind, points, amount, balance, at, spend = null, hold = null, lots = [] } = moved
  const { reference = null, until = null } = moved
  return { system, at, seq, ordinal, kind, points, amount, balance, entryId, spend, hold, lots, reference, until }
}

type Marked = Extract<Change, { readonly mark: ChallengeMark }>

function isMarked(change: Change): change is Marked {
  return 'mark' in change
}

function putMark(rows: DerivedRows['challenges'], mark: ChallengeMark): void {
  rows.set(windowKey(mark), mark)
}

function putScore(rows: DerivedRows['leaderboards'], leaderboard: string, entry: LeaderboardEntry): void {
  const { run, group, value, reachedAt, until } = entry
  const row = { leaderboard, run, group, value, reachedAt, until }
  rows.set(leaderboardRowKey(row), row)
}

function putPeriod(rows: Pick<DerivedRows, 'periods'>, { key }: AboutStreak, counted: StreakPeriod): void {
  const period = key === undefined ? counted : { ...counted, streak: key }
  rows.periods.set(periodKey(period), period)
}

function toAwardedBoost({ id, name, start, end, multiplier, rounding }: Boost): AwardedBoost {
  return { id, name, start, end, multiplier, rounding }
}

export function unlimitedOf({ leaderboards }: Game, rows: readonly LeaderboardRow[]): readonly string[] {
  if (rows.length === 0) return []
  const keys = new Set(rows.map(({ leaderboard }) => leaderboard))
  return [...keys].filter((key) => leaderboards.get(key)?.maxParticipants === null)
}

export function rowDifference<Row>(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): { readonly remove: readonly Row[]; readonly put: readonly Row[] } {
  return {
    remove: [...before].filter(([key, row]) => !isDeepStrictEqual(row, after.get(key))).map(([, row]) => row),
    put: [...after].filter(([key, row]) => !isDeepStrictEqual(row, before.get(key))).map(([, row]) => row),
  }
}

export interface AwardChanges {
  readonly remove: readonly Award[]
  readonly put: readonly Award[]
  /** By `awardKey`: the new ones among `put`. */
  readonly added: ReadonlyMap<string, Award>
}

export function changedAwards(stored: readonly Award[], replayed: ReadonlyMap<string, AwardFacts>): AwardChanges {
  const before = new Map(stored.map((award) => [awardKey(award), award]))
  const after = new Map([...replayed].map(([key, facts]) => [key, toAwardRow(facts, before.get(key)?.id)]))
  const changes = rowDifference(before, after)
  const isNew = (award: Award): boolean => !before.has(awardKey(award))
  return { ...changes, added: new Map(changes.put.filter(isNew).map((award) => [awardKey(award), award])) }
}

export type StoredRows = Pick<
  StoredUser,
  'awards' | 'movements' | 'periods' | 'challenges' | 'redemptions' | 'leaderboards'
>

export function toStoredRows({
  awards,
  movements,
  periods,
  challenges,
  redemptions,
  leaderboards,
}: DerivedRows): StoredRows {
  return {
    awards: toAwardRows(awards.values()),
    movements: [...movements.values()],
    periods: [...periods.values()],
    challenges: [...challenges.values()],
    redemptions: [...redemptions.values()],
    leaderboards: [...leaderboards.values()],
  }
}

export function toAwardRows(awards: Iterable<AwardFacts>): readonly Award[] {
  return Array.from(awards, (award) => toAwardRow(award))
}

export function countChanges(before: UserState | null, after: UserState): readonly CounterChange[] {
  if (before?.completions === after.completions && before.points === after.points) return []
  const counted = new Map<string, CounterChange>()
  const count = (kind: CounterChange['kind'], key: string, by: 1 | -1): void => {
    const id = JSON.stringify([kind, key])
    counted.set(id, { kind, key, by: (counted.get(id)?.by ?? 0) + by })
  }
  if (before === null && after.mergedInto === null) count('users', '', 1)
  if (before?.completions !== after.completions) {
    for (const key of after.completions.keys()) if (before?.completions.has(key) !== true) count('completions', key, 1)
    for (const key of before?.completions.keys() ?? []) if (!after.completions.has(key)) count('completions', key, -1)
  }
  if (before?.points !== after.points) countLevels(before, after, count)
  return [...counted.values()].filter(({ by }) => by !== 0)
}

function countLevels(
  before: UserState | null,
  after: UserState,
  count: (kind: 'level', key: string, by: 1 | -1) => void,
): void {
  for (const [system, { level }] of after.points) {
    const old = before?.points.get(system)?.level ?? null
    if (old === level) continue
    if (old !== null) count('level', levelCounterKey(system, old), -1)
    if (level !== null) count('level', levelCounterKey(system, level), 1)
  }
  for (const [system, { level }] of before?.points ?? []) {
    if (level !== null && !after.points.has(system)) count('level', levelCounterKey(system, level), -1)
  }
}

export function levelCounterKey(system: string, level: string): string {
  return JSON.stringify([system, level])
}

/** One for each trigger, also if it pays several times, such as for two quests that one event completes. */
export function cappedBy(changes: readonly Change[]): readonly CappedAward[] {
  const capped = new Map<string, CappedAward>()
  for (const change of changes) {
    if (change.type !== 'pointsAwarded' && change.type !== 'pointsClipped') continue
    if (change.reduction === undefined) continue
    const { system, trigger, due, reduction } = change
    const awarded = change.type === 'pointsAwarded' ? change.awarded : 0
    const before = capped.get(trigger)
    const sums = { due: due + (before?.due ?? 0), awarded: awarded + (before?.awarded ?? 0) }
    capped.set(trigger, { system, trigger, ...sums, resetsAt: reduction.resetsAt })
  }
  return [...capped.values()]
}

/** After every `every` lines of a log a snapshot is kept. Only tests change it: their logs are short. */
export const snapshotLines: { every: number } = { every: 1_000 }

export type OpenSnapshot = Omit<Snapshot, 'state'> & { readonly state: UserState }

/** Raised with every change of the members of a `UserState` or their meaning: older snapshots are then skipped. */
const FORMAT = 7

export function isSnapshotDue(lines: number): boolean {
  return lines % snapshotLines.every === 0
}

export function toSnapshot({ lines, at, seq, baseline, state }: OpenSnapshot): Snapshot {
  const text = stateText(state)
  const place = { lines, at, seq, baseline }
  return { ...place, state: `${checkOf(place, text)} ${text}` }
}

/**
 * Opens a snapshot for a replay under this baseline. Returns `null` if there is none, or if the replay cannot begin
 * with it.
 */
export function openSnapshot(stored: Snapshot | null, baseline: number): OpenSnapshot | null {
  if (stored?.baseline !== baseline) return null
  const { lines, at, seq, state } = stored
  const end = state.indexOf(' ')
  const text = state.slice(end + 1)
  const place = { lines, at, seq, baseline }
  // It is of another version of the library, or another program has changed it.
  if (end === -1 || checkOf(place, text) !== state.slice(0, end)) return null
  return { ...place, state: { ...emptyState(at, baseline), ...(parseStateText(text) as UserState) } }
}

/** The check sum covers the place too: a state behind the wrong line would be as wrong as another state. */
function checkOf({ lines, at, seq, baseline }: Omit<Snapshot, 'state'>, text: string): string {
  const all = [FORMAT, lines, at, seq, baseline, text].join(' ')
  return createHash('sha256').update(all).digest('hex').slice(0, 16)
}
