import { defineGame } from '../../src/game/define-game.ts'

/** Something of everything that a save can touch, and nothing that refuses an event. */
export const crashGame = defineGame({
  metrics: { words: { name: 'Words' }, hints: { name: 'Hints' } },
  eventAttributes: ['source', 'note', 'more', 'rest'],
  achievements: {
    first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 },
    hundred: { name: 'Hundred', trigger: 'metric', metric: 'words', value: 100 },
    thousand: { name: 'Thousand', trigger: 'metric', metric: 'words', value: 1_000 },
    mobile: { name: 'Mobile', trigger: 'metric', metric: 'words', value: 50, eventAttributes: { source: 'mobile' } },
    'three-days': { name: 'Three days', trigger: 'streak', length: 3 },
    'ten-days': { name: 'Ten days', trigger: 'streak', length: 10 },
    steady: { name: 'Steady', trigger: 'achievement', achievements: ['hundred', 'ten-days'] },
  },
  points: {
    xp: {
      name: 'XP',
      maxPoints: 100_000,
      triggers: [
        { type: 'user_creation', points: 20 },
        { type: 'metric', metric: 'words', threshold: 10, points: 1 },
        { type: 'metric', metric: 'hints', threshold: 1, points: -15 },
        { type: 'achievement', achievement: 'steady', points: 200 },
        { type: 'streak', length: 3, points: 5 },
      ],
      levels: {
        bronze: { name: 'Bronze', points: 0 },
        silver: { name: 'Silver', points: 100 },
        gold: { name: 'Gold', points: 300 },
      },
    },
  },
  streak: { frequency: 'daily', metrics: { words: { threshold: 5 } } },
})

export type CrashGame = typeof crashGame
