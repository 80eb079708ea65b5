import { describe, expect, test } from 'vitest'
import { defineGame, type GameDefinition, isGamificationError } from '../../src/index.ts'
import { given, rules, type Said } from '../support/given.ts'

const WRITER = {
  name: 'Writer',
  description: 'For words',
  trigger: 'metric',
  metric: 'words',
  tiers: {
    bronze: { value: 10 },
    silver: { name: 'Silver pen', value: 50 },
    gold: { value: 100, badgeUrl: '/gold.png' },
  },
} as const

const SEPARATE = {
  one: { name: 'Writer Bronze', description: 'For words', trigger: 'metric', metric: 'words', value: 10 },
  two: { name: 'Silver pen', description: 'For words', trigger: 'metric', metric: 'words', value: 50 },
  three: {
    name: 'Writer Gold',
    description: 'For words',
    badgeUrl: '/gold.png',
    trigger: 'metric',
    metric: 'words',
    value: 100,
  },
} as const

/** The mistakes of a game with the metric `words` and a daily streak. */
function mistakes(achievements: unknown, rest: object = {}): readonly string[] {
  const metrics = { words: { name: 'Words' } }
  try {
    const streak = { frequency: 'daily', metrics: { words: {} } }
    defineGame({ metrics, streak, achievements, ...rest } as unknown as GameDefinition)
  } catch (error) {
    if (isGamificationError(error)) return (error.issues ?? []).map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

describe('Tiers of an achievement', () => {
  test('are achievements of their own, each with a key of both', () => {
    const { definition, fingerprint } = defineGame({
      metrics: { words: { name: 'Words' } },
      achievements: { writer: WRITER },
    })
    expect(Object.entries(definition.achievements).map(([key, { name }]) => [key, name])).toEqual([
      ['writer.bronze', 'Writer Bronze'],
      ['writer.silver', 'Silver pen'],
      ['writer.gold', 'Writer Gold'],
    ])
    const { one, two, three } = SEPARATE
    const separate = { 'writer.bronze': one, 'writer.silver': two, 'writer.gold': three }
    const same = defineGame({ metrics: { words: { name: 'Words' } }, achievements: separate })
    expect(fingerprint).toBe(same.fingerprint)
    expect(defineGame(definition).fingerprint).toBe(fingerprint)
  })

  test('of a streak rise by their length', () => {
    const { rules } = defineGame({
      metrics: { words: { name: 'Words' } },
      streak: { frequency: 'daily', metrics: { words: {} } },
      achievements: { fire: { name: 'Fire', trigger: 'streak', tiers: { warm: { length: 3 }, hot: { length: 7 } } } },
    })
    expect([...rules.achievements.values()].map(({ key, name }) => [key, name])).toEqual([
      ['fire.warm', 'Fire Warm'],
      ['fire.hot', 'Fire Hot'],
    ])
  })

  test('are known to composites, triggers and the compiler', () => {
    const game = defineGame({
      metrics: { words: { name: 'Words' } },
      achievements: {
        writer: WRITER,
        tour: { name: 'Tour', trigger: 'api' },
        all: { name: 'All', trigger: 'achievement', achievements: ['writer.gold', 'tour'] },
      },
      points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'writer.bronze', points: 5 }] } },
      clients: { achievements: ['tour'] },
    })
    expect([...game.rules.achievements.keys()]).toEqual([
      'writer.bronze',
      'writer.silver',
      'writer.gold',
      'tour',
      'all',
    ])
    const wrong = () =>
      defineGame({
        metrics: { words: { name: 'Words' } },
        achievements: {
          writer: WRITER,
          // @ts-expect-error: it is of tiers, and none of them has this key
          all: { name: 'All', trigger: 'achievement', achievements: ['writer', 'writer.bronce'] },
        },
        // @ts-expect-error: the same of a trigger
        points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'writer', points: 5 }] } },
      })
    expect(wrong).toThrow('did you mean')
  })

  test('cannot be written where there are none', () => {
    const metrics = { words: { name: 'Words' } }
    const value = { ...WRITER, value: 5 }
    // @ts-expect-error: each tier has its own
    expect(() => defineGame({ metrics, achievements: { writer: value } })).toThrow('does not go with tiers')
    const repeat = { ...WRITER, repeat: true } as const
    // @ts-expect-error: it is completed once for each tier
    expect(() => defineGame({ metrics, achievements: { writer: repeat } })).toThrow('does not go with tiers')
    const composite = { name: 'All', trigger: 'achievement', achievements: ['tour'], repeat: true } as const
    const tour = { name: 'Tour', trigger: 'api' } as const
    // @ts-expect-error: composites are completed once
    expect(() => defineGame({ metrics, achievements: { tour, composite } })).toThrow('is completed once')
  })

  test('have mistakes that name what the host wrote', () => {
    const base = { name: 'Writer', trigger: 'metric', metric: 'words' }
    expect(mistakes({ writer: { ...base, tiers: { a: { value: 5 }, b: { value: 5 } } } })).toEqual([
      "achievements.writer.tiers.b.value: must be more than 5, which 'a' before it has: tiers rise in the order in which they are written",
    ])
    expect(mistakes({ writer: { ...base, tiers: {} } })).toEqual([
      'achievements.writer.tiers: is empty; name at least one tier, or give value instead',
    ])
    expect(mistakes({ writer: { ...base, tiers: { a: { length: 5 } } } })).toEqual([
      'achievements.writer.tiers.a.value: is missing; give a number between -1e15 and 1e15',
      "achievements.writer.tiers.a.length: unknown property 'length'; remove it, or use one of 'name', 'description', 'badgeUrl', 'value'",
    ])
    expect(mistakes({ writer: { ...base, metric: 'word', tiers: { a: { value: 5 } } } })).toEqual([
      "achievements.writer.metric: unknown metric 'word'; did you mean 'words'?",
    ])
    expect(
      mistakes({ writer: { ...base, tiers: { a: { value: 5 } } }, 'writer.a': { name: 'A', trigger: 'api' } }),
    ).toEqual(["achievements.writer.tiers.a: has the key 'writer.a', which another achievement has; rename one"])
    expect(mistakes({ tour: { name: 'Tour', trigger: 'api', tiers: { a: {} } } })).toEqual([
      "achievements.tour.tiers: is not for the trigger 'api'; tiers are of the triggers 'metric' and 'streak': remove it",
    ])
    expect(mistakes({ writer: { ...base, tiers: { [`${'x'.repeat(250)}`]: { value: 5 } } } })).toHaveLength(1)
  })

  test('leave the mistakes of others where they were', () => {
    expect(mistakes({ writer: { name: 'Writer', trigger: 'metric', metric: 'words' } })).toEqual([
      'achievements.writer.value: is missing; give a number between -1e15 and 1e15',
    ])
  })

  test('are completed as separate achievements are, whatever happens', () => {
    const tiered = rules({ achievements: { writer: { ...WRITER, eventAttributes: { source: 'app' } } } })
    const filtered = Object.entries(SEPARATE).map(([key, each]) => [
      key,
      { ...each, eventAttributes: { source: 'app' } },
    ])
    const separate = rules({ achievements: Object.fromEntries(filtered) })
    let seed = 20_260_310
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    for (let life = 0; life < 60; life += 1) {
      const said = Array.from(
        { length: 15 },
        (_, index): Said => ({
          at: new Date(Date.UTC(2026, 2, 1 + index, next(24))).toISOString(),
          value: next(40) - 10,
          attributes: next(4) === 0 ? {} : { source: 'app' },
        }),
      )
      const names: Record<string, string> = { one: 'writer.bronze', two: 'writer.silver', three: 'writer.gold' }
      const expected = [...given(separate, said).state.completions].map(([key, completion]) => [names[key], completion])
      expect([...given(tiered, said).state.completions]).toEqual(expected)
    }
  })

  test('are all completed by a jump past them', () => {
    const { changes } = given(rules({ achievements: { writer: WRITER } }), [{ at: '2026-03-10T12:00:00Z', value: 150 }])
    const completed = changes[0]?.flatMap((change) =>
      change.type === 'achievementCompleted' ? [change.achievement] : [],
    )
    expect(completed).toEqual(['writer.bronze', 'writer.silver', 'writer.gold'])
  })
})

