import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, NOON, openOn, STORAGES } from '../support/engine.ts'

/** What is told of so many users is told in one part. */
const PART = 64
const PARTS = 20

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' }, notes: { name: 'Notes' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

test.each(STORAGES)('While much is due at one midnight, calls come in turns with it: $name', async ({ create }) => {
  const engine = await openOn(create(), { now: NOON }, GAME)
  try {
    const lost: (string | null)[] = []
    await engine.subscribe('lost', { types: ['streak.lost'] }, (messages) => {
      lost.push(...messages.map(({ userId }) => userId))
    })
    const users = Array.from({ length: PART * PARTS }, (_, n) => `user-${n}`)
    await Promise.all(users.map((id) => add(engine, 'words', 1, { user: { id } })))
    engine.at('2026-03-12T00:00:10.000Z')
    let isDone = false
    const work = engine.workOnce().finally(() => {
      isDone = true
    })
    let recorded = 0
    while (!isDone) {
      await add(engine, 'notes', 1, { user: { id: 'bob' } })
      recorded += 1
    }
    expect((await work).told).toBe(users.length)
    expect(new Set(lost)).toEqual(new Set(users))
    // Without turns at most one comes between two parts.
    expect(recorded).toBeGreaterThan(5 * PARTS)
  } finally {
    await engine.close()
  }
})
