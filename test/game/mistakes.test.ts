import { describe, expect, test } from 'vitest'
import { GamificationError, type Issue } from '../../src/errors.ts'
import { readDefinition } from '../../src/game/read-definition.ts'

function errorOf(definition: unknown): GamificationError {
  try {
    readDefinition(definition)
  } catch (error) {
    if (error instanceof GamificationError) return error
    throw error
  }
  throw new Error('The definition has no mistake.')
}

function mistakesIn(definition: unknown): string[] {
  const error = errorOf(definition)
  expect(error.code).toBe('invalid_game')
  return error.issues.map(({ path, message }: Issue) => `${path}: ${message}`)
}

const words = { words: { name: 'Words' } }
const DAILY_STREAK = { frequency: 'daily', metrics: { words: {} } }
const withMetric = (metric: unknown): unknown => ({ metrics: { words: metric } })
const withLimits = (...limits: readonly unknown[]): unknown => withMetric({ name: 'Words', limits })
const DAILY = { value: 1, per: { days: 1 }, then: 'hold' }
const withAchievement = (achievement: object): unknown => ({
  metrics: words,
  streak: DAILY_STREAK,
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: { a: { name: 'A', ...achievement } },
})
const withPoints = (system: object): unknown => ({
  metrics: words,
  streak: DAILY_STREAK,
  points: { xp: { name: 'XP', ...system } },
})
const withTrigger = (trigger: object): unknown => withPoints({ triggers: [{ points: 1, ...trigger }] })
const withStreak = (streak: object): unknown => ({ metrics: words, streak })
const withBoard = (board: object): unknown => ({
  metrics: words,
  userAttributes: ['plan'],
  leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01', ...board } },
})

class Metric {
  readonly name = 'Words'
}

const containsItself: { metrics: object; self?: unknown } = { metrics: {} }
containsItself.self = containsItself

const LONG = 'x'.repeat(256)

