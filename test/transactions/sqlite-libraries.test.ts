import { describe, expect, test } from 'vitest'
import { checkFold } from '../support/check-fold.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { SQLITE_LIBRARIES } from './sqlite-library-hosts.ts'
import { openSqliteWorld } from './sqlite-world.ts'

const nextFile = useDatabaseFiles()

// These libraries bring better-sqlite3, so there is nothing to try if it does not run.
const isWithout = process.env.LAURELS_TEST_SQLITE === 'node'

describe.skipIf(isWithout).each(SQLITE_LIBRARIES)('%s over better-sqlite3', (_, open) => {
  test('events, a replay and an achievement are committed with its transaction', async () => {
    const { file, engine, storage, notes } = await openSqliteWorld(nextFile())
    const { db, transaction } = await open(file)
    const told: string[] = []
    engine.on('achievement.completed', ({ achievement }) => void told.push(achievement.key))
    let committed = (): void => expect.fail('There was no transaction')
    const totals: number[] = []
    await transaction('order', () => {
      expect(db.inTransaction).toBe(true)
      engine.within(db, (g) => {
        for (const value of [60, 60]) {
          totals.push(g.metrics.event('words', { user: { id: 'ann' }, value, idempotencyKey: 'a' }).total)
        }
        totals.push(g.metrics.event('words', { user: { id: 'ann' }, value: 40.5 }).total)
        g.achievements.complete('joined', { user: { id: 'ann' } })
        committed = g.committed
      })
    })
    expect(totals).toEqual([60, 60, 100.5])
    expect(notes()).toEqual(['order', 'order too'])
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(100.5)
    expect(told).toEqual([])
    committed()
    expect(told).toEqual(['first', 'hundred', 'joined', 'both'])
    await checkFold(storage)
  })
})
