import type { Award } from '../../storage-rows.ts'
import { type AwardFacts, awardKey, toAwardRow } from './derived-rows.ts'
import { isSameAward } from './row-difference.ts'

/** How the awards that a fold found differ from those that are stored. */
export interface AwardChanges {
  readonly remove: readonly Award[]
  readonly put: readonly Award[]
  /** By `awardKey`: those of `put` of which none was stored. */
  readonly added: ReadonlyMap<string, Award>
}

export function changedAwards(stored: readonly Award[], folded: ReadonlyMap<string, AwardFacts>): AwardChanges {
  const changes = { remove: [] as Award[], put: [] as Award[], added: new Map<string, Award>() }
  const known = new Map<string, Award>()
  for (const award of stored) {
    const key = awardKey(award)
    const facts = folded.get(key)
    known.set(key, award)
    if (facts === undefined || !isSameAward(award, facts)) changes.remove.push(award)
  }
  for (const [key, facts] of folded) {
    const before = known.get(key)
    if (before !== undefined && isSameAward(before, facts)) continue
    const award = toAwardRow(facts, before?.id)
    changes.put.push(award)
    if (before === undefined) changes.added.set(key, award)
  }
  return changes
}

/** As `changedAwards`, of awards of which none is stored. */
export function toAwardRows(awards: Iterable<AwardFacts>): readonly Award[] {
  return Array.from(awards, (award) => toAwardRow(award))
}
