import type { Instant } from '../../rules/calendar.ts'
import type { Decided } from '../../rules/decide.ts'
import { type Entry, type EventRecorded, isHeld } from '../../rules/entry.ts'
import { dateEntry, gameOf } from '../../rules/fold.ts'
import { epochAt, withNamesOf } from '../../rules/game.ts'
import {
  addOnDate,
  type DateSums,
  type Exceeded,
  findExceeded,
  limitsOf,
  toDateSums,
  usesLimits,
} from '../../rules/limit.ts'
import { refuse } from '../../rules/refuse.ts'
import { startSpends } from '../../rules/spends.ts'
import { emptyState, type UserState } from '../../rules/state.ts'
import type { Command, CommandOutcome, CommandRefusal } from '../../runtime/command.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import type { StoredUser } from '../../storage/storage.ts'
import {
  type Acceptance,
  acceptCommand,
  type InForce,
  isLate,
  toEntry,
  toUnchanged,
  toValued,
  underLimits,
} from '../accept/accept-command.ts'
import { idempotencyText } from '../accept/batch.ts'
import type { Correction, Corrections, Insertion, Replay, SumsByDate } from './replay.ts'

export interface LateCommands {
  readonly storedUser: StoredUser
  readonly current: CurrentGame
  readonly commands: readonly Command[]
}

export type LateResult = { readonly entryId: string } | { readonly outcome: CommandOutcome }

export interface LateEntries {
  readonly insertions: readonly Insertion[]
  readonly results: readonly LateResult[]
}

/** Insertions that judge each command at its place. The replay fills in `results` and `corrections`. */
export function toLateEntries(late: LateCommands, corrections: Corrections, { exceeded }: LateLimits): LateEntries {
  const { storedUser, current, commands } = late
  const results: LateResult[] = []
  const used = new Map<string, string>()
  const spends = startSpends(storedUser.spent)
  let seq = storedUser.state?.seq ?? 0

  function enter(command: Command, index: number, state: UserState | null, next: Entry | null): Entry | null {
    const found = storedUser.found[index] ?? used.get(idempotencyText(command)) ?? null
    const isKnownValue = (value: string): boolean =>
      value === command.newValue && (storedUser.found[commands.length + index] ?? null) !== null
    const judged = accept(command, { ...current, found, isKnownValue, findSpend: spends.find }, state, next)
    if (judged.type === 'late') throw new RangeError('A command at its place is not late')
    if (judged.type === 'unchanged')
      results[index] = { outcome: toUnchanged(command, current, storedUser.state ?? state, judged.entryId) }
    else if (judged.type === 'refused') results[index] = { outcome: judged }
    else {
      seq += 1
      used.set(idempotencyText(command), judged.entry.id)
      if ('decided' in judged) spends.see(judged.decided.changes)
      results[index] = { entryId: judged.entry.id }
      return { ...judged.entry, seq }
    }
    return null
  }

  function accept(command: Command, known: LookedUp, state: UserState | null, next: Entry | null): LateAcceptance {
    if (known.found !== null) return { type: 'unchanged', entryId: known.found }
    const { body, entryId } = command
    if (body.kind === 'eventVoided' || body.kind === 'eventApproved') {
      return judgeCorrection(body.event, corrections.get(body.event)) ?? acceptCommand(command, state, known)
    }
    if (!isLate(command, storedUser.state)) return acceptCommand(command, state, known)
    const judged = judgeInOrder(command, state, next, known)
    return judged.type === 'accepted' ? underLimits(judged.entry, exceeded.get(entryId) ?? null) : judged
  }

  const insertions = commands.map((command, index) => ({
    at: isLate(command, storedUser.state) ? command.occurredAt : null,
    enter: (state: UserState | null, next: Entry | null) => enter(command, index, state, next),
  }))
  return { insertions, results }
}

type LookedUp = CurrentGame & Pick<InForce, 'found' | 'findSpend'> & { isKnownValue(value: string): boolean }

type LateAcceptance =
  | Exclude<Acceptance, { readonly type: 'accepted' }>
  | { readonly type: 'accepted'; readonly entry: Entry; readonly decided?: Decided }

/** A late event is judged at its own place, under the game that was in force at its instant. */
function judgeInOrder(
  command: Command,
  before: UserState | null,
  next: Entry | null,
  current: LookedUp,
): LateAcceptance {
  const at = command.occurredAt ?? command.receivedAt
  const { games, game } = current
  const epoch = epochBetween(current, at, before, next)
  const state = before ?? emptyState(at, epoch, command.user)
  const decided = gameOf(games, epoch)
  const entry = toValued(decided, toEntry(command, state, { at, seq: state.seq + 1, epoch }), current.isKnownValue)
  if (entry === null) return { type: 'late' }
  const refusal = refuse(withNamesOf(game, decided), state, entry)
  return refusal === null ? { type: 'accepted', entry } : { type: 'refused', refusal }
}

