// SQLite keeps the blocks of the groups that are asked for most in memory. Whoever writes meanwhile, and whatever of it is
// undone, ranks and pages are those of a sorted list.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CountedBlocks, createBlockCache, type ReadBlocks } from '../../adapters/sqlite/blocks/cache.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { openBlockGroup } from './block-group.ts'

const nextFile = useDatabaseFiles()
const SOAK = process.env.SOAK !== undefined
const USERS = 16_000
const RUNS = SOAK ? 30 : 1

const step = fc.record({
  by: fc.constantFrom('own', 'own', 'own', 'other', 'undone'),
  first: fc.nat(USERS - 1),
  /** The last of them make blocks split, or merge. */
  count: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 400, max: 3_000 })),
  isEntering: fc.boolean(),
  asked: fc.array(fc.nat(USERS - 1), { minLength: 6, maxLength: 12 }),
})

test('random changes by several connections', { timeout: SOAK ? 600_000 : 30_000 }, () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 40 }), (steps) => {
      const isThere = Array.from({ length: USERS }, (_, number) => number % 2 === 0)
      const group = openBlockGroup(
        nextFile(),
        isThere.flatMap((there, number) => (there ? [number] : [])),
      )
      for (const { by, first, count, isEntering, asked } of steps) {
        const numbers = Array.from({ length: count }, (_, index) => (first + index) % USERS)
        const changed = numbers.filter((number) => isThere[number] !== isEntering)
        const change = isEntering ? { enter: changed } : { leave: changed }
        if (by === 'undone') group.changeAndUndo(change)
        else {
          if (by === 'other') group.changeByOther(change)
          else if (isEntering) group.enter(changed)
          else group.leave(changed)
          for (const number of changed) isThere[number] = isEntering
        }
        const sorted = isThere.flatMap((there, number) => (there ? [number] : []))
        for (const number of asked) {
          expect(group.before(number)).toBe(sorted.filter((other) => other < number).length)
          expect(group.at(number)).toBe(sorted[number] ?? null)
        }
      }
    }),
    { numRuns: RUNS },
  )
})

describe('The blocks of a group', () => {
  const GROUP = { tenant_id: '', leaderboard: 'weekly', run: '2026-01-05', group_key: '' }
  const at = (minus_value: number) => ({ minus_value, reached_at: 0, user_id: 'a' })

  /** A cache of which the group was asked about often, with what it reads and the number that others change. */
  function openCache(): {
    readonly cache: ReturnType<typeof createBlockCache>
    readonly world: { version: number; reads: number }
    ask(): CountedBlocks | undefined
  } {
    const world = { version: 1, reads: 0 }
    const cache = createBlockCache(() => world.version)
    const read: ReadBlocks = (level) => {
      world.reads += 1
      const first = { ...at(-9), count: 5 }
      return level === 1 ? [first, { ...at(-4), count: 3 }] : [{ ...first, count: 8 }]
    }
    const ask = (): CountedBlocks | undefined => cache.of(GROUP, read)
    for (let times = 0; times < 6; times += 1) {
      cache.begin()
      ask()
    }
    world.reads = 0
    return { cache, world, ask }
  }
  const counts = (blocks: CountedBlocks | undefined) => blocks?.inner.counts

  test('are not read again', () => {
    const { ask, world } = openCache()
    expect(counts(ask())).toEqual([5, 3])
    expect(world.reads).toBe(0)
  })

  test('follow what was committed', () => {
    const { cache, ask, world } = openCache()
    cache.begin()
    cache.note({ group: GROUP, level: 1, start: at(-4), by: 1 })
    cache.note({ group: GROUP, level: 1, start: at(-6), by: 2 })
    cache.note({ group: GROUP, level: 1, start: at(-9), by: null })
    cache.commit()
    cache.begin()
    expect(ask()?.inner).toEqual({ starts: [at(-6), at(-4)], values: [-6, -4], counts: [2, 4] })
    expect(world.reads).toBe(0)
  })

  test('are forgotten where what was written was rolled back', () => {
    const { cache, ask } = openCache()
    cache.begin()
    cache.note({ group: GROUP, level: 1, start: at(-4), by: 1 })
    cache.begin()
    expect(ask()).toBeUndefined()
  })

  test('follow what the transaction itself has changed', () => {
    const { cache, ask, world } = openCache()
    cache.begin()
    cache.note({ group: GROUP, level: 1, start: at(-4), by: 1 })
    expect(counts(ask())).toEqual([5, 4])
    expect(world.reads).toBe(0)
  })

  test('are forgotten too where they were first read in a transaction that was rolled back', () => {
    const { cache, ask, world } = openCache()
    world.version = 2
    cache.begin()
    cache.note({ group: GROUP, level: 1, start: at(-4), by: 1 })
    for (let times = 0; times < 6; times += 1) ask()
    expect(counts(ask())).toEqual([5, 3])
    cache.begin()
    expect(ask()).toBeUndefined()
  })

  test('are forgotten when another connection has written', () => {
    const { cache, ask, world } = openCache()
    world.version = 2
    cache.begin()
    expect(ask()).toBeUndefined()
  })

  test('of which there are none are not looked for again', () => {
    const cache = createBlockCache(() => 1)
    const answers = Array.from({ length: 20 }, () => cache.of(GROUP, () => [])?.outer.counts)
    expect(answers).toEqual(Array.from({ length: 20 }, () => []))
  })
})
