import { deepEqual, equal } from 'node:assert/strict'
import type { Entry } from '../../rules/entry.ts'
import type { Storage, Sums } from '../../storage.ts'
import { ORDERED } from './names.ts'
import { ANN, award, BOB, type EventSample, event, eventOf, NOON, type StorageCase, store } from './samples.ts'

const JANUARY = { from: 20_454, to: 20_484 }
const FIRST_WEEK = { from: 20_454, to: 20_458 }
const RANGES = [FIRST_WEEK, JANUARY]

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

const sorted = (sums: readonly Sums[]) =>
  sums
    .map(({ user, key, ranges }) => [user, key, ...ranges.map(({ count, sum }) => `${count}: ${sum}`)].join(' '))
    .sort()

/** What a reading in pages of so many adds up to, whole numbers. */
async function addPages(storage: Storage, what: 'eventSums' | 'awardSums', limit: number): Promise<readonly string[]> {
  const all = new Map<string, Sums>()
  const users: string[] = []
  for (let after: Awaited<ReturnType<Storage['awardSums']>>['last'] | undefined; after !== null; ) {
    const options = { limit, ...(after === undefined ? {} : { after }) }
    const page = await storage[what]('', RANGES, options)
    for (const { user, key, ranges } of page.sums) {
      const name = `${user} ${key}`
      const known = all.get(name)?.ranges
      const added = ranges.map(({ count, sum }, range) => ({
        count: count + (known?.[range]?.count ?? 0),
        sum: sum + (known?.[range]?.sum ?? 0),
      }))
      all.set(name, { user, key, ranges: added })
      if (users.at(-1) !== user) users.push(user)
    }
    after = page.last as typeof after
  }
  // Each user comes in one piece.
  equal(new Set(users).size, users.length)
  return sorted([...all.values()])
}

export const sumsCases: readonly StorageCase[] = [
  {
    id: 'sums/events',
    name: 'events that count are summed up by user, metric and range of dates, both included',
    run: async (storage) => {
      const entries: Entry[] = [
        event(1, { ...on(20_453), value: 100 }),
        event(2, { ...on(20_454), value: 1.5 }),
        event(3, { ...on(20_458), value: -0.5 }),
        event(4, { ...on(20_459), value: 7 }),
        event(5, { ...on(20_484), value: 8, metric: 'laps' }),
        event(6, { ...on(20_485), value: 200 }),
        event(7, { ...on(20_456), value: 400 }),
        { ...event(8, on(20_456)), kind: 'userUpserted' } as Entry,
      ]
      await store(storage, ANN, { appended: entries })
      await store(storage, ANN, { redated: [event(7, { ...on(20_456), value: 400, voidedBy: 'void' })] })
      await store(storage, BOB, { appended: [eventOf(BOB, 1, { ...on(20_454), value: 3 })] })
      await store(storage, { tenant: 'acme', user: 'ann' }, { appended: [event(1, { ...on(20_454), value: 1e6 })] })
      const { sums, last } = await storage.eventSums('', RANGES)
      deepEqual(sorted(sums), ['ann laps 0: 0 1: 8', 'ann words 2: 1 3: 8', 'bob words 1: 3 1: 3'])
      equal(last, null)
      deepEqual(
        sums.map(({ user }) => user),
        ['ann', 'ann', 'bob'],
      )
      deepEqual(await storage.eventSums('nobody', RANGES), { sums: [], last: null })
      deepEqual((await storage.eventSums('', [{ from: 20_485, to: 20_485 }])).sums, [
        { user: 'ann', key: 'words', ranges: [{ count: 1, sum: 200 }] },
      ])
    },
  },
  {
    id: 'sums/awards',
    name: 'awards are summed up by user, points system and range, on the dates of their entries',
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
      const { sums, last } = await storage.awardSums('', RANGES)
      deepEqual(sorted(sums), ['ann coins 0: 0 1: 5', 'ann xp 2: 7 3: 11', 'bob xp 1: 2 1: 2'])
      equal(last, null)
    },
  },
  {
    id: 'sums/pages',
    name: 'sums come page by page in order of the bytes of the user, and the parts of a user add up',
    run: async (storage) => {
      for (const [index, user] of ORDERED.toReversed().entries()) {
        const appended = [1, 2, 3].map((seq) =>
          eventOf({ user }, seq, { ...on(20_454 + seq), at: NOON, value: index, metric: seq === 2 ? 'laps' : 'words' }),
        )
        const put = [1, 2, 3].map((seq) => ({ ...awardOf(user, seq, 0, index, seq === 2 ? 'coins' : 'xp'), at: NOON }))
        await store(storage, { tenant: '', user }, { appended, awards: { remove: [], put } })
      }
      for (const what of ['eventSums', 'awardSums'] as const) {
        const whole = sorted((await storage[what]('', RANGES)).sums)
        equal(whole.length, 2 * ORDERED.length)
        for (const limit of [1, 2, 5, 36, 37]) deepEqual(await addPages(storage, what, limit), whole)
      }
      deepEqual((await storage.eventSums('', RANGES, { limit: 4 })).last, { user: 'Z', at: NOON, seq: 1 })
      deepEqual((await storage.awardSums('', RANGES, { limit: 4 })).last, {
        ...{ user: 'Z', system: 'coins', at: NOON, seq: 2, ordinal: 0 },
      })
      // A place behind a user's last line is there too.
      const afterFirst = { user: 'A', at: Number.MAX_SAFE_INTEGER, seq: 0 }
      const [next] = (await storage.eventSums('', RANGES, { after: afterFirst, limit: 1 })).sums
      equal(next?.user, 'Z')
    },
  },
  {
    id: 'sums/page-limit',
    name: 'a page of sums is of a thousand lines, or awards, unless it is told otherwise',
    run: async (storage) => {
      const appended = Array.from({ length: 1_001 }, (_, index) => event(index + 1, on(20_454)))
      const put = Array.from({ length: 1_001 }, (_, ordinal) => awardOf('ann', 1, ordinal, 1))
      await store(storage, ANN, { appended, awards: { remove: [], put } })
      const events = await storage.eventSums('', RANGES)
      deepEqual(sorted(events.sums), ['ann words 1000: 1000 1000: 1000'])
      deepEqual(events.last, { user: 'ann', at: NOON + 1_000, seq: 1_000 })
      const awards = await storage.awardSums('', RANGES)
      deepEqual(sorted(awards.sums), ['ann xp 1000: 1000 1000: 1000'])
      deepEqual(awards.last, { user: 'ann', system: 'xp', at: NOON + 1, seq: 1, ordinal: 999 })
    },
  },
  {
    id: 'sums/entry-dates',
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
