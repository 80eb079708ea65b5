// Explains what an event changed, and which rules ignored it.

import { describe, expect, test } from 'vitest'
import type { EventReason, GameDefinition } from '../../../src/index.ts'
import { codeOf } from '../../support/engine.ts'
import { type Explained, useExplained } from './world.ts'

const open = useExplained()

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 },
    five: { name: 'Five', trigger: 'metric', metric: 'words', value: 5 },
    mobile: { name: 'Mobile', trigger: 'metric', metric: 'words', value: 5, eventAttributes: { source: 'app' } },
    pro: { name: 'Pro', trigger: 'metric', metric: 'words', value: 5, userAttributes: { plan: 'pro' } },
    gone: { name: 'Gone', trigger: 'metric', metric: 'words', value: 1, status: 'inactive' },
    closed: { name: 'Closed', trigger: 'metric', metric: 'words', value: 1, status: 'locked' },
  },
  points: {
    xp: {
      name: 'XP',
      maxPoints: 12,
      triggers: [
        { type: 'metric', metric: 'words', threshold: 3, points: 5 },
        { type: 'metric', metric: 'words', threshold: 100, points: 1, eventAttributes: { source: 'app' } },
        { type: 'metric', metric: 'words', threshold: 1, points: 1, status: 'inactive' },
        { type: 'metric', metric: 'words', threshold: 1, points: 2, userAttributes: { plan: 'pro' } },
        { type: 'achievement', achievement: 'five', points: 7 },
        { type: 'metric', metric: 'laps', threshold: 1, points: 1 },
      ],
    },
  },
  streak: { frequency: 'daily', metrics: { words: { threshold: 6 } } },
}

async function reasonsOf({ engine }: Explained, event: string): Promise<readonly EventReason[]> {
  return (await engine.explain('ann', { event })).reasons
}

test('An event tells where it counts, and everything it did and passed', async () => {
  const { add, tell } = await open(GAME)
  const first = await add('words', 4, { user: { id: 'ann', tz: 'Asia/Tokyo' } })
  const trigger = 'The trigger of "xp" that pays'
  expect(await tell({ event: first })).toEqual([
    true,
    'The event of 4 of "words" at 2026-03-10T12:00:00.000Z counts on 2026-03-10 at 21:00:00.000 in Asia/Tokyo.',
    'It took the total of "words" from 0 to 4.',
    'It gave 5 by the trigger of "xp" that pays 5 for every 3 of "words": the total became 5.',
    'The achievement "ten" was 6 short: 4 of "words", and it took 10.',
    'The achievement "five" was 1 short: 4 of "words", and it took 5.',
    'The achievement "mobile" is for events with other attributes: "source" was not set instead of "app".',
    'The achievement "pro" is for users with other attributes: "plan" was not set instead of "pro".',
    'The achievement "gone" is inactive: no user can complete it, and it is not shown.',
    'The achievement "closed" is locked: no user can newly complete it.',
    `${trigger} 1 for every 100 of "words" is for events with other attributes: "source" was not set instead of "app".`,
    `${trigger} 1 for every 1 of "words" is inactive: it pays nothing.`,
    `${trigger} 2 for every 1 of "words" is for users with other attributes: "plan" was not set instead of "pro".`,
    '2026-03-10 did not count for the streak yet, with 4 of 6 of "words": it took 2 more of "words".',
  ])
  const second = await add('words', 8, { attributes: { source: 'app' } })
  expect(await tell({ event: second })).toEqual([
    true,
    'The event of 8 of "words" at 2026-03-10T12:00:00.000Z counts on 2026-03-10 at 21:00:00.000 in Asia/Tokyo.',
    'It took the total of "words" from 4 to 12.',
    'It completed the achievement "ten".',
    'It completed the achievement "five".',
    'It completed the achievement "mobile".',
    'It gave 7, of 15 due by the trigger of "xp" that pays 5 for every 3 of "words": the total became 12.',
    'Nothing of the 7 due was left by the trigger of "xp" that pays 7 for the achievement "five": the total was at its bound.',
    'The achievement "pro" is for users with other attributes: "plan" was not set instead of "pro".',
    'The achievement "gone" is inactive: no user can complete it, and it is not shown.',
    'The achievement "closed" is locked: no user can newly complete it.',
    `${trigger} 1 for every 100 of "words" was 92 short: 8 of "words", and it took 100.`,
    `${trigger} 1 for every 1 of "words" is inactive: it pays nothing.`,
    `${trigger} 2 for every 1 of "words" is for users with other attributes: "plan" was not set instead of "pro".`,
    'It started a streak on 2026-03-10.',
  ])
})

test('An event that completed nothing because the user had it', async () => {
  const world = await open(GAME)
  await world.add('words', 6)
  const event = await world.add('words', 1)
  expect(await reasonsOf(world, event)).toContainEqual({
    type: 'completed_before',
    achievement: 'five',
    achievedAt: '2026-03-10T12:00:00.000Z',
    sentence: 'The user had the achievement "five" already, since 2026-03-10T12:00:00.000Z.',
  })
})

