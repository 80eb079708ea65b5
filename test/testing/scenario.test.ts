import { createGamification, defineGame } from 'laurels'
import { memory } from 'laurels/memory'
import {
  at,
  claim,
  createScenario,
  createTestClock,
  event,
  preferences,
  repeat,
  type Scenario,
  user,
  wait,
} from 'laurels/testing'
import { describe, expect, test } from 'vitest'
import { untyped } from '../support/engine.ts'

const game = defineGame({
  metrics: { 'words-written': { name: 'Words written' }, 'drafts-deleted': { name: 'Drafts deleted' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words-written', value: 50_000 },
    'on-the-road': {
      name: 'On the road',
      trigger: 'metric',
      metric: 'words-written',
      value: 500,
      eventAttributes: { source: 'mobile' },
    },
    'finish-onboarding': { name: 'Finish onboarding', trigger: 'api', userAttributes: { plan: 'pro' } },
    'week-in-a-row': { name: 'A week in a row', trigger: 'streak', length: 7 },
    'season-in-a-row': { name: 'A season in a row', trigger: 'streak', length: 90 },
    'all-rounder': { name: 'All-rounder', trigger: 'achievement', achievements: ['novelist', 'week-in-a-row'] },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'user_creation', points: 5 },
        { type: 'metric', metric: 'words-written', threshold: 100, points: 10 },
        { type: 'metric', metric: 'drafts-deleted', threshold: 1, points: -20, blockIfOutOfPoints: true },
        { type: 'achievement', achievement: 'novelist', points: 500 },
        { type: 'streak', length: 7, points: 50 },
      ],
      levels: { bronze: { name: 'Bronze', points: 0 }, silver: { name: 'Silver', points: 500 } },
    },
  },
  streak: { frequency: 'daily', metrics: { 'words-written': { threshold: 1 } }, customization: true },
})

const london = createScenario(game, { now: '2026-03-01T09:00:00Z', user: { tz: 'Europe/London' } })

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing was thrown'
}

describe('a scenario', () => {
  test('tells everything that follows from an event', () => {
    expect(london.when(event('words-written', 750)).followed).toEqual({
      refused: null,
      held: false,
      totals: { 'words-written': 750, 'drafts-deleted': 0 },
      achievements: [],
      challenges: [],
      ...{ balance: {}, pending: {}, heldPoints: {} },
      counts: {
        novelist: 0,
        'week-in-a-row': 0,
        'season-in-a-row': 0,
        'finish-onboarding': 0,
        'on-the-road': 0,
        'all-rounder': 0,
      },
      added: { xp: 75 },
      boosts: { xp: [] },
      capped: { xp: 0 },
      points: { xp: 75 },
      levels: { xp: 'bronze' },
      streak: 1,
      streaks: {},
      freezes: 0,
      streakFreezes: {},
    })
  })

  test('completes a goal on the event that reaches it, and pays for it', () => {
    london
      .given(event('words-written', 49_999))
      .when(event('words-written', 1))
      .thenExpect({ achievements: ['novelist'], added: { xp: 510 }, points: { xp: 5505 }, levels: { xp: 'silver' } })
      .when(event('words-written', 1))
      .thenExpect({ achievements: [], added: { xp: 0 }, totals: { 'words-written': 50_001 } })
  })

  test('tells what a limit refuses and what it holds back, for late events too', () => {
    const limits = [
      { value: 100, per: { days: 1 }, then: 'hold' },
      { value: 200, per: { days: 2 }, then: 'refuse' },
    ] as const
    const limited = defineGame({ metrics: { steps: { name: 'Steps', limits } } })
    createScenario(limited, { now: '2026-03-01T12:00:00Z' })
      .given(event('steps', 60), wait({ days: 1 }))
      .when(event('steps', 100))
      .thenExpect({ held: false, totals: { steps: 160 } })
      .when(event('steps', 1))
      .thenExpect({ held: true, totals: { steps: 160 } })
      .when(event('steps', 40, { at: '2026-03-01T09:00:00Z' }))
      .thenExpect({ held: false, totals: { steps: 200 } })
      .when(event('steps', 1, { at: '2026-03-01T09:00:00Z' }))
      .thenExpect({ refused: 'limit_exceeded', held: false, totals: { steps: 200 } })
      .when(event('steps', 101, { at: '2026-02-20T09:00:00Z' }))
      .thenExpect({ held: true, totals: { steps: 200 } })
  })

  test('lets a streak expire when nothing happens for a whole day', () => {
    london
      .given(repeat(3, event('words-written', 100), wait({ days: 1 })))
      .when(at('2026-03-04T23:59:59Z'))
      .thenExpect({ streak: 3 })
      .when(at('2026-03-05T00:00:00Z'))
      .thenExpect({ streak: 0 })
  })

  test('dates events in the zone of the user', () => {
    const tokyo = createScenario(game, { now: '2026-03-01T14:59:00Z', user: { tz: 'Asia/Tokyo' } })
    tokyo
      .given(event('words-written', 1), at('2026-03-01T15:00:00Z'))
      .when(event('words-written', 1))
      .thenExpect({ streak: 2 })
  })
})

