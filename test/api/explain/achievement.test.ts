// Why a user has an achievement, or has not.

import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { codeOf, untyped } from '../../support/engine.ts'
import { useExplained } from './world.ts'

const open = useExplained()

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  eventAttributes: ['source', 'mood'],
  userAttributes: ['plan', 'team'],
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 },
    mobile: { name: 'Mobile', trigger: 'metric', metric: 'words', value: 5, eventAttributes: { source: 'app' } },
    pro: { name: 'Pro', trigger: 'metric', metric: 'laps', value: 3, userAttributes: { plan: 'pro', team: 'x' } },
    old: { name: 'Old', trigger: 'api', status: 'inactive' },
    closed: { name: 'Closed', trigger: 'api', status: 'locked' },
    joined: { name: 'Joined', trigger: 'api' },
    week: { name: 'Week', trigger: 'streak', length: 7 },
    both: { name: 'Both', trigger: 'achievement', achievements: ['ten', 'joined'] },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

const user = { id: 'ann' }

describe('An achievement is not there', () => {
  test('because the total is short', async () => {
    const { engine, add } = await open(GAME)
    await add('words', 7)
    expect(await engine.explain('ann', { achievement: 'ten' })).toEqual({
      subject: { achievement: 'ten' },
      holds: false,
      reasons: [
        {
          type: 'metric_short',
          metric: 'words',
          total: 7,
          threshold: 10,
          missing: 3,
          eventAttributes: [],
          sentence: '3 short: the user has 7 of "words", and it takes 10.',
        },
      ],
    })
  })

  test('because of the filters on events', async () => {
    const { engine, add, at } = await open(GAME)
    await add('words', 2, { attributes: { source: 'app' } })
    await add('words', 4)
    at('2026-03-10T12:05:00.000Z')
    const newest = await add('words', 9, { attributes: { source: 'web' } })
    expect(await engine.explain('ann', { achievement: 'mobile' })).toMatchObject({
      holds: false,
      reasons: [
        {
          type: 'metric_short',
          total: 2,
          missing: 3,
          eventAttributes: [{ key: 'source', value: 'app' }],
          sentence: '3 short: the user has 2 of "words" from events with "source" "app", and it takes 5.',
        },
        {
          type: 'events_not_matching',
          metric: 'words',
          count: 2,
          newest: {
            eventId: newest,
            at: '2026-03-10T12:05:00.000Z',
            differences: [{ attribute: 'source', expected: 'app', actual: 'web' }],
          },
          sentence:
            '2 events of "words" do not count for it: in the newest, of 2026-03-10T12:05:00.000Z, "source" was "web" instead of "app".',
        },
      ],
    })
  })

  test('because its events came before there was such an achievement', async () => {
    const { engine, add } = await open(GAME)
    await add('words', 4, { attributes: { mood: 'good' } })
    await add('words', 5, { attributes: { mood: 'good' } })
    const happy = { name: 'Happy', trigger: 'metric', metric: 'words', value: 9, eventAttributes: { mood: 'good' } }
    const next = await engine.redefine({ ...GAME, achievements: { happy } } as GameDefinition)
    await next.metrics.event('words', { user, value: 1 })
    const { reasons } = await next.explain('ann', { achievement: untyped('happy') })
    expect(reasons).toMatchObject([
      { type: 'metric_short', total: 0, missing: 9 },
      { type: 'events_not_matching', count: 1 },
      { type: 'events_before_rule', metric: 'words', count: 2 },
    ])
  })

  test('because the user has other attributes, whatever was reached', async () => {
    const { engine, add, tell } = await open(GAME)
    await add('laps', 4, { user: { id: 'ann', attributes: { plan: 'free' } } })
    expect(await tell({ achievement: 'pro' })).toEqual([
      false,
      'The achievement "pro" is for users with other attributes: "plan" was "free" instead of "pro".',
      'The achievement "pro" is for users with other attributes: "team" was not set instead of "x".',
      'Everything it asks for is there: the next event of its metric that leaves it there completes it.',
    ])
    await engine.users.update('ann', { attributes: { plan: 'pro', team: 'x' } })
    expect(await tell({ achievement: 'pro' })).toEqual([
      false,
      'Everything it asks for is there: the next event of its metric that leaves it there completes it.',
    ])
    await add('laps', 0)
    expect(await engine.explain('ann', { achievement: 'pro' })).toMatchObject({ holds: true })
  })

  test('because it is inactive, or locked', async () => {
    const { engine, tell } = await open(GAME)
    await engine.users.create(user)
    expect(await tell({ achievement: 'old' })).toEqual([
      false,
      'The achievement "old" is inactive: no user can complete it, and it is not shown.',
      'No call of achievements.complete has completed "old" for the user.',
    ])
    expect(await tell({ achievement: 'closed' })).toEqual([
      false,
      'The achievement "closed" is locked: no user can newly complete it.',
      'No call of achievements.complete has completed "closed" for the user.',
    ])
  })

  test('because nobody claimed it', async () => {
    const { engine } = await open(GAME)
    await engine.users.create(user)
    expect(await engine.explain('ann', { achievement: 'joined' })).toMatchObject({
      holds: false,
      reasons: [{ type: 'not_claimed', achievement: 'joined' }],
    })
  })

  test('because the streak is short, as it reads now', async () => {
    const { add, tell, at } = await open(GAME)
    await add('words', 1)
    at('2026-03-11T12:00:00.000Z')
    await add('words', 1)
    expect(await tell({ achievement: 'week' })).toEqual([false, '5 days short: the streak is 2 long, and it takes 7.'])
    at('2026-03-13T12:00:00.000Z')
    expect(await tell({ achievement: 'week' })).toEqual([false, '7 days short: the streak is 0 long, and it takes 7.'])
  })

  test('because parts are missing', async () => {
    const { engine, add, tell } = await open(GAME)
    await engine.users.create(user)
    expect(await tell({ achievement: 'both' })).toEqual([
      false,
      'It takes "ten" and "joined" too, which the user does not have.',
    ])
    await add('words', 10)
    expect(await tell({ achievement: 'both' })).toEqual([
      false,
      'It takes "joined" too, which the user does not have. The user has "ten".',
    ])
  })

  test('because an event was voided', async () => {
    const { engine, add, tell } = await open(GAME)
    await add('words', 4)
    await engine.events.void(await add('words', 4))
    expect(await tell({ achievement: 'ten' })).toEqual([
      false,
      '6 short: the user has 4 of "words", and it takes 10.',
      '1 event of "words" was voided.',
    ])
  })
})

