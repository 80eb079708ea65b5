import { describe, expect, test } from 'vitest'
import { defineGame, isGamificationError } from '../../src/index.ts'

/*
 * Options of a game that contradict each other. `npm run types` checks that the compiler refuses the first list, each
 * at the place of the mistake. The tests show that a caller without types gets the mistake with its path. The second
 * list is what types cannot tell.
 */

function mistakesOf(define: () => unknown): readonly string[] {
  try {
    define()
  } catch (error) {
    if (isGamificationError(error)) return (error.issues ?? []).map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

const metrics = { words: { name: 'Words' }, laps: { name: 'Laps' } } as const
const streak = { frequency: 'daily', metrics: { words: {} } } as const
const streaks = { gym: { frequency: 'weekly', metrics: { laps: {} } } } as const
const tour = { name: 'Tour', trigger: 'api' } as const
const writer = { name: 'Writer', trigger: 'metric', metric: 'words', tiers: { bronze: { value: 10 } } } as const

type Case = readonly [define: () => unknown, mistake: string]

const refusedByTheCompiler: readonly Case[] = [
  [
    () =>
      defineGame({
        metrics,
        // @ts-expect-error caps hold back what users do
        points: { xp: { name: 'XP', triggers: [{ type: 'time', every: { days: 1 }, points: 1, cap: CAP }] } },
      }),
    'points.xp.triggers[0].cap: does not apply to a trigger by time; remove it',
  ],
  [
    () =>
      defineGame({
        metrics,
        // @ts-expect-error so do cooldowns
        points: { xp: { name: 'XP', triggers: [{ type: 'time', every: { days: 1 }, points: 1, cooldown: COOLDOWN }] } },
      }),
    'points.xp.triggers[0].cooldown: does not apply to a trigger by time; remove it',
  ],
  [
    () =>
      defineGame({
        metrics,
        // @ts-expect-error the cap of the system does not apply to it either
        points: { xp: { name: 'XP', triggers: [{ type: 'time', every: { days: 1 }, points: 1, exempt: true }] } },
      }),
    'points.xp.triggers[0].exempt: does not apply to a trigger by time; remove it',
  ],
  [
    () =>
      defineGame({
        metrics,
        points: {
          // @ts-expect-error time takes what there is
          xp: { name: 'XP', triggers: [{ type: 'time', every: { days: 1 }, points: -1, blockIfOutOfPoints: true }] },
        },
      }),
    'points.xp.triggers[0].blockIfOutOfPoints: does not apply to a trigger by time; remove it',
  ],
  [
    () =>
      defineGame({
        metrics,
        // @ts-expect-error one of them
        points: { xp: { name: 'XP', triggers: [{ type: 'time', every: { days: 1, hours: 6 }, points: 1 }] } },
      }),
    'points.xp.triggers[0].every: says both hours and days; give one of them, as { hours: 6 }',
  ],
  [
    () =>
      defineGame({
        metrics,
        // @ts-expect-error it is paid when a user is created
        points: { xp: { name: 'XP', triggers: [{ type: 'user_creation', points: 1, every: { hours: 6 } }] } },
      }),
    "points.xp.triggers[0].every: unknown property 'every'; remove it, or use one of 'key', 'points', 'status', 'userAttributes', 'created', 'updated', 'blockIfOutOfPoints', 'cap', 'cooldown', 'exempt', 'type'",
  ],
  [
    () =>
      defineGame({
        metrics,
        // @ts-expect-error it is completed once
        achievements: { tour, all: { name: 'All', trigger: 'achievement', achievements: ['tour'], repeat: true } },
      }),
    "achievements.all.repeat: is not for the trigger 'achievement': a composite is completed once; remove it",
  ],
  [
    () =>
      defineGame({
        metrics,
        achievements: {
          tour,
          // @ts-expect-error there is nothing to rise
          all: { name: 'All', trigger: 'achievement', achievements: ['tour'], tiers: { bronze: {} } },
        },
      }),
    "achievements.all.tiers: is not for the trigger 'achievement'; tiers are of the triggers 'metric' and 'streak': remove it",
  ],
  [
    () =>
      defineGame({
        metrics,
        // @ts-expect-error the call does not say how much
        achievements: { tour: { name: 'Tour', trigger: 'api', tiers: { bronze: {} } } },
      }),
    "achievements.tour.tiers: is not for the trigger 'api'; tiers are of the triggers 'metric' and 'streak': remove it",
  ],
  [
    () =>
      defineGame({
        metrics,
        achievements: {
          // @ts-expect-error each is completed once
          w: { name: 'W', trigger: 'metric', metric: 'words', tiers: { bronze: { value: 1 } }, repeat: true },
        },
      }),
    'achievements.w.repeat: does not go with tiers; remove one of the two',
  ],
  [
    () =>
      defineGame({
        metrics,
        achievements: {
          // @ts-expect-error each has its own
          w: { name: 'W', trigger: 'metric', metric: 'words', value: 5, tiers: { bronze: { value: 1 } } },
        },
      }),
    'achievements.w.value: does not go with tiers, because each tier has its own value; remove it',
  ],
  [
    () =>
      defineGame({
        metrics,
        streak,
        achievements: {
          // @ts-expect-error each has its own
          fire: { name: 'Fire', trigger: 'streak', length: 5, tiers: { warm: { length: 3 } } },
        },
      }),
    'achievements.fire.length: does not go with tiers, because each tier has its own length; remove it',
  ],
  [
    () =>
      defineGame({
        metrics,
        achievements: {
          // @ts-expect-error the whole is, or is not
          w: { name: 'W', trigger: 'metric', metric: 'words', tiers: { bronze: { value: 1, secret: true } } },
        },
      }),
    "achievements.w.tiers.bronze.secret: unknown property 'secret'; remove it, or use one of 'name', 'description', 'badgeUrl', 'value'",
  ],
  [
    () =>
      defineGame({
        metrics,
        achievements: {
          writer,
          // @ts-expect-error there is no gold
          all: { name: 'All', trigger: 'achievement', achievements: ['writer.gold'] },
        },
      }),
    "achievements.all.achievements[0]: unknown achievement 'writer.gold'; add it to achievements, or use one of 'writer.bronze', 'all'",
  ],
  [
    () =>
      defineGame({
        metrics,
        achievements: { writer },
        // @ts-expect-error there is no gold
        points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'writer.gold', points: 1 }] } },
      }),
    "points.xp.triggers[0].achievement: unknown achievement 'writer.gold'; add it to achievements, or use one of 'writer.bronze'",
  ],
  [
    () =>
      defineGame({
        metrics,
        achievements: { writer },
        // @ts-expect-error which of them?
        points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'writer', points: 1 }] } },
      }),
    "points.xp.triggers[0].achievement: unknown achievement 'writer'; add it to achievements, or use one of 'writer.bronze'",
  ],
  [
    () =>
      defineGame({
        metrics,
        achievements: { tour, writer },
        // @ts-expect-error the rules do
        clients: { achievements: ['writer.bronze'] },
      }),
    "clients.achievements[0]: 'writer.bronze' is completed by the rules; clients complete only those with the trigger 'api': remove it, or use one of 'tour'",
  ],
  [
    () =>
      defineGame({
        metrics,
        streaks,
        // @ts-expect-error it is called gym
        achievements: { fit: { name: 'Fit', trigger: 'streak', length: 2, streak: 'gmy' } },
      }),
    "achievements.fit.streak: unknown named streak 'gmy'; did you mean 'gym'?",
  ],
  [
    () =>
      defineGame({
        metrics,
        streaks,
        // @ts-expect-error it is called gym
        points: { xp: { name: 'XP', triggers: [{ type: 'streak', length: 2, points: 1, streak: 'gmy' }] } },
      }),
    "points.xp.triggers[0].streak: unknown named streak 'gmy'; did you mean 'gym'?",
  ],
  [
    () =>
      defineGame({
        metrics,
        streaks,
        // @ts-expect-error it is called gym
        leaderboards: { top: { name: 'Top', rankBy: 'streak', start: '2026-01-01', streak: 'gmy' } },
      }),
    "leaderboards.top.streak: unknown named streak 'gmy'; did you mean 'gym'?",
  ],
  [
    () =>
      defineGame({
        metrics,
        streaks,
        points: {
          // @ts-expect-error it pays for words
          xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1, streak: 'gym' }] },
        },
      }),
    "points.xp.triggers[0].streak: unknown property 'streak'; remove it, or use one of 'key', 'points', 'status', 'userAttributes', 'created', 'updated', 'blockIfOutOfPoints', 'cap', 'cooldown', 'exempt', 'type', 'metric', 'threshold', 'eventAttributes'",
  ],
  [
    () =>
      defineGame({
        metrics,
        // @ts-expect-error users have the game's streak their own way
        streaks: { gym: { frequency: 'weekly', metrics: { laps: {} }, customization: true } },
      }),
    "streaks.gym.customization: is for the game's `streak` alone; remove it",
  ],
  [
    () =>
      defineGame({
        metrics,
        // @ts-expect-error they are its own
        streak: { frequency: 'daily', metrics: { words: {} }, freezes: 'shared' },
      }),
    "streak.freezes: must be an object with max, not 'shared'",
  ],
  [
    () =>
      defineGame({
        metrics,
        userAttributes: ['plan'],
        points: {
          // @ts-expect-error there is no such attribute
          xp: { name: 'XP', boosts: { b: { name: 'B', start: '2026-01-01', multiplier: 2, userAttributes: PLANS } } },
        },
      }),
    "points.xp.boosts.b.userAttributes.plans: unknown user attribute 'plans'; did you mean 'plan'?",
  ],
]

