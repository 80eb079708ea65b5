// Faults that never pass. Without a limit each of these calls would run without end.

import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { createGamification, defineGame, GamificationError, type Storage } from '../../src/index.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import { aroundQuery } from '../support/around-query.ts'
import { extendStorage } from '../support/extend-storage.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })

/** An engine whose storage answers some calls otherwise, once `isFaulty` is set. */
async function engineOn(membersOf: (storage: Storage) => Partial<Storage>) {
  let isFaulty = false
  const storage = memory()
  const engine = createGamification({
    game,
    storage: extendStorage(storage, (own) => {
      const faulty = membersOf(own)
      return Object.fromEntries(
        Object.keys(faulty).map((name) => [
          name,
          (...given: never[]) => {
            const from = isFaulty ? faulty : own
            return (from[name as keyof Storage] as (...given: never[]) => unknown)(...given)
          },
        ]),
      )
    }),
  })
  onTestFinished(() => engine.close())
  await engine.migrate()
  await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
  isFaulty = true
  return engine
}

const late = { user: { id: 'ann' }, value: 1, occurredAt: new Date('2020-01-01T00:00:00Z') }

test('A batch gives up after a hundred games that another process stored first', async () => {
  let commits = 0
  const engine = await engineOn((storage) => ({
    commit: (requests, decide) => {
      commits += 1
      return storage.commit(requests, (users, epoch) => decide(users, epoch + 1))
    },
  }))
  await expect(engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The game or a stock changed 100 times while calls were recorded. Nothing was saved; try again.',
  })
  expect(commits).toBe(100)
})

test('A late event gives up after twenty commits whose replies were lost', async () => {
  const lost = new GamificationError('outcome_unknown', 'The reply was lost.')
  const engine = await engineOn(() => ({ transaction: () => Promise.reject(lost) }))
  await expect(engine.metrics.event('words', late)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The replies to 20 commits were lost. Nothing was saved; try again.',
  })
})

test('A read gives up behind a thousand merged users', async () => {
  const engine = await engineOn(
    aroundQuery(
      (storage) => loadUser(storage, { tenant: '', user: '' }),
      async (run) => {
        const rows: { readonly user: readonly object[] } = await run()
        return { ...rows, user: rows.user.map((row) => ({ ...row, merged_into: 'ann' })) }
      },
    ),
  )
  await expect(engine.users.get('ann')).rejects.toMatchObject({
    code: 'invalid_request',
    message:
      'The user "ann" comes after 1000 merged users. Nothing was saved; use the id that the last merge answered.',
  })
})
