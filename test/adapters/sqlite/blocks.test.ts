// Leaderboards without a limit are counted in blocks of their order. After any change of the entries, the answers match
// a storage that sorts and counts all of them, and the blocks hold their counts.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeaderboardRow } from '../../../src/storage/rows.ts'
import type { RankedGroup, RankRequest } from '../../../src/storage/storage.ts'
import { KEY, row } from '../../../src/testing/storage/leaderboard-cases.ts'
import { NOON } from '../../../src/testing/storage/samples.ts'
import { type BesideList, type Change, openBesideList } from '../../api/leaderboards/beside-list.ts'
import { checkBlocks } from '../../api/leaderboards/check-blocks.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const UNLIMITED = { unlimited: ['weekly'] }
const GROUPS = ['', '[["country","es"]]', '[["country","fr"]]']
const USERS = 1_800
const RUNS = Number(process.env.HISTORIES ?? (process.env.SOAK === undefined ? 2 : 100))

/** The change of one user: a place in a group, few of them different, or null if the user leaves. */
const placed = fc.record({
  value: fc.integer({ min: -3, max: 12 }),
  later: fc.integer({ min: 0, max: 3 }),
  group: fc.nat(40),
})
const changed = fc.option(placed, { freq: 8 })
/** Users that follow each other, as often as one likes in different commits. */
const batch = fc.record({
  first: fc.nat(USERS - 1),
  changes: fc.array(changed, { minLength: 1, maxLength: 200 }),
  seen: fc.nat(USERS),
})

const ask = (key: RankedGroup, places: RankRequest['positions']): RankRequest => {
  return { ...key, limit: null, at: NOON, margin: 1, positions: places }
}

async function look(world: BesideList, key: RankedGroup, seen: number): Promise<void> {
  const page = { limit: null, at: NOON, count: 5 }
  await world.page(key, { ...page, offset: seen })
  await world.page(key, { ...page, offset: -2, around: `user-${seen}` })
  const places = [12, 7, 3, 0, -3].map((value) => ({ value, reachedAt: NOON + (seen % 4) }))
  await world.standings(`user-${seen}`, [ask(key, places)])
}

test('random moves of thousands of users among few places are counted as by the reference', {
  timeout: 1_200_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 20, maxLength: 36 }), async (batches) => {
      const file = nextFile()
      const world = await openBesideList(file)
      const rows = new Map<string, LeaderboardRow>()
      // Almost everybody is in one group; they have been there before it was counted.
      const users = Array.from({ length: USERS }, (_, index) => `user-${index}`)
      for (const [index, user] of users.entries()) rows.set(user, row(index % 11, { reachedAt: NOON + (index % 5) }))
      await world.commit([...rows].map(([user, entry]) => ({ user, put: [entry] })))

      for (const { first, changes, seen } of batches) {
        const saves = changes.map((change, index): Change => {
          const user = `user-${(first + index) % USERS}`
          const old = rows.get(user)
          const remove = old === undefined ? [] : [old]
          if (change === null) rows.delete(user)
          if (change === null) return { user, remove }
          const group = GROUPS[Math.max(0, change.group - 38)] ?? ''
          const put = row(change.value, { reachedAt: NOON + change.later, group })
          rows.set(user, put)
          // Few are asked about: the reference is slow.
          const standings = index % 100 === 0 ? [...remove, put].map((entry) => ask(entry, [entry])) : []
          return { user, put: [put], remove: index % 2 === 0 ? remove : [], standings }
        })
        await world.commit(saves, UNLIMITED)
        await look(world, KEY, seen)
        if (seen % 3 === 0) await look(world, { ...KEY, group: GROUPS[1 + (seen % 2)] ?? '' }, seen % 30)
        for (const entries of checkBlocks(file).values()) {
          expect(Math.min(...entries)).toBeGreaterThan(0)
          expect(Math.max(...entries)).toBeLessThanOrEqual(512)
        }
      }
      await world.close()
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
