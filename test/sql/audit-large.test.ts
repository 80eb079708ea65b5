// A user who has more rows than SQLite reads in one turn of the event loop.

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../src/index.ts'
import { changeRow } from '../support/changed-rows.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
const MINUTE = 60_000
const LINES = 2_500
/** An audit that waited for those who write to pause would take as many events as given time for. */
const MOST_WRITTEN = 500

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 2 }] } },
})

async function open(lines: number = LINES) {
  const database = new Database(':memory:')
  const storage = sqlite(database)
  const engine = createGamification({ game, storage, clock: () => new Date(START + lines * MINUTE) })
  onTestFinished(() => engine.close())
  await engine.migrate()
  const items = Array.from({ length: lines }, (_, index) => {
    return { metric: 'words', user: { id: 'ann' }, value: 1, occurredAt: new Date(START + index * MINUTE) } as const
  })
  expect(await engine.import(items)).toMatchObject({ recorded: lines })
  const change = (text: string): void => changeRow(database, text)
  return { engine, storage, change }
}

describe('The audit of a user with 2,500 awards on SQLite', () => {
  test('names a wrong row wherever it is, one that is gone, and one that nobody earned; rebuild mends them', async () => {
    const { engine, change } = await open()
    expect((await engine.verify()).drift).toEqual([])
    change('update laurels_awards set total = 7 where seq = 5')
    // The last of the first part, and the first of the third.
    change('update laurels_awards set total = 8 where seq = 1000')
    change('update laurels_awards set total = 9 where seq = 2001')
    change('delete from laurels_awards where seq = 1500')
    change(`insert into laurels_awards (tenant_id, user_id, system, at, seq, ordinal, award_id, trigger_id, entry_id, awarded, total, boosts) select tenant_id, user_id, system, at, seq, 1, unhex(hex(award_id) || '78'), trigger_id, entry_id, awarded, total, boosts
      from laurels_awards where seq = 2500`)
    const { drift } = await engine.verify()
    expect(drift.map(({ key, stored, expected }) => [key.seq, key.ordinal, stored?.total, expected?.total])).toEqual([
      [5, 0, 7, 10],
      [1_000, 0, 8, 2_000],
      [1_500, 0, undefined, 3_000],
      [2_001, 0, 9, 4_002],
      [2_500, 1, 5_000, undefined],
    ])
    await engine.rebuild()
    expect((await engine.verify()).drift).toEqual([])
  })

  test('is of one moment while others write to the user, and so is what rebuild mends', async () => {
    const { engine, change } = await open()
    let isOver = false
    let written = 0
    const writing = (async () => {
      for (; !isOver && written < MOST_WRITTEN; written += 1) {
        await engine.metrics.event('words', { user: { id: written % 2 === 0 ? 'ann' : 'bob' }, value: 1 })
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    try {
      expect((await engine.verify({ users: ['ann'] })).drift).toEqual([])
      change('update laurels_awards set total = 8 where seq = 1000')
      expect((await engine.rebuild({ users: ['ann'] })).drift.map(({ key }) => key.seq)).toEqual([1_000])
    } finally {
      isOver = true
      await writing
    }
    expect(written).toBeLessThan(MOST_WRITTEN)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('finds a row whose key is no number that JavaScript can tell, behind which it could not ask for more', async () => {
    const { engine, change } = await open(999)
    change(`insert into laurels_awards (tenant_id, user_id, system, at, seq, ordinal, award_id, trigger_id, entry_id, awarded, total, boosts) select tenant_id, user_id, system, 1152921504606846977, seq, ordinal, unhex(hex(award_id) || '78'), trigger_id, entry_id, awarded, total, boosts
      from laurels_awards where seq = 999`)
    expect((await engine.verify()).drift.map(({ key }) => [key.at, key.seq])).toEqual([[2 ** 60, 999]])
    await engine.rebuild()
    expect((await engine.verify()).drift).toEqual([])
  })
})
