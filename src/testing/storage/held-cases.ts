import { deepEqual } from 'node:assert/strict'
import type { Entry } from '../../rules/entry.ts'
import type { Storage } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import { ORDERED } from './names.ts'
import { ANN, BOB, event, eventOf, NOON, type StorageCase, saveOf, store } from './samples.ts'

function held(key: Pick<UserKey, 'user'>, seq: number, at?: number): Entry {
  const id = `${key.user}-${seq}`
  return eventOf(key, seq, { id, voidedBy: id, ...(at === undefined ? {} : { at }) })
}

const idsOf = async (storage: Storage, ...args: Parameters<Storage['heldEvents']>): Promise<readonly string[]> =>
  (await storage.heldEvents(...args)).map(({ event: { id } }) => id)

export const heldCases: readonly StorageCase[] = [
  {
    id: 'held/line',
    name: 'an event is appended held back, and adds nothing to what is read of events',
    run: async (storage) => {
      const line = event(2, {
        id: 'h',
        voidedBy: 'h',
        value: 7,
        idempotencyKey: 'k',
        attributes: new Map([['a', 'b']]),
      })
      await store(storage, ANN, { appended: [event(1), line] })
      deepEqual(await storage.readLog(ANN), [event(1), line])
      deepEqual(await storage.heldEvents(''), [{ user: 'ann', event: line }])
      const date = 20_513
      deepEqual((await storage.readValues(ANN, 'words')).values, [{ at: NOON + 1, seq: 1, date, value: 1 }])
      deepEqual((await storage.readEvents(ANN)).events.length, 1)
      deepEqual((await storage.eventValues('')).values, [{ user: 'ann', key: 'words', date, value: 1 }])
      const lookups = [{ metric: 'words', idempotencyKey: 'k' }]
      deepEqual((await storage.readUser(ANN, { lookups })).found, ['h'])
    },
  },
  {
    id: 'held/approved',
    name: 'a line that is held back counts once it is stored without its void, and is void once it has another',
    run: async (storage) => {
      const voided = eventOf(ANN, 2, { voidedBy: 'void' })
      await store(storage, ANN, { appended: [held(ANN, 1), held(ANN, 2)] })
      await store(storage, ANN, {
        appended: [{ ...event(3), kind: 'eventApproved', event: 'ann-1' }],
        redated: [eventOf(ANN, 1), voided],
      })
      deepEqual((await storage.readLog(ANN)).slice(0, 2), [eventOf(ANN, 1), voided])
      deepEqual((await storage.readValues(ANN, 'words')).values, [{ at: NOON + 1, seq: 1, date: 20_513, value: 1 }])
      deepEqual(await storage.heldEvents(''), [])
    },
  },
  {
    id: 'held/pages',
    name: 'events that are held back are listed by user and place, page by page, in their tenant only',
    run: async (storage) => {
      const acme = { tenant: 'acme', user: 'ann' }
      await store(storage, BOB, { appended: [held(BOB, 1, 9_000), eventOf(BOB, 2), held(BOB, 3, 8_000)] })
      await store(storage, ANN, { appended: [eventOf(ANN, 1), held(ANN, 2)] })
      await store(storage, acme, { appended: [held(acme, 1)] })
      deepEqual(await idsOf(storage, ''), ['ann-2', 'bob-3', 'bob-1'])
      deepEqual(await idsOf(storage, 'acme'), ['ann-1'])
      deepEqual(await idsOf(storage, 'nobody'), [])
      deepEqual(await idsOf(storage, '', { limit: 2 }), ['ann-2', 'bob-3'])
      const after = { user: 'bob', at: 8_000, seq: 3 }
      deepEqual(await idsOf(storage, '', { after }), ['bob-1'])
      deepEqual(await idsOf(storage, '', { user: 'bob' }), ['bob-3', 'bob-1'])
      deepEqual(await idsOf(storage, '', { user: 'bob', after }), ['bob-1'])
      deepEqual(await idsOf(storage, '', { user: 'ann', limit: 1 }), ['ann-2'])
      deepEqual(await idsOf(storage, '', { user: 'bo' }), [])
    },
  },
  {
    id: 'held/order',
    name: 'users come in order of the bytes of their ids',
    run: async (storage) => {
      await storage.commit(
        ORDERED.toReversed().map((user) => ({ tenant: '', user, lookups: [] })),
        (users) => users.map((user) => saveOf(user, { appended: [held(user, 1)] })),
      )
      deepEqual(
        (await storage.heldEvents('')).map(({ user }) => user),
        ORDERED,
      )
    },
  },
]