describe('An achievement is there', () => {
  test('by an event', async () => {
    const { engine, add } = await open(GAME)
    const eventId = await add('words', 12)
    expect(await engine.explain('ann', { achievement: 'ten' })).toEqual({
      subject: { achievement: 'ten' },
      holds: true,
      reasons: [
        {
          type: 'completed',
          achievement: 'ten',
          achievedAt: '2026-03-10T12:00:00.000Z',
          entryId: eventId,
          by: 'event',
          metric: 'words',
          sentence: `The achievement "ten" was completed on 2026-03-10T12:00:00.000Z by the event ${eventId} of "words".`,
        },
      ],
    })
  })

  test('by a claim, which completed a composite too', async () => {
    const { engine, add, tell } = await open(GAME)
    await add('words', 10)
    await engine.achievements.complete('joined', { user })
    const sentence = (key: string) =>
      `The achievement "${key}" was completed on 2026-03-10T12:00:00.000Z by a call of achievements.complete.`
    expect(await tell({ achievement: 'joined' })).toEqual([true, sentence('joined')])
    expect(await tell({ achievement: 'both' })).toEqual([true, sentence('both')])
  })

  test('because it was kept, though a late event took the reason away', async () => {
    const { add, tell } = await open(GAME)
    await add('words', 10)
    await add('words', -5, { occurredAt: new Date('2026-03-09T12:00:00.000Z') })
    expect(await tell({ achievement: 'ten' })).toEqual([
      true,
      'The achievement "ten" was completed on 2026-03-10T12:00:00.000Z, and is kept though what led to it has changed since.',
    ])
  })

  test('and hidden, because it is inactive now', async () => {
    const { engine, add } = await open(GAME)
    await add('words', 10)
    const ten = { name: 'Ten', trigger: 'metric', metric: 'words', value: 10, status: 'inactive' } as const
    const newer = await engine.redefine({ ...GAME, achievements: { ten } })
    const { holds, reasons } = await newer.explain('ann', { achievement: 'ten' })
    expect([holds, ...reasons.map(({ type }) => type)]).toEqual([false, 'completed', 'inactive'])
  })
})

describe('To explain an achievement is refused', () => {
  test('of one, or a user, that is not known', async () => {
    const { engine } = await open(GAME)
    expect(await codeOf(engine.explain('ann', { achievement: 'ten' }))).toBe('unknown_user')
    await engine.users.create(user)
    const call = engine.explain('ann', { achievement: 'eleven' })
    await expect(call).rejects.toMatchObject({
      code: 'unknown_achievement',
      message:
        'Unknown achievement "eleven": the game has "ten", "mobile", "pro", "old", "closed", "joined", "week", "both".',
    })
  })

  test.each([
    [undefined],
    [null],
    [{}],
    [{ achievement: 7 }],
    [{ achievement: 'ten', streak: '2026-03-10' }],
    [{ streak: '2026-02-30' }],
    [{ event: {} }],
    ['ten'],
  ])('where the subject is %j', async (subject) => {
    const { engine } = await open(GAME)
    await engine.users.create(user)
    await expect(engine.explain('ann', untyped(subject))).rejects.toMatchObject({
      code: 'invalid_request',
      message:
        'Invalid subject: must be { achievement }, { event } with an id or { metric, idempotencyKey }, { streak } with a YYYY-MM-DD, { leaderboard }, { challenge }, or { balance }',
    })
  })
})

test('A membership is as long as it is now, also if the user did nothing since', async () => {
  const { engine, add, tell, at } = await open({
    metrics: { words: { name: 'Words' } },
    achievements: {
      known: { name: 'Known', trigger: 'criteria', of: [{ membership: { days: 3 } }, { events: 'words', count: 5 }] },
      member: { name: 'Member', trigger: 'criteria', of: [{ membership: { days: 3 } }] },
      old: { name: 'Old', trigger: 'criteria', of: [{ membership: { days: 30 } }] },
    },
  })
  await add('words', 1)
  at('2026-03-15T12:00:00.000Z')
  expect(await tell({ achievement: 'known' })).toEqual([
    false,
    'It takes 2 of 2 criteria. Met: 3 days since the user was created. Not met: 5 events of "Words" (now 1).',
  ])
  expect(await tell({ achievement: 'old' })).toEqual([
    false,
    'It takes 1 of 1 criterion. Met: none. Not met: 30 days since the user was created (now 5).',
  ])
  expect(await tell({ achievement: 'member' })).toEqual([
    false,
    'It takes 1 of 1 criterion. Met: 3 days since the user was created.',
    'Everything it asks for is there: the next event, completion of another achievement or change of the profile completes it.',
  ])
  const achievements = await engine.users.achievements('ann', { includeIncomplete: true })
  expect(achievements.map(({ key, progress }) => [key, progress?.criteria?.map((each) => each.current)])).toEqual([
    ['known', [5, 1]],
    ['member', [5]],
    ['old', [5]],
  ])
})
