// Definitions of criteria: what is a mistake, and what does not compile.

import { expect, test } from 'vitest'
import { GamificationError } from '../../src/errors.ts'
import { defineGame } from '../../src/game/define-game.ts'
import { readDefinition } from '../../src/game/read-definition.ts'

const game = {
  metrics: { km: { name: 'Km' }, lap: { name: 'Lap', aggregation: 'min' }, old: { name: 'Old', status: 'archived' } },
  eventAttributes: ['surface'],
  points: { xp: { name: 'XP', maxPoints: 100, levels: { gold: { name: 'Gold', points: 50 } } } },
  streaks: { weekly: { frequency: 'weekly', metrics: { km: {} } } },
} as const
const gone = { name: 'Gone', trigger: 'api', status: 'locked' }

function mistakesIn(achievements: object): readonly string[] {
  try {
    readDefinition({ ...game, achievements })
    return []
  } catch (error) {
    if (!(error instanceof GamificationError)) throw error
    return error.issues.map(({ path, message }) => `${path.replace('achievements.', '')}: ${message}`)
  }
}

const of = (...criteria: readonly unknown[]) =>
  mistakesIn({ gone, a: { name: 'A', trigger: 'criteria', of: criteria } })
const km = { metric: 'km', value: 1 }

test.each([
  [of(), 'a.of: is empty; name at least one criterion'],
  [
    of(...Array.from({ length: 21 }, (_, value) => ({ metric: 'km', value }))),
    'a.of: has 21 criteria; keep at most 20',
  ],
  [
    of({ metrics: 'km' }),
    "a.of[0]: says nothing that a user can reach; give one of 'metric', 'events', 'streak', 'level', 'points', 'achievement', 'membership'",
  ],
  [
    of({ ...km, streak: 'weekly' }),
    "a.of[0].streak: unknown property 'streak'; remove it, or use one of 'metric', 'value', 'eventAttributes', 'within'",
  ],
  [of({ metric: 'km' }), 'a.of[0].value: is missing; give a number between -1e15 and 1e15'],
  [of(km, { value: 1, metric: 'km' }), 'a.of[1]: is the same as achievements.a.of[0]; change or remove one'],
  [
    mistakesIn({ a: { name: 'A', trigger: 'criteria', atLeast: 2, of: [km] } }),
    'a.atLeast: is more than the number of criteria, which is 1; lower it, or leave it out for all',
  ],
  [
    of({ metric: 'lap', value: 1, within: { days: 7 } }),
    "a.of[0].within: adds values up, but 'lap' has the aggregation 'min'; remove it, or count `events`",
  ],
  [
    of({ events: 'lap', count: 2, within: { days: 32 } }),
    'a.of[0].within.days: must be a whole number from 1 to 31, not 32',
  ],
  [of({ events: 'kn', count: 1 }), "a.of[0].events: unknown metric 'kn'; did you mean 'km'?"],
  [
    of({ ...km, eventAttributes: { surfaces: 'trail' } }),
    "a.of[0].eventAttributes.surfaces: unknown event attribute 'surfaces'; did you mean 'surface'?",
  ],
  [of({ level: 'xp.glod' }), "a.of[0].level: unknown level 'xp.glod'; did you mean 'xp.gold'?"],
  [of({ points: 'xq', total: 1 }), "a.of[0].points: unknown points system 'xq'; did you mean 'xp'?"],
  [of({ achievement: 'gonne' }), "a.of[0].achievement: unknown achievement 'gonne'; did you mean 'gone'?"],
  [of({ streak: 'weakly', length: 2 }), "a.of[0].streak: unknown named streak 'weakly'; did you mean 'weekly'?"],
  [
    of({ streak: 'streak', length: 2 }),
    "a.of[0].streak: needs the game's `streak`, which it does not have; add `streak`, or name one of `streaks` in the property `streak`; remove this criterion",
  ],
  [
    of({ points: 'xp', total: 101 }),
    "a.of[0].total: is above maxPoints of 'xp', which is 100, so no user can reach it; remove this criterion",
  ],
  [
    of({ events: 'old', count: 1 }),
    "a.of[0].events: 'old' is archived, so it has no more events; remove this criterion",
  ],
  [
    of({ achievement: 'gone' }),
    "a.of[0].achievement: 'gone' is locked, so no user can complete it; remove this criterion",
  ],
  [
    mistakesIn({
      a: { name: 'A', trigger: 'criteria', atLeast: 1, of: [km, { achievement: 'b' }] },
      b: { name: 'B', trigger: 'achievement', achievements: ['a'] },
    }),
    "a.of: leads back to itself: 'a' → 'b' → 'a'; remove one of these references",
  ],
  [
    mistakesIn({ a: { name: 'A', trigger: 'criteria', of: [km], repeat: true } }),
    "a.repeat: is not for the trigger 'criteria': what is met stays met; remove it",
  ],
  [
    mistakesIn({ a: { name: 'A', trigger: 'criteria', of: [km], tiers: {} } }),
    "a.tiers: is not for the trigger 'criteria'; tiers are of the triggers 'metric' and 'streak': remove it",
  ],
])('%j', (mistakes, expected) => {
  expect(mistakes).toEqual([expected])
})

test('a window does not go with repeat, or with a value that is no sum', () => {
  const week = { name: 'A', trigger: 'metric', within: { days: 7 }, value: 1 }
  expect(mistakesIn({ a: { ...week, metric: 'km', repeat: true } })).toEqual([
    'a.repeat: does not go with `within`; remove one of the two',
  ])
  expect(mistakesIn({ a: { ...week, metric: 'lap' } })).toEqual([
    "a.within: adds values up, but 'lap' has the aggregation 'min'; remove it, or count `events`",
  ])
})

test('the keys of criteria are known to the compiler', () => {
  const wrong = () =>
    defineGame({
      ...game,
      achievements: {
        right: { name: 'Right', trigger: 'criteria', of: [{ level: 'xp.gold' }, { streak: 'weekly', length: 2 }] },
        // @ts-expect-error there is no such metric
        a: { name: 'A', trigger: 'criteria', of: [{ metric: 'kn', value: 1 }] },
        // @ts-expect-error there is no such metric
        b: { name: 'B', trigger: 'criteria', of: [{ events: 'kn', count: 1 }] },
        // @ts-expect-error there is no such streak
        c: { name: 'C', trigger: 'criteria', of: [{ streak: 'weakly', length: 1 }] },
        // @ts-expect-error there is no such level
        d: { name: 'D', trigger: 'criteria', of: [{ level: 'xp.silver' }] },
        // @ts-expect-error there is no such points system
        e: { name: 'E', trigger: 'criteria', of: [{ points: 'xq', total: 1 }] },
        // @ts-expect-error there is no such achievement
        f: { name: 'F', trigger: 'criteria', of: [{ achievement: 'zero' }] },
        // @ts-expect-error there is no such event attribute
        g: { name: 'G', trigger: 'criteria', of: [{ metric: 'km', value: 1, eventAttributes: { color: 'red' } }] },
        // @ts-expect-error nothing is asked for
        h: { name: 'H', trigger: 'criteria' },
      },
    })
  expect(wrong).toThrow('The game has')
})
