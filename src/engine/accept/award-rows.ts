import type { Award } from '../../storage-rows.ts'
import { type AwardFacts, awardKey, toAwardRow } from './derived-rows.ts'
import { isSameAward } from './row-difference.ts'

const NO_IDS: ReadonlyMap<string, string> = new Map()

/** How the awards that a fold found differ from those that are stored. */
export interface AwardChanges {
  readonly remove: readonly Award[]
  readonly put: readonly Award[]
  /** By `awardKey`: those of `put` of which none was stored. */
  readonly added: ReadonlyMap<string, Award>
}

/** `ids`: those that are known, by `awardKey`; the id of any other award is a hash. */
export function changedAwards(
  stored: Iterable<Award | AwardFacts>,
  folded: ReadonlyMap<string, AwardFacts>,
  ids: ReadonlyMap<string, string> = NO_IDS,
): AwardChanges {
  const changes = { remove: [] as Award[], put: [] as Award[], added: new Map<string, Award>() }
  const known = new Map<string, Award | AwardFacts>()
  const toRow = (key: string, facts: AwardFacts, before: Award | AwardFacts = facts): Award =>
    toAwardRow(facts, 'id' in before ? before.id : ids.get(key))
  const seeStored = (award: Award | AwardFacts): void => {
    const key = awardKey(award)
    const facts = folded.get(key)
    if (facts !== undefined && isSameAward(award, facts)) known.set(key, award)
    else {
      const row = toRow(key, award)
      known.set(key, row)
      changes.remove.push(row)
    }
  }
  const seeFolded = ([key, facts]: readonly [string, AwardFacts]): void => {
    const before = known.get(key)
    if (before !== undefined && isSameAward(before, facts)) return
    const award = toRow(key, facts, before)
    changes.put.push(award)
    if (before === undefined) changes.added.set(key, award)
  }
  for (const award of stored) seeStored(award)
  for (const entry of folded) seeFolded(entry)
  return changes
}

/** As `changedAwards`, of awards of which none is stored. */
export function toAwardRows(awards: Iterable<AwardFacts>): readonly Award[] {
  return Array.from(awards, (award) => toAwardRow(award))
}
