// @heavy: It takes more than three seconds.

import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { defineGame, GamificationError } from '../../src/index.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import type { Storage, UserRequest } from '../../src/storage/storage.ts'
import { limit } from '../support/busy-machine.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { codesOf, times, useEngines } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const start = useEngines('2026-03-10T12:00:00.000Z')
const nextFile = useDatabaseFiles()

interface Slow {
  readonly storage: Storage
  /** The users of each commit that was begun, and its deadline. */
  readonly commits: { readonly users: readonly string[]; readonly deadline: number | undefined }[]
  /** Lets the commits go that wait, and all to come. */
  open(): void
  /** From now on commits wait. */
  shut(): void
}

/** In memory, with a deadline for its calls, and commits that wait until they are let go. */
function useSlowStorage(deadlineMs: number): Slow {
  const inner = memory()
  const commits: Slow['commits'] = []
  let gate: Promise<void> = Promise.resolve()
  let open: () => void = () => undefined
  const storage: Storage = extendStorage(inner, (_, deadline) => ({
    deadlineMs,
    commit: async (requests, decide) => {
      commits.push({ users: requests.map(({ user }: UserRequest) => user), deadline })
      await gate
      return inner.commit(requests, decide)
    },
  }))
  const shut = (): void => {
    gate = new Promise((resolve) => {
      open = resolve
    })
  }
  onTestFinished(() => open())
  return { storage, commits, shut, open: () => open() }
}

const wordsOf = (user: string, value = 1) => ({ user: { id: user }, value })

describe('a call that is past its deadline before its turn', () => {
  test('is unavailable at that moment, while the batch before it is still under way, and is never sent', async () => {
    const slow = useSlowStorage(1_000)
    const engine = await start(game, slow.storage)
    slow.shut()
    const first = engine.metrics.event('words', wordsOf('first'))
    await expect.poll(() => slow.commits).toHaveLength(1)
    const behind = times(100, (index) => engine.metrics.event('words', wordsOf(`user ${index}`)))
    const answered = await Promise.race([codesOf(behind), sleep(limit(1_500)).then(() => 'they still wait')])
    expect(answered).toEqual(times(100, () => 'unavailable'))
    await expect(behind[0]).rejects.toThrow('waited behind others until its deadline')
    expect(slow.commits.map(({ users }) => users)).toEqual([['first']])
    slow.open()
    expect((await first).total).toBe(1)
    expect((await engine.metrics.event('words', wordsOf('user 0'))).total).toBe(1)
    expect(slow.commits.map(({ users }) => users)).toEqual([['first'], ['user 0']])
  })

  test('is unavailable in a long run of batches that all succeed', async () => {
    const inner = memory()
    let stored = 0
    const storage: Storage = extendStorage(inner, () => ({
      deadlineMs: 2_000,
      commit: async (requests, decide) => {
        await sleep(700)
        stored += requests.length
        return inner.commit(requests, decide)
      },
    }))
    const engine = await start(game, storage)
    const codes = await codesOf(times(320, (index) => engine.metrics.event('words', wordsOf(`user ${index}`))))
    const done = codes.filter((code) => code === 'ok').length
    expect(new Set(codes)).toEqual(new Set(['ok', 'unavailable']))
    // At most as many batches as have begun within the time.
    expect(done).toBeLessThanOrEqual(4 * 64)
    expect(stored).toBe(done)
    expect(await loadUserKeys(storage)).toHaveLength(done)
  })

  test('has for its turn what is left of its time, but never less than a moment', async () => {
    const slow = useSlowStorage(10_000)
    const engine = await start(game, slow.storage)
    const before = performance.now()
    await engine.forRequest(before - 4_000).metrics.event('words', wordsOf('ann'))
    const asked = performance.now()
    await engine.forRequest(asked - 9_700).metrics.event('words', wordsOf('ann'))
    await engine.metrics.event('words', wordsOf('ann'))
    const [first = 0, second = 0, third = 0] = slow.commits.map(({ deadline = 0 }) => deadline)
    expect(first - before).toBeCloseTo(6_000, 0)
    expect(second - asked).toBeGreaterThan(400)
    expect(second - asked).toBeLessThan(5_000)
    expect(third - asked).toBeGreaterThan(9_999)
    const gone = engine.forRequest(before - 10_001)
    expect(await codesOf([gone.metrics.event('words', wordsOf('ann'))])).toEqual(['unavailable'])
    expect(slow.commits).toHaveLength(3)
  })
})

describe('the deadline of an item of an import', () => {
  test('does not run while it waits for the other items', async () => {
    const inner = memory()
    await inner.migrate()
    const given = new Set<number | undefined>()
    const storage: Storage = extendStorage(inner, (_, deadline) => ({
      deadlineMs: 100,
      commit: async (requests, decide) => {
        given.add(deadline)
        await sleep(150)
        return inner.commit(requests, decide)
      },
    }))
    const engine = await start(game, storage)
    const items = times(2_000, (index) => ({ metric: 'words' as const, ...wordsOf(`user ${index}`) }))
    const late = { metric: 'words' as const, ...wordsOf('user 1'), occurredAt: new Date('2026-01-01T00:00:00Z') }
    expect(await engine.import([...items, late])).toMatchObject({ recorded: 2_001, refused: 0 })
    // Each batch has the time of the storage from its own turn on.
    expect([...given]).toEqual([undefined])
  })

  test('ends the import once the storage is unavailable', async () => {
    const inner = memory()
    await inner.migrate()
    const storage: Storage = extendStorage(inner, () => ({
      deadlineMs: 100,
      commit: () => Promise.reject(new GamificationError('unavailable', 'The storage is down.')),
    }))
    const engine = await start(game, storage)
    const items = times(2_000, (index) => ({ metric: 'words' as const, ...wordsOf(`user ${index}`) }))
    await expect(engine.import(items)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a file that somebody else holds', () => {
  test('keeps the last of 1,000 calls at once waiting until its deadline, and stores none of them later', async () => {
    const file = nextFile()
    const engine = await start(game, sqlite(file, { busyDeadlineMs: 1_000 }))
    await engine.metrics.event('words', wordsOf('user 0'))
    const other = new Database(file)
    other.exec('begin immediate')
    const began = performance.now()
    const calls = times(1_000, (index) => engine.metrics.event('words', wordsOf(`user ${index % 200}`)))
    expect(new Set(await codesOf(calls))).toEqual(new Set(['unavailable']))
    expect(performance.now() - began).toBeLessThan(limit(2_500))
    other.exec('rollback')
    other.close()
    await sleep(100)
    expect((await engine.users.singleMetric('user 0', 'words')).current).toBe(1)
  })
})
