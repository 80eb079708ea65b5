import { z } from 'zod'
import type {
  AdminIssue,
  AdminPointsBoost,
  CreateBoostsResponse,
  DeleteBoostsResponse,
  UpdateBoostsResponse,
} from '../../engine/answers/wire/points.ts'
import { count, type ShapeOf, uuid } from './parts.ts'
import { boost } from './points.ts'

const filter = z.strictObject({ attributeId: uuid, attributeValue: z.string() })

export const adminPointsBoostSchema: z.ZodType<AdminPointsBoost> = z
  .strictObject({
    ...boost,
    userId: z.string().nullable().describe('Of whom it is alone; null: of all users.'),
    userAttributes: z
      .array(filter)
      .describe("What a user's attributes must be; absent of a boost of one user.")
      .exactOptional(),
  } satisfies ShapeOf<AdminPointsBoost>)
  .meta({ id: 'AdminPointsBoost', description: 'A boost of all users, or of one.' })

const adminIssueSchema: z.ZodType<AdminIssue> = z
  .strictObject({
    id: z.string().exactOptional(),
    userId: z.string().exactOptional(),
    boostId: z.string().exactOptional(),
    index: count.describe('Place in the request, of what has no id yet.').exactOptional(),
    severity: z.enum(['error', 'warning']),
    message: z.string(),
  } satisfies ShapeOf<AdminIssue>)
  .meta({ id: 'AdminIssue', description: 'Why one item of a request was not carried out.' })

const issues = z.array(adminIssueSchema)

export const createBoostsResponseSchema: z.ZodType<CreateBoostsResponse> = z
  .strictObject({ created: z.array(adminPointsBoostSchema), issues } satisfies ShapeOf<CreateBoostsResponse>)
  .meta({ id: 'CreateBoostsResponse', description: 'The boosts that were given.' })

export const updateBoostsResponseSchema: z.ZodType<UpdateBoostsResponse> = z
  .strictObject({ updated: z.array(adminPointsBoostSchema), issues } satisfies ShapeOf<UpdateBoostsResponse>)
  .meta({ id: 'UpdateBoostsResponse', description: 'The boosts that were changed, as they are now.' })

export const deleteBoostsResponseSchema: z.ZodType<DeleteBoostsResponse> = z
  .strictObject({
    deleted: z.array(z.strictObject({ id: uuid })),
    issues,
  } satisfies ShapeOf<DeleteBoostsResponse>)
  .meta({ id: 'DeleteBoostsResponse', description: 'The boosts that were deleted.' })
