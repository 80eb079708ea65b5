import { z } from 'zod'
import type { EventBatchIssue, EventBatchResponse } from '../../engine/answers/wire/metric.ts'
import { count, type ShapeOf } from './parts.ts'

const eventBatchIssueSchema: z.ZodType<EventBatchIssue> = z
  .strictObject({
    index: count.describe('Place in the request.'),
    severity: z.enum(['error']),
    message: z.string(),
    code: z.string().describe('Machine-readable, stable.'),
  } satisfies ShapeOf<EventBatchIssue>)
  .meta({ id: 'EventBatchIssue', description: 'Why one event of a batch was not recorded.' })

export const eventBatchResponseSchema: z.ZodType<EventBatchResponse> = z
  .strictObject({
    accepted: count.describe('How many were recorded, now or before.'),
    replayed: count.describe('Of those, how many had been recorded before, by their idempotency keys.'),
    issues: z.array(eventBatchIssueSchema),
    held: z
      .array(count)
      .describe('Places in the request of events that limits hold back; not there where there are none.')
      .exactOptional(),
  } satisfies ShapeOf<EventBatchResponse>)
  .meta({ id: 'EventBatchResponse', description: 'What became of a batch of events.' })
