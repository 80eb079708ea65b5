import { z } from 'zod'
import type {
  AdminKey,
  ApplicationKey,
  ApplicationKeyIssue,
  CreateApplicationKeysResponse,
  CreatedAdminKey,
  CreatedApplicationKey,
  DeleteApplicationKeysResponse,
  DeletedKeyIssue,
} from '../../engine/answers/wire/keys.ts'
import { count, instant, type ShapeOf, uuid } from './parts.ts'

const fullKey = z.string().describe('The full key, `{prefix}.{body}`. It is shown this once.')
const severity = z.enum(['error', 'warning'])

const adminKey = {
  id: uuid,
  prefix: z.string().length(8).describe('The first 8 characters of the full key.'),
  status: z.enum(['active', 'revoked']),
  created: instant,
  lastUsed: instant.nullable().describe('To the minute; null: never.'),
} satisfies ShapeOf<AdminKey>

export const adminKeySchema: z.ZodType<AdminKey> = z
  .strictObject(adminKey)
  .meta({ id: 'AdminKey', description: 'An admin key without its secret.' })

export const createdAdminKeySchema: z.ZodType<CreatedAdminKey> = z
  .strictObject({ ...adminKey, key: fullKey } satisfies ShapeOf<CreatedAdminKey>)
  .meta({ id: 'CreatedAdminKey', description: 'An admin key just made or rotated.' })

export const createdApplicationKeySchema: z.ZodType<CreatedApplicationKey> = z
  .strictObject({
    id: uuid.describe('For deletion.'),
    userId: z.string().describe('The user the key is for.'),
    key: fullKey,
    prefix: z.string().describe('The part of the key that is safe to log.'),
  } satisfies ShapeOf<CreatedApplicationKey>)
  .meta({ id: 'CreatedApplicationKey', description: 'An application key just made.' })

export const applicationKeySchema: z.ZodType<ApplicationKey> = z
  .strictObject({
    id: uuid,
    prefix: z.string().describe('The part of the key that is safe to log.'),
    userId: z.string().describe('The user the key is for.'),
    can: z
      .array(z.string())
      .nullable()
      .describe('What it is for, as `read` or `events:steps`; null: all that the game lets clients do.'),
    createdAt: instant,
    expiresAt: instant.nullable().describe('From then on it is no key; null: never.'),
  } satisfies ShapeOf<ApplicationKey>)
  .meta({ id: 'ApplicationKey', description: 'An application key without its secret.' })

export const applicationKeyIssueSchema: z.ZodType<ApplicationKeyIssue> = z
  .strictObject({
    index: count.describe('Place in the request.'),
    userId: z.string().exactOptional(),
    severity,
    message: z.string(),
  } satisfies ShapeOf<ApplicationKeyIssue>)
  .meta({ id: 'ApplicationKeyIssue', description: 'Why one item of a request made no key.' })

export const createApplicationKeysResponseSchema: z.ZodType<CreateApplicationKeysResponse> = z
  .strictObject({
    created: z.array(createdApplicationKeySchema),
    issues: z.array(applicationKeyIssueSchema),
  } satisfies ShapeOf<CreateApplicationKeysResponse>)
  .meta({ id: 'CreateApplicationKeysResponse', description: 'The application keys that were made.' })

export const deletedKeyIssueSchema: z.ZodType<DeletedKeyIssue> = z
  .strictObject({
    id: uuid,
    severity,
    message: z.string(),
  } satisfies ShapeOf<DeletedKeyIssue>)
  .meta({ id: 'DeletedKeyIssue', description: 'Why one key was not deleted.' })

export const deleteApplicationKeysResponseSchema: z.ZodType<DeleteApplicationKeysResponse> = z
  .strictObject({
    deleted: z.array(z.strictObject({ id: uuid })),
    issues: z.array(deletedKeyIssueSchema),
  } satisfies ShapeOf<DeleteApplicationKeysResponse>)
  .meta({ id: 'DeleteApplicationKeysResponse', description: 'The application keys that were deleted.' })
