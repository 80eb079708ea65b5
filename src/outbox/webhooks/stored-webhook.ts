import { z } from 'zod'
import { GamificationError } from '../../errors.ts'
import type { StoredDocument } from '../../storage-outbox.ts'

/** The kind of the documents that webhooks are kept in, each under its id. */
export const WEBHOOK = 'webhook'

/** A secret as it is kept. */
export interface SealedSecret {
  readonly sealed: string
  /** Until when it signs beside the newest; null: it is the newest. */
  readonly until: number | null
}

export interface StoredWebhook {
  readonly id: string
  /** Of the document. */
  readonly version: number
  readonly url: string
  readonly name: string | null
  readonly types: readonly string[]
  readonly order: 'user' | 'none'
  readonly serviceSignature: boolean
  readonly allowInternal: boolean
  readonly disabled: { readonly at: number; readonly because: 'update' | 'gone' } | null
  readonly createdAt: number
  /** Messages up to and including this position are not for it. */
  readonly from: number
  /** The newest first. */
  readonly secrets: readonly SealedSecret[]
}

const schema = z.strictObject({
  url: z.string(),
  name: z.string().nullable(),
  types: z.array(z.string()),
  order: z.enum(['user', 'none']),
  serviceSignature: z.boolean(),
  allowInternal: z.boolean(),
  disabled: z.strictObject({ at: z.number(), because: z.enum(['update', 'gone']) }).nullable(),
  createdAt: z.number(),
  from: z.number(),
  secrets: z.array(z.strictObject({ sealed: z.string(), until: z.number().nullable() })),
})

export function readWebhook({ name: id, version, text }: StoredDocument): StoredWebhook {
  const parsed = schema.safeParse(JSON.parse(text))
  if (parsed.success) return { id, version, ...parsed.data }
  throw new GamificationError('internal', `The stored webhook ${id} is broken, or of a newer version of laurels.`, {
    cause: parsed.error,
  })
}

export function toDocument({ id, version, ...webhook }: StoredWebhook): StoredDocument {
  return { kind: WEBHOOK, name: id, text: JSON.stringify(webhook), version }
}

const RECEIVER = 'webhook:'

/** What deliveries to a webhook are kept under. */
export function receiverOf(id: string): string {
  return RECEIVER + id
}
