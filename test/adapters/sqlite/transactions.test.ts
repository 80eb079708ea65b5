// Transactions of the engine on SQLite: each ends in the turn of its call.

import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { addAdminKey, type StoredKey } from '../../../src/sql/api-keys.ts'
import { repairRows } from '../../../src/sql/audit.ts'
import { putDocument } from '../../../src/sql/outbox.ts'
import { loadUser } from '../../../src/sql/read-user.ts'
import type { UserKey } from '../../../src/storage/rows.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { saveOf, store } from '../../../src/testing/storage/case.ts'
import { KEY, row } from '../../../src/testing/storage/leaderboard-cases.ts'
import { document } from '../../../src/testing/storage/outbox-samples.ts'
import { ANN, BOB, NOON, sampleEvent } from '../../../src/testing/storage/samples.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

async function open(): Promise<{ readonly storage: Storage; readonly beside: Database.Database }> {
  const file = nextFile()
  const storage = sqlite(file)
  await storage.migrate()
  const beside = new Database(file)
  onTestFinished(async () => {
    beside.close()
    await storage.close()
  })
  return { storage, beside }
}

const key: StoredKey = {
  ...{ id: 'key-1', prefix: 'prefix-1', hash: 'hash', owner: null, status: 'active', createdAt: NOON },
  ...{ lastUsedAt: null, can: null, expiresAt: null },
}

test('what a transaction has written is committed when the call returns its promise', async () => {
  const { storage, beside } = await open()
  const count = (table: string): unknown => beside.prepare(`select count(*) from ${table}`).pluck().get()
  const calls = [
    storage.transaction((tx) => putDocument(tx, document('mailer'))),
    addAdminKey(storage, key, 3),
    storage.transaction((tx) => putDocument(tx, document('other'))),
  ]
  expect([count('laurels_documents'), count('laurels_api_keys')]).toEqual([2, 1])
  expect(await Promise.all(calls)).toEqual([true, true, true])
})

/** Enters a board with a limit. Returns its first users before that. */
async function enter(storage: Storage, user: UserKey, value: number): Promise<readonly string[]> {
  const ranks = [{ ...KEY, limit: 2, margin: 1, at: NOON, positions: [{ value, reachedAt: NOON }] }]
  const { saveGroups } = await storage.commit([{ ...user, lookups: [] }], (users) =>
    users.map((loaded) => saveOf(loaded, { leaderboards: { put: [row(value)], remove: [] }, ranks })),
  )
  const [answer] = saveGroups[0]?.users[0]?.ranks ?? []
  return answer?.last.map((position) => position.user) ?? []
}

test('a repair makes the connection forget the first entries of a leaderboard', async () => {
  const { storage } = await open()
  await store(storage, ANN, { appended: [sampleEvent(1)] })
  for (let value = 10; value < 20; value += 1) await enter(storage, BOB, value)
  await enter(storage, ANN, 30)
  expect(await enter(storage, BOB, 20)).toEqual(['ann', 'bob'])

  const { version, state } = await loadUser(storage, ANN)
  if (state === null) throw new Error('ann is not there')
  const facts = { state, awards: [], movements: [], periods: [], challenges: [], leaderboards: [row(1)] }
  expect(await repairRows(storage, ANN, facts, version)).toBe(true)
  expect(await enter(storage, BOB, 21)).toEqual(['bob', 'ann'])
})
