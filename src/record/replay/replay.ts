import type { Day, Instant } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Decided } from '../../rules/decide.ts'
import { newValueOf } from '../../rules/distinct-values.ts'
import { approvedEvent, type Entry, type EventRecorded, isHeld } from '../../rules/entry.ts'
import { type AppliedEntry, gameOf, startFold, underReplacement } from '../../rules/fold.ts'
import type { Game } from '../../rules/game.ts'
import { addOnDate, usesLimits } from '../../rules/limit.ts'
import { spendIdOf, spendOf, withLookedUp } from '../../rules/spends.ts'
import type { UserState } from '../../rules/state.ts'
import { isWithinBounds } from '../../rules/total.ts'
import { isOffLeaderboard } from '../../rules/visibility.ts'
import type { CompletionMade } from '../../runtime/command.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import { withLine } from '../../runtime/damaged-users.ts'
import type { LeaderboardRow } from '../../storage/rows.ts'
import type { Steps } from '../../storage/steps.ts'
import {
  addDerivedRows,
  addKnownRows,
  type DerivedRows,
  isSnapshotDue,
  noDerivedRows,
  type OpenSnapshot,
} from '../accept/derived-rows.ts'
import type { LogMessages } from './log-messages.ts'
import { forEachEntry, type ReadChunk } from './read-log.ts'

export interface Insertion {
  readonly at: Instant | null
  /** Asked at its place: the entry, or null when it is refused there. `next` is the stored entry that follows. */
  enter(state: UserState | null, next: Entry | null): Entry | null
}

export interface Inserted {
  readonly entry: Entry
  readonly before: UserState | null
  readonly decided: Decided
}

export interface Replay {
  readonly state: UserState | null
  readonly rows: DerivedRows
  /** Stored entries that have another dating, are voided, or whose values became new or old. */
  readonly updatedEntries: readonly Entry[]
  readonly inserted: readonly Inserted[]
  /** The changes, at their places in the log, of events that count from now on because they are approved. */
  readonly approved: readonly Change[]
  /** The state, and the number of awards, before the first insertion that comes after everything else. */
  readonly beforeLast: { readonly state: UserState | null; readonly awards: number }
  /** A metric total that left its bounds on the way. */
  readonly overflow: { readonly metric: string; readonly total: number } | null
  /** Every completion of achievements that repeat, in its order. */
  readonly completions: readonly CompletionMade[]
  /** By metric asked for: what stored events that use its limits added, on all dates of the log. */
  readonly dateSums: SumsByDate
  readonly messages: LogMessages | null
  readonly skipped: number
  /** The snapshots to be kept behind lines that were replayed, in their order. */
  readonly snapshots: readonly OpenSnapshot[]
}

export type SumsByDate = ReadonlyMap<string, ReadonlyMap<Day, number>>

/** Events to void or approve, by id, with their known facts. */
export type Corrections = Map<string, Correction>

export interface Correction {
  /** Id of the entry that voids it, or `null` if it is to count although a limit held it back. */
  readonly voidedBy: string | null
  /** The entry in the log, or `null` if it has not been found there. */
  entry: (Entry & EventRecorded) | null
  /** Id of the entry that approved it before, or `null` if there is none. */
  approvedBy: string | null
}

export interface ReplayOptions {
  /** The id of the user. */
  readonly user: string
  /** The lines by the state that was read before. With another number, the log has changed since. */
  readonly lines?: number | undefined
  readonly corrections?: Corrections
  readonly summed?: ReadonlySet<string>
  /** Then only rows of later lines are found, beside the state and its leaderboards. Default: the first line. */
  readonly start?: OpenSnapshot | null
  readonly watch?: (() => LogMessages) | undefined
}

const NO_CORRECTIONS: Corrections = new Map()
const NO_METRICS: ReadonlySet<string> = new Set()

/**
 * Replays a log with entries inserted at their places, at equal instants after the stored ones, and with `corrections`.
 * Returns null if an entry has an unknown game, or if the log has another number of lines.
 */
export function* replay(
  read: ReadChunk,
  current: Pick<CurrentGame, 'games' | 'baselineEpoch'>,
  insertions: readonly Insertion[],
  options: ReplayOptions,
): Steps<Replay | null> {
  const { games, baselineEpoch } = current
  const { start = null } = options
  const open = startReplay(current, options)
  const inOrder = insertions.filter(({ at }) => at !== null).sort((left, right) => (left.at ?? 0) - (right.at ?? 0))
  const skipped = start?.lines ?? 0
  let next = 0
  let count = skipped

  function applyLine(line: Entry): boolean {
    if (!games.has(line.epoch)) return false
    for (let first = inOrder[next]; first?.at != null && first.at < line.at; first = inOrder[next]) {
      open.insert(first, underReplacement(baselineEpoch, line))
      next += 1
    }
    withLine(line, () => open.apply(line))
    count += 1
    return true
  }

  const isKnown = yield* forEachEntry(read, applyLine, start)
  if (!isKnown || (options.lines ?? count) !== count) return null
  for (const insertion of inOrder.slice(next)) open.insert(insertion, null)
  const beforeLast = { state: open.state, awards: open.rows.awards.size }
  for (const insertion of insertions) if (insertion.at === null) open.insert(insertion, null)
  return { ...open, beforeLast, skipped }
}