const CAP = { points: 5, per: 'day' } as const
const COOLDOWN = { minutes: 5 }
const PLANS = { plans: 'pro' }
const BOOST = { name: 'B', start: '2026-03-02', multiplier: 2 }

const toldByTheMistake: readonly Case[] = [
  [
    () =>
      defineGame({
        metrics,
        achievements: {
          w: { name: 'W', trigger: 'metric', metric: 'words', tiers: { bronze: { value: 5 }, silver: { value: 3 } } },
        },
      }),
    "achievements.w.tiers.silver.value: must be more than 5, which 'bronze' before it has: tiers rise in the order in which they are written",
  ],
  [
    () => defineGame({ metrics, achievements: { w: { name: 'W', trigger: 'metric', metric: 'words', tiers: {} } } }),
    'achievements.w.tiers: is empty; name at least one tier, or give value instead',
  ],
  [
    () => defineGame({ metrics, achievements: { writer, 'writer.bronze': { name: 'B', trigger: 'api' } } }),
    "achievements.writer.tiers.bronze: has the key 'writer.bronze', which another achievement has; rename one",
  ],
  [
    () => defineGame({ metrics, achievements: { tour: { name: 'Tour', trigger: 'api', repeat: { max: 1 } } } }),
    'achievements.tour.repeat.max: must be a whole number from 2, not 1',
  ],
  [
    () =>
      defineGame({
        metrics,
        achievements: { w: { name: 'W', trigger: 'metric', metric: 'words', value: 0, repeat: true } },
      }),
    'achievements.w.value: must be above 0 if the achievement repeats, because every multiple of it completes it',
  ],
  [
    () => defineGame({ metrics, points: { xp: { name: 'XP', boosts: { b: { ...BOOST, multiplier: 1 } } } } }),
    'points.xp.boosts.b.multiplier: must be a number above 0 and below 100, and not 1, not 1',
  ],
  [
    () => defineGame({ metrics, points: { xp: { name: 'XP', boosts: { b: { ...BOOST, end: '2026-03-01' } } } } }),
    'points.xp.boosts.b.end: must not be before start, which is 2026-03-02',
  ],
]

describe('The compiler and the mistakes refuse', () => {
  for (const [define, mistake] of refusedByTheCompiler) {
    test(mistake, () => expect(mistakesOf(define)).toEqual([mistake]))
  }
})

describe('The mistakes alone tell of', () => {
  for (const [define, mistake] of toldByTheMistake) {
    test(mistake, () => expect(mistakesOf(define)).toEqual([mistake]))
  }
})
