import type { Change } from '../../rules/change.ts'
import type { CappedAward } from '../types.ts'

/** The awards of an entry of which a cap or a cooldown took something. */
export function cappedBy(changes: readonly Change[]): readonly CappedAward[] {
  return changes.flatMap((change) => {
    if (change.type !== 'pointsAwarded' && change.type !== 'pointsClipped') return []
    if (change.heldBack === undefined) return []
    const { system, trigger, due, heldBack } = change
    const awarded = change.type === 'pointsAwarded' ? change.awarded : 0
    return [{ system, trigger, due, awarded, resetsAt: heldBack.resetsAt }]
  })
}
