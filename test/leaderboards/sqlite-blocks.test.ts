// Leaderboards without a limit are counted in blocks of their order. Whatever happens to the entries, the answers are
// those of a storage that sorts and counts everybody, and the blocks hold what they say.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeaderboardKey, LeaderboardRow, StandingRequest } from '../../src/storage.ts'
import { KEY, row } from '../../src/testing/storage/leaderboard-samples.ts'
import { NOON } from '../../src/testing/storage/samples.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { type BesideMemory, type Change, openBesideMemory } from './beside-memory.ts'
import { checkBlocks } from './check-blocks.ts'

const nextFile = useDatabaseFiles()
const UNLIMITED = { unlimited: ['weekly'] }
const GROUPS = ['', '[["country","es"]]', '[["country","fr"]]']
const USERS = 2_400
const RUNS = Number(process.env.HISTORIES ?? (process.env.SOAK === undefined ? 3 : 100))

/** What becomes of one user: a place in a group, few of them different, or null: it leaves. */
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

const ask = (key: LeaderboardKey, places: StandingRequest['places']): StandingRequest => {
  return { ...key, limit: null, at: NOON, slack: 1, places }
}

async function look(world: BesideMemory, key: LeaderboardKey, seen: number): Promise<void> {
  const page = { limit: null, at: NOON, count: 5 }
  await world.page(key, { ...page, offset: seen })
  await world.page(key, { ...page, offset: -2, around: `user-${seen}` })
  const places = [12, 7, 3, 0, -3].map((value) => ({ value, reachedAt: NOON + (seen % 4) }))
  await world.standings(`user-${seen}`, [ask(key, places)])
}

test('random moves of thousands of users among few places are counted as by the reference', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 30, maxLength: 60 }), async (batches) => {
      const file = nextFile()
      const world = await openBesideMemory(file)
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
        await look(world, { ...KEY, group: GROUPS[1 + (seen % 2)] ?? '' }, seen % 30)
        for (const { entries, blocks } of checkBlocks(file).values()) {
          expect(Math.min(...entries)).toBeGreaterThan(0)
          expect(Math.max(...entries)).toBeLessThanOrEqual(256)
          expect(Math.max(...blocks)).toBeLessThanOrEqual(128)
        }
      }
      await world.close()
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

test('blocks of blocks are split when a group grows and merged when it shrinks', async () => {
  const file = nextFile()
  const world = await openBesideMemory(file)
  const many = (count: number, change: (index: number) => Change) =>
    Array.from({ length: count }, (_, index) => change(index))
  const sizes = () => checkBlocks(file).get('weekly') ?? { entries: [], blocks: [] }

  await world.commit(many(11_000, (index) => ({ user: `old-${index}`, put: [row(-index)] })))
  await world.commit([{ user: 'old-0', put: [row(1)] }], UNLIMITED)
  // 98 blocks of 112 and one of 24.
  expect(sizes().blocks).toEqual([96, 3])
  await look(world, KEY, 10_800)

  // All of them tie; the later ones come behind.
  for (let first = 0; first < 5_000; first += 1_000) {
    await world.commit(
      many(1_000, (index) => ({
        user: `new-${first + index}`,
        put: [row(-2_000, { reachedAt: NOON + first + index + 1 })],
      })),
      UNLIMITED,
    )
    await look(world, KEY, first + 5_500)
  }
  expect(sizes().entries.reduce((sum, count) => sum + count, 0)).toBe(16_000)
  expect(sizes().blocks.length).toBe(3)
  expect(Math.min(...sizes().entries)).toBe(24)

  // They leave from both ends and from the middle, until few are left.
  const isLeft = (index: number): boolean => index % 100 === 0
  for (const start of [0, 8_000, 4_000]) {
    const leaving = many(start === 4_000 ? 4_000 : 3_000, (index) => ({
      user: `old-${start + index}`,
      remove: [row(0)],
    }))
    await world.commit(leaving.filter((_, index) => !isLeft(index)))
    await look(world, KEY, 5_000)
  }
  await world.commit(
    many(5_000, (index) => ({ user: `new-${index}`, remove: [row(0)] })).filter((_, index) => !isLeft(index)),
  )
  await look(world, KEY, 100)
  expect(sizes().blocks).toEqual([14])
  expect(Math.min(...sizes().entries)).toBe(33)

  await world.commit(many(5_000, (index) => ({ user: `new-${index}`, remove: [row(0)] })))
  await world.commit(many(11_000, (index) => ({ user: `old-${index}`, remove: [row(0)] })))
  expect(checkBlocks(file).size).toBe(0)
  await look(world, KEY, 0)
  await world.close()
})
