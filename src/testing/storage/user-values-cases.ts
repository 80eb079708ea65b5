import { deepEqual, equal } from 'node:assert/strict'
import type { Entry } from '../../rules/entry.ts'
import type { Storage, UserValue } from '../../storage.ts'
import { ORDERED } from './names.ts'
import { ANN, award, BOB, type EventSample, event, eventOf, NOON, type StorageCase, store } from './samples.ts'

const on = (date: number): EventSample => ({ dating: { zone: 'Pacific/Apia', date, time: 0 } })

const awardOf = (user: string, seq: number, ordinal: number, awarded: number, system = 'xp') =>
  award(`${user}-${seq}-${ordinal}-${system}`, {
    at: NOON + seq,
    seq,
    entryId: `${user}-${seq}`,
    ordinal,
    awarded,
    system,
  })

const toTexts = (values: readonly UserValue[]) =>
  values.map(({ user, key, date, value }) => `${user} ${key} ${date}: ${value}`)

/** What is read in pages of so many. */
async function readPages(storage: Storage, what: 'eventValues' | 'awardValues', limit: number) {
  const all: UserValue[] = []
  for (let after: Awaited<ReturnType<Storage['awardValues']>>['last'] | undefined; after !== null; ) {
    const { values, last } = await storage[what]('', { limit, ...(after === undefined ? {} : { after }) })
    all.push(...values)
    after = last as typeof after
  }
  return toTexts(all)
}

