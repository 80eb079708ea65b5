import type { Game } from '../../rules/game.ts'
import { isRunOf } from '../../rules/leaderboard.ts'
import type { CommitRound, UserSave, UserView } from '../../storage.ts'
import { isLate, liveInstant } from '../accept/command.ts'
import { awardKey, leaderboardRowKey, toAwardRow } from '../accept/derived-rows.ts'
import { NO_RANKS, rankMoves, toMove } from '../ranks/standings.ts'
import type { Trial, Verdict } from '../replay/late-entries.ts'
import type { Refold } from '../replay/replay.ts'
import type { Move, Outcome } from '../types.ts'

/**
 * The answers of commands that were recorded together. What the late ones changed anywhere in the user's history is told
 * to the first of them; a command that belongs at the end is told what its own entry did, as ever.
 */
export function toLateOutcomes(trial: Trial, verdicts: readonly Verdict[], fold: Refold): readonly Outcome[] {
  const { view, current, commands } = trial
  const { game, games } = current
  const inserted = new Map(fold.inserted.map((item) => [item.entry.id, item]))
  const oldAwards = new Set(view.awards.map(awardKey))
  const awards = [...fold.projection.awards.values()]
  const newAwards = awards.slice(0, fold.beforeLast.awards).filter((award) => !oldAwards.has(awardKey(award)))
  const moves = lateMoves(game, view, fold)
  // What several commands did to places together is told to the first late one.
  const ownMoves = commands.length === 1 ? moves : []
  let isTold = false

  return commands.map((command, index): Outcome => {
    const verdict = verdicts[index]
    if (verdict === undefined) throw new RangeError('Every command has a verdict')
    if ('outcome' in verdict) return withState(verdict.outcome, fold)
    const { entryId } = verdict
    const own = inserted.get(entryId)
    const after = fold.beforeLast.state
    if (own === undefined || after === null) throw new RangeError('An accepted command has an entry')
    const recorded = { type: 'recorded', game, games, entryId } as const
    if (!isLate(command, view.state) && command.body.kind !== 'eventVoided') {
      const ownAwards = awards.filter((award) => award.entryId === entryId)
      return {
        ...recorded,
        at: own.entry.at,
        before: own.before,
        after: own.step.state,
        awards: ownAwards.map((award) => toAwardRow(award)),
        moves: ownMoves,
        ranks: NO_RANKS,
      }
    }
    const at = liveInstant(view.state, command.receivedAt)
    const before = isTold ? after : view.state
    const told = isTold ? [] : newAwards.map((award) => toAwardRow(award))
    const toldMoves = isTold ? [] : moves
    isTold = true
    return { ...recorded, at, before, after, awards: told, moves: toldMoves, ranks: NO_RANKS }
  })
}

/** A replay reflects what is stored now, the commands beside it included. */
function withState(outcome: Outcome, { state }: Refold): Outcome {
  return outcome.type === 'unchanged' && state !== null ? { ...outcome, state } : outcome
}

/** Where a fold moved the user in each leaderboard, in the newest run that it changed. */
export function lateMoves(game: Game, view: UserView, fold: Refold): readonly Move[] {
  const [first] = fold.inserted
  const receivedAt = first?.entry.recordedAt ?? 0
  const dating = first?.entry.dating ?? null
  const stored = new Map(view.leaderboards.map((row) => [leaderboardRowKey(row), row]))
  const moves = new Map<string, Move>()
  const rows = [...fold.projection.leaderboards.values()].sort((left, right) => (left.run < right.run ? -1 : 1))
  for (const to of rows) {
    const { leaderboard } = to
    const known = game.leaderboards.get(leaderboard)
    const from = stored.get(leaderboardRowKey(to)) ?? null
    if (known === undefined || !isRunOf(known, to.run) || from?.value === to.value) continue
    moves.set(leaderboard, toMove(game, leaderboard, { from, to }, receivedAt, dating))
  }
  return [...moves.values()]
}

/** The answers to one user's commands with the ranks they led to. */
export function tellRanks(
  { commands }: Pick<Trial, 'commands'>,
  save: UserSave | null,
  rounds: readonly CommitRound[],
  outcomes: readonly Outcome[],
): readonly Outcome[] {
  const [round] = rounds
  const [key] = commands
  if (round === undefined || key === undefined) return outcomes
  return outcomes.map((outcome, order) => {
    if (outcome.type !== 'recorded' || outcome.moves.length === 0) return outcome
    const moves = outcome.moves.map((move) => ({ tenant: key.tenant, user: key.user, order, move }))
    return { ...outcome, ranks: rankMoves(round, () => save?.standings ?? [], moves) }
  })
}
