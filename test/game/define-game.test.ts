import { describe, expect, test } from 'vitest'
import { parseGame } from '../../src/game/compile.ts'
import { defineGame, fingerprintOf } from '../../src/game/define-game.ts'
import { game } from './design-example.ts'

const SMALL = { metrics: { words: { name: 'Words' } } } as const

describe('defineGame', () => {
  test('fills in the defaults', () => {
    expect(
      defineGame({
        metrics: { words: { name: 'Words' } },
        achievements: { start: { name: 'Start', trigger: 'api' } },
        points: { xp: { name: 'XP', triggers: [{ type: 'user_creation', points: -5 }] } },
        streak: { frequency: 'weekly', metrics: { words: {} } },
        leaderboards: { top: { name: 'Top', rankBy: 'streak', start: '2026-01-01' } },
      }).definition,
    ).toEqual({
      metrics: { words: { name: 'Words', status: 'active' } },
      eventAttributes: [],
      userAttributes: [],
      achievements: { start: { name: 'Start', trigger: 'api', status: 'active', userAttributes: {} } },
      points: {
        xp: {
          name: 'XP',
          triggers: [
            {
              type: 'user_creation',
              points: -5,
              status: 'active',
              userAttributes: {},
              blockIfOutOfPoints: false,
              created: '1970-01-01T00:00:00.000Z',
              updated: '1970-01-01T00:00:00.000Z',
            },
          ],
          levels: {},
        },
      },
      streak: { frequency: 'weekly', evaluationMode: 'OR', metrics: { words: {} }, customization: false },
      leaderboards: {
        top: {
          name: 'Top',
          rankBy: 'streak',
          start: '2026-01-01',
          breakdown: [],
          maxParticipants: 1000,
          private: false,
          consent: false,
        },
      },
      weekStartsOn: 'monday',
      multiTenant: false,
    })
  })

  test('accepts a game without metrics', () => {
    expect(defineGame({ metrics: {} }).rules.metrics.size).toBe(0)
  })

  test('accepts the bounds of every number and text', () => {
    const bounds = (): unknown =>
      defineGame({
        metrics: { ['x'.repeat(255)]: { name: 'x'.repeat(5000) }, words: { name: 'Words' } },
        userAttributes: ['plan'],
        achievements: {
          most: { name: 'Most', trigger: 'metric', metric: 'words', value: 1e15, description: '' },
          least: { name: 'Least', trigger: 'metric', metric: 'words', value: -1e15 },
          plan: { name: 'Plan', trigger: 'api', userAttributes: { plan: 'x'.repeat(1024) } },
        },
        points: {
          xp: {
            name: 'XP',
            maxPoints: 1,
            triggers: [
              { type: 'metric', metric: 'words', threshold: 1e15, points: Number.MAX_SAFE_INTEGER },
              { type: 'metric', metric: 'words', threshold: 1e-9, points: Number.MIN_SAFE_INTEGER },
            ],
            levels: { zero: { name: 'Zero', points: 0 } },
          },
        },
        leaderboards: {
          all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
          one: {
            name: 'One',
            rankBy: 'points',
            system: 'xp',
            start: '2024-02-29',
            end: '2024-03-01',
            startTime: '00:00',
            endTime: '23:59',
            maxParticipants: 1,
            run: { unit: 'year', interval: 1 },
          },
        },
      })
    expect(bounds).not.toThrow()
  })

  test('reads instants with any offset, and ALL as AND', () => {
    const { definition } = defineGame({
      metrics: { words: { name: 'Words' } },
      points: {
        xp: { name: 'XP', triggers: [{ type: 'user_creation', points: 1, created: '2026-01-01T00:30:00+01:00' }] },
      },
      streak: { frequency: 'daily', evaluationMode: 'ALL', metrics: { words: {} } },
    })
    expect(definition.points.xp?.triggers[0]?.created).toBe('2025-12-31T23:30:00.000Z')
    expect(definition.streak?.evaluationMode).toBe('AND')
  })

  test("neither changes nor keeps the host's object, and freezes its own", () => {
    const written = { metrics: { words: { name: 'Words' } }, eventAttributes: ['source'] }
    const defined = defineGame(written)
    expect(written).toEqual({ metrics: { words: { name: 'Words' } }, eventAttributes: ['source'] })
    expect(Object.isFrozen(written.metrics)).toBe(false)
    written.metrics.words.name = 'Changed'
    written.eventAttributes.push('plan')
    expect(defined.definition.metrics.words?.name).toBe('Words')
    expect(defined.definition.eventAttributes).toEqual(['source'])
    for (const part of [defined, defined.definition, defined.definition.metrics, defined.definition.metrics.words]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  test('accepts frozen objects and objects without a prototype', () => {
    const metrics = Object.freeze(Object.assign(Object.create(null), { words: { name: 'Words' } }))
    expect(defineGame(Object.freeze({ metrics })).definition.metrics).toEqual({
      words: { name: 'Words', status: 'active' },
    })
  })

  test('takes -0 for 0', () => {
    const { definition } = defineGame({
      metrics: { words: { name: 'Words' } },
      achievements: { a: { name: 'A', trigger: 'metric', metric: 'words', value: -0 } },
    })
    expect(definition.achievements.a).toHaveProperty('value', 0)
  })
})

describe('The fingerprint', () => {
  test('never changes by accident', () => {
    expect(defineGame(SMALL).fingerprint).toBe('a1ad6c42d011898240d013ddb3d2d8b959cc9a1ef5b7b90efb4c2ed065146c89')
    expect(game.fingerprint).toBe('b6d347f6b2ee877b279b32eb6cb7b01c035d35d32171141cd281fdfae4be47d2')
  })

  test('does not depend on the order of properties, or on explicit defaults', () => {
    const one = defineGame({
      metrics: { words: { name: 'Words' } },
      eventAttributes: ['a', 'b'],
      achievements: {
        x: { name: 'X', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { a: '1', b: '2' } },
      },
      streak: { frequency: 'daily', metrics: { words: {} } },
    })
    const other = defineGame({
      multiTenant: false,
      streak: { customization: false, metrics: { words: {} }, evaluationMode: 'OR', frequency: 'daily' },
      points: {},
      achievements: {
        x: {
          eventAttributes: { b: '2', a: '1' },
          value: 1,
          metric: 'words',
          trigger: 'metric',
          name: 'X',
          status: 'active',
        },
      },
      eventAttributes: ['b', 'a'],
      metrics: { words: { status: 'active', name: 'Words' } },
    })
    expect(other.fingerprint).toBe(one.fingerprint)
  })

  test('depends on the order of metrics, achievements, systems and triggers', () => {
    const metric = { name: 'M' }
    const api = { name: 'A', trigger: 'api' } as const
    const join = { type: 'user_creation', points: 1 } as const
    const bonus = { type: 'user_creation', points: 2 } as const
    const games = [
      defineGame({ metrics: { a: metric, b: metric } }),
      defineGame({ metrics: { b: metric, a: metric } }),
      defineGame({ metrics: {}, achievements: { a: api, b: api } }),
      defineGame({ metrics: {}, achievements: { b: api, a: api } }),
      defineGame({ metrics: {}, points: { a: metric, b: metric } }),
      defineGame({ metrics: {}, points: { b: metric, a: metric } }),
      defineGame({ metrics: {}, points: { a: { name: 'P', triggers: [join, bonus] } } }),
      defineGame({ metrics: {}, points: { a: { name: 'P', triggers: [bonus, join] } } }),
    ]
    expect(new Set(games.map(({ fingerprint }) => fingerprint)).size).toBe(8)
  })
})

describe('A stored game', () => {
  test('reads back as it was', () => {
    const stored = JSON.stringify(game.definition)
    const read = parseGame(stored)
    expect(JSON.stringify(read.definition)).toBe(stored)
    expect(fingerprintOf(read.definition)).toBe(game.fingerprint)
    expect(read.rules).toEqual(game.rules)
  })

  test('that is not a game is refused', () => {
    expect(() => parseGame('{')).toThrow('The game is not JSON')
    expect(() => parseGame('{}')).toThrow('metrics: is missing')
  })
})

describe('Names that objects inherit are ordinary names', () => {
  const text = `{
    "metrics": { "__proto__": { "name": "P" }, "constructor": { "name": "C" }, "🏆": { "name": "E" } },
    "eventAttributes": ["__proto__", "toString"],
    "userAttributes": ["__proto__"],
    "achievements": {
      "__proto__": { "name": "A", "trigger": "metric", "metric": "__proto__", "value": 1,
        "eventAttributes": { "__proto__": "v", "toString": "w" } },
      "toString": { "name": "T", "trigger": "achievement", "achievements": ["__proto__"] }
    },
    "points": {
      "__proto__": {
        "name": "X",
        "triggers": [
          { "type": "metric", "metric": "__proto__", "threshold": 1, "points": 1, "userAttributes": { "__proto__": "v" } },
          { "type": "achievement", "achievement": "__proto__", "points": 1, "key": "__proto__" }
        ],
        "levels": { "__proto__": { "name": "L", "points": 1 }, "constructor": { "name": "M", "points": 0 } }
      }
    },
    "streak": { "frequency": "daily", "metrics": { "__proto__": { "threshold": 1 } } },
    "leaderboards": {
      "__proto__": { "name": "B", "rankBy": "points", "system": "__proto__", "start": "2026-01-01",
        "breakdown": ["__proto__"] }
    }
  }`
  const { definition, rules } = parseGame(text)

  test('in the rules', () => {
    expect([...rules.metrics.keys()]).toEqual(['__proto__', 'constructor', '🏆'])
    expect(rules.achievements.get('__proto__')).toMatchObject({
      metric: '__proto__',
      eventAttributes: [
        ['__proto__', 'v'],
        ['toString', 'w'],
      ],
    })
    expect(rules.points.get('__proto__')?.levels.map(({ key }) => key)).toEqual(['constructor', '__proto__'])
    expect(rules.points.get('__proto__')?.triggers[0]?.userAttributes).toEqual([['__proto__', 'v']])
    expect(rules.streak?.metrics.get('__proto__')).toBe(1)
    expect(rules.leaderboards.get('__proto__')?.breakdown).toEqual(['__proto__'])
  })

  test('and when they are stored', () => {
    const stored = JSON.stringify(definition)
    expect(stored).toContain('"__proto__":{"name":"P","status":"active"}')
    expect(JSON.stringify(parseGame(stored).definition)).toBe(stored)
    expect(fingerprintOf(parseGame(stored).definition)).toBe(fingerprintOf(definition))
  })

  test('and their values count in the fingerprint', () => {
    const other = parseGame(text.replace('"__proto__": "v", "toString"', '"__proto__": "u", "toString"'))
    expect(fingerprintOf(other.definition)).not.toBe(fingerprintOf(definition))
  })
})

test('a cycle, or a chain, of thousands of composites is found without a deep call stack', () => {
  const size = 12_000
  const composites = (needs: (index: number) => number): Parameters<typeof defineGame>[0] => ({
    metrics: {},
    achievements: Object.fromEntries(
      Array.from({ length: size }, (_, index) => [
        `k${index}`,
        needs(index) === size
          ? { name: 'Last', trigger: 'api' as const }
          : { name: 'Composite', trigger: 'achievement' as const, achievements: [`k${needs(index)}`] },
      ]),
    ) as never,
  })
  expect(() => defineGame(composites((index) => (index + 1) % size))).toThrow("'k8' → 'k9' → 11990 more → 'k0'")
  expect(() => defineGame(composites((index) => index + 1))).not.toThrow()
})
