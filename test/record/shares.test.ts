import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { defineGame } from '../../src/index.ts'
import { takeInTurn, takeTogether } from '../../src/record/batch-queue.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { times, useEngines } from '../support/places.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const start = useEngines('2026-03-10T12:00:00.000Z')

/** The users of each batch, with how many events each had in it. */
async function batchesOf(calls: readonly string[]): Promise<{
  readonly batches: readonly { readonly [user: string]: number }[]
  readonly totals: ReadonlyMap<string, readonly number[]>
}> {
  const inner = memory()
  const batches: { readonly [user: string]: number }[] = []
  const storage: Storage = extendStorage(inner, (inner) => ({
    commit: (requests, decide) => {
      batches.push(Object.fromEntries(requests.map(({ user, lookups }) => [user, lookups.length])))
      return inner.commit(requests, decide)
    },
  }))
  const engine = await start(game, storage)
  const totals = new Map<string, number[]>()
  await Promise.all(
    calls.map(async (id) => {
      const { total } = await engine.metrics.event('words', { user: { id }, value: 1 })
      totals.set(id, [...(totals.get(id) ?? []), total])
    }),
  )
  return { batches, totals }
}

describe('a batch, where more calls wait than it holds', () => {
  test('of one user alone is full', async () => {
    const { batches } = await batchesOf(times(200, () => 'hot'))
    expect(batches).toEqual([{ hot: 64 }, { hot: 64 }, { hot: 64 }, { hot: 8 }])
  })

  test('has the one call of another user that came behind 1,000 of a busy one', async () => {
    const { batches, totals } = await batchesOf([...times(1_000, () => 'hot'), 'ann'])
    expect(batches[0]).toEqual({ hot: 63, ann: 1 })
    expect(batches).toHaveLength(16)
    // In the order in which they came.
    expect(totals.get('hot')).toEqual(times(1_000, (index) => index + 1))
  })

  test('is shared evenly between users who all have more than their share', async () => {
    const calls = [...times(100, () => 'ann'), ...times(100, () => 'bob'), ...times(100, () => 'carl')]
    const { batches } = await batchesOf(calls)
    expect(batches.slice(0, 4)).toEqual([
      { ann: 22, bob: 21, carl: 21 },
      // The owner whose turn it was continues.
      { bob: 22, carl: 21, ann: 21 },
      { carl: 22, ann: 21, bob: 21 },
      { ann: 22, bob: 21, carl: 21 },
    ])
  })

  test('leaves nobody out: each of 1,000 users with one call is in one of the first batches', async () => {
    const users = times(1_000, (index) => `user ${index}`)
    const { batches } = await batchesOf([...times(500, () => 'hot'), ...users])
    // One call of the busy user and each of the others, sixty-four at a time; then the busy one alone.
    expect(
      batches
        .slice(0, 16)
        .flatMap(Object.keys)
        .filter((user) => user !== 'hot'),
    ).toEqual(users)
    expect(batches.at(-1)?.hot).toBeGreaterThan(0)
  })
})

describe('a line', () => {
  const owned = (text: string) => times(text.length, (index) => `${text[index]}${index}`)
  const lineOf = (text: string) => {
    let waiting = owned(text)
    return {
      get length() {
        return waiting.length
      },
      push: (item: string) => void waiting.push(item),
      take: (most: number) => {
        const { taken, left } = takeInTurn(waiting, most, (item) => item[0] ?? '')
        waiting = left
        return taken
      },
    }
  }

  test('keeps the turns of those who wait when more arrive', () => {
    const line = lineOf('aaaab')
    expect(line.take(3)).toEqual(['a0', 'b4', 'a1'])
    line.push('c5')
    line.push('a6')
    line.push('c7')
    expect(line.length).toBe(5)
    expect(line.take(4)).toEqual(['a2', 'c5', 'a3', 'c7'])
    expect(line.take(4)).toEqual(['a6'])
    expect(line.take(4)).toEqual([])
  })
})

test('A batch of an import has the items of few users, each in their order', async () => {
  const inner = memory()
  const batches: (readonly [user: string, items: number])[][] = []
  const storage: Storage = extendStorage(inner, (inner) => ({
    commit: (requests, decide) => {
      batches.push(requests.map(({ user, lookups }) => [user, lookups.length]))
      return inner.commit(requests, decide)
    },
  }))
  const engine = await start(game, storage)
  const items = Array.from({ length: 512 }, (_, index) => ({
    metric: 'words' as const,
    user: { id: ['ann', 'bob', 'cem', 'dan'][index % 4] ?? '' },
    value: index,
    occurredAt: new Date(Date.parse('2026-03-01T12:00:00Z') + index * 1_000),
  }))
  await engine.import(items)
  expect(batches).toEqual([
    [
      ['ann', 128],
      ['bob', 128],
    ],
    [
      ['cem', 128],
      ['dan', 128],
    ],
  ])
  expect(takeTogether(['a0', 'b1', 'a2', 'b3'], 3, (item) => item[0] ?? '')).toEqual({
    taken: ['a0', 'a2', 'b1'],
    left: ['b3'],
  })
})
