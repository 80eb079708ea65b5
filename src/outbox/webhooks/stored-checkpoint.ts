import { z } from 'zod'
import { GamificationError } from '../../errors.ts'
import type { StoredDocument } from '../../storage-outbox.ts'
import { OF_WEBHOOKS, SUBSCRIPTION } from '../stored-subscription.ts'

/** How far messages have become deliveries: a subscription among the others, so that nothing is removed before. */
export const CHECKPOINT: Pick<StoredDocument, 'kind' | 'name'> = { kind: SUBSCRIPTION, name: OF_WEBHOOKS }

export interface Checkpoint {
  /** Those that any webhook wants. */
  readonly types: readonly string[]
  readonly position: number
  /** Of the document; 0: there is none, because there is no webhook. */
  readonly version: number
}

const schema = z.looseObject({ types: z.array(z.string()), position: z.number() })

export function readCheckpoint(document: StoredDocument | null): Checkpoint | null {
  if (document === null) return null
  const parsed = schema.safeParse(JSON.parse(document.text))
  if (!parsed.success) throw new GamificationError('internal', 'The checkpoint of the webhooks is broken.')
  const { types, position } = parsed.data
  return { types, position, version: document.version }
}

export function toCheckpointDocument({ types, position, version }: Checkpoint): StoredDocument {
  const text = JSON.stringify({ types, position, owner: null, until: null, tries: 0, nextAt: null, lastError: null })
  return { ...CHECKPOINT, text, version }
}
