import { deepEqual } from 'node:assert/strict'
import { NO_STREAK } from '../../rules/state.ts'
import type { Storage, StreakLength } from '../../storage.ts'
import { ORDERED } from './names.ts'
import { ANN, BOB, event, eventOf, readState, type StorageCase, saveOf, store } from './samples.ts'

const withStreak = (length: number, longest: number) => ({ streak: { ...NO_STREAK, length, longest } })

const lengthsOf = async (storage: Storage, by: StreakLength) =>
  (await storage.longestStreaks('', by)).map(({ user, state }) => [user, state.streak[by]])

export const longestStreakCases: readonly StorageCase[] = [
  {
    id: 'longest-streak/order',
    name: 'users are read by the length of their streak, or of the longest ever, without those who have none',
    run: async (storage) => {
      const streaks: readonly (readonly [user: string, length: number, longest: number])[] = [
        ['cid', 0, 9],
        ['ann', 3, 3],
        ['bob', 12, 12],
        ['dan', 3, 10],
        ['eve', 0, 0],
      ]
      for (const [user, length, longest] of streaks) {
        await store(
          storage,
          { tenant: '', user },
          { appended: [eventOf({ user }, 1)], state: withStreak(length, longest) },
        )
      }
      await store(storage, { tenant: 'acme', user: 'ann' }, { appended: [event(1)], state: withStreak(99, 99) })
      const byLength = [
        ['bob', 12],
        ['ann', 3],
        ['dan', 3],
      ]
      const byLongest = [
        ['bob', 12],
        ['dan', 10],
        ['cid', 9],
        ['ann', 3],
      ]
      deepEqual(await lengthsOf(storage, 'length'), byLength)
      deepEqual(await lengthsOf(storage, 'longest'), byLongest)
      await store(storage, { tenant: '', user: 'bob' }, { state: withStreak(0, 12) })
      deepEqual(await lengthsOf(storage, 'length'), byLength.slice(1))
      deepEqual(await lengthsOf(storage, 'longest'), byLongest)
      deepEqual(await storage.longestStreaks('nobody', 'longest'), [])
    },
  },
  {
    id: 'longest-streak/state',
    name: 'a holder of a streak comes with all of the state but what has tables of its own',
    run: async (storage) => {
      const state = {
        ...withStreak(2, 4),
        freezes: { count: 1, nextEarned: 20_520 },
        pauses: [{ id: 'p-1', start: 20_600, end: 20_610 }],
        totals: new Map([['words', { total: 7, highest: 9 }]]),
        points: new Map([['xp', { total: 5, level: null }]]),
      }
      await store(storage, ANN, { appended: [event(1)], state })
      const { totals, tallies, completions, points, ...rest } = await readState(storage, ANN)
      deepEqual(await storage.longestStreaks('', 'length'), [{ user: 'ann', state: rest }])
    },
  },
  {
    id: 'longest-streak/pages',
    name: 'streaks of one length come page by page in order of the bytes of the user',
    run: async (storage) => {
      const expected: readonly (readonly [user: string, length: number])[] = [
        ['top', 6],
        ...ORDERED.map((user) => [user, 5] as const),
        ['last', 1],
      ]
      for (const [user, length] of expected.toReversed()) {
        const state = withStreak(length, length)
        await store(storage, { tenant: '', user }, { appended: [eventOf({ user }, 1)], state })
      }
      for (const by of ['length', 'longest'] as const) {
        const found: unknown[] = []
        for (let after: { readonly length: number; readonly user: string } | undefined; ; ) {
          const page = await storage.longestStreaks('', by, { limit: 3, ...(after === undefined ? {} : { after }) })
          found.push(...page.map(({ user, state }) => [user, state.streak[by]]))
          const last = page.at(-1)
          if (last === undefined) break
          after = { length: last.state.streak[by], user: last.user }
        }
        deepEqual(found, expected)
      }
    },
  },
  {
    id: 'longest-streak/page-limit',
    name: 'a page of the longest streaks has a thousand users unless it is told otherwise',
    run: async (storage) => {
      const names = Array.from({ length: 1_001 }, (_, index) => `user-${String(index).padStart(4, '0')}`)
      await storage.commit(
        names.map((user) => ({ tenant: '', user, lookups: [] })),
        (users) => users.map((user) => saveOf(user, { appended: [eventOf(user, 1)], state: withStreak(1, 1) })),
      )
      await store(storage, BOB, { appended: [eventOf(BOB, 1)] })
      const holders = await storage.longestStreaks('', 'length')
      deepEqual([holders.length, holders.at(-1)?.user], [1_000, 'user-0999'])
    },
  },
]
