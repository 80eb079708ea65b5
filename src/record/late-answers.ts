import { isHeld } from '../rules/entry.ts'
import type { Command, CommandOutcome } from '../runtime/command.ts'
import type { CurrentGame } from '../runtime/context.ts'
import type { UserKey } from '../storage/rows.ts'
import type { SaveGroup, UserSave } from '../storage/storage.ts'
import { eventIdOf, isLate, liveInstant, toUnchanged } from './accept/accept-command.ts'
import { type AwardChanges, cappedBy, movementsOf, toAwardRow } from './accept/derived-rows.ts'
import { NO_RANKS, rankMoves } from './ranks/ranks.ts'
import type { LateCommands, LateResult } from './replay/late-entries.ts'
import type { Replay } from './replay/replay.ts'
import { lateMoves } from './replay/replay-save.ts'

/**
 * The answers of commands that were recorded together. The first late one reports all changes of the late ones, anywhere
 * in the user's history. A command that belongs at the end reports the changes of its own entry.
 */
export function toLateOutcomes(
  late: LateCommands,
  results: readonly LateResult[],
  replayed: Replay,
  { added }: AwardChanges,
): readonly CommandOutcome[] {
  const { storedUser, current, commands } = late
  const { game, games } = current
  const after = replayed.beforeLast.state
  const inserted = new Map(replayed.inserted.map((item) => [item.entry.id, item]))
  const awards = [...replayed.rows.awards]
  const newAwards = awards.slice(0, replayed.beforeLast.awards).flatMap(([key]) => added.get(key) ?? [])
  const moves = lateMoves(game, storedUser, replayed)
  // With several commands live ones report no moves: the first late one reports all.
  const ownMoves = commands.length === 1 ? moves : []
  let isAnswered = false
  return commands.map((command, index): CommandOutcome => {
    const result = results[index]
    if (result === undefined) throw new RangeError('Every command has a result')
    if ('outcome' in result) return withState(command, result.outcome, current, replayed)
    const { entryId } = result
    const own = inserted.get(entryId)
    if (own === undefined) throw new RangeError('An accepted command has an entry')
    // An approval does nothing itself; the event that it approves does.
    const done = own.entry.kind === 'eventApproved' ? replayed.approved : own.decided.changes
    const movements = movementsOf(own.entry, own.decided.changes)
    const facts = { capped: cappedBy(done), movements, isHeld: isHeld(own.entry), ranks: NO_RANKS }
    const recorded = { type: 'recorded', user: command.user, game, games, entryId, ...facts } as const
    if (after === null || (!isLate(command, storedUser.state) && eventIdOf(command) === null)) {
      const ownAwards = awards.flatMap(([, award]) => (award.entryId === entryId ? [toAwardRow(award)] : []))
      const { before, decided, entry } = own
      return { ...recorded, at: entry.at, before, after: decided.state, awards: ownAwards, moves: ownMoves }
    }
    const at = liveInstant(storedUser.state, command.receivedAt)
    const known = isAnswered
      ? { before: after, awards: [], moves: [] }
      : { before: storedUser.state, awards: newAwards, moves }
    isAnswered = true
    return { ...recorded, at, ...known, after, completions: replayed.completions, own: own.decided }
  })
}

/**
 * The answer to a command that was recorded before has the user's current state, with the other commands of the batch.
 */
function withState(
  command: Command,
  outcome: CommandOutcome,
  current: CurrentGame,
  { state, completions }: Replay,
): CommandOutcome {
  if (outcome.type !== 'unchanged' || state === null) return outcome
  const { body } = command
  const known = toUnchanged(command, current, state, outcome.entryId)
  if (body.kind !== 'achievementClaimed' || outcome.entryId === null) return known
  const made = completions.find(
    ({ achievement, entryId }) => achievement === body.achievement && entryId === outcome.entryId,
  )
  return made === undefined ? known : { ...known, completion: made }
}

export interface Decision {
  readonly outcomes: readonly CommandOutcome[]
  readonly save: UserSave | null
}

export function withRanks(
  { tenant, user }: UserKey,
  { outcomes, save }: Decision,
  ranks: SaveGroup['users'][number]['ranks'],
): readonly CommandOutcome[] {
  const round = { users: [{ tenant, user, ranks }], asOf: 'before' } as const
  return outcomes.map((outcome, order) => {
    if (outcome.type !== 'recorded' || outcome.moves.length === 0) return outcome
    const moves = outcome.moves.map((move) => ({ tenant, user, order, move }))
    return { ...outcome, ranks: rankMoves(round, () => save?.ranks ?? [], moves) }
  })
}
