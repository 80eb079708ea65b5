import type { Instant } from '../../rules/calendar.ts'
import type { Step } from '../../rules/decide.ts'
import type { Entry, EventRecorded } from '../../rules/entry.ts'
import { type Folded, startFold, underReplacement } from '../../rules/fold.ts'
import { isOffLeaderboards, type UserState } from '../../rules/state.ts'
import { isWithinBounds } from '../../rules/total.ts'
import { chain } from '../accept/chain.ts'
import { addDerivedRows, type DerivedRows, noDerivedRows } from '../accept/derived-rows.ts'
import type { CurrentGame, Eventually } from '../types.ts'
import { forEachEntry, type ReadChunk } from './read-log.ts'

/** An entry to be put into a log that is folded again. */
export interface Insertion {
  /** Its instant; null: after everything else. */
  readonly at: Instant | null
  /** Asked at its place: the entry, or null when it is refused there. `next` is the stored entry that follows. */
  enter(state: UserState | null, next: Entry | null): Entry | null
}

/** An inserted entry and what it led to. */
export interface Inserted {
  readonly entry: Entry
  readonly before: UserState | null
  readonly step: Step
}

/** A user's log folded again from its beginning. */
export interface Replay {
  readonly state: UserState | null
  readonly rows: DerivedRows
  /** Stored entries whose dating changed, because the zone in force for them did, and events that are voided. */
  readonly redated: readonly Entry[]
  readonly inserted: readonly Inserted[]
  /** As it was before the first insertion after everything else. */
  readonly beforeLast: { readonly state: UserState | null; readonly awards: number }
  /** A metric total that left its bounds on the way. */
  readonly overflow: { readonly metric: string; readonly total: number } | null
}

/** Events to be voided, by id, with what becomes of each. */
export type Voids = Map<string, VoidedEvent>

export interface VoidedEvent {
  /** Id of the entry that voids it. */
  readonly by: string
  /** As it is in the log; null: it has not been found there. */
  entry: (Entry & EventRecorded) | null
}

const NO_VOIDS: Voids = new Map()

/**
 * Folds a user's log again with entries put in at their places, and without events that are to be voided. At equal
 * instants the entries come after the stored ones and in the order given. null: an entry was decided under a game that is
 * not known.
 */
export function replay(
  read: ReadChunk,
  { games, since }: Pick<CurrentGame, 'games' | 'since'>,
  insertions: readonly Insertion[],
  voids?: Voids,
): Eventually<Replay | null> {
  const open = startReplay({ games, since }, voids)
  const inOrder = insertions.filter(({ at }) => at !== null).sort((left, right) => (left.at ?? 0) - (right.at ?? 0))
  let next = 0

  function step(line: Entry): boolean {
    if (!games.has(line.epoch)) return false
    for (let first = inOrder[next]; first?.at != null && first.at < line.at; first = inOrder[next]) {
      open.insert(first, underReplacement(since, line))
      next += 1
    }
    open.step(line)
    return true
  }

  return chain(forEachEntry(read, step), (isKnown) => {
    if (!isKnown) return null
    for (const insertion of inOrder.slice(next)) open.insert(insertion, null)
    const beforeLast = { state: open.state, awards: open.rows.awards.size }
    for (const insertion of insertions) if (insertion.at === null) open.insert(insertion, null)
    const { state, rows, redated, inserted, overflow } = open
    return { state, rows, redated, inserted, beforeLast, overflow }
  })
}

/** A log as it is folded, entry by entry. */
export interface OpenReplay {
  readonly rows: DerivedRows
  readonly redated: Entry[]
  readonly inserted: Inserted[]
  readonly state: UserState | null
  readonly overflow: Replay['overflow']
  step(line: Entry): void
  insert(insertion: Insertion, next: Entry | null): void
}

export function startReplay(
  { games, since }: Pick<CurrentGame, 'games' | 'since'>,
  voids: Voids = NO_VOIDS,
): OpenReplay {
  const fold = startFold(games, since)
  let overflow: Replay['overflow'] = null
  const derived = noDerivedRows()
  const offLeaderboards = { ...derived, leaderboards: new Map() }
  const redated: Entry[] = []
  const inserted: Inserted[] = []

  function follow(line: Entry): Folded {
    const folded = fold.next(line)
    addDerivedRows(derived, folded.entry, folded.step.changes)
    for (const change of folded.step.changes) {
      if (change.type === 'metricChanged' && !isWithinBounds(change.total)) overflow ??= change
    }
    return folded
  }

  return {
    // What a suspended user scores goes on in the state alone.
    get rows() {
      return fold.state !== null && isOffLeaderboards(fold.state) ? offLeaderboards : derived
    },
    redated,
    inserted,
    get state() {
      return fold.state
    },
    get overflow() {
      return overflow
    },
    step: (line) => {
      const voided = voidEvent(line, voids)
      const { entry } = follow(voided)
      if (voided !== line || entry.dating !== line.dating) redated.push(redatedLine(line, entry))
    },
    insert: (insertion, next) => {
      const before = fold.state
      const entry = insertion.enter(before, next)
      if (entry === null) return
      const { step } = follow(entry)
      inserted.push({ entry, before, step })
    },
  }
}

function voidEvent(entry: Entry, voids: Voids): Entry {
  const found = voids.get(entry.id)
  if (found === undefined || entry.kind !== 'eventRecorded') return entry
  found.entry = entry
  return entry.voidedBy === undefined ? { ...entry, voidedBy: found.by } : entry
}

/**
 * The stored line with its new date or its void; its epoch is that of its game, replaced or not. Without its profile,
 * which is not stored anew: a change of zone dates many lines anew, and all of them are kept until they are saved.
 */
function redatedLine(stored: Entry, { dating, ...dated }: Entry): Entry {
  const isVoided = dated.kind === 'eventRecorded' && dated.voidedBy !== undefined
  return isVoided ? { ...dated, dating, epoch: stored.epoch, profile: null } : { ...stored, dating, profile: null }
}
