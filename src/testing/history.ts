import { acceptCommand, toEntry, toValued, underLimits } from '../record/accept/accept-command.ts'
import { keepCompletion, lostAchievements } from '../record/replay/late-entries.ts'
import type { Instant } from '../rules/calendar.ts'
import type { Change } from '../rules/change.ts'
import { newValueOf } from '../rules/distinct.ts'
import type { Entry } from '../rules/entry.ts'
import { foldLog, gameOf } from '../rules/fold.ts'
import type { Games } from '../rules/game.ts'
import { findExceeded, sumDates } from '../rules/limit.ts'
import { refuse, refuseTotal } from '../rules/refuse.ts'
import { emptyState, type UserState } from '../rules/state.ts'
import { isWithinBounds } from '../rules/total.ts'
import type { Command, CommandRefusal } from '../runtime/context.ts'
import { usedKeyOf } from '../storage/storage.ts'

/** A user's log and what it comes to, in memory. */
export interface History {
  /** In the order (at, seq). */
  readonly log: readonly Entry[]
  /** null: no user yet. */
  readonly state: UserState | null
}

export type Recording =
  /** `changes`: what the entry led to at its own place. */
  | { readonly history: History; readonly refusal: null; readonly changes: readonly Change[] }
  | { readonly history: null; readonly refusal: CommandRefusal }

const EPOCH = 1

/** Records a command as a storage would hold it, without one. */
export function record(games: Games, history: History, command: Command): Recording {
  const decision = acceptCommand(command, history.state, {
    games,
    epoch: EPOCH,
    gamesFrom: [],
    baselineEpoch: EPOCH,
    found: find(history, command),
    isKnownValue: (value) => history.log.some((entry) => newValueOf(entry) === value && isOfMetric(entry, command)),
  })
  switch (decision.type) {
    case 'refused':
      return { history: null, refusal: decision.refusal }
    case 'unchanged':
      return { history, refusal: null, changes: [] }
    case 'accepted': {
      const { entry, step } = decision
      const { changes } = step
      return { history: { log: [...history.log, entry], state: step.state }, refusal: null, changes }
    }
    case 'late':
      return recordLate(games, history, command, command.occurredAt ?? command.receivedAt)
    default:
      return decision satisfies never
  }
}

function isOfMetric(entry: Entry, { body }: Command): boolean {
  return entry.kind === 'eventRecorded' && body.kind === 'eventRecorded' && entry.metric === body.metric
}

/** The entry that has used the idempotency key of a command. */
function find({ log }: History, { body }: Command): string | null {
  const asked = usedKeyOf(body)
  const isAsked = (entry: Entry): boolean => {
    const used = usedKeyOf(entry)
    return used?.metric === asked?.metric && used?.idempotencyKey === asked?.idempotencyKey
  }
  return asked === null ? null : (log.find(isAsked)?.id ?? null)
}

/** Judges a late event at its own place, then folds the log again with it. */
function recordLate(games: Games, { log, state }: History, command: Command, at: Instant): Recording {
  const earlier = log.slice(0, placeOf(log, at))
  const before = foldLog(games, earlier) ?? emptyState(at, EPOCH)
  const game = gameOf(games, EPOCH)
  // The fold finds out whether the value is new.
  const made = toEntry(command, before, { at, seq: log.length + 1, epoch: EPOCH })
  const entry = toValued(game, made, () => false) ?? made
  const refusal = refuse(game, before, entry)
  if (refusal !== null) return { history: null, refusal }
  const sums = entry.kind === 'eventRecorded' ? sumDates(game, log, entry.metric) : before.dateSums
  const limited = underLimits(entry, findExceeded(game, sums, entry))
  if (limited.type === 'refused') return { history: null, refusal: limited.refusal }

  const folded = foldAgain(games, insert(log, limited.entry))
  if (folded.overflow !== null) {
    return { history: null, refusal: refuseTotal(folded.overflow.metric, folded.overflow.total) }
  }
  const changes = folded.changes.get(entry.id) ?? []
  return { history: keepCompletions(games, folded, state), refusal: null, changes }
}

/** A completion once made stays: where the fold would lose one, the log gets an entry that keeps it. */
function keepCompletions(games: Games, folded: History, old: UserState | null): History {
  const lost = lostAchievements(old, folded)
  if (lost.length === 0) return folded
  const log = lost.reduce((longer, [achievement, completion]) => {
    const seq = longer.length + 1
    const kept = keepCompletion(achievement, completion, { id: String(seq), seq, recordedAt: completion.at })
    return insert(longer, { ...kept, epoch: EPOCH })
  }, folded.log)
  return keepCompletions(games, foldAgain(games, log), old)
}

interface Folded extends History {
  /** A total that left its bounds on the way. */
  readonly overflow: { readonly metric: string; readonly total: number } | null
  /** By id of the entry. */
  readonly changes: ReadonlyMap<string, readonly Change[]>
}

function foldAgain(games: Games, log: readonly Entry[]): Folded {
  const placed: Entry[] = []
  const changesOf = new Map<string, readonly Change[]>()
  let overflow: Folded['overflow'] = null
  const state = foldLog(games, log, (entry, { changes }) => {
    placed.push(entry)
    changesOf.set(entry.id, changes)
    for (const change of changes) {
      if (change.type === 'metricChanged' && !isWithinBounds(change.total)) overflow ??= change
    }
  })
  return { log: placed, state, overflow, changes: changesOf }
}

/** Behind everything that is not later. */
function placeOf(log: readonly Entry[], at: Instant): number {
  const later = log.findIndex((entry) => entry.at > at)
  return later === -1 ? log.length : later
}

function insert(log: readonly Entry[], entry: Entry): readonly Entry[] {
  return log.toSpliced(placeOf(log, entry.at), 0, entry)
}
