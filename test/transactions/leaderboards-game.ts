import type { GameDefinition } from '../../src/index.ts'

/** `top` ranks three; `limit`: how many rank on the others. */
function boardsWith(limit: number | null): GameDefinition {
  const words = { rankBy: 'metric', metric: 'words', start: '2026-01-01' } as const
  return {
    metrics: { words: { name: 'Words' } },
    userAttributes: ['country'],
    points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 3 }] } },
    leaderboards: {
      all: { name: 'All', ...words, maxParticipants: limit },
      top: { name: 'Top', ...words, maxParticipants: 3 },
      country: { name: 'By country', ...words, breakdown: ['country'], maxParticipants: limit },
      xp: { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-01-01', maxParticipants: limit },
    },
  }
}

/** Three of the four have no limit. */
export const BOARDS: GameDefinition = boardsWith(null)