function judgeCorrection(event: string, correction: Correction | undefined): LateAcceptance | null {
  const entry = correction?.entry ?? null
  if (correction === undefined || entry === null) return { type: 'refused', refusal: unknownEvent(event) }
  if (isHeld(entry)) return null
  const { voidedBy } = entry
  if (correction.voidedBy !== null) return voidedBy === undefined ? null : { type: 'unchanged', entryId: voidedBy }
  if (voidedBy !== undefined) return { type: 'refused', refusal: notHeld(event, `it was voided by ${voidedBy}`) }
  if (correction.approvedBy !== null) return { type: 'unchanged', entryId: correction.approvedBy }
  return { type: 'refused', refusal: notHeld(event, 'it counts since it was recorded') }
}

function notHeld(event: string, why: string): CommandRefusal {
  const message = `The event ${JSON.stringify(event)} is not held back, so it is not approved: ${why}.`
  return { code: 'event_not_held', message }
}

function unknownEvent(event: string): CommandRefusal {
  return {
    code: 'unknown_event',
    message: `The user has no event ${JSON.stringify(event)}: name the eventId that recording it answered.`,
  }
}

/**
 * Puts in an entry that was accepted already, at its place or after everything else. An entry without an epoch gets the
 * epoch of the game in force at its instant. So the game that paid a completion first pays it when it is kept.
 */
export function insertAgain(current: GamesByTime, entry: Entry, isLast: boolean): Insertion {
  return {
    at: isLast ? null : entry.at,
    enter: (before, next) => {
      const epoch = entry.epoch === 0 ? epochBetween(current, entry.at, before, next) : entry.epoch
      return dateEntry(before ?? emptyState(entry.at, epoch), { ...entry, epoch })
    },
  }
}

type GamesByTime = Pick<CurrentGame, 'gamesFrom' | 'baselineEpoch' | 'epoch'>

function epochBetween(
  { gamesFrom, baselineEpoch, epoch: newest }: GamesByTime,
  at: Instant,
  before: UserState | null,
  next: Entry | null,
): number {
  return epochAt(gamesFrom, at, before?.epoch ?? baselineEpoch, next?.epoch ?? newest)
}

/** How many dates before an event a limit looks at. */
export const FURTHEST = 31

/** Metrics of late commands that have limits in some game: without any, nothing is summed. */
export function limitedMetrics({ storedUser, current, commands }: LateCommands): ReadonlySet<string> {
  const late = commands.filter((command) => isLate(command, storedUser.state))
  const metrics = late.flatMap(({ body }) => (body.kind === 'eventRecorded' ? [body.metric] : []))
  const games = [...current.games.values()]
  return new Set(metrics.filter((metric) => games.some((game) => limitsOf(game, metric).length > 0)))
}

/** Limits of some metrics, by which late commands are judged after all stored events on their dates and beside them. */
export interface LateLimits {
  readonly metrics: ReadonlySet<string>
  /** By the ids of the entries: known once the log was replayed with the commands. */
  readonly exceeded: Map<string, Exceeded>
}

/** Returns true if more commands exceed a limit, so that the log must be replayed again. */
export function judgeLimits(
  { storedUser, current, commands }: LateCommands,
  limits: LateLimits,
  replayed: Replay,
): boolean {
  const { metrics, exceeded } = limits
  const known = exceeded.size
  const sums = new Map([...replayed.dateSums].map(([metric, dates]) => [metric, new Map(dates)]))
  const inserted = new Map(replayed.inserted.map(({ entry }) => [entry.id, entry]))
  for (const command of commands) {
    const entry = inserted.get(command.entryId)
    if (entry === undefined) continue
    const game = gameOf(current.games, entry.epoch)
    if (!usesLimits(game, entry) || !metrics.has(entry.metric)) continue
    // A command that is not late has been judged in its place, after all others.
    const found = isLate(command, storedUser.state) ? findExceeded(game, sumsAround(sums, entry), entry) : null
    if (found !== null) exceeded.set(command.entryId, found)
    else addOnDate(sums, entry)
  }
  return exceeded.size > known
}

function sumsAround(sums: SumsByDate, { metric, dating }: Entry & EventRecorded): DateSums {
  const [first, last] = [dating.date - FURTHEST, dating.date + 2 * FURTHEST]
  const near = toDateSums(sums.get(metric) ?? new Map()).filter(({ date }) => date >= first && date <= last)
  return new Map([[metric, near]])
}