export const userValuesCases: readonly StorageCase[] = [
  {
    id: 'user-values/events',
    name: 'the values of events that count come in order of user and of the log, on their local dates',
    run: async (storage) => {
      const entries: Entry[] = [
        event(1, { ...on(20_454), value: 1.5 }),
        event(2, { ...on(20_453), value: -0.5 }),
        event(3, { ...on(20_484), value: 8, metric: 'laps' }),
        event(4, { ...on(20_456), value: 400 }),
        { ...event(5, on(20_456)), kind: 'userUpserted' } as Entry,
      ]
      await store(storage, BOB, { appended: [eventOf(BOB, 1, { ...on(20_454), value: 3 })] })
      await store(storage, ANN, { appended: entries })
      await store(storage, ANN, { redated: [event(4, { ...on(20_456), value: 400, voidedBy: 'void' })] })
      await store(storage, { tenant: 'acme', user: 'ann' }, { appended: [event(1, { ...on(20_454), value: 1e6 })] })
      const { values, last } = await storage.eventValues('')
      const texts = ['ann words 20454: 1.5', 'ann words 20453: -0.5', 'ann laps 20484: 8', 'bob words 20454: 3']
      deepEqual(toTexts(values), texts)
      deepEqual(last, { user: 'bob', at: NOON + 1, seq: 1 })
      deepEqual(await storage.eventValues('nobody'), { values: [], last: null })
      // A line that does not count has a place too.
      const after = { user: 'ann', at: NOON + 3, seq: 3 }
      deepEqual(await storage.eventValues('', { after, limit: 1 }), {
        values: [],
        last: { user: 'ann', at: NOON + 4, seq: 4 },
      })
    },
  },
  {
    id: 'user-values/awards',
    name: 'the values of awards come in order of user, points system and place, on the dates of their entries',
    run: async (storage) => {
      await store(storage, ANN, {
        appended: [eventOf(ANN, 1, on(20_453)), eventOf(ANN, 2, on(20_458)), eventOf(ANN, 3, on(20_484))],
        awards: {
          remove: [],
          put: [
            awardOf('ann', 1, 0, 1_000),
            awardOf('ann', 2, 0, 10),
            awardOf('ann', 2, 1, -3),
            awardOf('ann', 3, 0, 5, 'coins'),
            awardOf('ann', 3, 1, 4),
          ],
        },
      })
      const put = [awardOf('bob', 1, 0, 2)]
      await store(storage, BOB, { appended: [eventOf(BOB, 1, on(20_454))], awards: { remove: [], put } })
      const { values, last } = await storage.awardValues('')
      const ofXp = ['ann xp 20453: 1000', 'ann xp 20458: 10', 'ann xp 20458: -3', 'ann xp 20484: 4', 'bob xp 20454: 2']
      deepEqual(toTexts(values), ['ann coins 20484: 5', ...ofXp])
      deepEqual(last, { user: 'bob', system: 'xp', at: NOON + 1, seq: 1, ordinal: 0 })
      deepEqual(await storage.awardValues('nobody'), { values: [], last: null })
    },
  },
  {
    id: 'user-values/pages',
    name: 'values come page by page in order of the bytes of the user',
    run: async (storage) => {
      for (const [index, user] of ORDERED.toReversed().entries()) {
        const appended = [1, 2, 3].map((seq) =>
          eventOf({ user }, seq, { ...on(20_454 + seq), at: NOON, value: index, metric: seq === 2 ? 'laps' : 'words' }),
        )
        const put = [1, 2, 3].map((seq) => ({ ...awardOf(user, seq, 0, index, seq === 2 ? 'coins' : 'xp'), at: NOON }))
        await store(storage, { tenant: '', user }, { appended, awards: { remove: [], put } })
      }
      for (const what of ['eventValues', 'awardValues'] as const) {
        const { values } = await storage[what]('')
        deepEqual(
          values.map(({ user }) => user),
          ORDERED.flatMap((user) => [user, user, user]),
        )
        for (const limit of [1, 2, 5, 36, 37]) deepEqual(await readPages(storage, what, limit), toTexts(values))
      }
      deepEqual((await storage.eventValues('', { limit: 4 })).last, { user: 'Z', at: NOON, seq: 1 })
      deepEqual((await storage.awardValues('', { limit: 4 })).last, {
        ...{ user: 'Z', system: 'coins', at: NOON, seq: 2, ordinal: 0 },
      })
      // A place behind a user's last line is there too.
      const afterFirst = { user: 'A', at: Number.MAX_SAFE_INTEGER, seq: 0 }
      const [next] = (await storage.eventValues('', { after: afterFirst, limit: 1 })).values
      equal(next?.user, 'Z')
    },
  },
  {
    id: 'user-values/page-limit',
    name: 'a page of values is of a thousand lines, or awards, unless it is told otherwise',
    run: async (storage) => {
      const appended = Array.from({ length: 1_001 }, (_, index) => event(index + 1, on(20_454)))
      const put = Array.from({ length: 1_001 }, (_, ordinal) => awardOf('ann', 1, ordinal, 1))
      await store(storage, ANN, { appended, awards: { remove: [], put } })
      const events = await storage.eventValues('')
      equal(events.values.length, 1_000)
      deepEqual(events.last, { user: 'ann', at: NOON + 1_000, seq: 1_000 })
      const awards = await storage.awardValues('')
      equal(awards.values.length, 1_000)
      deepEqual(awards.last, { user: 'ann', system: 'xp', at: NOON + 1, seq: 1, ordinal: 999 })
    },
  },
  {
    id: 'user-values/entry-dates',
    name: 'the local dates of entries are found by their ids, in their tenant',
    run: async (storage) => {
      const claim = { kind: 'achievementClaimed', achievement: 'tour' } as const
      await store(storage, ANN, { appended: [event(1, on(20_454)), { ...event(2, on(-1)), ...claim } as Entry] })
      await store(storage, { tenant: 'acme', user: 'ann' }, { appended: [event(1, on(20_460))] })
      const found = await storage.entryDates('', ['entry-2', 'entry-1', 'entry-3', 'entry-1'])
      deepEqual(found.map(({ id, date }) => `${id} ${date}`).sort(), ['entry-1 20454', 'entry-2 -1'])
      deepEqual(await storage.entryDates('acme', ['entry-1']), [{ id: 'entry-1', date: 20_460 }])
      deepEqual(await storage.entryDates('', []), [])
    },
  },
]
