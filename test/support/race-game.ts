import { defineGame } from '../../src/game/define-game.ts'

/** The definition that events race under; a test may change a copy of it. */
export const raceDefinition = {
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  userAttributes: Array.from({ length: 32 }, (_, index) => `a${index}`),
  achievements: {
    first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 },
    hundred: { name: 'Hundred', trigger: 'metric', metric: 'words', value: 100 },
    'three-hundred': { name: 'Three hundred', trigger: 'metric', metric: 'words', value: 300 },
    joined: { name: 'Joined', trigger: 'api' },
    both: { name: 'Both', trigger: 'achievement', achievements: ['joined', 'hundred'] },
    week: { name: 'Week', trigger: 'streak', length: 7 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'user_creation', points: 7 },
        { type: 'metric', metric: 'words', threshold: 10, points: 5 },
        { type: 'achievement', achievement: 'hundred', points: 100 },
        { type: 'achievement', achievement: 'both', points: 1000 },
        { type: 'streak', length: 7, points: 50 },
      ],
      levels: { silver: { name: 'Silver', points: 100 }, gold: { name: 'Gold', points: 1000 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
} as const

export const raceGame = defineGame(raceDefinition)
