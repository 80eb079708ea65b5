import { deepEqual, equal } from 'node:assert/strict'
import { ANN, award, BOB, event, eventOf, NOON, type StorageCase, store } from './samples.ts'

const awardAt = (seq: number, ordinal: number, awarded: number, system = 'xp') =>
  award(`award-${seq}-${ordinal}-${system}`, { at: NOON + seq, seq, entryId: `entry-${seq}`, ordinal, awarded, system })

const line = (seq: number) => ({ at: NOON + seq, seq })

const onDate = (date: number) => ({ dating: { zone: 'Pacific/Apia', date, time: 0 } })

export const awardedCases: readonly StorageCase[] = [
  {
    id: 'awarded/dates',
    name: 'what the awards of a system gave is read in their order, each on the local date of its entry',
    run: async (storage) => {
      await store(storage, ANN, {
        appended: [event(1, onDate(20_513)), event(2), event(3, onDate(-1)), event(4, onDate(20_512))],
        awards: {
          remove: [],
          put: [awardAt(4, 0, 7), awardAt(1, 1, -3), awardAt(1, 0, 10), awardAt(3, 0, 5), awardAt(3, 0, 99, 'coins')],
        },
      })
      await store(storage, BOB, {
        appended: [eventOf(BOB, 1)],
        awards: { remove: [], put: [award('of-bob', { at: NOON + 1, entryId: 'bob-1', awarded: 1_000 })] },
      })
      const values = [
        { ...line(1), date: 20_513, value: 10 },
        { ...line(1), date: 20_513, value: -3 },
        { ...line(3), date: -1, value: 5 },
        { ...line(4), date: 20_512, value: 7 },
      ]
      const place = (seq: number, ordinal: number) => ({ at: NOON + seq, seq, ordinal })
      deepEqual(await storage.readAwarded(ANN, 'xp'), { values, last: place(4, 0) })
      deepEqual(await storage.readAwarded(ANN, 'xp', { limit: 1 }), { values: values.slice(0, 1), last: place(1, 0) })
      deepEqual(await storage.readAwarded(ANN, 'xp', { limit: 2, after: place(1, 0) }), {
        values: values.slice(1, 3),
        last: place(3, 0),
      })
      deepEqual(await storage.readAwarded(ANN, 'xp', { after: place(4, 0) }), { values: [], last: null })
      deepEqual(await storage.readAwarded(ANN, 'coins'), {
        values: [{ ...line(3), date: -1, value: 99 }],
        last: place(3, 0),
      })
      deepEqual(await storage.readAwarded(ANN, 'XP'), { values: [], last: null })
      deepEqual(await storage.readAwarded({ tenant: 'acme', user: 'ann' }, 'xp'), { values: [], last: null })
    },
  },
  {
    id: 'awarded/instant',
    name: 'an award is on the date of its own entry, also where others have the same instant',
    run: async (storage) => {
      const appended = [1, 2, 3].map((seq) => event(seq, { at: NOON, ...onDate(20_513 + seq) }))
      const put = [1, 2, 3].map((seq) => ({ ...awardAt(seq, 0, seq), at: NOON }))
      await store(storage, ANN, { appended, awards: { remove: [], put } })
      deepEqual((await storage.readAwarded(ANN, 'xp')).values, [
        { at: NOON, seq: 1, date: 20_514, value: 1 },
        { at: NOON, seq: 2, date: 20_515, value: 2 },
        { at: NOON, seq: 3, date: 20_516, value: 3 },
      ])
      deepEqual(
        (await storage.awardValues('')).values,
        [20_514, 20_515, 20_516].map((date, index) => ({ user: 'ann', key: 'xp', date, value: index + 1 })),
      )
    },
  },
  {
    id: 'awarded/redated',
    name: 'an award moves with the date of its entry, and is gone when it is removed',
    run: async (storage) => {
      const awards = [awardAt(1, 0, 10), awardAt(2, 0, 20)]
      await store(storage, ANN, { appended: [event(1), event(2)], awards: { remove: [], put: awards } })
      await store(storage, ANN, { redated: [event(1, onDate(20_511))], awards: { remove: awards.slice(1), put: [] } })
      deepEqual((await storage.readAwarded(ANN, 'xp')).values, [{ ...line(1), date: 20_511, value: 10 }])
    },
  },
  {
    id: 'awarded/limit',
    name: 'without a limit a thousand awards are read',
    run: async (storage) => {
      const put = Array.from({ length: 1_001 }, (_, ordinal) => awardAt(1, ordinal, 1))
      await store(storage, ANN, { appended: [event(1)], awards: { remove: [], put } })
      const { values, last } = await storage.readAwarded(ANN, 'xp')
      equal(values.length, 1_000)
      deepEqual(last, { at: NOON + 1, seq: 1, ordinal: 999 })
      equal((await storage.readAwarded(ANN, 'xp', { after: { at: NOON + 1, seq: 1, ordinal: 999 } })).values.length, 1)
    },
  },
]
