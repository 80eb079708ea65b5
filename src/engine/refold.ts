import type { Instant } from '../rules/calendar.ts'
import type { Step } from '../rules/decide.ts'
import type { Entry } from '../rules/entry.ts'
import { place, stepOver } from '../rules/fold.ts'
import type { Games } from '../rules/game.ts'
import { emptyState, type UserState } from '../rules/state.ts'
import { isWithinBounds } from '../rules/total.ts'
import { chain, type Eventually } from './eventually.ts'
import { forEachEntry, type ReadChunk } from './log-reader.ts'
import { emptyProjection, type Projection, project } from './projection.ts'

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
  /** Stored entries whose dating changed, because the zone in force for them did. */
  readonly redated: readonly Entry[]
  readonly inserted: readonly Inserted[]
  /** As it was before the first insertion after everything else. */
  readonly beforeLast: { readonly state: UserState | null; readonly awards: number }
  /** A metric total that left its bounds on the way. */
  readonly overflow: { readonly metric: string; readonly total: number } | null
}

/**
 * Folds a user's log again with entries put in at their places. At equal instants they come after the stored ones and
 * in the order given. null: an entry was decided under a game that is not among `games`.
 */
export function refold(read: ReadChunk, games: Games, insertions: readonly Insertion[]): Eventually<Refold | null> {
  const course = startRefold(games)
  const placed = insertions.filter(({ at }) => at !== null).sort((left, right) => (left.at ?? 0) - (right.at ?? 0))
  let next = 0

  function step(entry: Entry): boolean {
    if (!games.has(entry.epoch)) return false
    for (let first = placed[next]; first?.at != null && first.at < entry.at; first = placed[next]) {
      course.insert(first, entry)
      next += 1
    }
    course.step(entry)
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

interface RefoldCourse {
  readonly projection: Projection
  readonly redated: Entry[]
  readonly inserted: Inserted[]
  state(): UserState | null
  overflow(): Refold['overflow']
  step(entry: Entry): void
  insert(insertion: Insertion, next: Entry | null): void
}

function startRefold(games: Games): RefoldCourse {
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
    step: (entry) => {
      const placed = place(state ?? emptyState(entry.at, entry.epoch), entry)
      if (placed !== entry) redated.push(placed)
      follow(placed)
    },
    insert: (insertion, next) => {
      const before = state
      const entry = insertion.enter(before, next)
      if (entry !== null) inserted.push({ entry, before, step: follow(entry) })
    },
  }
}
