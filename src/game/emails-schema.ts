import type { z } from 'zod'
import { flag, integer, isKey, list, object, oneOf, text } from './schema-parts.ts'
import type { StoredEmails, StoredReminder } from './stored.ts'

/** The hours that lie within every month, whatever its length and its changes of clocks. */
const MOST_HOURS = 27 * 24
const LONGEST_STALE = 72
const staleAfter = object({
  hours: integer(`a whole number of hours from 1 to ${LONGEST_STALE}`, 1, LONGEST_STALE),
}).default({ hours: 2 })

export const reminders: z.ZodType<readonly StoredReminder[]> = list(
  object({
    key: text('a string of 1 to 255 characters', isKey),
    // `checkReminders` demands that they lie within the period.
    before: object({ hours: integer(`a whole number of hours from 1 to ${MOST_HOURS}`, 1, MOST_HOURS) }),
    staleAfter,
  }),
)

export const emails: z.ZodType<StoredEmails> = object({
  recap: oneOf('daily', 'weekly', 'monthly', 'yearly').exactOptional(),
  reactivation: list(integer('a whole number of days from 1 to 365', 1, 365)).default([3, 5, 7, 14, 30]),
  achievements: flag().default(true),
  staleAfter,
})