test('An event named by its key tells that later sends are replays', async () => {
  const { engine, add } = await open(GAME)
  const eventId = await add('laps', 2, { idempotencyKey: 'order-1' })
  await add('laps', 5, { idempotencyKey: 'order-1' })
  const { subject, holds, reasons } = await engine.explain('ann', {
    event: { metric: 'laps', idempotencyKey: 'order-1' },
  })
  expect({ subject, holds }).toEqual({ subject: { event: { metric: 'laps', idempotencyKey: 'order-1' } }, holds: true })
  expect(reasons.slice(0, 3)).toMatchObject([
    { type: 'recorded', eventId, value: 2 },
    {
      type: 'replayed',
      idempotencyKey: 'order-1',
      eventId,
      sentence: `Later sends of the key "order-1" are replays of the event ${eventId}: they change nothing.`,
    },
    { type: 'total_changed', before: 0, after: 2 },
  ])
})

test('A voided event tells by what, and nothing else', async () => {
  const { engine, add } = await open(GAME)
  const event = await add('words', 7)
  const { voidId } = await engine.events.void(event, { reason: 'sent twice' })
  expect(await engine.explain('ann', { event })).toMatchObject({
    holds: false,
    reasons: [
      { type: 'recorded', eventId: event, value: 7 },
      {
        type: 'voided',
        voidId,
        at: '2026-03-10T12:00:00.000Z',
        reason: 'sent twice',
        sentence: `It does nothing any more: voided by ${voidId} at 2026-03-10T12:00:00.000Z: sent twice.`,
      },
    ],
  })
})

describe('What an event did to the streak', () => {
  const streakOf = async (world: Explained, event: string): Promise<readonly string[]> =>
    (await reasonsOf(world, event)).filter(({ type }) => type.startsWith('streak')).map(({ sentence }) => sentence)

  test('it extended it, the period counted already, and an earlier date changes nothing', async () => {
    const world = await open(GAME)
    await world.add('words', 6)
    world.at('2026-03-11T12:00:00.000Z')
    expect(await streakOf(world, await world.add('words', 6))).toEqual([
      'It made the streak 2 long, with the period from 2026-03-11.',
    ])
    expect(await streakOf(world, await world.add('words', 6))).toEqual([
      'The period from 2026-03-11 counted already: the streak stays 2 long.',
    ])
  })
})

test('An event is explained under the game it was decided under', async () => {
  const { engine, add } = await open(GAME)
  const event = await add('laps', 2)
  const newer = await engine.redefine({ ...GAME, points: {} })
  const { reasons } = await newer.explain('ann', { event })
  expect(reasons).toMatchObject([{}, {}, { type: 'points_awarded', rule: { points: 1, pays: { metric: 'laps' } } }, {}])
})

test('An event that is not known, by id or by key, is refused', async () => {
  const { engine, add } = await open(GAME)
  await add('words', 1, { idempotencyKey: 'k' })
  expect(await codeOf(engine.explain('bob', { event: 'x' }))).toBe('unknown_user')
  await expect(engine.explain('ann', { event: 'x' })).rejects.toMatchObject({
    code: 'unknown_event',
    message: 'The user has no event "x": name the eventId that recording it answered.',
  })
  await expect(engine.explain('ann', { event: { metric: 'laps', idempotencyKey: 'k' } })).rejects.toMatchObject({
    code: 'unknown_event',
    message: 'The user has no event of "laps" with the idempotency key "k".',
  })
  expect(await codeOf(engine.explain('ann', { event: { metric: 'words', idempotencyKey: 'a b' } }))).toBe(
    'invalid_idempotency_key',
  )
})

test('What boosts multiplied is told, and what they left nothing of', async () => {
  const boosts = { double: { name: 'Double', start: '2026-03-10', end: '2026-03-10', multiplier: 2 } }
  const triggers = [{ type: 'metric', metric: 'words', threshold: 3, points: 5 }] as const
  const world = await open({ ...GAME, points: { xp: { name: 'XP', triggers, boosts } } })
  const id = await world.add('words', 3)
  const awarded = (await reasonsOf(world, id)).find(({ type }) => type === 'points_awarded')
  expect(awarded).toMatchObject({ due: 10, awarded: 10, boosts: [{ name: 'Double', multiplier: 2 }] })
  expect(awarded?.sentence).toBe(
    'It gave 10 by the trigger of "xp" that pays 5 for every 3 of "words", multiplied by 2 for "Double": the total became 10.',
  )
  const given = { name: 'Nearly none', start: '2026-03-10', multiplier: 0.01 }
  await world.engine.admin.points.boosts.create('xp', [given])
  const clipped = (await reasonsOf(world, await world.add('words', 3))).find(({ type }) => type === 'points_clipped')
  expect(clipped?.sentence).toBe(
    'Nothing was due by the trigger of "xp" that pays 5 for every 3 of "words", multiplied by 2 for "Double" and by 0.01 for "Nearly none": it came to less than a whole point.',
  )
})
