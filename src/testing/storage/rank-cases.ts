import { deepEqual } from 'node:assert/strict'
import type { RankAnswer, RankRequest, Storage } from '../../storage/storage.ts'
import { column, type StorageCase, saveOf, test } from './case.ts'
import { enter, idsOf, KEY, row } from './leaderboard-cases.ts'
import { IN_ACME, mapOf, NOON } from './samples.ts'

const position = (value: number, reachedAt = NOON) => ({ value, reachedAt })
const UNLIMITED: Omit<RankRequest, 'positions'> = { ...KEY, limit: null, at: NOON, margin: 1 }

/** `user-0` first, each with a point less than the one before. */
async function enterMany(storage: Storage, count: number, unlimited: readonly string[]): Promise<void> {
  for (let first = 0; first < count; first += 100) {
    const indexes = Array.from({ length: Math.min(100, count - first) }, (_, index) => first + index)
    const users = indexes.map((index) => [idOf(index), { put: [row(0 - index)], unlimited }])
    await enter(storage, Object.fromEntries(users))
  }
}

const idOf = (index: number): string => `user-${index}`

async function standingOf(
  storage: Storage,
  user: string,
  asked: Partial<RankRequest> & Pick<RankRequest, 'positions'>,
): Promise<RankAnswer | undefined> {
  const [rank] = await storage.ranks({ tenant: '', user }, [{ ...UNLIMITED, ...asked }])
  return rank
}

