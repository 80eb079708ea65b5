import { type DefinedGame, defineGame } from 'laurels'

/** A game for the readers of a library. */
export const game: DefinedGame<'pages', 'first-page' | 'bookworm' | 'week-in-a-row' | 'joined-a-club', 'xp'> =
  defineGame({
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
    streak: { frequency: 'daily', metrics: { pages: { threshold: 5 } } },
  })
