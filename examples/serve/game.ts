import { defineGame } from 'laurels'

export const game = defineGame({
  metrics: { words: { name: 'Words written' } },
  achievements: { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50_000 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 100, points: 10 }] } },
  streak: { frequency: 'daily', metrics: { words: { threshold: 100 } } },
  leaderboards: {
    weekly: {
      name: 'This week',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-05',
      run: { unit: 'day', interval: 7 },
    },
  },
})
