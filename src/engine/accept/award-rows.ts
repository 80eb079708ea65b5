import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Award } from '../../storage-rows.ts'
import type { Eventually } from '../types.ts'
import { chain } from './chain.ts'
import { type AwardFacts, awardKey, toAwardRow } from './derived-rows.ts'
import { isSameAward } from './row-difference.ts'

/** `atOnce`: without a turn of the event loop in between, as where a storage that answers at once is held. */
export interface Pace {
  readonly atOnce: boolean
}

const NO_IDS: ReadonlyMap<string, string> = new Map()

/** How the awards that a fold found differ from those that are stored. */
export interface AwardChanges {
  readonly remove: readonly Award[]
  readonly put: readonly Award[]
  /** By `awardKey`: those of `put` of which none was stored. */
  readonly added: ReadonlyMap<string, Award>
}

/**
 * The event loop gets its turn between many awards, unless it is told `atOnce`: the id of each new one is a hash. `ids`:
 * those that are known, by `awardKey`.
 */
export function changedAwards(
  stored: Iterable<Award | AwardFacts>,
  folded: ReadonlyMap<string, AwardFacts>,
  pace: Pace,
  ids: ReadonlyMap<string, string> = NO_IDS,
): Eventually<AwardChanges> {
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
  return chain(forEach(stored, seeStored, pace), () => chain(forEach(folded, seeFolded, pace), () => changes))
}

/** As `changedAwards`, of awards of which none is stored. */
export function toAwardRows(awards: Iterable<AwardFacts>, pace: Pace): Eventually<readonly Award[]> {
  const rows: Award[] = []
  return chain(
    forEach(awards, (award) => rows.push(toAwardRow(award)), pace),
    () => rows,
  )
}

const MOST_IN_A_TURN = 1_000

function forEach<Item>(items: Iterable<Item>, see: (item: Item) => void, { atOnce }: Pace): Eventually<void> {
  if (!atOnce) return forEachInTurns(items, see)
  for (const item of items) see(item)
}

async function forEachInTurns<Item>(items: Iterable<Item>, see: (item: Item) => void): Promise<void> {
  let seen = 0
  for (const item of items) {
    if (seen > 0 && seen % MOST_IN_A_TURN === 0) await nextTurn()
    see(item)
    seen += 1
  }
}