/** What is wrong, the definition, its only mistake. */
const cases: Record<string, readonly [what: string, definition: unknown, mistake: string][]> = {
  'The definition': [
    ['is missing', undefined, ': is undefined; a game is JSON data'],
    ['is null', null, ': must be an object, not null'],
    ['is a list', [], ': must be an object, not a list'],
    ['is a string', 'game', ": must be an object, not 'game'"],
    ['is a function', () => ({}), ': is a function; a game is JSON data'],
    ['has no metrics', {}, 'metrics: is missing; give an object'],
    [
      'has an unknown property',
      { metrics: {}, metrcs: {} },
      "metrcs: unknown property 'metrcs'; did you mean 'metrics'?",
    ],
    [
      'has a property like no other',
      { metrics: {}, zzz: 1 },
      "zzz: unknown property 'zzz'; remove it, or use one of 'metrics', 'eventAttributes', 'userAttributes', 'achievements', 'points', …",
    ],
    [
      'has an own __proto__',
      JSON.parse('{ "metrics": {}, "__proto__": {} }'),
      "__proto__: unknown property '__proto__'; remove it, or use one of 'metrics', 'eventAttributes', 'userAttributes', 'achievements', 'points', …",
    ],
    ['contains itself', containsItself, 'self: contains itself; a game is JSON data'],
    [
      'has a week that starts on Friday',
      { metrics: {}, weekStartsOn: 'friday' },
      "weekStartsOn: must be 'monday' or 'sunday', not 'friday'",
    ],
    ['has a word for a flag', { metrics: {}, multiTenant: 'yes' }, "multiTenant: must be true or false, not 'yes'"],
    ['has a text for a list', { metrics: {}, eventAttributes: 'a' }, "eventAttributes: must be a list, not 'a'"],
    [
      'has an empty attribute name',
      { metrics: {}, userAttributes: [''] },
      "userAttributes[0]: must be a string of 1 to 255 characters, not ''",
    ],
    [
      'has an attribute twice',
      { metrics: {}, eventAttributes: ['a', 'b', 'a'] },
      'eventAttributes[2]: is the same attribute as eventAttributes[0]; change or remove one',
    ],
    [
      'has a hole in a list',
      { metrics: {}, userAttributes: ['a', undefined] },
      'userAttributes[1]: is empty; remove it from the list',
    ],
  ],
  'What is not JSON': [
    [
      'is an instance of a class',
      withMetric(new Metric()),
      'metrics.words: is an instance of a class, or has a prototype of its own; give a plain object',
    ],
    [
      'is a map',
      { metrics: new Map() },
      'metrics: is an instance of a class, or has a prototype of its own; give a plain object',
    ],
    [
      'is a prototype set by a literal',
      { metrics: { __proto__: words } },
      'metrics: is an instance of a class, or has a prototype of its own; give a plain object',
    ],
    [
      'is a getter, which is not run',
      {
        get metrics() {
          throw new Error('It was run.')
        },
      },
      'metrics: is a getter or setter; give the value itself',
    ],
    ['is a function', withMetric({ name: () => 'x' }), 'metrics.words.name: is a function; a game is JSON data'],
    ['is a symbol', withMetric({ name: Symbol('x') }), 'metrics.words.name: is a symbol; a game is JSON data'],
    ['is a symbol as a key', { metrics: { [Symbol('x')]: 1 } }, 'metrics: has a symbol as a key; keys are strings'],
    [
      'is a bigint',
      withAchievement({ trigger: 'streak', length: 7n }),
      'achievements.a.length: is a bigint; a game is JSON data',
    ],
    [
      'is NaN',
      withAchievement({ trigger: 'metric', metric: 'words', value: Number.NaN }),
      'achievements.a.value: is NaN; give a finite number',
    ],
    [
      'is a Date',
      withTrigger({ type: 'user_creation', created: new Date(0) }),
      'points.xp.triggers[0].created: is a Date; write it as date.toISOString()',
    ],
  ],
  'A string': [
    [
      'has U+0000',
      withMetric({ name: 'a\u0000' }),
      'metrics.words.name: must be well-formed Unicode without U+0000; remove what is not',
    ],
    [
      'has half a character',
      withMetric({ name: '\ud83c' }),
      'metrics.words.name: must be well-formed Unicode without U+0000; remove what is not',
    ],
    [
      'has half a character as a key',
      { metrics: { 'a\udfc6': { name: 'A' } } },
      'metrics["a\\udfc6"]: has a key that is not well-formed Unicode without U+0000; rename it',
    ],
  ],
  'A key': [
    [
      'of a metric is empty',
      { metrics: { '': { name: 'A' } } },
      'metrics[""]: has a key that is empty or longer than 255 characters; rename it',
    ],
    [
      'of an achievement is too long',
      { metrics: {}, achievements: { [LONG]: { name: 'A', trigger: 'api' } } },
      `achievements["${'x'.repeat(57)}…"]: has a key that is empty or longer than 255 characters; rename it`,
    ],
    [
      'of a points system is empty',
      { metrics: {}, points: { '': { name: 'A' } } },
      'points[""]: has a key that is empty or longer than 255 characters; rename it',
    ],
    [
      'of a level is empty',
      withPoints({ levels: { '': { name: 'A', points: 0 } } }),
      'points.xp.levels[""]: has a key that is empty or longer than 255 characters; rename it',
    ],
    [
      'of a leaderboard is empty',
      { metrics: words, leaderboards: { '': { name: 'A', rankBy: 'metric', metric: 'words', start: '2026-01-01' } } },
      'leaderboards[""]: has a key that is empty or longer than 255 characters; rename it',
    ],
    [
      'of a trigger is empty',
      withTrigger({ type: 'user_creation', key: '' }),
      "points.xp.triggers[0].key: must be a string of 1 to 255 characters, not ''",
    ],
    [
      'that is no identifier stands in brackets',
      { metrics: { 'a b': { name: 7 } } },
      'metrics["a b"].name: must be a string that is not empty, not 7',
    ],
  ],
  'A metric': [
    ['is null', withMetric(null), 'metrics.words: must be an object, not null'],
    ['has no name', withMetric({}), 'metrics.words.name: is missing; give a string that is not empty'],
    [
      'has an undefined name',
      withMetric({ name: undefined }),
      'metrics.words.name: is missing; give a string that is not empty',
    ],
    ['has an empty name', withMetric({ name: '' }), "metrics.words.name: must be a string that is not empty, not ''"],
    [
      'has an unknown status',
      withMetric({ name: 'A', status: 'archive' }),
      "metrics.words.status: must be 'active' or 'archived', not 'archive'; did you mean 'archived'?",
    ],
    [
      'has a property that every object inherits',
      withMetric({ name: 'A', toString: 'x' }),
      "metrics.words.toString: unknown property 'toString'; remove it, or use one of 'name', 'status', 'aggregation', 'of', 'unit', …",
    ],
  ],
  'An achievement': [
    [
      'has no trigger',
      withAchievement({}),
      "achievements.a.trigger: is missing; give 'metric', 'api', 'streak', 'achievement' or 'criteria'",
    ],
    [
      'has an unknown trigger',
      withAchievement({ trigger: 'metrics' }),
      "achievements.a.trigger: must be 'metric', 'api', 'streak', 'achievement' or 'criteria', not 'metrics'; did you mean 'metric'?",
    ],
    [
      'has an unknown status',
      withAchievement({ trigger: 'api', status: 'lock' }),
      "achievements.a.status: must be 'active', 'inactive' or 'locked', not 'lock'; did you mean 'locked'?",
    ],
    [
      'has an empty badge',
      withAchievement({ trigger: 'api', badgeUrl: '' }),
      "achievements.a.badgeUrl: must be a string that is not empty, not ''",
    ],
    [
      'has a property of another kind',
      withAchievement({ trigger: 'api', length: 7 }),
      "achievements.a.length: unknown property 'length'; remove it, or use one of 'name', 'description', 'badgeUrl', 'status', 'userAttributes', …",
    ],
    [
      'has no value',
      withAchievement({ trigger: 'metric', metric: 'words' }),
      'achievements.a.value: is missing; give a number between -1e15 and 1e15',
    ],
    [
      'has a value out of range',
      withAchievement({ trigger: 'metric', metric: 'words', value: 1.1e15 }),
      'achievements.a.value: must be a number between -1e15 and 1e15, not 1100000000000000',
    ],
    [
      'refers to an unknown metric',
      withAchievement({ trigger: 'metric', metric: 'wrods', value: 1 }),
      "achievements.a.metric: unknown metric 'wrods'; did you mean 'words'?",
    ],
    [
      'refers to a metric that every object inherits',
      withAchievement({ trigger: 'metric', metric: 'constructor', value: 1 }),
      "achievements.a.metric: unknown metric 'constructor'; add it to metrics, or use one of 'words'",
    ],
    [
      'has half a length',
      withAchievement({ trigger: 'streak', length: 1.5 }),
      'achievements.a.length: must be a whole number from 1, not 1.5',
    ],
    [
      'has no length',
      withAchievement({ trigger: 'streak', length: 0 }),
      'achievements.a.length: must be a whole number from 1, not 0',
    ],
    [
      'filters by an undeclared event attribute',
      withAchievement({ trigger: 'metric', metric: 'words', value: 1, eventAttributes: { sauce: 'web' } }),
      "achievements.a.eventAttributes.sauce: unknown event attribute 'sauce'; did you mean 'source'?",
    ],
    [
      'filters by an undeclared user attribute',
      withAchievement({ trigger: 'api', userAttributes: { country: 'FR' } }),
      "achievements.a.userAttributes.country: unknown user attribute 'country'; add it to userAttributes, or use one of 'plan'",
    ],
    [
      'filters by a number',
      withAchievement({ trigger: 'api', userAttributes: { plan: 1 } }),
      'achievements.a.userAttributes.plan: must be a string of at most 1,024 characters, not 1',
    ],
    [
      'filters by a value that is too long',
      withAchievement({ trigger: 'api', userAttributes: { plan: 'x'.repeat(1025) } }),
      `achievements.a.userAttributes.plan: must be a string of at most 1,024 characters, not '${'x'.repeat(57)}…'`,
    ],
  ],
  'A composite achievement': [
    [
      'is empty',
      withAchievement({ trigger: 'achievement', achievements: [] }),
      'achievements.a.achievements: is empty; name at least one achievement to complete',
    ],
    [
      'contains itself',
      withAchievement({ trigger: 'achievement', achievements: ['a'] }),
      "achievements.a.achievements: can never be completed, for it needs itself: 'a' → 'a'",
    ],
    [
      'lists an unknown achievement',
      withAchievement({ trigger: 'achievement', achievements: ['b'] }),
      "achievements.a.achievements[0]: unknown achievement 'b'; add it to achievements, or use one of 'a'",
    ],
    [
      'lists an achievement twice',
      {
        metrics: {},
        achievements: {
          one: { name: 'One', trigger: 'api' },
          two: { name: 'Two', trigger: 'achievement', achievements: ['one', 'one'] },
        },
      },
      'achievements.two.achievements[1]: is the same achievement as achievements.two.achievements[0]; change or remove one',
    ],
    [
      'is part of a circle',
      {
        metrics: {},
        achievements: {
          start: { name: 'Start', trigger: 'achievement', achievements: ['one'] },
          one: { name: 'One', trigger: 'achievement', achievements: ['two'] },
          two: { name: 'Two', trigger: 'achievement', achievements: ['three'] },
          three: { name: 'Three', trigger: 'achievement', achievements: ['one'] },
        },
      },
      "achievements.one.achievements: can never be completed, for it needs itself: 'one' → 'two' → 'three' → 'one'",
    ],
  ],
  'A points system': [
    ['has no maximum', withPoints({ maxPoints: 0 }), 'points.xp.maxPoints: must be a whole number from 1, not 0'],
    [
      'has a level below 0',
      withPoints({ levels: { low: { name: 'Low', points: -1 } } }),
      'points.xp.levels.low.points: must be a whole number from 0, not -1',
    ],
    [
      'has two levels with the same points',
      withPoints({ levels: { one: { name: '1', points: 5 }, two: { name: '2', points: 5 } } }),
      'points.xp.levels.two.points: is the same number of points as points.xp.levels.one.points; change or remove one',
    ],
    [
      'has two triggers with the same key',
      withPoints({
        triggers: [
          { type: 'user_creation', key: 'k', points: 1 },
          { type: 'streak', length: 1, key: 'k', points: 1 },
        ],
      }),
      'points.xp.triggers[1].key: is the same key as points.xp.triggers[0].key; change or remove one',
    ],
  ],
  'A cap or a cooldown': [
    [
      'is on a trigger that takes points away',
      withTrigger({ type: 'user_creation', points: -5, cap: { points: 1, per: 'day' } }),
      'points.xp.triggers[0].cap: holds nothing back where points are taken away (points is -5); remove it',
    ],
    [
      'cools down what takes points away',
      withTrigger({ type: 'user_creation', points: -5, cooldown: { minutes: 1 } }),
      'points.xp.triggers[0].cooldown: holds nothing back where points are taken away (points is -5); remove it',
    ],
    [
      'is over another period',
      withPoints({ cap: { points: 1, per: 'dya' } }),
      "points.xp.cap.per: must be 'day', 'week', 'month' or 'ever', not 'dya'; did you mean 'day'?",
    ],
    [
      'has a cap that says points alone',
      withPoints({ cap: 200 }),
      "points.xp.cap: must be an object, as { points: 200, per: 'day' }, not 200",
    ],
    [
      'has a cooldown that says minutes alone',
      withPoints({ triggers: [{ type: 'user_creation', points: 1, cooldown: 5 }] }),
      'points.xp.triggers[0].cooldown: must be an object, as { minutes: 5 }, not 5',
    ],
    [
      'lets nothing through',
      withPoints({ cap: { points: 0, per: 'day' } }),
      'points.xp.cap.points: must be a whole number from 1, not 0',
    ],
    [
      'is longer than a year',
      withTrigger({ type: 'user_creation', cooldown: { minutes: 525_601 } }),
      'points.xp.triggers[0].cooldown.minutes: must be a whole number of minutes from 1 to 525600, not 525601',
    ],
    [
      'is told in hours',
      withTrigger({ type: 'user_creation', cooldown: { minutes: 1, hours: 1 } }),
      "points.xp.triggers[0].cooldown.hours: unknown property 'hours'; remove it, or use one of 'minutes'",
    ],
    [
      'has a wrong name',
      withTrigger({ type: 'user_creation', cooldwon: { minutes: 1 } }),
      "points.xp.triggers[0].cooldwon: unknown property 'cooldwon'; did you mean 'cooldown'?",
    ],
  ],
  'A time trigger': [
    [
      'has a cap',
      withTrigger({ type: 'time', every: { hours: 1 }, cap: { points: 1, per: 'day' } }),
      'points.xp.triggers[0].cap: does not apply to what time brings; remove it',
    ],
    [
      'has a cooldown',
      withTrigger({ type: 'time', every: { hours: 1 }, cooldown: { minutes: 1 } }),
      'points.xp.triggers[0].cooldown: does not apply to what time brings; remove it',
    ],
    [
      'blocks events',
      withTrigger({ type: 'time', every: { hours: 1 }, blockIfOutOfPoints: true }),
      'points.xp.triggers[0].blockIfOutOfPoints: does not apply to what time brings; remove it',
    ],
    [
      'gives nothing',
      withTrigger({ type: 'time', every: { hours: 1 }, points: 0 }),
      'points.xp.triggers[0].points: is 0, so the trigger would do nothing; give a number above or below 0',
    ],
    [
      'does not say how often',
      withTrigger({ type: 'time' }),
      'points.xp.triggers[0].every: is missing; give an object, as { hours: 6 }',
    ],
    [
      'says how often in a word',
      withTrigger({ type: 'time', every: '6h' }),
      "points.xp.triggers[0].every: must be an object, as { hours: 6 }, not '6h'",
    ],
    [
      'says neither hours nor days',
      withTrigger({ type: 'time', every: {} }),
      'points.xp.triggers[0].every: says neither hours nor days; give one of them, as { hours: 6 }',
    ],
    [
      'says both hours and days',
      withTrigger({ type: 'time', every: { hours: 1, days: 1 } }),
      'points.xp.triggers[0].every: says both hours and days; give one of them, as { hours: 6 }',
    ],
    [
      'falls every half hour',
      withTrigger({ type: 'time', every: { hours: 0.5 } }),
      'points.xp.triggers[0].every.hours: must be a whole number of hours from 1 to 87600, not 0.5',
    ],
    [
      'falls every minute',
      withTrigger({ type: 'time', every: { hours: 1, minutes: 1 } }),
      "points.xp.triggers[0].every.minutes: unknown property 'minutes'; remove it, or use one of 'hours', 'days'",
    ],
    [
      'needs an unknown attribute',
      withTrigger({ type: 'time', every: { days: 1 }, userAttributes: { pln: 'pro' } }),
      "points.xp.triggers[0].userAttributes.pln: unknown user attribute 'pln'; add it to userAttributes",
    ],
  ],
  'A trigger': [
    ['is a number', withPoints({ triggers: [3] }), 'points.xp.triggers[0]: must be an object, not 3'],
    [
      'has no type',
      withTrigger({}),
      "points.xp.triggers[0].type: is missing; give 'metric', 'achievement', 'streak', 'user_creation' or 'time'",
    ],
    [
      'has an unknown type',
      withTrigger({ type: 'user_created' }),
      "points.xp.triggers[0].type: must be 'metric', 'achievement', 'streak', 'user_creation' or 'time', not 'user_created'; did you mean 'user_creation'?",
    ],
    [
      'has an unknown metric',
      withTrigger({ type: 'metric', metric: 'word', threshold: 1 }),
      "points.xp.triggers[0].metric: unknown metric 'word'; did you mean 'words'?",
    ],
    [
      'has an unknown achievement',
      withTrigger({ type: 'achievement', achievement: 'novelist' }),
      "points.xp.triggers[0].achievement: unknown achievement 'novelist'; add it to achievements",
    ],
    [
      'has a threshold of 0',
      withTrigger({ type: 'metric', metric: 'words', threshold: 0 }),
      'points.xp.triggers[0].threshold: must be a number above 0, at most 1e15, not 0',
    ],
    [
      'has a threshold out of range',
      withTrigger({ type: 'metric', metric: 'words', threshold: 2e15 }),
      'points.xp.triggers[0].threshold: must be a number above 0, at most 1e15, not 2000000000000000',
    ],
    [
      'has a length of 0',
      withTrigger({ type: 'streak', length: 0 }),
      'points.xp.triggers[0].length: must be a whole number from 1, not 0',
    ],
    [
      'gives half a point',
      withTrigger({ type: 'user_creation', points: 0.5 }),
      'points.xp.triggers[0].points: must be a whole number, not 0.5',
    ],
    [
      'gives more points than can be counted',
      withTrigger({ type: 'user_creation', points: 2 ** 53 }),
      'points.xp.triggers[0].points: must be a whole number of at most 9007199254740991, not 9007199254740992',
    ],
    [
      'has an unknown status',
      withTrigger({ type: 'user_creation', status: 'locked' }),
      "points.xp.triggers[0].status: must be 'active' or 'inactive', not 'locked'",
    ],
    [
      'was created on a date without time',
      withTrigger({ type: 'user_creation', created: '2026-01-01' }),
      "points.xp.triggers[0].created: must be an instant as 2026-01-31T12:00:00.000Z, not '2026-01-01'",
    ],
    [
      'was updated on a date that is not',
      withTrigger({ type: 'user_creation', updated: '2026-02-29T00:00:00Z' }),
      "points.xp.triggers[0].updated: must be an instant as 2026-01-31T12:00:00.000Z, not '2026-02-29T00:00:00Z'",
    ],
    [
      'has an event filter without an event',
      withTrigger({ type: 'streak', length: 1, eventAttributes: {} }),
      "points.xp.triggers[0].eventAttributes: unknown property 'eventAttributes'; did you mean 'userAttributes'?",
    ],
  ],
  'A named streak': [
    [
      'has no metrics',
      { metrics: words, streaks: { gym: { frequency: 'daily', metrics: {} } } },
      'streaks.gym.metrics: is empty; name at least one metric that keeps the streak',
    ],
    [
      'has an unknown metric',
      { metrics: words, streaks: { gym: { frequency: 'daily', metrics: { wrods: {} } } } },
      "streaks.gym.metrics.wrods: unknown metric 'wrods'; did you mean 'words'?",
    ],
    [
      'has the preferences of the other',
      { metrics: words, streaks: { gym: { frequency: 'daily', metrics: { words: {} }, customization: true } } },
      "streaks.gym.customization: is for the game's `streak` alone; remove it",
    ],
    [
      'begins with more freezes than there may be',
      {
        metrics: words,
        streaks: { gym: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 2, max: 1 } } },
      },
      'streaks.gym.freezes.initial: must be at most max, which is 1',
    ],
    [
      'has freezes that are another word',
      { metrics: words, streaks: { gym: { frequency: 'daily', metrics: { words: {} }, freezes: 'share' } } },
      "streaks.gym.freezes: must be an object or 'shared', not 'share'",
    ],
    [
      'shares freezes that are not there',
      {
        metrics: words,
        streak: { frequency: 'daily', metrics: { words: {} } },
        streaks: { gym: { frequency: 'daily', metrics: { words: {} }, freezes: 'shared' } },
      },
      'streaks.gym.freezes: shares the freezes of `streak`, which has none; add freezes to `streak`',
    ],
    [
      'is unknown to an achievement',
      {
        metrics: words,
        streaks: { gym: { frequency: 'daily', metrics: { words: {} } } },
        achievements: { a: { name: 'A', trigger: 'streak', length: 1, streak: 'gmy' } },
      },
      "achievements.a.streak: unknown named streak 'gmy'; did you mean 'gym'?",
    ],
    [
      'is unknown to a trigger',
      {
        metrics: words,
        points: { xp: { name: 'XP', triggers: [{ type: 'streak', length: 1, points: 1, streak: 'gym' }] } },
      },
      "points.xp.triggers[0].streak: unknown named streak 'gym'; add it to streaks",
    ],
    [
      'is unknown to a leaderboard',
      {
        metrics: words,
        streaks: { gym: { frequency: 'daily', metrics: { words: {} } } },
        leaderboards: { top: { name: 'Top', rankBy: 'streak', start: '2026-01-01', streak: 'walk' } },
      },
      "leaderboards.top.streak: unknown named streak 'walk'; add it to streaks, or use one of 'gym'",
    ],
  ],
  'A streak': [
    [
      'has no frequency',
      withStreak({ metrics: { words: {} } }),
      "streak.frequency: is missing; give 'daily', 'weekly' or 'monthly'",
    ],
    [
      'has no metrics',
      withStreak({ frequency: 'daily', metrics: {} }),
      'streak.metrics: is empty; name at least one metric that keeps the streak',
    ],
    [
      'has an unknown metric',
      withStreak({ frequency: 'daily', metrics: { wrods: {} } }),
      "streak.metrics.wrods: unknown metric 'wrods'; did you mean 'words'?",
    ],
    [
      'has a threshold of 0',
      withStreak({ frequency: 'daily', metrics: { words: { threshold: 0 } } }),
      'streak.metrics.words.threshold: must be a number above 0, at most 1e15, not 0',
    ],
    [
      'has an unknown mode',
      withStreak({ frequency: 'daily', metrics: { words: {} }, evaluationMode: 'any' }),
      "streak.evaluationMode: must be 'OR', 'AND' or 'ALL', not 'any'; did you mean 'AND'?",
    ],
  ],
  'A leaderboard': [
    [
      'is ranked by something unknown',
      withBoard({ rankBy: 'point' }),
      "leaderboards.top.rankBy: must be 'metric', 'points' or 'streak', not 'point'; did you mean 'points'?",
    ],
    [
      'has an unknown metric',
      withBoard({ metric: 'wrods' }),
      "leaderboards.top.metric: unknown metric 'wrods'; did you mean 'words'?",
    ],
    [
      'has an unknown points system',
      { metrics: {}, leaderboards: { top: { name: 'Top', rankBy: 'points', system: 'xp', start: '2026-01-01' } } },
      "leaderboards.top.system: unknown points system 'xp'; add it to points",
    ],
    [
      'starts on a date that is not',
      withBoard({ start: '2026-02-29' }),
      "leaderboards.top.start: must be a date as YYYY-MM-DD, not '2026-02-29'",
    ],
    [
      'ends on the date on which it starts',
      withBoard({ end: '2026-01-01' }),
      'leaderboards.top.end: must be after start, which is 2026-01-01',
    ],
    [
      'ends at a time that is not',
      withBoard({ endTime: '24:00' }),
      "leaderboards.top.endTime: must be a time of day as HH:MM, not '24:00'",
    ],
    [
      'has a window without any time in it',
      withBoard({ startTime: '09:00', endTime: '09:00' }),
      'leaderboards.top.endTime: must differ from startTime (00:00 without one); leave it out for the whole day',
    ],
    [
      'ends at the midnight at which it starts',
      withBoard({ endTime: '00:00' }),
      'leaderboards.top.endTime: must differ from startTime (00:00 without one); leave it out for the whole day',
    ],
    [
      'runs in unknown units',
      withBoard({ run: { unit: 'hour', interval: 1 } }),
      "leaderboards.top.run.unit: must be 'day', 'week', 'month' or 'year', not 'hour'",
    ],
    [
      'runs never',
      withBoard({ run: { unit: 'day', interval: 0 } }),
      'leaderboards.top.run.interval: must be a whole number from 1 to 5000, not 0',
    ],
    [
      'has no room',
      withBoard({ maxParticipants: 0 }),
      'leaderboards.top.maxParticipants: must be a whole number from 1 to 2147483647, or null for no limit, not 0',
    ],
    [
      'is split by an unknown attribute',
      withBoard({ breakdown: ['country'] }),
      "leaderboards.top.breakdown[0]: unknown user attribute 'country'; add it to userAttributes, or use one of 'plan'",
    ],
    [
      'is split by the same attribute twice',
      withBoard({ breakdown: ['plan', 'plan'] }),
      'leaderboards.top.breakdown[1]: is the same attribute as leaderboards.top.breakdown[0]; change or remove one',
    ],
    [
      'of streaks has no limit',
      {
        metrics: words,
        streak: DAILY_STREAK,
        leaderboards: { top: { name: 'Top', rankBy: 'streak', start: '2026-01-01', maxParticipants: null } },
      },
      'leaderboards.top.maxParticipants: must be a whole number from 1 to 2147483647 (streak boards have a limit), not null',
    ],
    [
      'of streaks has runs',
      {
        metrics: words,
        streak: DAILY_STREAK,
        leaderboards: {
          top: { name: 'Top', rankBy: 'streak', start: '2026-01-01', run: { unit: 'day', interval: 1 } },
        },
      },
      "leaderboards.top.run: unknown property 'run'; remove it, or use one of 'name', 'description', 'start', 'end', 'breakdown', …",
    ],
  ],
  'A limit': [
    ['is no list', withMetric({ name: 'Words', limits: DAILY }), 'metrics.words.limits: must be a list, not an object'],
    [
      'lacks its period',
      withLimits({ value: 1, then: 'hold' }),
      'metrics.words.limits[0].per: is missing; give an object',
    ],
    [
      'is of no value',
      withLimits({ ...DAILY, value: 0 }),
      'metrics.words.limits[0].value: must be a number above 0, at most 1e15, not 0',
    ],
    [
      'is over no days',
      withLimits({ ...DAILY, per: { days: 0 } }),
      'metrics.words.limits[0].per.days: must be a whole number from 1 to 31, not 0',
    ],
    [
      'is over more days than a month has',
      withLimits({ ...DAILY, per: { days: 32 } }),
      'metrics.words.limits[0].per.days: must be a whole number from 1 to 31, not 32',
    ],
    [
      'is over hours',
      withLimits({ ...DAILY, per: { days: 1, hours: 1 } }),
      "metrics.words.limits[0].per.hours: unknown property 'hours'; remove it, or use one of 'days'",
    ],
    [
      'does something else',
      withLimits({ ...DAILY, then: 'holds' }),
      "metrics.words.limits[0].then: must be 'refuse' or 'hold', not 'holds'; did you mean 'hold'?",
    ],
    [
      'does the same over the same days as another',
      withLimits(DAILY, { ...DAILY, then: 'refuse' }, { ...DAILY, value: 2 }),
      'metrics.words.limits[2]: is the same period and kind of limit as metrics.words.limits[0]; change or remove one',
    ],
    [
      'is one of too many',
      withLimits(...Array.from({ length: 11 }, (_, index) => ({ ...DAILY, per: { days: index + 1 } }))),
      'metrics.words.limits: has 11 limits; keep at most 10',
    ],
  ],
}

