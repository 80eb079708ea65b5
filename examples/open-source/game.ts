import { type DefinedGame, defineGame } from 'laurels'

export type OpenSourceGame = DefinedGame<'commits' | 'lines-added', string, 'xp', never, 'project'>

/** A game for people who commit to open-source projects. */
export const game: OpenSourceGame = defineGame({
  metrics: {
    commits: { name: 'Commits' },
    'lines-added': { name: 'Lines added' },
  },
  eventAttributes: ['project'],
  achievements: {
    'first-commit': { name: 'First commit', trigger: 'metric', metric: 'commits', value: 1 },
    'ten-commits': { name: 'Ten commits', trigger: 'metric', metric: 'commits', value: 10 },
    'hundred-commits': { name: 'A hundred commits', trigger: 'metric', metric: 'commits', value: 100 },
    'thousand-commits': { name: 'A thousand commits', trigger: 'metric', metric: 'commits', value: 1_000 },
    'ten-thousand-lines': { name: 'Ten thousand lines', trigger: 'metric', metric: 'lines-added', value: 10_000 },
    'hundred-thousand-lines': {
      name: 'A hundred thousand lines',
      trigger: 'metric',
      metric: 'lines-added',
      value: 100_000,
    },
    'three-days': { name: 'Three days in a row', trigger: 'streak', length: 3 },
    'seven-days': { name: 'A week in a row', trigger: 'streak', length: 7 },
    'thirty-days': { name: 'A month in a row', trigger: 'streak', length: 30 },
    'hono-regular': {
      name: 'Hono regular',
      description: 'Five commits to Hono',
      trigger: 'metric',
      metric: 'commits',
      value: 5,
      eventAttributes: { project: 'hono' },
    },
    'all-rounder': {
      name: 'All-rounder',
      description: 'Much, and steadily',
      trigger: 'achievement',
      achievements: ['ten-commits', 'ten-thousand-lines', 'seven-days'],
    },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'user_creation', points: 10 },
        { type: 'metric', metric: 'commits', threshold: 1, points: 5 },
        { type: 'metric', metric: 'lines-added', threshold: 100, points: 1 },
        { type: 'achievement', achievement: 'all-rounder', points: 500 },
        { type: 'streak', length: 7, points: 50 },
      ],
      levels: {
        newcomer: { name: 'Newcomer', points: 0 },
        contributor: { name: 'Contributor', points: 50 },
        regular: { name: 'Regular', points: 500 },
        maintainer: { name: 'Maintainer', points: 5_000 },
      },
    },
  },
  streak: { frequency: 'daily', metrics: { commits: { threshold: 1 } } },
})
