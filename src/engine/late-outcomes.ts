import type { Trial, Verdict } from './admission.ts'
import { isLate, liveInstant, type Outcome } from './command.ts'
import { awardKey, toAwardRow } from './projection.ts'
import type { Refold } from './refold.ts'

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
    if (!isLate(command, view.state)) {
      const ownAwards = awards.filter((award) => award.entryId === entryId)
      return {
        ...recorded,
        at: own.entry.at,
        before: own.before,
        after: own.step.state,
        awards: ownAwards.map((award) => toAwardRow(award)),
      }
    }
    const at = liveInstant(view.state, command.receivedAt)
    const before = isTold ? after : view.state
    const told = isTold ? [] : newAwards.map((award) => toAwardRow(award))
    isTold = true
    return { ...recorded, at, before, after, awards: told }
  })
}

/** A replay reflects what is stored now, the commands beside it included. */
function withState(outcome: Outcome, { state }: Refold): Outcome {
  return outcome.type === 'unchanged' && state !== null ? { ...outcome, state } : outcome
}
