import { describe, expect, test } from 'vitest'
import { GamificationError } from '../../src/errors.ts'
import { readDefinition } from '../../src/game/read-definition.ts'

function mistakesIn(definition: unknown): readonly string[] {
  try {
    readDefinition(definition)
  } catch (error) {
    if (error instanceof GamificationError)
      return (error.issues ?? []).map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

const metrics = { words: { name: 'Words' }, laps: { name: 'Laps', status: 'archived' } }
const streaks = { gym: { frequency: 'weekly', metrics: { words: {} } } }
const tour = { name: 'Tour', trigger: 'api' }
const week = { name: 'Week', trigger: 'streak', length: 7 }
const streakTrigger = { type: 'streak', length: 7, points: 10 }
const streakBoard = { name: 'Streaks', rankBy: 'streak', start: '2026-01-01' }

const withAchievements = (achievements: object): unknown => ({ metrics, achievements })
const withTrigger = (trigger: object, achievements: object = {}): unknown => ({
  metrics,
  achievements,
  points: { xp: { name: 'XP', triggers: [trigger] } },
})

const refused: readonly (readonly [definition: unknown, mistake: string])[] = [
  [
    withAchievements({ week }),
    "achievements.week.trigger: needs the game's `streak`, which it does not have; add `streak`",
  ],
  [
    withAchievements({ keeper: { name: 'Keeper', trigger: 'streak', tiers: { bronze: { length: 7 } } } }),
    "achievements.keeper.trigger: needs the game's `streak`, which it does not have; add `streak`",
  ],
  [
    { metrics, streaks, achievements: { week } },
    "achievements.week.trigger: needs the game's `streak`, which it does not have; add `streak`, or name one of `streaks` in the property `streak`",
  ],
  [
    withTrigger(streakTrigger),
    "points.xp.triggers[0].type: needs the game's `streak`, which it does not have; add `streak`",
  ],
  [
    { metrics, streaks, points: { xp: { name: 'XP', triggers: [streakTrigger] } } },
    "points.xp.triggers[0].type: needs the game's `streak`, which it does not have; add `streak`, or name one of `streaks` in the property `streak`",
  ],
  [
    { metrics, leaderboards: { longest: streakBoard } },
    "leaderboards.longest.rankBy: needs the game's `streak`, which it does not have; add `streak`",
  ],
  [
    { metrics, streaks, leaderboards: { longest: streakBoard } },
    "leaderboards.longest.rankBy: needs the game's `streak`, which it does not have; add `streak`, or name one of `streaks` in the property `streak`",
  ],
  [
    { metrics, points: { xp: { name: 'XP', maxPoints: 100, levels: { gold: { name: 'Gold', points: 101 } } } } },
    'points.xp.levels.gold.points: is above maxPoints, which is 100, so no user can reach the level; lower it, or raise maxPoints',
  ],
  [
    withAchievements({
      tour: { ...tour, status: 'locked' },
      all: { name: 'All', trigger: 'achievement', achievements: ['tour'] },
    }),
    "achievements.all.achievements[0]: 'tour' is locked, so no user can complete it; remove it here, or give this achievement a status other than 'active'",
  ],
  [
    withAchievements({
      tour: { ...tour, status: 'inactive' },
      all: { name: 'All', trigger: 'achievement', achievements: ['tour'] },
    }),
    "achievements.all.achievements[0]: 'tour' is inactive, so no user can complete it; remove it here, or give this achievement a status other than 'active'",
  ],
  [
    withAchievements({
      writer: { name: 'Writer', trigger: 'metric', metric: 'words', tiers: { bronze: { value: 1 } }, status: 'locked' },
      all: { name: 'All', trigger: 'achievement', achievements: ['writer.bronze'] },
    }),
    "achievements.all.achievements[0]: 'writer.bronze' is locked, so no user can complete it; remove it here, or give this achievement a status other than 'active'",
  ],
  [
    withAchievements({ runner: { name: 'Runner', trigger: 'metric', metric: 'laps', value: 10 } }),
    "achievements.runner.metric: 'laps' is archived, so it has no more events; give this achievement a status other than 'active'",
  ],
  [
    withTrigger({ type: 'user_creation', points: 0 }),
    'points.xp.triggers[0].points: is 0, so the trigger would do nothing; give a number above or below 0',
  ],
  [
    withTrigger({ type: 'time', every: { days: 1 }, points: 0 }),
    'points.xp.triggers[0].points: is 0, so the trigger would do nothing; give a number above or below 0',
  ],
  [
    withTrigger({ type: 'user_creation', points: 11, cap: { points: 10, per: 'day' } }),
    'points.xp.triggers[0].points: is above the cap of this trigger, which is 10, so it is never paid in full; give at most 10, or raise the cap',
  ],
]

const accepted: readonly (readonly [what: string, definition: unknown])[] = [
  [
    'achievements, triggers and leaderboards by a named streak alone',
    {
      metrics,
      streaks,
      achievements: { week: { ...week, streak: 'gym' } },
      points: { xp: { name: 'XP', triggers: [{ ...streakTrigger, streak: 'gym' }] } },
      leaderboards: { longest: { ...streakBoard, streak: 'gym' } },
    },
  ],
  [
    'achievements, triggers and leaderboards by the streak',
    {
      metrics,
      streak: { frequency: 'daily', metrics: { words: {} } },
      achievements: { week },
      points: { xp: { name: 'XP', triggers: [streakTrigger] } },
      leaderboards: { longest: streakBoard },
    },
  ],
  [
    'a level that needs the most points',
    { metrics, points: { xp: { name: 'XP', maxPoints: 100, levels: { gold: { name: 'Gold', points: 100 } } } } },
  ],
  [
    'a trigger that pays just its cap',
    withTrigger({ type: 'user_creation', points: 10, cap: { points: 10, per: 'day' } }),
  ],
  [
    'a composite that is locked as one of its achievements is',
    withAchievements({
      tour: { ...tour, status: 'locked' },
      all: { name: 'All', trigger: 'achievement', achievements: ['tour'], status: 'locked' },
    }),
  ],
  [
    'a trigger on a locked achievement, which pays again when it is unlocked',
    withTrigger({ type: 'achievement', achievement: 'tour', points: 1 }, { tour: { ...tour, status: 'locked' } }),
  ],
  [
    'a locked achievement of an archived metric, whose holders keep it',
    withAchievements({ runner: { name: 'Runner', trigger: 'metric', metric: 'laps', value: 10, status: 'locked' } }),
  ],
  [
    'a trigger on an archived metric, which pays again when the metric is active',
    withTrigger({ type: 'metric', metric: 'laps', threshold: 1, points: 1 }),
  ],
]

describe('A part that could never do anything is refused', () => {
  for (const [definition, mistake] of refused) {
    test(mistake, () => expect(mistakesIn(definition)).toEqual([mistake]))
  }
})

describe('A game may have', () => {
  test.each(accepted)('%s', (_, definition) => expect(mistakesIn(definition)).toEqual([]))
})
