// A version keeps the scores of a leaderboard that is changed. It may never change for the same definition.

import { describe, expect, test } from 'vitest'
import { defineGame, type GameDefinition } from '../../src/index.ts'

type Board = NonNullable<GameDefinition['leaderboards']>[string]

const base = {
  metrics: {
    words: { name: 'Words' },
    pages: { name: 'Pages' },
    laps: { name: 'Laps', aggregation: 'min' },
    best: { name: 'Best', aggregation: 'max' },
    cities: { name: 'Cities', aggregation: 'distinct', of: 'city' },
  },
  eventAttributes: ['city'],
  points: { xp: { name: 'XP', triggers: [] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  streaks: {
    gym: { frequency: 'weekly', metrics: { pages: {} } },
    rest: { frequency: 'monthly', metrics: { pages: {} } },
  },
} as const satisfies GameDefinition

const words = { name: 'Board', rankBy: 'metric', metric: 'words', start: '2026-01-01' } as const
const streak = { name: 'Board', rankBy: 'streak', start: '2026-01-01' } as const

function versionOf(board: Board, changes: Partial<GameDefinition> = {}): string | undefined {
  const definition = { ...base, ...changes, leaderboards: { board } } as GameDefinition
  return defineGame(definition).rules.leaderboards.get('board')?.version
}

const BOARDS: readonly (readonly [what: string, version: string, board: Board, changes?: Partial<GameDefinition>])[] = [
  ['of a metric', '075480cc', words],
  ['of another metric', 'cc1d76b1', { ...words, metric: 'pages' }],
  ['of a least value', '82d222be', { ...words, metric: 'laps' }],
  ['of a least value, the highest first', '8a275af6', { ...words, metric: 'laps', order: 'highest' }],
  ['of a largest value', 'bc278755', { ...words, metric: 'best' }],
  ['of different values', 'a43ce5f8', { ...words, metric: 'cities' }],
  ['of a sum, the lowest first', '000c52f5', { ...words, order: 'lowest' }],
  ['of points', 'fd70fc1d', { name: 'Board', rankBy: 'points', system: 'xp', start: '2026-01-01' }],
  ['with a time to start', '2812d005', { ...words, startTime: '08:00' }],
  ['with runs', 'c89ae182', { ...words, run: { unit: 'week' } }],
  ['with longer runs', 'e9a16c01', { ...words, run: { unit: 'month', interval: 2 } }],
  ['of the streak', '42be1b27', streak],
  ['of a weekly streak', 'c82d5665', streak, { streak: { frequency: 'weekly', metrics: { words: {} } } }],
  [
    'of a weekly streak from Sunday on',
    'b99ac19e',
    streak,
    { weekStartsOn: 'sunday', streak: { frequency: 'weekly', metrics: { words: {} } } },
  ],
  ['of a named streak', 'c395c391', { ...streak, streak: 'gym' }],
  ['of another named streak', 'd6be7b10', { ...streak, streak: 'rest' }],
]

describe('The version of a leaderboard', () => {
  for (const [what, version, board, changes] of BOARDS) {
    test(`${what} is ${version}`, () => expect(versionOf(board, changes)).toBe(version))
  }
})
