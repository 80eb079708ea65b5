import { type DefinedGame, defineGame } from 'laurels'

/** A game for people who write. */
export const game: DefinedGame<
  'words',
  'first' | 'thousand' | 'novelist' | 'week',
  'xp',
  'all',
  never,
  never,
  never,
  never,
  false,
  'daily'
> = defineGame({
  metrics: { words: { name: 'Words written' } },
  achievements: {
    first: { name: 'First words', trigger: 'metric', metric: 'words', value: 1 },
    thousand: { name: 'A thousand words', trigger: 'metric', metric: 'words', value: 1_000 },
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50_000 },
    week: { name: 'A week in a row', trigger: 'streak', length: 7 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 100, points: 10 }],
      levels: { writer: { name: 'Writer', points: 0 }, author: { name: 'Author', points: 100 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: { threshold: 100 } } },
  leaderboards: { all: { name: 'Writers', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
  challenges: {
    daily: {
      name: 'A thousand in a day',
      every: 'day',
      of: [{ metric: 'words', value: 1_000 }],
      claim: { within: { days: 1 } },
      reward: { points: { xp: 50 } },
    },
  },
  clients: { events: { words: { max: 2_000 } }, challenges: ['daily'] },
})
