import { describe, expect, test } from 'vitest'
import { checkPlaces, readGameDefinition } from '../../src/api/operate/game-definition.ts'
import { type GamificationError, isGamificationError } from '../../src/errors.ts'

/*
 * Definitions that come over HTTP: a refusal is short whatever was sent, and a game may not cost too much to replay.
 */

const MOST_BYTES = 16 * 1_024

async function refusalOf(definition: unknown): Promise<GamificationError> {
  try {
    await readGameDefinition(definition)
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
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
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
    test.each(Object.entries(shapes))(`for %s of ${what}`, async (_, make) => {
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
        const { message, issues } = await refusalOf(merged)
        const bytes = Buffer.byteLength(JSON.stringify({ error: message, code: 'invalid_game', issues }))
        expect(bytes).toBeLessThan(MOST_BYTES)
        expect(message).not.toBe('')
      }
    })
  }

  test('for a single name of megabytes', async () => {
    const { message, issues } = await refusalOf({ metrics: { ['k'.repeat(3_840_000)]: 1 } })
    expect(message).toBe(
      `The game has mistakes: metrics["${'k'.repeat(57)}…"]: has a key that is empty or longer than 255 characters; rename it`,
    )
    expect(issues).toHaveLength(1)
  })
})

describe('Composites that need themselves', () => {
  test('are refused with the first ten of a long cycle', async () => {
    expect((await refusalOf(ring(400))).issues).toEqual([
      {
        path: 'achievements.k0.achievements',
        message:
          "can never be completed, for it needs itself: 'k0' → 'k1' → 'k2' → 'k3' → 'k4' → 'k5' → 'k6' → 'k7' → 'k8' → 'k9' → 390 more → 'k0'",
      },
    ])
  })
})

describe('A definition over HTTP may weigh 1,000', () => {
  test('and no more', async () => {
    expect((await readGameDefinition(triggers(998))).definition.points.xp?.triggers).toHaveLength(998)
    expect((await refusalOf(triggers(999))).message).toBe(
      'The game weighs 1001; over HTTP a definition may weigh at most 1000. A rule weighs 1, a daily streak 6, a time trigger 3 for each time in a day; see the page "The game as a whole". Call whatIf() or apply() in-process, or use the command line, which have no such limit.',
    )
  })

  test('and have 20,000 values', async () => {
    const attributes = (count: number): unknown => ({ metrics, userAttributes: numbers(count) })
    expect((await refusalOf(attributes(19_995))).message).not.toContain('values')
    expect((await refusalOf(attributes(19_996))).message).toBe(
      'The definition has more than 20000 values, the most that one may have over HTTP. Call whatIf() or apply() in-process, or use the command line, which have no such limit.',
    )
  })
})

describe('A what-if over HTTP keeps 500,000 places on leaderboards', () => {
  const board = { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' }
  const open = () => readGameDefinition({ metrics, leaderboards: numbered(50, (index) => [`b${index}`, board]) })

  test('of 10,000 users on 50 leaderboards', async () => {
    const game = await open()
    expect(() => checkPlaces(game, 10_000)).not.toThrow()
  })

  test('and of no more', async () => {
    const game = await open()
    expect(() => checkPlaces(game, 10_001)).toThrow(
      "50 leaderboards and 10001 users have more than 500000 places, the most that a what-if keeps over HTTP. Pass 'sample' or 'users', or call whatIf() in-process.",
    )
  })
})
