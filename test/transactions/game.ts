import type { GameDefinition } from '../../src/index.ts'

/** Something of everything that a call can change or be refused for. */
export const GAME = {
  metrics: {
    words: { name: 'Words' },
    laps: { name: 'Laps' },
    hints: { name: 'Hints' },
    old: { name: 'Old', status: 'archived' },
    sets: {
      name: 'Sets',
      limits: [
        { value: 10, per: { days: 1 }, then: 'hold' },
        { value: 20, per: { days: 2 }, then: 'refuse' },
      ],
    },
  },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 },
    hundred: { name: 'Hundred', trigger: 'metric', metric: 'words', value: 100 },
    joined: { name: 'Joined', trigger: 'api' },
    pro: { name: 'Pro', trigger: 'api', userAttributes: { plan: 'pro' } },
    closed: { name: 'Closed', trigger: 'api', status: 'locked' },
    both: { name: 'Both', trigger: 'achievement', achievements: ['joined', 'hundred'] },
    'three-days': { name: 'Three days', trigger: 'streak', length: 3 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'user_creation', points: 20 },
        { type: 'metric', metric: 'words', threshold: 10, points: 1 },
        { type: 'metric', metric: 'hints', threshold: 1, points: -15, blockIfOutOfPoints: true },
        { type: 'achievement', achievement: 'hundred', points: 50 },
        { type: 'streak', length: 3, points: 5 },
      ],
      levels: {
        bronze: { name: 'Bronze', points: 0 },
        silver: { name: 'Silver', points: 25 },
        gold: { name: 'Gold', points: 70 },
      },
    },
  },
  streak: { frequency: 'daily', metrics: { words: { threshold: 5 } }, customization: true },
} as const satisfies GameDefinition

export const TENANTS_GAME: GameDefinition = { ...GAME, multiTenant: true }
