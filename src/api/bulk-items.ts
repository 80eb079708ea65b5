import { type ErrorCode, isGamificationError } from '../errors.ts'
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

/** Codes of mistakes in one item, which say nothing about the others. */
const ABOUT_ITEMS: ReadonlySet<ErrorCode> = new Set([
  'unknown_user',
  'streak_not_lost',
  'streak_freezes_full',
  'pause_out_of_range',
  'unknown_pause',
  'unknown_boost',
  'unknown_attribute',
  'boost_out_of_range',
  'too_many_boosts',
  'invalid_request',
])

/** An item that is no mistake, but leaves nothing to do. */
const WARNINGS: ReadonlySet<ErrorCode> = new Set(['streak_not_lost', 'streak_freezes_full'])

/**
 * Returns the issues of items that failed. Throws a failure that is not about one item if no item was carried out. If
 * one was, such a failure is an issue too, because a client that retries would repeat the other items.
 */
export function toIssues(
  outcomes: readonly PromiseSettledResult<unknown>[],
  userOf: (index: number) => string,
): readonly BulkIssue[] {
  const isAnyDone = outcomes.some(({ status }) => status === 'fulfilled')
  return outcomes.flatMap((outcome, index) => {
    if (outcome.status === 'fulfilled') return []
    const error: unknown = outcome.reason
    if (!isGamificationError(error) || (!isAnyDone && !ABOUT_ITEMS.has(error.code))) throw error
    const level = WARNINGS.has(error.code) ? 'warning' : 'error'
    const { message } = error
    return [{ userId: userOf(index), level, reason: message, index, severity: level, message }]
  })
}