export interface OpenReplay extends Omit<Replay, 'beforeLast' | 'skipped'> {
  /** Returns the line as it counts. */
  apply(line: Entry): Entry
  insert(insertion: Insertion, next: Entry | null): void
}

export function startReplay(
  { games, baselineEpoch }: Pick<CurrentGame, 'games' | 'baselineEpoch'>,
  { user, corrections = NO_CORRECTIONS, summed = NO_METRICS, start = null, watch }: ReplayOptions,
): OpenReplay {
  const messages = watch === undefined ? null : watch()
  const fold = startFold(games, baselineEpoch, start?.state, user)
  const dateSums = new Map<string, Map<Day, number>>()
  let overflow: Replay['overflow'] = null
  const derived = noDerivedRows()
  if (start !== null) addKnownRows(derived, start.state)
  let lines = start?.lines ?? 0
  const snapshots: OpenSnapshot[] = []
  const updatedEntries: Entry[] = []
  const inserted: Inserted[] = []
  const approved: Change[] = []
  const completions: CompletionMade[] = []

  function follow(line: Entry): AppliedEntry {
    const appliedEntry = fold.next(line)
    addDerivedRows(derived, appliedEntry.entry, appliedEntry.decided.changes)
    messages?.see(appliedEntry)
    lines += 1
    if (isSnapshotDue(lines))
      snapshots.push({ lines, at: line.at, seq: line.seq, baseline: baselineEpoch, state: appliedEntry.decided.state })
    for (const change of appliedEntry.decided.changes) {
      if (change.type === 'metricChanged' && !isWithinBounds(change.total)) overflow ??= change
      if (change.type === 'achievementCompleted' && change.count !== undefined) {
        const { achievement, at, entryId, count } = change
        completions.push({ achievement, at, entryId, count })
      }
    }
    return appliedEntry
  }

  function sum({ entry }: AppliedEntry): void {
    if (entry.kind !== 'eventRecorded' || !summed.has(entry.metric)) return
    if (usesLimits(gameOf(games, entry.epoch), entry)) addOnDate(dateSums, entry)
  }

  return {
    get rows() {
      return fold.state === null ? derived : withoutOff(gameOf(games, fold.state.epoch), fold.state, derived)
    },
    dateSums,
    messages,
    snapshots,
    updatedEntries,
    inserted,
    approved,
    completions,
    get state() {
      return fold.state
    },
    get overflow() {
      return overflow
    },
    apply: (line) => {
      const judged = judgeEvent(line, corrections)
      const appliedEntry = follow(judged)
      const { entry } = appliedEntry
      if (summed.size > 0) sum(appliedEntry)
      if (judged !== line && isHeld(line) && !isVoided(judged)) approved.push(...appliedEntry.decided.changes)
      const isLookedUp = newValueOf(entry) !== newValueOf(line) || spendOf(entry) !== spendOf(line)
      const isChanged = judged !== line || entry.dating !== line.dating || isLookedUp
      if (isChanged) updatedEntries.push(updatedEntry(line, entry))
      return entry
    },
    insert: (insertion, next) => {
      const before = fold.state
      const entry = insertion.enter(before, next)
      if (entry === null) return
      const appliedEntry = follow(entry)
      inserted.push({
        entry: withLookedUp(entry, appliedEntry.entry),
        before,
        decided: appliedEntry.decided,
      })
    },
  }
}

/** The rows without leaderboards that the user is off: only the state has these scores. */
function withoutOff({ leaderboards, preferences }: Game, state: UserState, derived: DerivedRows): DerivedRows {
  const isOff = ({ leaderboard }: LeaderboardRow): boolean =>
    isOffLeaderboard({ preferences }, state, leaderboards.get(leaderboard) ?? null)
  const rows = [...derived.leaderboards]
  if (!rows.some(([, row]) => isOff(row))) return derived
  return { ...derived, leaderboards: new Map(rows.filter(([, row]) => !isOff(row))) }
}

function judgeEvent(line: Entry, corrections: Corrections): Entry {
  if (line.kind === 'eventApproved') {
    const approved = corrections.get(line.event)
    if (approved !== undefined) approved.approvedBy = line.id
  }
  const found = corrections.get(line.id)
  if (found === undefined || line.kind !== 'eventRecorded') return line
  found.entry = line
  const { voidedBy } = found
  if (voidedBy === null) return isHeld(line) ? approvedEvent(line) : line
  return line.voidedBy === undefined || isHeld(line) ? { ...line, voidedBy } : line
}

function isVoided(line: Entry): boolean {
  return line.kind === 'eventRecorded' && line.voidedBy !== undefined
}

/** Its epoch stays. The profile, which is not stored again, is left out: a change of zone dates many lines. */
function updatedEntry(stored: Entry, { dating, ...dated }: Entry): Entry {
  const line = dated.kind === 'eventRecorded' || spendIdOf(dated) !== null ? dated : stored
  return { ...line, dating, epoch: stored.epoch, profile: null }
}

/** As if a game had always been in force. */
export function allUnder(current: CurrentGame, game: Game): Pick<CurrentGame, 'games' | 'baselineEpoch'> {
  const baselineEpoch = current.epoch + 1
  return { games: new Map([...current.games, [baselineEpoch, game]]), baselineEpoch }
}
