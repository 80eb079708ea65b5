import { emptyState } from '../../rules/state.ts'
import { isReplaced } from '../games.ts'
import { NO_RANKS } from '../ranks/standings.ts'
import type { Command, CurrentGame, Outcome } from '../types.ts'
import { decideCommand, liveInstant } from './command.ts'
import type { Course } from './user-batch.ts'

/** The entry does not belong at the end of its user's log: the log is to be folded again. */
export const LATE: unique symbol = Symbol('late')

/** Judges a command on the state that the one before left, and takes it into the course if it is accepted. */
export function judge(
  course: Course,
  command: Command,
  stored: string | null,
  current: CurrentGame,
): Outcome | typeof LATE {
  const { game, games, epoch } = current
  const before = course.state
  if (isReplaced(before, current) || command.body.kind === 'eventVoided') return LATE
  const decision = decideCommand(command, before, { games, epoch, found: stored ?? course.usedBy(command) })
  switch (decision.type) {
    case 'late':
      return LATE
    case 'refused':
      return decision
    case 'unchanged': {
      const state = before ?? emptyState(command.receivedAt, epoch)
      return { ...decision, game, games, at: liveInstant(before, command.receivedAt), state }
    }
    case 'accepted': {
      const { entry, step } = decision
      const { awards, moves } = course.accept(command, entry, step, game)
      const { at, id: entryId } = entry
      return { type: 'recorded', game, games, at, entryId, before, after: step.state, awards, moves, ranks: NO_RANKS }
    }
    default:
      return decision satisfies never
  }
}
