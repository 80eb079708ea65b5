import { type ErrorCode, type GamificationError, isGamificationError } from '../errors.ts'
import type { BulkIssue } from '../shapes/streaks.ts'
import type { Eventually } from '../storage/steps.ts'

export function forEachItem<Item, Result>(
  items: readonly Item[],
  carryOut: (item: Item) => Eventually<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  return Promise.allSettled(items.map(async (item) => carryOut(item)))
}

export function resultsOf<Result>(outcomes: readonly PromiseSettledResult<Result>[]): readonly Result[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

/** Failures of the storage, not of an item. The items that failed can be sent again. */
export const ABOUT_STORAGE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'storage_unusable',
  'unavailable',
  'storage_full',
  'outcome_unknown',
  'closed',
  'internal',
])

/** Damage is no mistake of the caller either: operators learn of it from the error. */
const ABOUT_SERVER: ReadonlySet<ErrorCode> = new Set([...ABOUT_STORAGE, 'user_damaged'])

/**
 * Returns the items that failed. Throws a failure that is `aboutAll` if no item was carried out. If one was, such a failure
 * is the item's, because a client that retries would repeat the other items.
 */
export function failuresOf(
  outcomes: readonly PromiseSettledResult<unknown>[],
  aboutAll: ReadonlySet<ErrorCode> = ABOUT_STORAGE,
): readonly { readonly index: number; readonly error: GamificationError }[] {
  const isAnyDone = outcomes.some(({ status }) => status === 'fulfilled')
  return outcomes.flatMap((outcome, index) => {
    if (outcome.status === 'fulfilled') return []
    const error: unknown = outcome.reason
    if (!isGamificationError(error) || (!isAnyDone && aboutAll.has(error.code))) throw worst(outcomes, aboutAll)
    return [{ index, error }]
  })
}

/** The failure that leaves the most doubt about which items were stored. */
function worst(outcomes: readonly PromiseSettledResult<unknown>[], aboutAll: ReadonlySet<ErrorCode>): unknown {
  const errors = outcomes.flatMap((each): readonly unknown[] => (each.status === 'rejected' ? [each.reason] : []))
  const isUnknown = (error: unknown): boolean => !isGamificationError(error) || error.code === 'outcome_unknown'
  const isAboutAll = (error: unknown): boolean => isGamificationError(error) && aboutAll.has(error.code)
  return errors.find(isUnknown) ?? errors.find(isAboutAll)
}

/** An item that is no mistake, but leaves nothing to do. */
const WARNINGS: ReadonlySet<ErrorCode> = new Set(['streak_not_lost', 'streak_not_running', 'streak_freezes_full'])

export function toIssues(
  outcomes: readonly PromiseSettledResult<unknown>[],
  userOf: (index: number) => string,
): readonly BulkIssue[] {
  return failuresOf(outcomes, ABOUT_SERVER).map(({ index, error: { code, message } }) => {
    const level = WARNINGS.has(code) ? 'warning' : 'error'
    return { userId: userOf(index), level, reason: message, index, severity: level, message }
  })
}
