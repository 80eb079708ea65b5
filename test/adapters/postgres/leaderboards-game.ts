import type { GameDefinition } from '../../../src/index.ts'

/** How many rank on the leaderboard `top`. */
const TOP = 25

/** A leaderboard without a limit, one with, one with groups and weeks, and one of points. */
export const BOARDS: GameDefinition = {
  metrics: { words: { name: 'Words' }, hints: { name: 'Hints' } },
  userAttributes: ['country'],
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 10, points: 3 },
        { type: 'metric', metric: 'hints', threshold: 1, points: -2 },
      ],
    },
  },
  leaderboards: {
    all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: TOP },
    weekly: {
      name: 'By country and week',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-05',
      run: { unit: 'day', interval: 7 },
      breakdown: ['country'],
      maxParticipants: null,
    },
    xp: { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-01-01', maxParticipants: null },
  },
}
