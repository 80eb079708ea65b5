import { GamificationError } from '../../src/errors.ts'

const ENDS =
  /^\s*(?:begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:transaction\s+|work\s+)?to\b))\b/i

/** Throws `storage_unusable` for a statement that would end the transaction of a handler, or begin another one. */
export function checkStatement(text: string): void {
  if (!ENDS.test(text)) return
  const message =
    'The transaction of a handler is begun and ended for it: leave out BEGIN, COMMIT and ROLLBACK, and throw to undo it.'
  throw new GamificationError('storage_unusable', message)
}
