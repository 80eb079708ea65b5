import { isGamificationError } from '../../errors.ts'
import type { Call, WriteCall } from '../../runtime/context.ts'
import { attempt, type BulkOutcome } from '../bulk-items.ts'
import { parse } from '../input.ts'
import { recordItem, recordItems } from './import-events.ts'
import { ABOUT_STORAGE, type ItemEnd } from './import-report.ts'
import { eventBatch, type ParsedBatchItem } from './requests.ts'
import type { EventBatchResponse } from './types.ts'

type EventOutcome = BulkOutcome<ItemEnd>

/**
 * Records up to 1,000 events, those of one user in the order of the list. The whole list is judged before anything is
 * stored; what the rules refuse afterwards are issues, and the others are recorded all the same. Handlers are called.
 */
export async function recordEvents(call: Call, request: unknown): Promise<EventBatchResponse> {
  const events = parse(eventBatch, request, 'events')
  const outcomes: EventOutcome[] = []
  const follow = async (index: number, { key, ...event }: ParsedBatchItem, each: WriteCall): Promise<void> => {
    outcomes[index] = await attempt(() => recordItem(each, key, event))
  }
  await recordItems({ ...call, mode: call.queued }, events, follow, () => undefined)
  return toResponse(outcomes)
}

function toResponse(outcomes: readonly EventOutcome[]): EventBatchResponse {
  const accepted = outcomes.filter((each) => each.type === 'done')
  const replayed = accepted.filter(({ result }) => result === 'replayed').length
  const held = outcomes.flatMap((each, index) => (each.type === 'done' && each.result === 'held' ? [index] : []))
  const issues = outcomes.flatMap((each, index) => {
    if (each.type === 'done') return []
    const { error } = each
    // Where something was stored, a client that is told to try again would have events without a key counted twice.
    if (!isGamificationError(error) || (accepted.length === 0 && ABOUT_STORAGE.has(error.code))) throw worst(outcomes)
    return [{ index, severity: 'error' as const, message: error.message, code: error.code }]
  })
  return { accepted: accepted.length, replayed, issues, ...(held.length === 0 ? {} : { held }) }
}

/** The failure after which the least is known of what was stored. */
function worst(outcomes: readonly EventOutcome[]): unknown {
  const errors = outcomes.flatMap((each) => (each.type === 'failed' ? [each.error] : []))
  const isUnknown = (error: unknown): boolean => !isGamificationError(error) || error.code === 'outcome_unknown'
  const isAboutStorage = (error: unknown): boolean => isGamificationError(error) && ABOUT_STORAGE.has(error.code)
  return errors.find(isUnknown) ?? errors.find(isAboutStorage)
}
