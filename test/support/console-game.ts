import type { GameDefinition } from '../../src/index.ts'

/** A game that has something of everything that the pages of rules show. */
export const RICH_GAME = {
  metrics: {
    words: { name: 'Words written' },
    chapters: { name: 'Chapters', limits: [{ value: 50, per: { days: 1 }, then: 'hold' }] },
    comments: { name: 'Comments' },
  },
  userAttributes: ['plan'],
  eventAttributes: ['genre'],
  achievements: {
    'first-words': { name: 'First words', trigger: 'metric', metric: 'words', value: 1 },
    writer: {
      name: 'Writer',
      trigger: 'metric',
      metric: 'words',
      tiers: { bronze: { value: 1_000 }, silver: { value: 10_000 }, gold: { value: 50_000 } },
    },
    novelist: { name: 'Novelist', description: 'A whole novel', trigger: 'metric', metric: 'chapters', value: 30 },
    'week-in-a-row': { name: 'A week in a row', trigger: 'streak', length: 7 },
    'month-in-a-row': { name: 'A month in a row', trigger: 'streak', length: 30 },
    questor: { name: 'Questor', trigger: 'metric', metric: 'challenge:daily', value: 20 },
    'joined-a-club': { name: 'Joined a writing club', trigger: 'api', repeat: true },
    helpful: {
      name: 'Helpful',
      trigger: 'metric',
      metric: 'comments',
      value: 20,
      secret: { name: 'Somebody is glad' },
    },
    'all-rounder': {
      name: 'All-rounder',
      trigger: 'achievement',
      achievements: ['writer.silver', 'week-in-a-row', 'helpful'],
    },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'user_creation', points: 20 },
        { type: 'metric', metric: 'words', threshold: 100, points: 10 },
        { type: 'achievement', achievement: 'novelist', points: 500 },
        { type: 'streak', length: 7, points: 50 },
      ],
      levels: {
        bronze: { name: 'Bronze', points: 0 },
        silver: { name: 'Silver', points: 300 },
        gold: { name: 'Gold', points: 1_000 },
      },
    },
    coins: {
      name: 'Coins',
      spendable: true,
      expires: { after: { months: 12 } },
      triggers: [{ type: 'metric', metric: 'chapters', threshold: 1, points: 5 }],
    },
    karma: {
      name: 'Karma',
      maxPoints: 1_000,
      triggers: [
        { type: 'metric', metric: 'comments', threshold: 1, points: 2 },
        { type: 'time', every: { days: 7 }, points: -1 },
      ],
    },
  },
  rewards: {
    freeze: { name: 'A freeze', cost: { coins: 5 }, gives: { freezes: 1 } },
    mug: { name: 'A mug', cost: { coins: 200 }, stock: 20, perUser: 1 },
  },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 1, max: 2 } },
  streaks: { reviews: { frequency: 'weekly', metrics: { comments: { threshold: 3 } } } },
  challenges: {
    daily: {
      name: 'Daily quests',
      description: 'Three small tasks',
      every: 'day',
      pick: 2,
      rerolls: 1,
      pool: {
        words: { name: '200 words', of: [{ metric: 'words', value: 200 }], reward: { points: { xp: 10 } } },
        comments: { name: 'Two comments', of: [{ events: 'comments', count: 2 }], reward: { points: { karma: 3 } } },
        both: {
          name: 'Words and a comment',
          inOrder: true,
          of: [
            { metric: 'words', value: 50 },
            { events: 'comments', count: 1 },
          ],
          reward: { freezes: 1 },
        },
      },
    },
    november: {
      name: 'Novel in a month',
      start: '2024-11-01',
      end: '2024-11-30',
      of: [{ metric: 'words', value: 50_000 }],
      reward: { points: { xp: 500 }, boost: { system: 'xp', name: 'November', multiplier: 2, days: 7 } },
    },
    sprint: {
      name: 'A sprint of a week',
      enrol: 'manual',
      within: { days: 7 },
      claim: { within: { days: 2 } },
      of: [{ metric: 'words', value: 5_000 }],
      reward: { achievement: 'joined-a-club', points: { xp: 100 } },
    },
  },
  leaderboards: {
    weekly: {
      name: 'This week',
      rankBy: 'metric',
      metric: 'words',
      start: '2024-01-01',
      run: { unit: 'day', interval: 7 },
    },
    'by-plan': { name: 'By plan', rankBy: 'points', system: 'xp', start: '2024-01-01', breakdown: ['plan'] },
    streaks: { name: 'Longest streaks', rankBy: 'streak', start: '2024-01-01' },
  },
} as const satisfies GameDefinition

/** The pages of rules and of operation, each as the address below the console's. */
export const MORE_PAGES: readonly string[] = [
  'achievements',
  'achievements/writer.silver',
  'achievements/joined-a-club',
  'challenges',
  'challenges/daily',
  'challenges/sprint',
  'leaderboards',
  'leaderboards/weekly',
  'leaderboards/by-plan',
  'rewards',
  'game',
  'game?tab=definition',
  'game?tab=older',
  'what-if',
  'integrity',
  'keys',
  'outbox',
]
