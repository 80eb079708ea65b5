import { defineGame } from '../../../src/game/define-game.ts'
import { raceDefinition } from '../../support/race-game.ts'

/** Several points systems, levels that come and go, and achievements of every kind that many users complete. */
export const racesGame = defineGame({
  ...raceDefinition,
  eventAttributes: ['source'],
  streak: { frequency: 'daily', metrics: { words: {} } },
  achievements: {
    ...raceDefinition.achievements,
    mobile: { name: 'Mobile', trigger: 'metric', metric: 'words', value: 40, eventAttributes: { source: 'mobile' } },
    runner: { name: 'Runner', trigger: 'metric', metric: 'laps', value: 1 },
    steady: { name: 'Steady', trigger: 'streak', length: 3 },
  },
  points: {
    ...raceDefinition.points,
    gems: {
      name: 'Gems',
      maxPoints: 60,
      triggers: [
        { type: 'user_creation', points: 20 },
        { type: 'metric', metric: 'words', threshold: 7, points: 3 },
        { type: 'metric', metric: 'laps', threshold: 1, points: -12 },
        { type: 'metric', metric: 'words', threshold: 20, points: 4, eventAttributes: { source: 'mobile' } },
      ],
      levels: { some: { name: 'Some', points: 10 }, many: { name: 'Many', points: 40 } },
    },
    karma: {
      name: 'Karma',
      triggers: [
        { type: 'achievement', achievement: 'first', points: 1 },
        { type: 'achievement', achievement: 'joined', points: 2 },
        { type: 'achievement', achievement: 'steady', points: 4 },
      ],
      levels: { kind: { name: 'Kind', points: 1 }, kinder: { name: 'Kinder', points: 4 } },
    },
  },
})
