// The facts about the streak in the period of a date.

import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { useExplained } from './world.ts'

const open = useExplained()

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  streak: { frequency: 'daily', metrics: { words: { threshold: 6 } }, customization: true },
}
const FROZEN: GameDefinition = {
  ...GAME,
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { max: 2, initial: 1 } },
}

const MIDNIGHTS = [
  ['2026-03-10T09:59:00.000Z', 'Pacific/Honolulu'],
  ['2026-03-10T10:01:00.000Z', 'Pacific/Honolulu'],
  ['2026-03-10T10:59:00.000Z', 'Pacific/Apia'],
  ['2026-03-10T11:01:00.000Z', 'Pacific/Apia'],
] as const

const noonOf = (date: string): string => `${date}T12:00:00.000Z`

test('A period counted, by the event that reached its threshold', async () => {
  const { engine, add, tell } = await open(GAME)
  await add('words', 2)
  const eventId = await add('words', 5)
  await add('words', 1)
  const sentence = `2026-03-10 counted by the event ${eventId}, with 7 of 6 of "words": the streak became 1 long.`
  expect(await engine.explain('ann', { streak: '2026-03-10' })).toEqual({
    subject: { streak: '2026-03-10' },
    holds: true,
    reasons: [
      {
        type: 'streak_counted',
        periodStart: '2026-03-10',
        periodEnd: '2026-03-10',
        length: 1,
        isHeld: false,
        eventId,
        at: '2026-03-10T12:00:00.000Z',
        evaluationMode: 'OR',
        needs: [{ metric: 'words', sum: 7, threshold: 6, isReached: true, missing: null }],
        sentence,
      },
    ],
  })
  expect(await tell({ streak: '2026-03-10' })).toEqual([true, sentence])
})

test('A period was missed, and those after it had no streak to go on', async () => {
  const { engine, add, tell, at } = await open(GAME)
  await add('words', 6)
  at(noonOf('2026-03-11'))
  await add('words', 4)
  at(noonOf('2026-03-13'))
  const missed =
    'The streak of 1 was lost on 2026-03-12: 2026-03-11 had 4 of 6 of "words", and it took 2 more of "words".'
  expect(await tell({ streak: '2026-03-11' })).toEqual([false, missed])
  await add('words', 1)
  expect(await tell({ streak: '2026-03-11' })).toEqual([false, missed])
  expect(await engine.explain('ann', { streak: '2026-03-11' })).toMatchObject({
    reasons: [
      { type: 'streak_missed', length: 1, lostOn: '2026-03-12', needs: [{ metric: 'words', sum: 4, missing: 2 }] },
    ],
  })
  expect(await tell({ streak: '2026-03-12' })).toEqual([
    false,
    'No streak was running then: that of 1 was lost on 2026-03-12.',
    '2026-03-12 did not count, with 0 of 6 of "words": it took 6 more of "words".',
  ])
})

test('A period is not over yet', async () => {
  const { add, tell, at } = await open(GAME)
  await add('words', 2, { user: { id: 'ann', tz: 'America/New_York' } })
  expect(await tell({ streak: '2026-03-10' })).toEqual([
    false,
    '2026-03-10 is not over until 2026-03-11T04:00:00.000Z: 4 more of "words" would start a streak.',
  ])
  await add('words', 4)
  at(noonOf('2026-03-11'))
  expect(await tell({ streak: '2026-03-11' })).toEqual([
    false,
    '2026-03-11 is not over until 2026-03-12T04:00:00.000Z: 6 more of "words" would make the streak of 1 longer.',
  ])
})

test('A freeze was consumed, and is known without anything having been written', async () => {
  const { engine, add, tell, at } = await open(FROZEN)
  await add('words', 1)
  at(noonOf('2026-03-12'))
  const frozen = '2026-03-11 did not count, and a freeze was consumed: the streak stayed 1 long, with 0 freezes left.'
  expect(await tell({ streak: '2026-03-11' })).toEqual([true, frozen])
  expect(await tell({ streak: '2026-03-12' })).toEqual([
    false,
    '2026-03-12 is not over until 2026-03-13T00:00:00.000Z: anything above 0 of "words" would make the streak of 1 longer.',
  ])
  await engine.admin.streaks.freezes.create({ freezes: [{ userId: 'ann' }] })
  expect(await tell({ streak: '2026-03-11' })).toEqual([true, frozen])
  expect(await tell({ streak: '2026-03-12' })).toEqual([
    false,
    '2026-03-12 is not over until 2026-03-13T00:00:00.000Z: anything above 0 of "words" would make the streak of 1 longer. There is 1 freeze.',
  ])
  at(noonOf('2026-03-14'))
  expect(await tell({ streak: '2026-03-13' })).toEqual([
    false,
    'The streak of 1 was lost on 2026-03-14: 2026-03-13 had 0 of "words", which counts above 0, and it took anything above 0 of "words".',
  ])
})

test('A pause covers periods that are over, the current one, and those ahead', async () => {
  const { engine, add, tell, at } = await open(GAME)
  await add('words', 6)
  await engine.admin.streaks.pauses.create({ pauses: [{ userId: 'ann', start: '2026-03-11', end: '2026-03-14' }] })
  const id = (await engine.users.streak('ann')).pauses?.[0]?.id
  at(noonOf('2026-03-12'))
  const paused = (date: string): string =>
    `${date} cannot be missed: the streak is paused from 2026-03-11 to 2026-03-14 (${id}).`
  expect(await tell({ streak: '2026-03-11' })).toEqual([true, paused('2026-03-11')])
  expect(await tell({ streak: '2026-03-12' })).toEqual([
    true,
    '2026-03-12 is not over until 2026-03-13T00:00:00.000Z: 6 more of "words" would make the streak of 1 longer.',
    paused('2026-03-12'),
  ])
  expect(await tell({ streak: '2026-03-13' })).toEqual([
    false,
    'It has not come yet: today is 2026-03-12 for the user.',
    paused('2026-03-13'),
  ])
})

test("A user's own metrics are what the streak needs", async () => {
  const { engine, add, tell } = await open(GAME)
  await engine.users.create({ id: 'ann' })
  await engine.users.updatePreferences('ann', {
    streak: { evaluationMode: 'OR', metrics: [{ key: 'laps', threshold: 2 }, { key: 'words' }] },
  })
  await add('laps', 1)
  expect(await tell({ streak: '2026-03-10' })).toEqual([
    false,
    '2026-03-10 is not over until 2026-03-11T00:00:00.000Z: 1 more of "laps" or anything above 0 of "words" would start a streak.',
  ])
})

describe('Between zones', () => {
  test('a period that counts without lengthening says so', async () => {
    const { add, tell, at } = await open({ ...GAME, streak: { frequency: 'daily', metrics: { words: {} } } })
    // One minute before and after midnight, twice within an hour.
    for (const [instant, tz] of MIDNIGHTS) {
      at(instant)
      await add('words', 1, { user: { id: 'ann', tz } })
    }
    expect(await tell({ streak: '2026-03-11' })).toEqual([
      true,
      expect.stringMatching(/^2026-03-11 counted by the event .*: the streak stayed 2 long\.$/),
    ])
  })
})

test('A game without a streak has nothing to tell', async () => {
  const { engine, tell } = await open({ metrics: { words: { name: 'Words' } } })
  await engine.users.create({ id: 'ann' })
  expect(await tell({ streak: '2026-03-10' })).toEqual([false, 'The game has no streak.'])
})
