import { type DefinedGame, defineGame } from '../../src/game/define-game.ts'

/** A small game that has something of everything, for a demo without a game of one's own. */
export function demoGame(multiTenant: boolean): DefinedGame {
  return defineGame({
    multiTenant,
    metrics: { lessons: { name: 'Lessons finished' }, minutes: { name: 'Minutes practised' } },
    userAttributes: ['plan'],
    eventAttributes: ['source'],
    achievements: {
      'first-lesson': { name: 'First lesson', trigger: 'metric', metric: 'lessons', value: 1 },
      'fifty-lessons': { name: 'Fifty lessons', trigger: 'metric', metric: 'lessons', value: 50 },
      'on-the-road': {
        name: 'On the road',
        trigger: 'metric',
        metric: 'lessons',
        value: 10,
        eventAttributes: { source: 'mobile' },
      },
      'week-in-a-row': { name: 'A week in a row', trigger: 'streak', length: 7 },
      'month-in-a-row': { name: 'A month in a row', trigger: 'streak', length: 30 },
      'all-rounder': { name: 'All-rounder', trigger: 'achievement', achievements: ['fifty-lessons', 'week-in-a-row'] },
    },
    points: {
      xp: {
        name: 'XP',
        triggers: [
          { type: 'user_creation', points: 20 },
          { type: 'metric', metric: 'lessons', threshold: 1, points: 10 },
          { type: 'metric', metric: 'minutes', threshold: 60, points: 15 },
          { type: 'streak', length: 7, points: 50 },
        ],
        levels: {
          bronze: { name: 'Bronze', points: 0 },
          silver: { name: 'Silver', points: 300 },
          gold: { name: 'Gold', points: 1_000 },
        },
      },
    },
    streak: {
      frequency: 'daily',
      metrics: { lessons: {} },
      freezes: { initial: 1, max: 2, autoEarn: { interval: 7, amount: 1 } },
    },
    leaderboards: {
      weekly: {
        name: 'This week',
        rankBy: 'metric',
        metric: 'lessons',
        start: '2024-01-01',
        run: { unit: 'day', interval: 7 },
      },
      'all-time': { name: 'All time', rankBy: 'points', system: 'xp', start: '2024-01-01' },
    },
  })
}
