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

type Row = readonly [definition: unknown, mistake: string]

/** Rows that share what the definition is made by, and the beginning of the path. */
function of<Part>(make: (part: Part) => unknown, at: string, rows: readonly (readonly [Part, string])[]): Row[] {
  return rows.map(([part, mistake]) => [make(part), `${at}${mistake}`])
}

/** Definitions, each with its only mistake. */
const cases: Record<string, readonly Row[]> = {
  'The definition': [
    [undefined, ': is undefined; a game is JSON data'],
    [null, ': must be an object with metrics, not null'],
    [{}, 'metrics: is missing; give an object'],
    [{ metrics: {}, metrcs: {} }, "metrcs: unknown property 'metrcs'; did you mean 'metrics'?"],
    [
      JSON.parse('{ "metrics": {}, "__proto__": {} }'),
      "__proto__: unknown property '__proto__'; remove it, or use one of 'metrics', 'eventAttributes', 'userAttributes', 'achievements', 'points', 'streak', 'streaks', 'leaderboards', 'challenges', 'rewards', 'weekStartsOn', 'experiment', 'clients', 'preferences', 'emails', 'multiTenant'",
    ],
    [containsItself, 'self: contains itself; a game is JSON data'],
    [{ metrics: {}, weekStartsOn: 'friday' }, "weekStartsOn: must be 'monday' or 'sunday', not 'friday'"],
    [{ metrics: {}, eventAttributes: 'a' }, "eventAttributes: must be a list, not 'a'"],
    [{ metrics: {}, userAttributes: [''] }, "userAttributes[0]: must be a string of 1 to 255 characters, not ''"],
    [
      { metrics: {}, eventAttributes: ['a', 'b', 'a'] },
      'eventAttributes[2]: is the same attribute as eventAttributes[0]; change or remove one',
    ],
    [{ metrics: {}, userAttributes: ['a', undefined] }, 'userAttributes[1]: is empty; remove it from the list'],
  ],
  'What is not JSON': [
    [
      withMetric(new Metric()),
      'metrics.words: is an instance of a class, or has a prototype of its own; give a plain object',
    ],
    [
      {
        get metrics() {
          throw new Error('It was run.')
        },
      },
      'metrics: is a getter or setter; give the value itself',
    ],
    [withMetric({ name: () => 'x' }), 'metrics.words.name: is a function; a game is JSON data'],
    [{ metrics: { [Symbol('x')]: 1 } }, 'metrics: has a symbol as a key; keys are strings'],
    [
      withAchievement({ trigger: 'metric', metric: 'words', value: Number.NaN }),
      'achievements.a.value: is NaN; give a finite number',
    ],
    [
      withTrigger({ type: 'user_creation', created: new Date(0) }),
      'points.xp.triggers[0].created: is a Date; write it as date.toISOString()',
    ],
  ],
  'A string': [
    [
      withMetric({ name: 'a\u0000' }),
      'metrics.words.name: must be well-formed Unicode without U+0000; remove what is not',
    ],
    [
      { metrics: { 'a\udfc6': { name: 'A' } } },
      'metrics["a\\udfc6"]: has a key that is not well-formed Unicode without U+0000; rename it',
    ],
  ],
  'A key': [
    [
      { metrics: { '': { name: 'A' } } },
      'metrics[""]: has a key that is empty or longer than 255 characters; rename it',
    ],
    [
      { metrics: {}, achievements: { [LONG]: { name: 'A', trigger: 'api' } } },
      `achievements["${'x'.repeat(57)}…"]: has a key that is empty or longer than 255 characters; rename it`,
    ],
    [
      withTrigger({ type: 'user_creation', key: '' }),
      "points.xp.triggers[0].key: must be a string of 1 to 255 characters, not ''",
    ],
    [{ metrics: { 'a b': { name: 7 } } }, 'metrics["a b"].name: must be a string that is not empty, not 7'],
  ],
  'A metric': [
    [withMetric(null), 'metrics.words: must be an object with name, not null'],
    ...of(withMetric, 'metrics.words.', [
      [{}, 'name: is missing; give a string that is not empty'],
      [{ name: '' }, "name: must be a string that is not empty, not ''"],
      [
        { name: 'A', status: 'archive' },
        "status: must be 'active' or 'archived', not 'archive'; did you mean 'archived'?",
      ],
    ]),
  ],
  'An achievement': [
    ...of(withAchievement, 'achievements.a.', [
      [{ trigger: 'streak', length: 0 }, 'length: must be a whole number from 1, not 0'],
      [{}, "trigger: is missing; give 'metric', 'api', 'streak', 'achievement', 'criteria' or 'anniversary'"],
      [
        { trigger: 'api', status: 'lock' },
        "status: must be 'active', 'inactive' or 'locked', not 'lock'; did you mean 'locked'?",
      ],
      [
        { trigger: 'api', length: 7 },
        "length: unknown property 'length'; remove it, or use one of 'name', 'description', 'badgeUrl', 'status', 'userAttributes', 'secret', 'until', 'validFor', 'announce', 'trigger', 'repeat'",
      ],
      [{ trigger: 'metric', metric: 'words' }, 'value: is missing; give a number between -1e15 and 1e15'],
      [
        { trigger: 'metric', metric: 'words', value: 1.1e15 },
        'value: must be a number between -1e15 and 1e15, not 1100000000000000',
      ],
      [{ trigger: 'metric', metric: 'wrods', value: 1 }, "metric: unknown metric 'wrods'; did you mean 'words'?"],
      [{ trigger: 'streak', length: 1.5 }, 'length: must be a whole number from 1, not 1.5'],
      [
        { trigger: 'metric', metric: 'words', value: 1, eventAttributes: { sauce: 'web' } },
        "eventAttributes.sauce: unknown event attribute 'sauce'; did you mean 'source'?",
      ],
      [
        { trigger: 'api', userAttributes: { country: 'FR' } },
        "userAttributes.country: unknown user attribute 'country'; add it to userAttributes, or use one of 'plan'",
      ],
    ]),
    [
      withAchievement({ trigger: 'api', userAttributes: { plan: 'x'.repeat(1025) } }),
      `achievements.a.userAttributes.plan: must be a string of at most 1,024 characters, not '${'x'.repeat(57)}…'`,
    ],
  ],
  'A composite achievement': [
    ...of(withAchievement, 'achievements.a.', [
      [
        { trigger: 'achievement', achievements: [] },
        'achievements: is empty; name at least one achievement to complete',
      ],
      [
        { trigger: 'achievement', achievements: ['a'] },
        "achievements: can never be completed, for it needs itself: 'a' → 'a'",
      ],
      [
        { trigger: 'achievement', achievements: ['b'] },
        "achievements[0]: unknown achievement 'b'; add it to achievements, or use one of 'a'",
      ],
    ]),
    [
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
    ...of(withPoints, 'points.xp.', [
      [{ maxPoints: 0 }, 'maxPoints: must be a whole number from 1, not 0'],
      [{ levels: { low: { name: 'Low', points: -1 } } }, 'levels.low.points: must be a whole number from 0, not -1'],
      [
        { levels: { one: { name: '1', points: 5 }, two: { name: '2', points: 5 } } },
        'levels.two.points: is the same number of points as points.xp.levels.one.points; change or remove one',
      ],
      [
        {
          triggers: [
            { type: 'user_creation', key: 'k', points: 1 },
            { type: 'streak', length: 1, key: 'k', points: 1 },
          ],
        },
        'triggers[1].key: is the same key as points.xp.triggers[0].key; change or remove one',
      ],
    ]),
  ],
  'A cap or a cooldown': [
    ...of(withTrigger, 'points.xp.triggers[0].', [
      [
        { type: 'user_creation', points: -5, cap: { points: 1, per: 'day' } },
        'cap: holds nothing back where points are taken away (points is -5); remove it',
      ],
      [
        { type: 'user_creation', points: -5, cooldown: { minutes: 1 } },
        'cooldown: holds nothing back where points are taken away (points is -5); remove it',
      ],
      [
        { type: 'user_creation', cooldown: { minutes: 525_601 } },
        'cooldown.minutes: must be a whole number of minutes from 1 to 525600, not 525601',
      ],
    ]),
    ...of(withPoints, 'points.xp.', [
      [
        { cap: { points: 1, per: 'dya' } },
        "cap.per: must be 'day', 'week', 'month' or 'ever', not 'dya'; did you mean 'day'?",
      ],
      [{ cap: 200 }, "cap: must be an object, as { points: 200, per: 'day' }, not 200"],
      [{ cap: { points: 0, per: 'day' } }, 'cap.points: must be a whole number from 1, not 0'],
    ]),
    [
      withPoints({ triggers: [{ type: 'user_creation', points: 1, cooldown: 5 }] }),
      'points.xp.triggers[0].cooldown: must be an object, as { minutes: 5 }, not 5',
    ],
  ],
  'A time trigger': [
    ...of(withTrigger, 'points.xp.triggers[0].', [
      [
        { type: 'time', every: { hours: 1 }, points: 0 },
        'points: is 0, so the trigger would do nothing; give a number above or below 0',
      ],
      [{ type: 'time' }, 'every: is missing; give an object, as { hours: 6 }'],
      [{ type: 'time', every: {} }, 'every: says neither hours nor days; give one of them, as { hours: 6 }'],
      [
        { type: 'time', every: { hours: 0.5 } },
        'every.hours: must be a whole number of hours from 1 to 87600, not 0.5',
      ],
    ]),
  ],
  'A trigger': [
    [withPoints({ triggers: [3] }), 'points.xp.triggers[0]: must be an object, not 3'],
    ...of(withTrigger, 'points.xp.triggers[0].', [
      [{}, "type: is missing; give 'metric', 'achievement', 'streak', 'user_creation' or 'time'"],
      [
        { type: 'achievement', achievement: 'novelist' },
        "achievement: unknown achievement 'novelist'; add it to achievements",
      ],
      [{ type: 'metric', metric: 'words', threshold: 0 }, 'threshold: must be a number above 0, at most 1e15, not 0'],
      [
        { type: 'metric', metric: 'words', threshold: 2e15 },
        'threshold: must be a number above 0, at most 1e15, not 2000000000000000',
      ],
      [{ type: 'user_creation', points: 0.5 }, 'points: must be a whole number, not 0.5'],
      [
        { type: 'user_creation', points: 2 ** 53 },
        'points: must be a whole number of at most 9007199254740991, not 9007199254740992',
      ],
      [
        { type: 'user_creation', created: '2026-01-01' },
        "created: must be an instant as 2026-01-31T12:00:00.000Z, not '2026-01-01'",
      ],
      [
        { type: 'user_creation', updated: '2026-02-29T00:00:00Z' },
        "updated: must be an instant as 2026-01-31T12:00:00.000Z, not '2026-02-29T00:00:00Z'",
      ],
    ]),
  ],
  'A named streak': [
    [
      { metrics: words, streaks: { gym: { frequency: 'daily', metrics: {} } } },
      'streaks.gym.metrics: is empty; name at least one metric that keeps the streak',
    ],
    [
      { metrics: words, streaks: { gym: { frequency: 'daily', metrics: { wrods: {} } } } },
      "streaks.gym.metrics.wrods: unknown metric 'wrods'; did you mean 'words'?",
    ],
    [
      {
        metrics: words,
        streaks: { gym: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 2, max: 1 } } },
      },
      'streaks.gym.freezes.initial: must be at most max, which is 1',
    ],
    [
      { metrics: words, streaks: { gym: { frequency: 'daily', metrics: { words: {} }, freezes: 'share' } } },
      "streaks.gym.freezes: must be an object or 'shared', not 'share'",
    ],
    [
      {
        metrics: words,
        streak: { frequency: 'daily', metrics: { words: {} } },
        streaks: { gym: { frequency: 'daily', metrics: { words: {} }, freezes: 'shared' } },
      },
      'streaks.gym.freezes: shares the freezes of `streak`, which has none; add freezes to `streak`',
    ],
  ],
  'A streak': [
    ...of(withStreak, 'streak.', [
      [{ metrics: { words: {} } }, "frequency: is missing; give 'daily', 'weekly' or 'monthly'"],
      [{ frequency: 'daily', metrics: {} }, 'metrics: is empty; name at least one metric that keeps the streak'],
      [
        { frequency: 'daily', metrics: { words: {} }, evaluationMode: 'any' },
        "evaluationMode: must be 'OR', 'AND' or 'ALL', not 'any'; did you mean 'AND'?",
      ],
    ]),
  ],
  'A leaderboard': [
    ...of(withBoard, 'leaderboards.top.', [
      [{ rankBy: 'point' }, "rankBy: must be 'metric', 'points' or 'streak', not 'point'; did you mean 'points'?"],
      [{ start: '2026-02-29' }, "start: must be a date as YYYY-MM-DD, not '2026-02-29'"],
      [{ end: '2025-12-31' }, 'end: must not be before start, which is 2026-01-01'],
      [{ endTime: '24:00' }, "endTime: must be a time of day as HH:MM, not '24:00'"],
      [{ endTime: '00:00' }, 'endTime: must differ from startTime (00:00 without one); leave it out for the whole day'],
      [
        { startTime: '09:00', endTime: '09:00' },
        'endTime: must differ from startTime (00:00 without one); leave it out for the whole day',
      ],
      [{ run: { unit: 'day', interval: 0 } }, 'run.interval: must be a whole number from 1 to 5000, not 0'],
      [{ run: { unit: 'hour', interval: 1 } }, "run.unit: must be 'day', 'week', 'month' or 'year', not 'hour'"],
      [
        { maxParticipants: 0 },
        'maxParticipants: must be a whole number from 1 to 2147483647, or null for no limit, not 0',
      ],
      [
        { breakdown: ['plan', 'plan'] },
        'breakdown[1]: is the same attribute as leaderboards.top.breakdown[0]; change or remove one',
      ],
    ]),
    [
      { metrics: {}, leaderboards: { top: { name: 'Top', rankBy: 'points', system: 'xp', start: '2026-01-01' } } },
      "leaderboards.top.system: unknown points system 'xp'; add it to points",
    ],
    [
      {
        metrics: words,
        streak: DAILY_STREAK,
        leaderboards: { top: { name: 'Top', rankBy: 'streak', start: '2026-01-01', maxParticipants: null } },
      },
      'leaderboards.top.maxParticipants: must be a whole number from 1 to 2147483647 (streak boards have a limit), not null',
    ],
    [
      {
        metrics: words,
        streak: DAILY_STREAK,
        leaderboards: {
          top: { name: 'Top', rankBy: 'streak', start: '2026-01-01', run: { unit: 'day', interval: 1 } },
        },
      },
      "leaderboards.top.run: unknown property 'run'; remove it, or use one of 'name', 'description', 'start', 'end', 'breakdown', 'private', 'consent', 'smallestGroup', 'ties', 'rankBy', 'maxParticipants', 'streak'",
    ],
  ],
  'A limit': [
    [withMetric({ name: 'Words', limits: DAILY }), 'metrics.words.limits: must be a list, not an object'],
    ...of(withLimits, 'metrics.words.', [
      [{ ...DAILY, per: { days: 0 } }, 'limits[0].per.days: must be a whole number from 1 to 31, not 0'],
      [{ value: 1, then: 'hold' }, 'limits[0].per: is missing; give an object with days'],
      [{ ...DAILY, per: { days: 32 } }, 'limits[0].per.days: must be a whole number from 1 to 31, not 32'],
      [{ ...DAILY, then: 'holds' }, "limits[0].then: must be 'refuse' or 'hold', not 'holds'; did you mean 'hold'?"],
    ]),
    [
      withLimits(...Array.from({ length: 11 }, (_, index) => ({ ...DAILY, per: { days: index + 1 } }))),
      'metrics.words.limits: has 11 limits; keep at most 10',
    ],
    [
      withLimits(DAILY, { ...DAILY, then: 'refuse' }, { ...DAILY, value: 2 }),
      'metrics.words.limits[2]: is the same period and kind of limit as metrics.words.limits[0]; change or remove one',
    ],
  ],
}

for (const [subject, mistakes] of Object.entries(cases)) {
  describe(subject, () => {
    for (const [definition, mistake] of mistakes) {
      test(mistake, () => expect(mistakesIn(definition)).toEqual([mistake]))
    }
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
    expect(errorOf(null).message).toBe(
      'The game has a mistake: the definition must be an object with metrics, not null',
    )
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
