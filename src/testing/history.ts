import { acceptCommand, toEntry, underLimits } from '../engine/accept/accept-command.ts'
import { keepCompletion } from '../engine/replay/late-entries.ts'
import type { Command, CommandRefusal } from '../engine/types.ts'
import type { Instant } from '../rules/calendar.ts'
import type { Entry } from '../rules/entry.ts'
import { foldLog, gameOf } from '../rules/fold.ts'
import type { Games } from '../rules/game.ts'
import { findExceeded, sumDates } from '../rules/limit.ts'
import { refuse, refuseTotal } from '../rules/refuse.ts'
import { emptyState, type UserState } from '../rules/state.ts'
import { isWithinBounds } from '../rules/total.ts'

/** A user's log and what it comes to, in memory. */
export interface History {
  /** In the order (at, seq). */
  readonly log: readonly Entry[]
  /** null: no user yet. */
  readonly state: UserState | null
}

export type Recording =
  | { readonly history: History; readonly refusal: null }
  | { readonly history: null; readonly refusal: CommandRefusal }

const EPOCH = 1

/** Records a command as a storage would hold it, without one. */
export function record(games: Games, history: History, command: Command): Recording {
  const decision = acceptCommand(command, history.state, { games, epoch: EPOCH, found: null })
  switch (decision.type) {
    case 'refused':
      return { history: null, refusal: decision.refusal }
    case 'unchanged':
      return { history, refusal: null }
    case 'accepted': {
      const { entry, step } = decision
      return { history: { log: [...history.log, entry], state: step.state }, refusal: null }
    }
    case 'late':
      return recordLate(games, history, command, command.occurredAt ?? command.receivedAt)
    default:
      return decision satisfies never
  }
}

/** Judges a late event at its own place, then folds the log again with it. */
function recordLate(games: Games, { log, state }: History, command: Command, at: Instant): Recording {
  const earlier = log.slice(0, placeOf(log, at))
  const before = foldLog(games, earlier) ?? emptyState(at, EPOCH)
  const entry = toEntry(command, before, { at, seq: log.length + 1, epoch: EPOCH })
  const game = gameOf(games, EPOCH)
  const refusal = refuse(game, before, entry)
  if (refusal !== null) return { history: null, refusal }
  const sums = entry.kind === 'eventRecorded' ? sumDates(game, log, entry.metric) : before.dateSums
  const limited = underLimits(entry, findExceeded(game, sums, entry))
  if (limited.type === 'refused') return { history: null, refusal: limited.refusal }

  const folded = foldAgain(games, insert(log, limited.entry))
  if (folded.overflow !== null) {
    return { history: null, refusal: refuseTotal(folded.overflow.metric, folded.overflow.total) }
  }
  return { history: keepCompletions(games, folded, state), refusal: null }
}

/** A completion once made stays: where the fold would lose one, the log gets an entry that keeps it. */
function keepCompletions(games: Games, folded: History, old: UserState | null): History {
  const lost = [...(old?.completions ?? [])].filter(([key]) => folded.state?.completions.has(key) !== true)
  if (lost.length === 0) return folded
  const log = lost.reduce((longer, [achievement, { at }]) => {
    const seq = longer.length + 1
    const kept = keepCompletion(achievement, at, { id: String(seq), seq, recordedAt: at })
    return insert(longer, { ...kept, epoch: EPOCH })
  }, folded.log)
  return keepCompletions(games, foldAgain(games, log), old)
}

interface Folded extends History {
  /** A total that left its bounds on the way. */
  readonly overflow: { readonly metric: string; readonly total: number } | null
}

function foldAgain(games: Games, log: readonly Entry[]): Folded {
  const placed: Entry[] = []
  let overflow: Folded['overflow'] = null
  const state = foldLog(games, log, (entry, { changes }) => {
    placed.push(entry)
    for (const change of changes) {
      if (change.type === 'metricChanged' && !isWithinBounds(change.total)) overflow ??= change
    }
  })
  return { log: placed, state, overflow }
}

/** Behind everything that is not later. */
function placeOf(log: readonly Entry[], at: Instant): number {
  const later = log.findIndex((entry) => entry.at > at)
  return later === -1 ? log.length : later
}

function insert(log: readonly Entry[], entry: Entry): readonly Entry[] {
  return log.toSpliced(placeOf(log, entry.at), 0, entry)
}
