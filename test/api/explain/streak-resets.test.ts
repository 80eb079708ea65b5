// The facts about days on which support reset the streak.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { type Explained, useExplained } from './world.ts'

const open = useExplained()

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const reset = ({ engine }: Explained) => engine.admin.streaks.reset({ users: [{ id: 'ann' }] })
const restore = ({ engine }: Explained) => engine.admin.streaks.restore({ users: [{ id: 'ann' }] })

/** A streak of 2 on 2026-03-11, at noon. */
async function openWithTwo(): Promise<Explained> {
  const world = await open(GAME)
  await world.add('words', 1)
  world.at('2026-03-11T12:00:00.000Z')
  await world.add('words', 1)
  return world
}

const RESET = 'Support reset the streak of 2 at 2026-03-11T12:00:00.000Z.'

test('A day on which support reset the streak says so, also while it is not over', async () => {
  const world = await openWithTwo()
  await reset(world)
  expect(await world.tell({ streak: '2026-03-11' })).toEqual([
    false,
    RESET,
    '2026-03-11 is not over until 2026-03-12T00:00:00.000Z: one more event would start a streak.',
  ])
  world.at('2026-03-13T12:00:00.000Z')
  expect(await world.tell({ streak: '2026-03-11' })).toMatchObject([false, expect.stringContaining(' counted '), RESET])
  expect(await world.engine.explain('ann', { streak: '2026-03-11' })).toMatchObject({
    holds: false,
    reasons: [
      { type: 'streak_counted', length: 2 },
      {
        type: 'streak_reset',
        length: 2,
        at: '2026-03-11T12:00:00.000Z',
        periodStart: '2026-03-11',
        periodEnd: '2026-03-11',
      },
    ],
  })
})

test('An event later on that day starts a streak of 1, and the reset is named before it', async () => {
  const world = await openWithTwo()
  await reset(world)
  world.at('2026-03-11T13:00:00.000Z')
  const id = await world.add('words', 5)
  const counted = `2026-03-11 counted by the event ${id}, with 6 of "words", which counts above 0: the streak became 1 long.`
  expect(await world.tell({ streak: '2026-03-11' })).toEqual([true, RESET, counted])
})

test('Days after it had no streak, because support reset it', async () => {
  const world = await openWithTwo()
  await reset(world)
  world.at('2026-03-14T12:00:00.000Z')
  expect(await world.tell({ streak: '2026-03-13' })).toEqual([
    false,
    'No streak was running then: support reset that of 2 on 2026-03-11.',
    '2026-03-13 did not count, with 0 of "words", which counts above 0: it took anything above 0 of "words".',
  ])
})

test('A reset of a later day leaves what a day says', async () => {
  const world = await openWithTwo()
  await reset(world)
  expect(await world.tell({ streak: '2026-03-10' })).toMatchObject([true, expect.stringContaining('became 1 long')])
})

test('A reset that support undid is not named', async () => {
  const world = await openWithTwo()
  await reset(world)
  world.at('2026-03-11T15:00:00.000Z')
  await restore(world)
  expect(await world.tell({ streak: '2026-03-11' })).toMatchObject([
    true,
    expect.stringContaining('became 2 long'),
    'A streak of 2 was restored at 2026-03-11T15:00:00.000Z: 2026-03-11 can no longer be missed.',
  ])
})

test('A reset before the day counted, undone on the same day, leaves the day open', async () => {
  const world = await open(GAME)
  await world.add('words', 1)
  world.at('2026-03-11T12:00:00.000Z')
  await reset(world)
  await restore(world)
  const open1 =
    '2026-03-11 is not over until 2026-03-12T00:00:00.000Z: anything above 0 of "words" would make the streak of 1 longer.'
  expect(await world.tell({ streak: '2026-03-11' })).toEqual([false, open1])
})

test('A reset that support undid days later covers the days in between', async () => {
  const world = await openWithTwo()
  await reset(world)
  world.at('2026-03-13T12:00:00.000Z')
  await restore(world)
  expect(await world.tell({ streak: '2026-03-12' })).toEqual([
    true,
    'A streak of 2 was restored at 2026-03-13T12:00:00.000Z: 2026-03-11 to 2026-03-12 can no longer be missed.',
  ])
})