export const rankCases: readonly StorageCase[] = [
  test('rank/counted: counts a position for a user who has it, or who is not there', async (storage) => {
    await enter(storage, { ann: { put: [row(5)] }, bob: { put: [row(5)] }, eve: { put: [row(3)] } })
    const fives = [NOON - 1, NOON, NOON + 1].map((reachedAt) => position(5, reachedAt))
    const positions = [position(6), ...fives, position(4), position(3), position(-1)]
    const nothing = { before: [], last: [], first: 0 }
    const ask = (user: string) => standingOf(storage, user, { positions })
    deepEqual(await ask('ann'), { ...nothing, before: [0, 0, 0, 2, 2, 2, 3] })
    deepEqual(await ask('bob'), { ...nothing, before: [0, 0, 1, 2, 2, 2, 3] })
    deepEqual(await ask('dan'), { ...nothing, before: [0, 0, 2, 2, 2, 2, 3] })
    deepEqual(await standingOf(storage, 'dan', { positions: [] }), nothing)
    const elsewhere = await standingOf(storage, 'dan', { group: '[["country","es"]]', positions })
    deepEqual(elsewhere?.before, [0, 0, 0, 0, 0, 0, 0])
    const inAcme = [positions, []].map((asked) => ({ ...UNLIMITED, positions: asked }))
    const answers = [{ ...nothing, before: [0, 0, 0, 0, 0, 0, 0] }, nothing]
    deepEqual(await storage.ranks(IN_ACME, inAcme), answers)
  }),
  test('rank/limit: with a limit, counts at most the limit and the margin, and returns the users around the last position', async (storage) => {
    await enterMany(storage, 8, [])
    const positions = [position(1), position(-3), position(-4), position(-5), position(-99)]
    const ask = (limit: number, margin: number) => standingOf(storage, 'user-x', { limit, margin, positions })
    const shown = (rank: RankAnswer | undefined) => [
      rank?.before,
      rank?.first,
      rank?.last.map(({ user, value, reachedAt }) => `${user} ${value} ${reachedAt - NOON}`),
    ]
    deepEqual(shown(await ask(4, 1)), [[0, 4, 5, 5, 5], 2, ['user-2 -2 0', 'user-3 -3 0', 'user-4 -4 0']])
    deepEqual(shown(await ask(4, 0)), [[0, 4, 4, 4, 4], 3, ['user-3 -3 0']])
    deepEqual(shown(await ask(1, 1)), [[0, 2, 2, 2, 2], 0, ['user-0 0 0', 'user-1 -1 0']])
    deepEqual(shown(await ask(8, 1)), [[0, 4, 5, 6, 8], 6, ['user-6 -6 0', 'user-7 -7 0']])
    deepEqual(shown(await ask(9, 1)), [[0, 4, 5, 6, 8], 7, ['user-7 -7 0']])
    deepEqual(shown(await ask(10, 1)), [[0, 4, 5, 6, 8], 8, []])
    deepEqual(shown(await ask(1_000, 64)), [[0, 4, 5, 6, 8], 935, []])
  }),
  test('rank/one-moment: all ranks of a commit are as of one moment, though its saves write the same group', async (storage) => {
    await enter(storage, { ann: { put: [row(10)] }, bob: { put: [row(9)] }, eve: { put: [row(8)] } })
    const values = mapOf({ ann: 1, bob: 11, 'new': 12 })
    const ask = (own: number) => [
      { ...UNLIMITED, positions: [position(own), position(9.5)] },
      { ...UNLIMITED, limit: 2, positions: [position(own)] },
    ]
    const report = await storage.commit(
      [...values.keys()].map((user) => ({ tenant: '', user, lookups: [] })),
      (users) =>
        users.map((user) => {
          const value = values.get(user.user) ?? 0
          return saveOf(user, { leaderboards: { put: [row(value)] }, ranks: ask(value) })
        }),
    )
    deepEqual(report.failures, [])
    const [round] = report.saveGroups
    deepEqual(column(round?.users ?? [], 'user'), ['ann', 'bob', 'new'])
    deepEqual(column(round?.users ?? [], 'tenant'), ['', '', ''])
    const shown = round?.users.map(({ ranks }) =>
      ranks.map(({ before, last, first }) => `${before} from ${first}: ${column(last, 'user').join(' ')}`),
    )
    const before = [
      ['3,1 from 0: ', '3 from 0: ann bob eve'],
      ['0,1 from 0: ', '0 from 0: ann bob eve'],
      ['0,1 from 0: ', '0 from 0: ann bob eve'],
    ]
    const after = [
      ['3,2 from 0: ', '3 from 0: new bob eve'],
      ['1,2 from 0: ', '1 from 0: new bob eve'],
      ['0,2 from 0: ', '0 from 0: new bob eve'],
    ]
    deepEqual(shown, round?.asOf === 'before' ? before : after)
    deepEqual(await idsOf(storage, {}), ['new', 'bob', 'eve', 'ann'])
  }),
  test('rank/many: without a limit positions are exact among many, and stay so while users move, leave and change groups', async (storage) => {
    await enterMany(storage, 1_100, ['weekly'])
    const countOf = async (...values: readonly number[]) =>
      (await standingOf(storage, 'z', { positions: values.map((value) => position(value)) }))?.before
    deepEqual(await countOf(0, -549, -1_099, -5_000), [1, 550, 1_100, 1_100])
    deepEqual(await idsOf(storage, {}, { offset: 700, count: 3 }), ['user-700', 'user-701', 'user-702'])
    const around = await idsOf(storage, {}, { offset: -1, count: 3, around: 'user-1050' })
    deepEqual(around, ['user-1049', 'user-1050', 'user-1051'])
    deepEqual(await idsOf(storage, {}, { offset: 1_099, count: 3 }), ['user-1099'])
    deepEqual(await idsOf(storage, {}, { offset: 1_100, count: 3 }), [])

    // Every user of the first half goes behind the last, the last of them first.
    for (let last = 549; last >= 0; last -= 50) {
      const indexes = Array.from({ length: 50 }, (_, index) => last - index)
      const users = indexes.map((index) => [idOf(index), { put: [row(-5_000 - index)], unlimited: ['weekly'] }])
      await enter(storage, Object.fromEntries(users))
    }
    deepEqual(await countOf(0, -1_099, -5_000, -9_000), [0, 550, 551, 1_100])
    deepEqual(await idsOf(storage, {}, { offset: 549, count: 3 }), ['user-1099', 'user-0', 'user-1'])

    await enter(storage, {
      'user-1099': { put: [row(-1_099, { group: 'other' })], unlimited: ['weekly'] },
      'user-0': { remove: [row(-5_000)] },
    })
    deepEqual(await countOf(-1_099, -5_000, -9_000), [549, 549, 1_098])
    deepEqual(await idsOf(storage, {}, { offset: 548, count: 2 }), ['user-1098', 'user-1'])
    deepEqual(await idsOf(storage, { group: 'other' }), ['user-1099'])
  }),
  test('rank/limit-changes: a leaderboard gains and loses its limit with everybody in it', async (storage) => {
    await enterMany(storage, 300, [])
    const ask = async (limit: number | null) => {
      const rank = await standingOf(storage, 'z', { limit, positions: [position(-100), position(-250)] })
      return [rank?.before, column(rank?.last ?? [], 'user').join(' ')]
    }
    deepEqual(await ask(null), [[101, 251], ''])
    const unlimited = ['weekly']
    await enter(storage, { 'user-5': { put: [row(1)], unlimited } })
    deepEqual(await ask(null), [[101, 251], ''])
    await enter(storage, { 'user-6': { put: [row(-999)], unlimited } })
    deepEqual(await ask(null), [[100, 250], ''])
    deepEqual(await ask(120), [[100, 121], 'user-119 user-120 user-121'])

    await enter(storage, { 'user-7': { put: [row(-998)] }, 'user-8': { remove: [row(-8)] } })
    deepEqual(await ask(120), [[98, 121], 'user-121 user-122 user-123'])
    deepEqual(await ask(null), [[98, 248], ''])
    await enter(storage, { 'user-8': { put: [row(2)], unlimited } })
    deepEqual(await ask(null), [[99, 249], ''])
    deepEqual(await idsOf(storage, {}, { offset: 0, count: 3 }), ['user-8', 'user-5', 'user-0'])
  }),
]
