// Why a user has these quests, and why they are completed or not.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { SPRINT } from '../../support/challenge-game.ts'
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
    sprint: SPRINT,
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

const rewarding = (quests: readonly string[]): GameDefinition => ({
  metrics: { pages: { name: 'Pages' } },
  points: { xp: { name: 'XP' }, gems: { name: 'Gems' } },
  challenges: {
    daily: {
      name: 'Daily',
      every: 'day',
      pick: 1,
      pool: Object.fromEntries(
        quests.map((key) => [key, { name: key, of: [{ metric: 'pages', value: 1 }], reward: { points: { xp: 7 } } }]),
      ),
    },
    tour: { name: 'Tour', of: [{ metric: 'pages', value: 2 }], reward: { points: { xp: 20, gems: 3 } } },
  },
})

test('An event names the quests that paid points', async () => {
  const { engine, tell, add } = await start(rewarding(['one']))
  const both = await add('pages', 2)
  const reasons = [
    'It gave 7 by the trigger of "xp" that pays 7 for the quest "one" of "daily": the total became 7.',
    'It gave 20 by the trigger of "xp" that pays 20 for the challenge "tour": the total became 27.',
    'It gave 3 by the trigger of "gems" that pays 3 for the challenge "tour": the total became 3.',
  ]
  expect((await tell({ event: both })).filter((reason) => String(reason).startsWith('It gave'))).toEqual(reasons)
  const answer = await engine.explain('ann', { event: both })
  expect(answer.reasons.flatMap((reason) => (reason.type === 'points_awarded' ? [reason.rule.pays] : []))).toEqual([
    { for: 'challenge', challenge: 'daily', quest: 'one' },
    { for: 'challenge', challenge: 'tour' },
    { for: 'challenge', challenge: 'tour' },
  ])
})

test('An event names a quest that a newer game no longer has', async () => {
  const { engine, add } = await start(rewarding(['one']))
  await engine.users.create({ id: 'bob' })
  const events = [['ann', await add('pages', 1)] as const]
  const next = await engine.redefine(rewarding(['two']))
  // The window of today began under the game before.
  const { eventId } = await next.metrics.event('pages', { user: { id: 'bob' }, value: 1 })
  for (const [user, event] of [...events, ['bob', eventId] as const]) {
    const { reasons } = await next.explain(user, { event })
    expect(reasons.map(({ sentence }) => sentence)).toContain(
      'It gave 7 by the trigger of "xp" that pays 7 for the quest "one" of "daily": the total became 7.',
    )
  }
})

test('A reward that was lost stays lost if a newer game asks for no claim', async () => {
  const { engine, add, at } = await start(GAME)
  await engine.users.create({ id: 'ann' })
  await engine.challenges.enrol('sprint', { user: 'ann' })
  await add('pages', 100)
  at('2026-03-14T12:00:00.000Z')
  const { sprint } = GAME.challenges ?? {}
  const { claim: _, ...unclaimed } = sprint ?? { name: '', of: [] }
  const next = await engine.redefine({ ...GAME, challenges: { ...GAME.challenges, sprint: unclaimed } })
  const { reasons } = await next.explain('ann', { challenge: 'sprint' })
  expect(reasons).toMatchObject([{ type: 'challenge_window' }, { type: 'quest_completed', reward: 'lost' }])
})
