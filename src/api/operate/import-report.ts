import { z } from 'zod'
import { type ErrorCode, isGamificationError } from '../../errors.ts'
import { aFunction, optional, type Parsed } from '../../runtime/input.ts'
import { ABOUT_STORAGE } from '../bulk-items.ts'
import type { ItemEnd } from '../events/record-events.ts'
import type { Takes } from '../takes.ts'

export interface ImportRefusal {
  /** Index among the items read, from 0. */
  readonly index: number
  readonly code: ErrorCode
  readonly message: string
}

export interface ImportProgress {
  /** Items that have an outcome: the sum of recorded, replayed and refused items. */
  readonly read: number
  readonly recorded: number
  /** Recorded before, by their idempotency keys. */
  readonly replayed: number
  readonly refused: number
  /** The number of recorded events that limits hold back. Absent if there are none. */
  readonly held?: number
}

export interface ImportReport extends ImportProgress {
  /** The first 1,000 refusals; `onRefused` sees all of them. */
  readonly refusals: readonly ImportRefusal[]
}

export interface ImportOptions {
  /**
   * If true, the import publishes messages about its events and completions, to subscriptions and webhooks, and calls
   * handlers. Default: false. Lines of an export publish nothing either way.
   */
  readonly notify?: boolean
  /** Called from time to time during the import, and once at the end. */
  readonly onProgress?: (progress: ImportProgress) => void
  /** Called for each item that is refused; a refused item never stops the rest. */
  readonly onRefused?: (refusal: ImportRefusal) => void
}

const options = z.strictObject({
  notify: optional(z.boolean()),
  onProgress: optional(aFunction<(progress: ImportProgress) => void>()),
  onRefused: optional(aFunction<(refusal: ImportRefusal) => void>()),
})
true satisfies Takes<typeof options, ImportOptions>
export const importOptions: z.ZodType<Parsed<ImportOptions>> = options

const MOST_REFUSALS = 1_000
const PROGRESS_EVERY = 1_000

type Progress = { -readonly [Name in keyof ImportProgress]: ImportProgress[Name] }

/** Counts how the items of an import end. */
export interface OpenImportReport {
  /** Follows one item to its end; never rejects. */
  count(index: number, recording: Promise<ItemEnd>): Promise<void>
  /** Throws what stopped the import. */
  check(): void
  /** The report, or throws what stopped the import. */
  finish(): ImportReport
}

export function startImportReport({ onProgress, onRefused }: Parsed<ImportOptions>): OpenImportReport {
  const progress: Progress = { read: 0, recorded: 0, replayed: 0, refused: 0 }
  const refusals: ImportRefusal[] = []
  let failure: { readonly error: unknown } | null = null

  function refuse(index: number, error: unknown): void {
    if (!isGamificationError(error) || ABOUT_STORAGE.has(error.code)) throw error
    const refusal: ImportRefusal = { index, code: error.code, message: error.message }
    progress.refused += 1
    if (refusals.length < MOST_REFUSALS) refusals.push(refusal)
    onRefused?.(refusal)
  }

  const check = (): void => {
    if (failure !== null) throw failure.error
  }

  return {
    count: async (index, recording) => {
      try {
        const [end] = await Promise.allSettled([recording])
        if (end.status === 'rejected') refuse(index, end.reason)
        else progress[end.value === 'replayed' ? 'replayed' : 'recorded'] += 1
        if (end.status === 'fulfilled' && end.value === 'held') progress.held = (progress.held ?? 0) + 1
        progress.read = progress.recorded + progress.replayed + progress.refused
        if (progress.read % PROGRESS_EVERY === 0) onProgress?.({ ...progress })
      } catch (error) {
        // An error that a callback of the host throws stops the import too.
        failure ??= { error }
      }
    },
    check,
    finish: () => {
      check()
      onProgress?.({ ...progress })
      return { ...progress, refusals: refusals.sort((left, right) => left.index - right.index) }
    },
  }
}
