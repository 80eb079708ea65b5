import { z } from 'zod'
import type {
  BulkIssue,
  CreatedPause,
  CreateFreezesResponse,
  CreatePausesResponse,
  DeletedPauseIssue,
  DeletePausesResponse,
  RestoreStreaksResponse,
} from '../../engine/answers/wire/streak.ts'
import { count, date, type ShapeOf, uuid } from './parts.ts'

const level = z.enum(['error', 'warning'])

export const bulkIssueSchema: z.ZodType<BulkIssue> = z
  .strictObject({
    userId: z.string(),
    level,
    reason: z.string(),
    index: count.describe('Place in the request.'),
    severity: level.describe('The same as `level`.'),
    message: z.string().describe('The same as `reason`.'),
  } satisfies ShapeOf<BulkIssue>)
  .meta({ id: 'BulkIssue', description: 'Why one item of a request was not carried out.' })

export const createFreezesResponseSchema: z.ZodType<CreateFreezesResponse> = z
  .strictObject({ issues: z.array(bulkIssueSchema) } satisfies ShapeOf<CreateFreezesResponse>)
  .meta({ id: 'CreateFreezesResponse', description: 'Who got no freeze.' })

const createdPauseSchema: z.ZodType<CreatedPause> = z
  .strictObject({
    id: uuid.describe('For deletion.'),
    userId: z.string(),
    status: z.enum(['active']),
    start: date,
    end: date,
  } satisfies ShapeOf<CreatedPause>)
  .meta({ id: 'CreatedPause', description: 'Local dates in which no period can be missed, both included.' })

export const createPausesResponseSchema: z.ZodType<CreatePausesResponse> = z
  .strictObject({
    created: z.array(createdPauseSchema),
    issues: z.array(bulkIssueSchema),
  } satisfies ShapeOf<CreatePausesResponse>)
  .meta({ id: 'CreatePausesResponse', description: 'The pauses that were made.' })

const deletedPauseIssueSchema: z.ZodType<DeletedPauseIssue> = z
  .strictObject({
    id: uuid,
    severity: z.enum(['error']),
    message: z.string(),
  } satisfies ShapeOf<DeletedPauseIssue>)
  .meta({ id: 'DeletedPauseIssue', description: 'Why one pause was not ended.' })

export const deletePausesResponseSchema: z.ZodType<DeletePausesResponse> = z
  .strictObject({
    deleted: z.array(z.strictObject({ id: uuid })),
    issues: z.array(deletedPauseIssueSchema),
  } satisfies ShapeOf<DeletePausesResponse>)
  .meta({ id: 'DeletePausesResponse', description: 'The pauses that were ended.' })

export const restoreStreaksResponseSchema: z.ZodType<RestoreStreaksResponse> = z
  .strictObject({
    restoredUsers: z.array(z.string()),
    issues: z.array(bulkIssueSchema),
  } satisfies ShapeOf<RestoreStreaksResponse>)
  .meta({ id: 'RestoreStreaksResponse', description: 'Whose streak was restored.' })
