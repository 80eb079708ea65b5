import type { z } from 'zod'
import { GamificationError } from '../errors.ts'
import { loadDocument, putDocument } from '../sql/outbox.ts'
import { type Steps, wait } from '../storage/steps.ts'
import type { SqlTransaction } from '../storage/storage.ts'
import type { Context } from './context.ts'

const CLOCK = 'clock'

/** Reads a document about the progress of scheduled work. `stored` is `null` if there is none that can be read. */
export async function readDocument<T>(
  { storage }: Pick<Context, 'storage'>,
  name: string,
  schema: z.ZodType<T>,
): Promise<{ readonly stored: T | null; readonly version: number }> {
  const document = await loadDocument(storage, CLOCK, name)
  if (document === null) return { stored: null, version: 0 }
  const parsed = schema.safeParse(JSON.parse(document.text))
  return { stored: parsed.success ? parsed.data : null, version: document.version }
}

/** Runs `alsoWrite` in the same transaction. Returns `false`, and writes nothing, if another process wrote first. */
export function writeDocument(
  { storage }: Pick<Context, 'storage'>,
  name: string,
  version: number,
  value: object,
  alsoWrite: (tx: SqlTransaction) => Steps<void> = () => wait(undefined),
): Promise<boolean> {
  return storage.transaction(function* (tx) {
    if (!(yield* putDocument(tx, { kind: CLOCK, name, version, text: JSON.stringify(value) }))) return false
    yield* alsoWrite(tx)
    return true
  })
}

const MOST_TRIES = 50

/**
 * Repeats a change while it returns `undefined`, because another process wrote first. Throws `unavailable` after
 * `MOST_TRIES`; `what` names the documents.
 */
export async function untilWritten<T>(what: string, change: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const done = await change()
    if (done !== undefined) return done
  }
  const message = `Other processes keep changing ${what}. Nothing was saved; try again.`
  throw new GamificationError('unavailable', message)
}
