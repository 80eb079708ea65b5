import { expect, test } from 'vitest'
import { awardKey, changedAwards, toAwardRow } from '../../src/record/accept/derived-rows.ts'
import type { Award } from '../../src/storage/rows.ts'
import { times } from '../support/places.ts'

const MANY = 5_000

/** The award of an entry, by the entry's number. */
function award(n: number, total = n): Award {
  const facts = {
    ...{ system: 'xp', trigger: 'trigger', entryId: `entry-${n}` },
    at: n,
    seq: n,
    ordinal: 0,
    awarded: 1,
    total,
  }
  return toAwardRow(facts)
}

/** The stored rows have the entries 0 to 4,999, the replayed ones 1 to 5,000; from 4,000 on the total differs. */
const stored = times(MANY, (n) => award(n))
const folded = new Map(
  times(MANY, (n) => award(n + 1, n + 1 < 4_000 ? n + 1 : n)).map(({ id: _, ...facts }) => [awardKey(facts), facts]),
)

test('of the awards of a fold those are put that are new, or not what is stored, and those removed that are gone', () => {
  const { remove, put, added } = changedAwards(stored, folded)
  expect(remove.map(({ seq }) => seq)).toEqual([0, ...times(1_000, (n) => 4_000 + n)])
  expect(put).toEqual(times(1_001, (n) => award(4_000 + n, 3_999 + n)))
  expect([...added.values()]).toEqual([award(5_000, 4_999)])
})
