import { deepEqual, equal } from 'node:assert/strict'
import type { Entry } from '../../rules/entry.ts'
import type { Storage } from '../../storage.ts'
import type { Award, UserKey } from '../../storage-rows.ts'
import { ANN, award, BOB, event, eventOf, NOON, rejectsWith, type StorageCase, saveOf, store } from './samples.ts'

/** More than a storage may write at once. */
const ROWS = 2_300

const numbers = Array.from({ length: ROWS }, (_, index) => index + 1)
const lines = numbers.map((seq) => event(seq))
const awards = numbers.map((n) => award(`award-${n}`, { entryId: `entry-${n}`, at: NOON + n, seq: n, total: n }))

async function readWhole(storage: Storage, key: UserKey): Promise<readonly Entry[]> {
  const log: Entry[] = []
  for (;;) {
    const last = log.at(-1)
    const chunk = await storage.readLog(key, last === undefined ? {} : { after: { at: last.at, seq: last.seq } })
    if (chunk.length === 0) return log
    log.push(...chunk)
  }
}

async function readAwards(storage: Storage, key: UserKey): Promise<readonly Award[]> {
  return (await storage.readUser(key, { awards: {} })).awards.toReversed()
}

export const largeCases: readonly StorageCase[] = [
  {
    id: 'large/save',
    name: 'a save of thousands of lines and awards is stored whole, and the next one goes on from it',
    run: async (storage) => {
      await store(storage, BOB, { appended: [eventOf(BOB, 1)] })
      await store(storage, ANN, { appended: lines, awards: { put: awards, remove: [] } })
      deepEqual(await readWhole(storage, ANN), lines)
      deepEqual(await readAwards(storage, ANN), awards)

      const redated = lines.map((line) => ({ ...line, dating: { ...line.dating, zone: 'Asia/Tokyo' } }))
      // Each award goes to the next entry, which has one already.
      const moved = awards
        .slice(0, -1)
        .map((each, index) => ({ ...each, id: `moved-${index}`, seq: each.seq + 1, at: each.at + 1 }))
      const next = event(ROWS + 1, { at: NOON + 2 * ROWS })
      await store(storage, ANN, { appended: [next], redated, awards: { put: moved, remove: awards } })
      deepEqual(await readWhole(storage, ANN), [...redated, next])
      deepEqual(await readAwards(storage, ANN), moved)

      await storage.commit(
        [ANN, BOB].map((key) => ({ ...key, lookups: [] })),
        (users) =>
          users.map((user) =>
            saveOf(user, { appended: [eventOf(user, (user.state?.seq ?? 0) + 1, { at: NOON + 3 * ROWS })] }),
          ),
      )
      equal((await storage.readUser(ANN)).state?.seq, ROWS + 2)
      equal((await storage.readUser(BOB)).state?.seq, 2)
    },
  },
  {
    id: 'large/refused',
    name: 'of a save of thousands of lines and awards nothing is stored where its last line has the id of another, or where decide throws',
    run: async (storage) => {
      await store(storage, ANN, { appended: [event(1)] })
      const before = await storage.readUser(ANN)
      const more = [...numbers.map((n) => event(n + 1)), event(ROWS + 2, { id: 'entry-1' })]
      await rejectsWith('internal', store(storage, ANN, { appended: more, awards: { put: awards, remove: [] } }))
      const thrown = new Error('decided otherwise')
      const asked = storage.commit([{ ...ANN, lookups: [] }], () => {
        throw thrown
      })
      equal(await asked.catch((error: unknown) => error), thrown)
      deepEqual(await storage.readUser(ANN), before)
      deepEqual(await readWhole(storage, ANN), [event(1)])
      deepEqual(await readAwards(storage, ANN), [])
      await store(storage, ANN, { appended: [event(2)] })
      equal((await storage.readUser(ANN)).state?.seq, 2)
    },
  },
  {
    id: 'large/removal',
    name: 'a user with thousands of lines and awards is removed whole, or put under another id with all of them',
    run: async (storage) => {
      await store(storage, BOB, { appended: [eventOf(BOB, 1)] })
      await store(storage, ANN, { appended: lines, awards: { put: awards, remove: [] } })
      const { version } = await storage.readUser(ANN)
      const save = saveOf({ state: null }, { appended: lines, awards: { put: awards, remove: [] } })
      const replacement = { epoch: 0, users: [{ user: 'anon', version: 0, save }] }
      equal(await storage.removeUser(ANN, { version: version + 1, replacement }), 'changed')
      equal((await readWhole(storage, ANN)).length, ROWS)

      equal(await storage.removeUser(ANN, { version, replacement }), 'removed')
      const anon = { tenant: '', user: 'anon' }
      deepEqual([await readWhole(storage, ANN), await readAwards(storage, ANN)], [[], []])
      deepEqual([await readWhole(storage, anon), await readAwards(storage, anon)], [lines, awards])

      equal(await storage.removeUser(anon), 'removed')
      equal(await storage.removeUser(anon), 'unknown')
      deepEqual([await readWhole(storage, anon), await readAwards(storage, anon)], [[], []])
      deepEqual(await storage.listUsers(), [BOB])
      equal((await readWhole(storage, BOB)).length, 1)
      // Its entry ids are free again.
      await store(storage, ANN, { appended: [event(1)] })
    },
  },
]