describe('What repeats, or is secret', () => {
  test('has mistakes that say what it may be', () => {
    const base = { name: 'Writer', trigger: 'metric', metric: 'words' }
    expect(mistakes({ writer: { ...base, value: 0, repeat: true } })).toEqual([
      'achievements.writer.value: must be above 0 if the achievement repeats, because every multiple of it completes it',
    ])
    expect(mistakes({ writer: { ...base, value: 5, repeat: { max: 1 } } })).toEqual([
      'achievements.writer.repeat.max: must be a whole number from 2, not 1',
    ])
    expect(mistakes({ writer: { ...base, value: 5, repeat: 3 } })).toEqual([
      'achievements.writer.repeat: must be true, false or { max: 10 }',
    ])
    expect(mistakes({ writer: { ...base, value: 5, secret: { name: '' } } })).toEqual([
      "achievements.writer.secret.name: must be a string that is not empty, not ''",
    ])
  })

  test('is stored only where it is so', () => {
    const base = { name: 'Writer', trigger: 'metric', metric: 'words', value: 5 } as const
    const metrics = { words: { name: 'Words' } }
    const plain = defineGame({ metrics, achievements: { writer: base } })
    const off = defineGame({ metrics, achievements: { writer: { ...base, repeat: false, secret: false } } })
    expect(off.fingerprint).toBe(plain.fingerprint)
    const on = defineGame({ metrics, achievements: { writer: { ...base, repeat: { max: 3 }, secret: true } } })
    expect(defineGame(on.definition).fingerprint).toBe(on.fingerprint)
    expect(on.rules.achievements.get('writer')).toMatchObject({ most: 3, secret: '???' })
  })
})
