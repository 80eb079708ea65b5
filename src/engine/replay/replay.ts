import type { Instant } from '../../rules/calendar.ts'
import type { Step } from '../../rules/decide.ts'
import type { Entry, EventRecorded } from '../../rules/entry.ts'
import { place, stepOver, underReplacement } from '../../rules/fold.ts'
import type { Games } from '../../rules/game.ts'
import { emptyState, type UserState } from '../../rules/state.ts'
import { isWithinBounds } from '../../rules/total.ts'
import { emptyProjection, type Projection, project } from '../accept/derived-rows.ts'
import { chain } from '../accept/maybe-async.ts'
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
export interface Refold {
  readonly state: UserState | null
  readonly projection: Projection
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
export function refold(
  read: ReadChunk,
  { games, since }: Pick<CurrentGame, 'games' | 'since'>,
  insertions: readonly Insertion[],
  voids?: Voids,
): Eventually<Refold | null> {
  const course = startRefold(games, voids)
  const placed = insertions.filter(({ at }) => at !== null).sort((left, right) => (left.at ?? 0) - (right.at ?? 0))
  let next = 0

  function step(stored: Entry): boolean {
    if (!games.has(stored.epoch)) return false
    const entry = underReplacement(since, stored)
    for (let first = placed[next]; first?.at != null && first.at < entry.at; first = placed[next]) {
      course.insert(first, entry)
      next += 1
    }
    course.step(entry, stored)
    return true
  }

  return chain(forEachEntry(read, step), (isKnown) => {
    if (!isKnown) return null
    for (const insertion of placed.slice(next)) course.insert(insertion, null)
    const beforeLast = { state: course.state(), awards: course.projection.awards.size }
    for (const insertion of insertions) if (insertion.at === null) course.insert(insertion, null)
    const { projection, redated, inserted } = course
    return { state: course.state(), projection, redated, inserted, beforeLast, overflow: course.overflow() }
  })
}

/** A log as it is folded, entry by entry. */
export interface RefoldCourse {
  readonly projection: Projection
  readonly redated: Entry[]
  readonly inserted: Inserted[]
  state(): UserState | null
  overflow(): Refold['overflow']
  step(entry: Entry, stored: Entry): void
  insert(insertion: Insertion, next: Entry | null): void
}

export function startRefold(games: Games, voids: Voids = NO_VOIDS): RefoldCourse {
  let state: UserState | null = null
  let overflow: Refold['overflow'] = null
  const projection = emptyProjection()
  const redated: Entry[] = []
  const inserted: Inserted[] = []

  function follow(entry: Entry): Step {
    const step = stepOver(games, state ?? emptyState(entry.at, entry.epoch), entry)
    project(projection, entry, step.changes)
    for (const change of step.changes) {
      if (change.type === 'metricChanged' && !isWithinBounds(change.total)) overflow ??= change
    }
    state = step.state
    return step
  }

  return {
    projection,
    redated,
    inserted,
    state: () => state,
    overflow: () => overflow,
    step: (entry, stored) => {
      const voided = voidEvent(entry, voids)
      const placed = place(state ?? emptyState(entry.at, entry.epoch), voided)
      if (placed !== entry) redated.push(redatedLine(stored, placed))
      follow(placed)
    },
    insert: (insertion, next) => {
      const before = state
      const entry = insertion.enter(before, next)
      if (entry !== null) inserted.push({ entry, before, step: follow(entry) })
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
function redatedLine(stored: Entry, { dating, ...placed }: Entry): Entry {
  const isVoided = placed.kind === 'eventRecorded' && placed.voidedBy !== undefined
  return isVoided ? { ...placed, dating, epoch: stored.epoch, profile: null } : { ...stored, dating, profile: null }
}
