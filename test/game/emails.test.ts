// Reminders and emails of a game: defaults and mistakes.

import { describe, expect, test } from 'vitest'
import { parseGame } from '../../src/game/compile.ts'
import { defineGame } from '../../src/game/define-game.ts'
import { GamificationError } from '../../src/index.ts'

const metrics = { words: { name: 'Words' } }
const daily = { frequency: 'daily', metrics: { words: {} } } as const

function mistakesOf(more: object): readonly string[] {
  try {
    defineGame({ metrics, ...more })
    return []
  } catch (error) {
    if (!(error instanceof GamificationError)) throw error
    return (error.issues ?? []).map(({ path, message }) => `${path}: ${message}`)
  }
}

const withReminder = (reminder: object, frequency = 'daily'): object => ({
  streak: { ...daily, frequency, reminders: [{ key: 'evening', before: { hours: 4 }, ...reminder }] },
})

describe('A game with emails', () => {
  const game = defineGame({ metrics, streak: daily, emails: {} })

  test('writes after 3, 5, 7, 14 and 30 days and about achievements, has no recap, and reminds at the usual times', () => {
    expect(game.definition.emails).toEqual({
      reactivation: [3, 5, 7, 14, 30],
      achievements: true,
      staleAfter: { hours: 2 },
    })
    expect(game.rules.emails).toEqual({
      recap: null,
      reactivation: [3, 5, 7, 14, 30],
      achievements: true,
      staleAfter: 7_200_000,
    })
    expect(game.rules.streak?.reminders).toEqual([{ key: 'usual', hoursBefore: null, staleAfter: 7_200_000 }])
  })

  test('is read back as it was', () => {
    const stored = JSON.stringify(game.definition)
    expect(parseGame(stored).rules).toEqual(game.rules)
    expect(defineGame(JSON.parse(stored)).fingerprint).toBe(game.fingerprint)
  })

  test('is another game than one without', () => {
    expect(defineGame({ metrics, streak: daily }).fingerprint).not.toBe(game.fingerprint)
  })
})

describe('A game without emails', () => {
  test('has none, and no reminders but those that it names', () => {
    const none = defineGame({ metrics, streak: daily })
    expect(none.rules.emails).toBeNull()
    expect(none.rules.streak?.reminders).toEqual([])
    expect(none.definition.streak).not.toHaveProperty('reminders')
    const some = defineGame({ metrics, streak: { ...daily, reminders: [{ key: 'evening', before: { hours: 4 } }] } })
    expect(some.rules.streak?.reminders).toEqual([{ key: 'evening', hoursBefore: 4, staleAfter: 7_200_000 }])
  })
})

describe('A mistake is', () => {
  test.each([
    [
      { streak: { ...daily, reminders: [{ before: { hours: 4 } }] } },
      'streak.reminders[0].key: is missing; give a string of 1 to 255 characters',
    ],
    [
      withReminder({ befor: { hours: 4 } }),
      "streak.reminders[0].befor: unknown property 'befor'; did you mean 'before'?",
    ],
    [
      withReminder({ before: { hours: 0.5 } }),
      'streak.reminders[0].before.hours: must be a whole number of hours from 1 to 648, not 0.5',
    ],
    [
      withReminder({ before: { hours: 24 } }),
      'streak.reminders[0].before.hours: must be at most 23, for the streak is daily',
    ],
    [
      withReminder({ before: { hours: 168 } }, 'weekly'),
      'streak.reminders[0].before.hours: must be at most 167, for the streak is weekly',
    ],
    [
      withReminder({ before: { hours: 649 } }, 'monthly'),
      'streak.reminders[0].before.hours: must be a whole number of hours from 1 to 648, not 649',
    ],
    [
      withReminder({ staleAfter: { hours: 73 } }),
      'streak.reminders[0].staleAfter.hours: must be a whole number of hours from 1 to 72, not 73',
    ],
    [
      { streaks: { gym: { ...daily, reminders: [1, 2].map((hours) => ({ key: 'a', before: { hours } })) } } },
      'streaks.gym.reminders[1].key: is the same key as streaks.gym.reminders[0].key; change or remove one',
    ],
    [
      {
        streak: {
          ...daily,
          reminders: Array.from({ length: 11 }, (_, index) => ({ key: `k${index}`, before: { hours: 1 } })),
        },
      },
      'streak.reminders: has 11 reminders; keep at most 10',
    ],
    [
      { emails: { recap: 'month' } },
      "emails.recap: must be 'daily', 'weekly', 'monthly' or 'yearly', not 'month'; did you mean 'monthly'?",
    ],
    [{ emails: { reactivation: [7, 3] } }, 'emails.reactivation[1]: must be above 7, which is before it'],
    [{ emails: { reactivation: [3, 3] } }, 'emails.reactivation[1]: must be above 3, which is before it'],
    [{ emails: { reactivation: [0] } }, 'emails.reactivation[0]: must be a whole number of days from 1 to 365, not 0'],
    [
      { emails: { reactivation: Array.from({ length: 11 }, (_, index) => index + 1) } },
      'emails.reactivation: has 11 numbers; keep at most 10',
    ],
    [{ emails: { achievements: 'yes' } }, "emails.achievements: must be true or false, not 'yes'"],
    [
      { emails: { reactivations: [] } },
      "emails.reactivations: unknown property 'reactivations'; did you mean 'reactivation'?",
    ],
    [{ email: {} }, "email: unknown property 'email'; did you mean 'emails'?"],
  ])('%j', (more, mistake) => {
    expect(mistakesOf(more)).toEqual([mistake])
  })
})
