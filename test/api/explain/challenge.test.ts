// Why a user has these quests, and why they are completed or not.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { codeOf } from '../../support/engine.ts'
import { useExplained } from './world.ts'

const GAME: GameDefinition = {
  metrics: { pages: { name: 'Pages' }, sessions: { name: 'Sessions' } },
  points: { xp: { name: 'XP' } },
  challenges: {
    daily: {
      name: 'Daily',
      every: 'day',
      pick: 2,
      rerolls: 1,
      pool: {
        one: { name: 'One', of: [{ metric: 'pages', value: 20 }] },
        two: { name: 'Two', of: [{ events: 'sessions', count: 2 }] },
        three: { name: 'Three', of: [{ metric: 'pages', value: 90 }] },
      },
    },
    tour: {
      name: 'Tour',
      inOrder: true,
      of: [
        { events: 'sessions', count: 1 },
        { metric: 'pages', value: 10 },
      ],
    },
    sprint: {
      name: 'Sprint',
      of: [{ metric: 'pages', value: 100 }],
      enrol: 'manual',
      within: { days: 7 },
      claim: { within: { days: 2 } },
      reward: { points: { xp: 50 } },
    },
    june: { name: 'June', of: [{ metric: 'pages', value: 500 }], start: '2026-06-01', end: '2026-06-30' },
  },
}
const start = useExplained()

test('The quests of a window are the highest hashes, and what they lack is named', async () => {
  const { tell, add } = await start(GAME)
  await add('pages', 8)
  expect(await tell({ challenge: 'daily' })).toEqual([
    false,
    'The user\'s window of "daily" is from 2026-03-10 to 2026-03-10, and ends at 2026-03-11T00:00:00.000Z. Only its own events count.',
    'The window has "two" and "three" of the pool\'s 3 quests: their hashes of user, challenge, window and quest are the highest.',
    'The quest "two" takes 1 of 1 criterion. Met: none. Not met: 2 events of "Sessions" (now 0).',
    'The quest "three" takes 1 of 1 criterion. Met: none. Not met: 90 of "Pages" (now 8).',
  ])
})

test('A quest that is completed names its entry, and one that the user replaced is gone', async () => {
  const { engine, tell, add } = await start(GAME)
  const eventId = await add('pages', 90)
  await engine.challenges.reroll('daily', { user: 'ann', quest: 'two' })
  expect((await tell({ challenge: 'daily' })).slice(2)).toEqual([
    'The window has "one" and "three" of the pool\'s 3 quests: their hashes of user, challenge, window and quest are the highest. The user replaced 1.',
    'The quest "one" takes 1 of 1 criterion. Met: none. Not met: 20 of "Pages" (now 0).',
    `The quest "three" was completed at 2026-03-10T12:00:00.000Z by the entry ${eventId}.`,
  ])
})

test('A step in order waits for the one before it', async () => {
  const { tell, add } = await start(GAME)
  await add('pages', 10)
  expect(await tell({ challenge: 'tour' })).toEqual([
    false,
    'The user\'s window of "tour" has no dates. Only its own events count.',
    'The challenge takes 2 of 2 criteria. Met: none. Not met: 1 event of "Sessions" (now 0) and 10 of "Pages" (now 0). A criterion counts only after the one before it is met.',
  ])
})

test('A reward waits, or is lost', async () => {
  const { engine, tell, add, at } = await start(GAME)
  await add('sessions', 1)
  expect(await tell({ challenge: 'sprint' })).toEqual([
    false,
    'The user has not enrolled in "sprint", or the time since then is over.',
  ])
  await engine.challenges.enrol('sprint', { user: 'ann' })
  const eventId = await add('pages', 100)
  const completed = `The challenge was completed at 2026-03-10T12:00:00.000Z by the entry ${eventId}.`
  expect((await tell({ challenge: 'sprint' })).slice(2)).toEqual([
    `${completed} Its reward waits for a claim until 2026-03-12.`,
  ])
  at('2026-03-13T00:00:00Z')
  expect(await tell({ challenge: 'sprint' })).toEqual([
    true,
    'The user\'s window of "sprint" is from 2026-03-10 to 2026-03-16, and ends at 2026-03-17T00:00:00.000Z. Only its own events count.',
    `${completed} Its reward was not claimed in time, and is lost.`,
  ])
})

test('A challenge that has not begun, is over or is unknown says so', async () => {
  const { engine, tell, add, at } = await start(GAME)
  await add('pages', 8)
  expect(await tell({ challenge: 'june' })).toEqual([false, 'The challenge "june" begins on 2026-06-01.'])
  at('2026-07-01T00:00:00Z')
  expect(await tell({ challenge: 'june' })).toEqual([false, 'The challenge "june" ended on 2026-06-30.'])
  expect(await codeOf(engine.explain('ann', { challenge: 'none' }))).toBe('unknown_challenge')
})