for (const [subject, mistakes] of Object.entries(cases)) {
  describe(subject, () => {
    test.each(mistakes)('%s', (_, definition, mistake) => {
      expect(mistakesIn(definition)).toEqual([mistake])
    })
  })
}

describe('All mistakes are reported at once', () => {
  const definition = {
    metrics: { words: { name: '', status: 'activ' } },
    achievements: {
      a: { trigger: 'metrc', metric: 'wrods', badgeUrl: '' },
      b: { name: 'B', trigger: 'achievement', achievements: ['c'] },
      c: { name: 'C', trigger: 'achievement', achievements: ['b', 'nope'] },
    },
    points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'word', threshold: -1, points: 1 }] } },
    leaderbords: {},
  }

  test('those of the shape beside those of the references', () => {
    expect(
      errorOf(definition)
        .issues.map(({ path }) => path)
        .toSorted(),
    ).toEqual([
      'achievements.a.badgeUrl',
      'achievements.a.metric',
      'achievements.a.name',
      'achievements.a.trigger',
      'achievements.b.achievements',
      'achievements.c.achievements[1]',
      'leaderbords',
      'metrics.words.name',
      'metrics.words.status',
      'points.xp.triggers[0].metric',
      'points.xp.triggers[0].threshold',
    ])
  })

  test('and the message lists them', () => {
    expect(errorOf(definition).message).toContain('The game has 11 mistakes:\n- metrics.words.name: must be a string')
    expect(errorOf({}).message).toBe('The game has a mistake: metrics: is missing; give an object')
    expect(errorOf(null).message).toBe('The game has a mistake: the definition must be an object, not null')
  })

  test('but no more than fifty', () => {
    const metrics = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`m${index}`, {}]))
    expect(errorOf({ metrics }).issues).toHaveLength(60)
    expect(errorOf({ metrics }).message.split('\n')).toHaveLength(52)
    expect(errorOf({ metrics }).message).toMatch(/- and 10 more, see `issues`$/)
  })

  test('what is shared by many places does not take for ever', () => {
    let shared: object = {}
    for (let depth = 0; depth < 30; depth += 1) shared = { a: shared, b: shared }
    expect(errorOf({ metrics: {}, shared }).issues.length).toBeLessThan(2000)
  })
})
