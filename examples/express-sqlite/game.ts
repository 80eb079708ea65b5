import { type DefinedGame, defineGame } from 'laurels'

/** A game for the readers of a library. */
export const game: DefinedGame<
  'pages',
  'first-page' | 'bookworm' | 'week-in-a-row' | 'joined-a-club',
  'xp',
  'week' | 'ever'
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
  // The writes that the page of a signed-in reader may send.
  clients: { events: { pages: { max: 1_000 } }, profile: ['tz'] },
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
