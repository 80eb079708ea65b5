import { describe, expect, test } from 'vitest'
import { readGameDefinition } from '../../src/api/operate/game-definition.ts'
import { type GamificationError, isGamificationError } from '../../src/errors.ts'

/*
 * Definitions that come over HTTP: a refusal is short whatever was sent, and a game may not cost too much to replay.
 */

const MOST_BYTES = 16 * 1_024

function refusalOf(definition: unknown): GamificationError {
  try {
    readGameDefinition(definition)
  } catch (error) {
    if (isGamificationError(error)) return error
    throw error
  }
  throw new Error('The definition is accepted.')
}

const metrics = { words: { name: 'Words' } }
const numbered = <Value>(count: number, make: (index: number) => readonly [string, Value]): Record<string, Value> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)))
const composite = (...achievements: readonly string[]): object => ({ name: 'C', trigger: 'achievement', achievements })
const ring = (size: number): unknown => ({
  metrics,
  achievements: numbered(size, (index) => [`k${index}`, composite(`k${(index + 1) % size}`)]),
})
const triggers = (count: number): unknown => ({
  metrics,
  points: { xp: { name: 'XP', triggers: Array.from({ length: count }, () => ({ type: 'user_creation', points: 1 })) } },
})

describe('A refusal has less than 16 KB', () => {
  /** Texts that JSON makes long, and names that look alike. */
  const texts = { letters: 'k', accents: 'é', emoji: '🏆', controls: '\u0001', quotes: '"', nulls: '\u0000' }
  const shapes: { readonly [shape: string]: (text: string, index: number) => unknown } = {
    'names of metrics': (text, index) => ({ metrics: { ...metrics, [text + index]: 1 } }),
    'unknown properties': (text, index) => ({ metrics, [text + index]: 1 }),
    'unknown metrics': (text, index) => ({
      metrics,
      achievements: { [`${text}${index}`]: { name: 'A', trigger: 'metric', metric: text, value: 1 } },
    }),
    'wrong words': (text, index) => ({ metrics, achievements: { [`${text}${index}`]: { name: 'A', trigger: text } } }),
    'parts of composites': (text, index) => ({ metrics, achievements: { [`${text}${index}`]: composite(text) } }),
    'filters of triggers': (text, index) => ({
      metrics,
      points: {
        [text + index]: { name: 'X', triggers: [{ type: 'user_creation', points: 1, userAttributes: { [text]: '' } }] },
      },
    }),
  }
  for (const [what, letter] of Object.entries(texts)) {
    test.each(Object.entries(shapes))(`for %s of ${what}`, (_, make) => {
      for (const [length, count] of [
        [250, 300],
        [60_000, 4],
      ] as const) {
        const parts = Array.from({ length: count }, (_, index) => make(letter.repeat(length), index) as object)
        const merged: Record<string, object> = {}
        for (const part of parts) {
          for (const [key, value] of Object.entries(part)) {
            merged[key] = typeof value === 'object' ? { ...merged[key], ...value } : value
          }
        }
        const { message, issues } = refusalOf(merged)
        const bytes = Buffer.byteLength(JSON.stringify({ error: message, code: 'invalid_game', issues }))
        expect(bytes).toBeLessThan(MOST_BYTES)
        expect(message).not.toBe('')
      }
    })
  }

  test('for a single name of megabytes', () => {
    const { message, issues } = refusalOf({ metrics: { ['k'.repeat(3_840_000)]: 1 } })
    expect(message).toBe(
      `The game has mistakes: metrics["${'k'.repeat(57)}…"]: has a key that is empty or longer than 255 characters; rename it`,
    )
    expect(issues).toHaveLength(1)
  })
})

describe('Composites that need themselves', () => {
  test('are refused with the first ten of a long cycle', () => {
    expect(refusalOf(ring(1_500)).issues).toEqual([
      {
        path: 'achievements.k0.achievements',
        message:
          "can never be completed, for it needs itself: 'k0' → 'k1' → 'k2' → 'k3' → 'k4' → 'k5' → 'k6' → 'k7' → 'k8' → 'k9' → 1490 more → 'k0'",
      },
    ])
  })
})

describe('A definition over HTTP may have 2,000 rules that a replay pays for', () => {
  test('and no more', () => {
    expect(readGameDefinition(triggers(2_000)).definition.points.xp?.triggers).toHaveLength(2_000)
    expect(refusalOf(triggers(2_001)).message).toBe(
      'The game has 2001 triggers, leaderboards, streaks, boosts, criteria and parts of composite achievements; over HTTP a definition may have at most 2000 together. Call whatIf() or apply() in-process, or use the command line, which have no such limit.',
    )
  })

  test.each([
    ['leaderboards', { leaderboards: numbered(2_001, (index) => [`b${index}`, {}]) }],
    ['streaks', { streaks: numbered(2_001, (index) => [`s${index}`, {}]) }],
    ['boosts', { points: { xp: { boosts: numbered(2_001, (index) => [`b${index}`, {}]) } } }],
    ['parts of composites', { achievements: { all: composite(...Array.from({ length: 2_001 }, () => 'a')) } }],
    ['criteria', { achievements: { all: { of: Array.from({ length: 2_001 }, () => ({})) } } }],
    [
      'windows',
      { achievements: { one: { of: [{}] }, ...numbered(200, (index) => [`k${index}`, { within: { days: 31 } }]) } },
    ],
    [
      'all kinds together',
      {
        streak: {},
        streaks: numbered(500, (index) => [`s${index}`, {}]),
        leaderboards: numbered(500, (index) => [`b${index}`, {}]),
        achievements: { all: composite(...Array.from({ length: 500 }, () => 'a')) },
        points: {
          xp: {
            triggers: Array.from({ length: 250 }, () => ({})),
            boosts: numbered(250, (index) => [`b${index}`, {}]),
          },
        },
      },
    ],
  ])('which are counted of %s, whatever their shape', (_, parts) => {
    expect(refusalOf({ metrics, ...parts }).message).toContain('The game has 2001 triggers, leaderboards')
  })
})
