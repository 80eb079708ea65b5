import { deepEqual } from 'node:assert/strict'
import type { Entry } from '../../rules/entry.ts'
import type { WrittenEvent } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import { ORDERED } from './names.ts'
import { ANN, BOB, eventOf, NOON, type StorageCase, store } from './samples.ts'

const IN_ACME: UserKey = { tenant: 'acme', user: 'ann' }

const placed = (user: string, seq: number, at = NOON + seq): WrittenEvent => ({ id: `${user}-${seq}`, user, at, seq })

const by = (key: UserKey, seq: number, changes: Parameters<typeof eventOf>[2] = {}): Entry =>
  eventOf(key, seq, { by: 'key-1', ...changes })

export const writtenByCases: readonly StorageCase[] = [
  {
    id: 'log/by',
    name: 'an entry comes back with the key that wrote it, or without one, also when it is dated anew',
    run: async (storage) => {
      const pause = { kind: 'pauseCreated', start: 20_513, end: 20_514, by: 'key-2' } as const
      const { metric, value, attributes, idempotencyKey, kind, ...base } = eventOf(ANN, 3) as Extract<
        Entry,
        { kind: 'eventRecorded' }
      >
      const entries: readonly Entry[] = [eventOf(ANN, 1), by(ANN, 2), { ...base, ...pause }]
      await store(storage, ANN, { appended: entries })
      deepEqual(await storage.readLog(ANN), entries)
      const dating = { zone: 'Asia/Tokyo', date: 20_514, time: 0 }
      const { by: _, ...unsigned } = by(ANN, 2, { dating, voidedBy: 'void' })
      await store(storage, ANN, { redated: [unsigned as Entry] })
      deepEqual((await storage.readLog(ANN))[1], by(ANN, 2, { dating, voidedBy: 'void' }))
    },
  },
  {
    id: 'log/written-by',
    name: 'the events that count and that one key wrote come in order of user, then of the log; no others do',
    run: async (storage) => {
      deepEqual(await storage.eventsBy('', 'key-1'), [])
      const other = { kind: 'userUpserted', by: 'key-1', id: 'ann-7', seq: 7 } as const
      await store(storage, ANN, {
        appended: [
          by(ANN, 1),
          eventOf(ANN, 2),
          by(ANN, 3, { by: 'key-2' }),
          by(ANN, 4, { at: NOON - 9 }),
          by(ANN, 5),
          by(ANN, 6, { by: 'KEY-1' }),
          { ...eventOf(ANN, 7), ...other } as Entry,
        ],
      })
      const held = by(BOB, 2)
      await store(storage, BOB, { appended: [by(BOB, 1), { ...held, voidedBy: held.id } as Entry] })
      await store(storage, IN_ACME, { appended: [by(IN_ACME, 1)] })
      await store(storage, ANN, { redated: [by(ANN, 5, { voidedBy: 'void' })] })

      deepEqual(await storage.eventsBy('', 'key-1'), [
        placed('ann', 4, NOON - 9),
        placed('ann', 1),
        placed('bob', 1),
        placed('bob', 2),
      ])
      deepEqual(await storage.eventsBy('', 'key-2'), [placed('ann', 3)])
      deepEqual(await storage.eventsBy('acme', 'key-1'), [placed('ann', 1)])
      for (const key of ['', 'key', 'key-1 ', 'key-_', '%', 'key-3']) deepEqual(await storage.eventsBy('', key), [])
    },
  },
  {
    id: 'log/written-by-chunks',
    name: 'they come in chunks that begin after a place, users by the bytes of their ids; without a limit 1,000',
    run: async (storage) => {
      for (const user of ORDERED.toReversed()) {
        const key = { tenant: '', user }
        await store(storage, key, { appended: [by(key, 1), by(key, 2)] })
      }
      const all = ORDERED.flatMap((user) => [placed(user, 1), placed(user, 2)])
      deepEqual(await storage.eventsBy('', 'key-1'), all)
      const read: WrittenEvent[] = []
      for (let after: WrittenEvent | undefined; ; after = read.at(-1)) {
        const chunk = await storage.eventsBy('', 'key-1', { limit: 3, ...(after === undefined ? {} : { after }) })
        if (chunk.length === 0) break
        read.push(...chunk)
      }
      deepEqual(read, all)
      const many = Array.from({ length: 1_001 }, (_, index) => by(ANN, index + 1, { by: 'key-2' }))
      await store(storage, ANN, { appended: many })
      deepEqual((await storage.eventsBy('', 'key-2')).length, 1_000)
    },
  },
]