describe('a refused step', () => {
  test('changes nothing and says why', () => {
    const outcome = london.given(event('words-written', 100)).when(event('drafts-deleted', 1))
    outcome.thenExpect({ refused: 'out_of_points', points: { xp: 15 }, added: { xp: 0 } })
    expect(outcome.refusal).toBe('The user has 15 of "XP", and -5 would be left: let them earn more first.')
  })

  test.each([
    ['a zone that does not exist', user({ tz: 'Europe/Londn' }), 'unknown_time_zone'],
    ['a value that is no number', event('words-written', Number.NaN), 'invalid_request'],
    ['an event of tomorrow', event('words-written', 1, { at: '2026-03-02T09:00:00Z' }), 'occurred_at_out_of_range'],
  ] as const)('is %s', (_, step, code) => {
    london.when(step).thenExpect({ refused: code })
  })

  test('is a mistake in a history', () => {
    expect(messageOf(() => london.given(event('words-written', 100), event('drafts-deleted', 1)))).toBe(
      'given: step 2 of 2, event("drafts-deleted", 1), was refused (out_of_points): ' +
        'The user has 15 of "XP", and -5 would be left: let them earn more first.',
    )
  })
})

test('what is expected to be undefined is not expected at all, and a refusal still fails', () => {
  const expected = untyped<object>({
    streak: undefined,
    refused: undefined,
    points: { xp: undefined },
    achievements: undefined,
  })
  const started = createScenario(game, { now: '2026-03-01T09:00:00Z' })
  started.when(event('words-written', 100)).thenExpect(expected)
  expect(() => started.when(event('words-written', 1e16)).thenExpect(expected)).toThrow('refused: expected null, got')
})

describe('a difference', () => {
  test('is told with what was done, what was expected and what came', () => {
    const outcome = london.given(event('words-written', 49_000)).when(event('words-written', 1_000))
    const expectation = { achievements: [], points: { xp: 5000 }, levels: { xp: 'silver' }, streak: 2 }
    expect(messageOf(() => outcome.thenExpect(expectation))).toBe(
      [
        'event("words-written", 1000) at 2026-03-01T09:00:00.000Z led to something else:',
        '  points.xp: expected 5000, got 5505',
        '  streak: expected 2, got 1',
        '  achievements: expected none, got novelist',
      ].join('\n'),
    )
  })

  test('is a refusal that nobody expected', () => {
    const outcome = london.when(event('drafts-deleted', 1))
    expect(messageOf(() => outcome.thenExpect({ added: { xp: 0 } }))).toBe(
      [
        'event("drafts-deleted", 1) at 2026-03-01T09:00:00.000Z led to something else:',
        '  refused: expected null, got out_of_points',
        '  refused: The user has 5 of "XP", and -15 would be left: let them earn more first.',
      ].join('\n'),
    )
  })
})

describe('what would make a test pass without looking is refused:', () => {
  const started = createScenario(game, { now: '2026-03-01T09:00:00Z' })
  const write = event('words-written', 100)

  test.each<readonly [string, unknown]>([
    ['without a count', write],
    ['of less than none', -1],
    ['of a half', 1.5],
  ])('repeat() %s', (_, times) => {
    const call = () => repeat(untyped<number>(times), write)
    expect(call).toThrow(/^Invalid times of repeat\(\): must be a whole number from 0 on, not /)
  })

  test.each<readonly [string, readonly unknown[]]>([
    ['no step', []],
    ['a list of steps', [[write, write]]],
    ['more than one step', [write, wait({ days: 1 })]],
  ])('when() with %s', (_, steps) => {
    const when: (...steps: readonly unknown[]) => unknown = untyped(started.when)
    expect(() => when(...steps)).toThrow('when() takes one step, to be looked at: give those before it to given().')
  })
})

