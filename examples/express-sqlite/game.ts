import { type DefinedGame, defineGame } from 'laurels'

/** A game for the readers of a library. */
export const game: DefinedGame<
  'pages',
  'first-page' | 'bookworm' | 'week-in-a-row' | 'joined-a-club',
  'xp',
  'week' | 'ever',
  never,
  never,
  'joined-a-club',
  never,
  false,
  'daily' | 'month' | 'tour' | 'sprint'
> = defineGame({
  metrics: { pages: { name: 'Pages read' } },
  achievements: {
    'first-page': { name: 'First page', trigger: 'metric', metric: 'pages', value: 1 },
    bookworm: { name: 'Bookworm', trigger: 'metric', metric: 'pages', value: 1_000 },
    'week-in-a-row': { name: 'A week in a row', trigger: 'streak', length: 7 },
    'joined-a-club': { name: 'Joined a reading club', trigger: 'api' },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'pages', threshold: 10, points: 5 },
        { type: 'achievement', achievement: 'bookworm', points: 200 },
        { type: 'streak', length: 7, points: 50 },
      ],
      levels: {
        visitor: { name: 'Visitor', points: 0 },
        reader: { name: 'Reader', points: 100 },
        scholar: { name: 'Scholar', points: 1_000 },
      },
    },
  },
  challenges: {
    // Three quests a day, whose rewards a reader claims. One of them may be swapped.
    daily: {
      name: 'Daily quests',
      description: 'Three new ones every day',
      every: 'day',
      pick: 3,
      rerolls: 1,
      claim: { within: { days: 2 } },
      pool: {
        ten: { name: 'Read 10 pages', of: [{ metric: 'pages', value: 10 }], reward: { points: { xp: 5 } } },
        thirty: { name: 'Read 30 pages', of: [{ metric: 'pages', value: 30 }], reward: { points: { xp: 15 } } },
        hundred: { name: 'Read 100 pages', of: [{ metric: 'pages', value: 100 }], reward: { points: { xp: 40 } } },
        twice: { name: 'Read twice', of: [{ events: 'pages', count: 2 }], reward: { points: { xp: 10 } } },
        often: { name: 'Read four times', of: [{ events: 'pages', count: 4 }], reward: { freezes: 1 } },
      },
    },
    month: {
      name: 'Pages of the month',
      every: 'month',
      of: [{ metric: 'pages', value: 500 }],
      announce: [0.5],
      reward: { points: { xp: 100 } },
    },
    tour: {
      name: 'Find your way',
      description: 'Log a first page, then read on three days in a row, then 50 pages more',
      inOrder: true,
      of: [
        { events: 'pages', count: 1 },
        { streak: 'streak', length: 3 },
        { metric: 'pages', value: 50 },
      ],
      reward: { points: { xp: 50 } },
    },
    sprint: {
      name: 'Weekly sprint',
      description: '300 pages within seven days of joining',
      enrol: 'manual',
      within: { days: 7 },
      of: [{ metric: 'pages', value: 300 }],
      reward: { points: { xp: 80 } },
    },
  },
  // The writes that the page of a signed-in reader may send.
  clients: { events: { pages: { max: 1_000 } }, challenges: ['daily', 'sprint'], profile: ['tz'] },
  streak: {
    frequency: 'daily',
    metrics: { pages: { threshold: 5 } },
    freezes: { initial: 1, max: 2, autoEarn: { interval: 7, amount: 1 } },
  },
  leaderboards: {
    week: {
      name: 'Readers of the week',
      rankBy: 'metric',
      metric: 'pages',
      start: '2026-01-05',
      run: { unit: 'day', interval: 7 },
    },
    ever: { name: 'Readers of all time', rankBy: 'metric', metric: 'pages', start: '2026-01-01' },
  },
})
