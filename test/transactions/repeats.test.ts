import { expect, test } from 'vitest'
import { checkFold } from '../support/check-fold.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { openSqliteWorld } from './sqlite-world.ts'

const nextFile = useDatabaseFiles()

test('within the transaction of the host each idempotency key completes what repeats once, and a ROLLBACK frees it', async () => {
  const { engine, storage, db } = await openSqliteWorld(nextFile(), {
    definition: {
      metrics: { words: { name: 'Words' } },
      achievements: { tour: { name: 'Tour', trigger: 'api', repeat: true } },
    },
  })
  const complete = (idempotencyKey: string) =>
    engine.within(db, (writer) => writer.achievements.complete('tour', { user: { id: 'ann' }, idempotencyKey }))
  db.exec('begin immediate')
  expect(complete('a').achievement.count).toBe(1)
  db.exec('rollback')
  db.exec('begin immediate')
  const first = complete('a')
  expect(first.idempotentReplayed).toBe(false)
  expect(complete('b').achievement.count).toBe(2)
  // Not the newest: which one it was, the log says, within the transaction too.
  expect(complete('a')).toEqual({ ...first, idempotentReplayed: true })
  db.exec('commit')
  expect(complete('a').completionId).toBe(first.completionId)
  expect((await engine.users.achievements('ann'))[0]?.count).toBe(2)
  await checkFold(storage)
})