describe('a scenario is immutable', () => {
  test('so that one history can go on in several ways', () => {
    const week = london.given(repeat(6, event('words-written', 100), wait({ days: 1 })))
    week.when(event('words-written', 100)).thenExpect({ streak: 7, achievements: ['week-in-a-row'] })
    week.when(wait({ days: 1 })).thenExpect({ streak: 0 })
    week.when(wait({})).thenExpect({ streak: 6 })
    expect(week.now.toISOString()).toBe('2026-03-07T09:00:00.000Z')
  })
})

describe('a scenario and the library', () => {
  test('say the same of the same events, late ones among them', async () => {
    const clock = createTestClock('2026-03-01T09:00:00Z')
    const gamification = createGamification({ game, storage: memory(), clock: clock.now })
    let scenario: Scenario<typeof game> = createScenario(game, { now: clock.now(), user: { tz: 'Asia/Tokyo' } })
    for (let round = 0; round < 40; round += 1) {
      const value = round % 5 === 0 ? -150 : 130 + round
      const at = round % 4 === 3 ? new Date(clock.now().getTime() - round * 9 * 3_600_000) : clock.now()
      const request = { user: { id: '18', tz: 'Asia/Tokyo' }, value, occurredAt: at }
      await gamification.metrics.event('words-written', request)
      const { followed } = scenario.when(event('words-written', value, { at }))
      const points = await gamification.users.points('18', 'xp')
      expect(followed.points.xp).toBe(points.total)
      expect(followed.levels.xp).toBe(points.level?.key)
      expect(followed.streak).toBe((await gamification.users.streak('18')).length)
      scenario = scenario.given(event('words-written', value, { at }), wait({ hours: 17 }))
      clock.advance({ hours: 17 })
    }
    await gamification.close()
  })
})

test('a membership is reached while time passes, once', () => {
  const loyal = defineGame({
    metrics: { words: { name: 'Words' } },
    achievements: { loyal: { name: 'Loyal', trigger: 'criteria', of: [{ membership: { days: 30 } }] } },
  })
  const joined = createScenario(loyal, { now: '2026-03-01T09:00:00Z' }).given(event('words', 1), wait({ days: 29 }))
  const reached = joined.when(wait({ days: 1 })).thenExpect({ achievements: ['loyal'] })
  reached.when(wait({ days: 400 })).thenExpect({ achievements: [], counts: { loyal: 1 } })
})

test('A field by key says so if it is given a value alone', () => {
  const scenario = createScenario(game, { now: '2026-03-01T09:00:00Z' }).when(event('words-written', 1))
  expect(() => scenario.thenExpect(untyped({ boosts: ['Plus'] }))).toThrow(
    '  boosts: is by key: write boosts: { xp: … }',
  )
})

describe('the compiler refuses', () => {
  test('keys that the game does not have', () => {
    const check = (scenario: Scenario<typeof game>): void => {
      // @ts-expect-error no such metric
      scenario.when(event('words-writen', 1))
      // @ts-expect-error no such event attribute
      scenario.when(event('words-written', 1, { attributes: { sauce: 'mobile' } }))
      // @ts-expect-error not an achievement that the host completes
      scenario.given(claim('novelist'))
      // @ts-expect-error no such user attribute
      scenario.given(user({ attributes: { plane: 'pro' } }))
      // @ts-expect-error no such metric
      scenario.given(preferences({ streak: { metrics: [{ key: 'words-writen' }] } }))
      // @ts-expect-error no such metric, within a repetition
      scenario.given(repeat(2, event('words-writen', 1)))
      // @ts-expect-error no such points system
      scenario.when(wait({})).thenExpect({ points: { gold: 1 } })
      // @ts-expect-error no such achievement
      scenario.when(wait({})).thenExpect({ achievements: ['novellist'] })
    }
    expect(check).toBeTypeOf('function')
  })
})
