import { defineGame } from '../../src/game/define-game.ts'

export const game = defineGame({
  metrics: { 'words-written': { name: 'Words written' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words-written', value: 50_000 },
    'finish-onboarding': { name: 'Finish onboarding', trigger: 'api' },
    'week-in-a-row': { name: 'A week in a row', trigger: 'streak', length: 7 },
    'all-rounder': { name: 'All-rounder', trigger: 'achievement', achievements: ['novelist', 'week-in-a-row'] },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words-written', threshold: 100, points: 10 },
        { type: 'achievement', achievement: 'novelist', points: 500 },
        { type: 'streak', length: 7, points: 50 },
      ],
      levels: { bronze: { name: 'Bronze', points: 0 }, silver: { name: 'Silver', points: 500 } },
    },
  },
  streak: {
    frequency: 'daily',
    evaluationMode: 'OR',
    metrics: { 'words-written': { threshold: 1 } },
    customization: true,
  },
  leaderboards: {
    'all-time': { name: 'All time', rankBy: 'metric', metric: 'words-written', start: '2026-01-01' },
    weekly: {
      name: 'This week',
      rankBy: 'points',
      system: 'xp',
      start: '2026-01-05',
      run: { unit: 'day', interval: 7 },
    },
  },
})
