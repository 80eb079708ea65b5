import { type ErrorCode, type GamificationError, isGamificationError } from '../errors.ts'
import type { Eventually } from '../storage/sync-or-async.ts'
import type { BulkIssue } from './streaks/types.ts'

export function forEachItem<Item, Result>(
  items: readonly Item[],
  carryOut: (item: Item) => Eventually<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  return Promise.allSettled(items.map(async (item) => carryOut(item)))
}

export function resultsOf<Result>(outcomes: readonly PromiseSettledResult<Result>[]): readonly Result[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

/** Failures of the storage, not of an item: what was not done can be done again. */
export const ABOUT_STORAGE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'storage_unusable',
  'unavailable',
  'storage_full',
  'outcome_unknown',
  'closed',
  'internal',
])

/**
 * Returns the items that failed. Throws a failure that is not about one item if no item was carried out. If one was, such
 * a failure is the item's, because a client that retries would repeat the other items.
 */
export function failuresOf(
  outcomes: readonly PromiseSettledResult<unknown>[],
): readonly { readonly index: number; readonly error: GamificationError }[] {
  const isAnyDone = outcomes.some(({ status }) => status === 'fulfilled')
  return outcomes.flatMap((outcome, index) => {
    if (outcome.status === 'fulfilled') return []
    const error: unknown = outcome.reason
    if (!isGamificationError(error) || (!isAnyDone && ABOUT_STORAGE.has(error.code))) throw worst(outcomes)
    return [{ index, error }]
  })
}

/** The failure after which the least is known of what was stored. */
function worst(outcomes: readonly PromiseSettledResult<unknown>[]): unknown {
  const errors = outcomes.flatMap((each): readonly unknown[] => (each.status === 'rejected' ? [each.reason] : []))
  const isUnknown = (error: unknown): boolean => !isGamificationError(error) || error.code === 'outcome_unknown'
  const isAboutStorage = (error: unknown): boolean => isGamificationError(error) && ABOUT_STORAGE.has(error.code)
  return errors.find(isUnknown) ?? errors.find(isAboutStorage)
}

/** An item that is no mistake, but leaves nothing to do. */
const WARNINGS: ReadonlySet<ErrorCode> = new Set(['streak_not_lost', 'streak_freezes_full'])

export function toIssues(
  outcomes: readonly PromiseSettledResult<unknown>[],
  userOf: (index: number) => string,
): readonly BulkIssue[] {
  const failures = failuresOf(outcomes)
  // Damage is no mistake of the caller: operators learn of it from the error.
  const damaged = failures.find(({ error }) => error.code === 'user_damaged')
  if (damaged !== undefined && failures.length === outcomes.length) throw damaged.error
  return failures.map(({ index, error: { code, message } }) => {
    const level = WARNINGS.has(code) ? 'warning' : 'error'
    return { userId: userOf(index), level, reason: message, index, severity: level, message }
  })
}
