import { checkDuplicates } from './duplicates.ts'
import { itemsOf, type Maybe, propertyOf } from './json-access.ts'
import type { Mistakes, Path } from './mistakes.ts'

const MOST = 10

/** By frequency: the most hours before its end that lie within every period, however short. */
const MOST_HOURS = new Map<Maybe, number>([
  ['daily', 23],
  ['weekly', 7 * 24 - 1],
  ['monthly', 27 * 24],
])

export function checkReminders(streak: Maybe, path: Path, mistakes: Mistakes): void {
  const reminders = itemsOf(propertyOf(streak, 'reminders'))
  checkMost(reminders, [...path, 'reminders'], 'reminders', mistakes)
  const keys = reminders.map((reminder) => propertyOf(reminder, 'key'))
  checkDuplicates(keys, (index) => [...path, 'reminders', index, 'key'], 'key', mistakes)
  const frequency = propertyOf(streak, 'frequency')
  const most = MOST_HOURS.get(frequency)
  for (const [index, reminder] of reminders.entries()) {
    const hours = propertyOf(propertyOf(reminder, 'before'), 'hours')
    if (typeof hours !== 'number' || most === undefined || hours <= most) continue
    const place = [...path, 'reminders', index, 'before', 'hours']
    mistakes.add(place, `must be at most ${most}, for the streak is ${String(frequency)}`)
  }
}

export function checkEmails(emails: Maybe, mistakes: Mistakes): void {
  const days = itemsOf(propertyOf(emails, 'reactivation'))
  checkMost(days, ['emails', 'reactivation'], 'numbers', mistakes)
  for (const [index, day] of days.entries()) {
    const before = days[index - 1]
    if (typeof day !== 'number' || typeof before !== 'number' || before < day) continue
    mistakes.add(['emails', 'reactivation', index], `must be above ${before}, which is before it`)
  }
}

function checkMost(items: readonly Maybe[], path: Path, what: string, mistakes: Mistakes): void {
  if (items.length > MOST) mistakes.add(path, `has ${items.length} ${what}; keep at most ${MOST}`)
}
