import type { z } from 'zod'
import type { OutboxTransaction } from '../storage-outbox.ts'
import type { Context } from './types.ts'

const CLOCK = 'clock'

/**
 * Reads the document that says how far the work on what time brings is; null: there is none, or none that can be read.
 */
export async function readDocument<T>(
  { storage }: Pick<Context, 'storage'>,
  name: string,
  schema: z.ZodType<T>,
): Promise<{ readonly stored: T | null; readonly version: number }> {
  const document = await storage.document(CLOCK, name)
  if (document === null) return { stored: null, version: 0 }
  const parsed = schema.safeParse(JSON.parse(document.text))
  return { stored: parsed.success ? parsed.data : null, version: document.version }
}

/**
 * Writes the document, and does `beside` in the same step. False, and nothing is written, where somebody else was
 * faster.
 */
export function writeDocument(
  { storage }: Pick<Context, 'storage'>,
  name: string,
  version: number,
  value: object,
  beside: (tx: OutboxTransaction) => Promise<void> = async () => undefined,
): Promise<boolean> {
  return storage.transact(async (tx) => {
    if (!(await tx.putDocument({ kind: CLOCK, name, version, text: JSON.stringify(value) }))) return false
    await beside(tx)
    return true
  })
}
