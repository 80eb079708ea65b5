import { GamificationError, isGamificationError } from '../../src/errors.ts'
import type { ImportCompletion, ImportItem } from '../../src/requests/types/metric-event.ts'
import type { ExportedLine, Line } from './line.ts'
import { createLineNumbers } from './line-numbers.ts'

/** The lines of a file as items of an import. */
export interface Items {
  readonly items: AsyncIterable<ImportItem | ImportCompletion | ExportedLine>
  /** The line of the item at a place. */
  lineOf(index: number): number
  /** Events without an idempotency key: running the import again would record them again. */
  withoutKey(): number
  /** Throws what ended the reading early, if anything did. */
  check(): void
}

export interface ItemsOptions {
  readonly signal: AbortSignal
  /** Called with each line; the problem is why it is no item. */
  readonly onLine: (line: number, problem: string | null) => void
}

/** What cannot be read ends the items, so that those before it are still recorded. */
export function toItems(lines: AsyncIterable<Line>, { signal, onLine }: ItemsOptions): Items {
  const numbers = createLineNumbers()
  let withoutKey = 0
  let failure: { readonly error: unknown } | null = null

  async function* read(): AsyncGenerator<ImportItem | ImportCompletion | ExportedLine> {
    try {
      for await (const line of lines) {
        if (signal.aborted) return
        onLine(line.line, 'problem' in line ? line.problem : null)
        if ('problem' in line) continue
        numbers.add(line.line)
        if ('metric' in line.item && line.item.idempotencyKey === undefined) withoutKey += 1
        yield line.item
      }
    } catch (error) {
      failure = { error }
    }
  }

  return {
    items: read(),
    lineOf: numbers.lineOf,
    withoutKey: () => withoutKey,
    check: () => {
      if (failure !== null) throw toReadError(failure.error)
    },
  }
}

function toReadError(error: unknown): unknown {
  if (isGamificationError(error) || !(error instanceof Error)) return error
  return new GamificationError('unavailable', `The file could not be read to its end: ${error.message}`, {
    cause: error,
  })
}
