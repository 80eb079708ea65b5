import { z } from 'zod'
import type { Day } from '../../rules/calendar.ts'
import { date, type Parsed } from '../input.ts'
import type { EventSummaryRequest } from './event-summary-request-types.ts'

const MOST_DAYS = 400

/** A request that was read, its dates as days. */
export type EventSummary = Parsed<EventSummaryRequest, never, { readonly startDate: Day; readonly endDate: Day }>

/** What a summary may be asked for: a range that does not end before it begins, and is not too long. */
export const eventSummaryRequest: z.ZodType<EventSummary> = z
  .object({ aggregation: z.enum(['daily', 'weekly', 'monthly']), startDate: date, endDate: date })
  .refine(({ startDate, endDate }) => startDate < endDate, { path: ['startDate'], message: 'must be before endDate' })
  .refine(({ startDate, endDate }) => endDate - startDate <= MOST_DAYS, {
    path: ['endDate'],
    message: `must be at most ${MOST_DAYS} days after startDate`,
  })
