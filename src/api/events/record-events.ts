import { importedEventId } from '../../game/ids.ts'
import type { Call, WriteCall } from '../../runtime/context.ts'
import type { EventBatchResponse } from '../../shapes/events.ts'
import { runSteps } from '../../storage/steps.ts'
import { failuresOf, resultsOf } from '../bulk-items.ts'
import { submitEvent } from './record-event.ts'
import * as requests from './requests.ts'

/** How an item that was accepted ended; `held`: a limit holds the event back. */
export type ItemEnd = 'recorded' | 'held' | 'replayed'

/** The items of the next wave are read while this wave is recorded. */
const WAVE = 2_048

/**
 * Records items; items of one user are recorded in their order, and late ones together, after others. `follow` records
 * one item through the given write mode, and never rejects. If `check` throws, the remaining items are not recorded.
 */
export async function recordItems<Item>(
  call: WriteCall,
  items: AsyncIterable<Item> | Iterable<Item>,
  follow: (index: number, item: Item, call: WriteCall) => Promise<void>,
  check: () => void,
): Promise<void> {
  const each: WriteCall = { ...call, mode: { ...call.mode, record: call.recorder.recordItem } }
  let before: Promise<unknown> = Promise.resolve()
  let wave: Promise<void>[] = []
  let next = 0
  try {
    for await (const item of items) {
      wave.push(follow(next, item, each))
      next += 1
      if (wave.length === WAVE) {
        await before
        before = Promise.all(wave)
        wave = []
      }
      check()
    }
  } finally {
    await Promise.all([before, ...wave])
  }
}

/** With an idempotency key, the id of the event follows from the key, so that any order gives the same ids. */
export async function recordItem(call: WriteCall, metric: string, event: requests.ParsedEvent): Promise<ItemEnd> {
  const idempotencyKey = requests.readIdempotencyKey(event.idempotencyKey)
  const derived =
    idempotencyKey === null ? {} : { entryId: importedEventId(call.tenant, event.user.id, metric, idempotencyKey) }
  const outcome = await runSteps(submitEvent(call, metric, event, derived))
  if (outcome.type === 'unchanged') return 'replayed'
  return outcome.isHeld ? 'held' : 'recorded'
}

export async function recordEvents(
  call: Call,
  events: readonly requests.ParsedBatchItem[],
): Promise<EventBatchResponse> {
  const outcomes: PromiseSettledResult<ItemEnd>[] = []
  const follow = async (index: number, { key, ...event }: requests.ParsedBatchItem, each: WriteCall): Promise<void> => {
    const [outcome] = await Promise.allSettled([recordItem(each, key, event)])
    outcomes[index] = outcome
  }
  await recordItems({ ...call, mode: call.queued }, events, follow, () => undefined)
  return toResponse(outcomes)
}

function toResponse(outcomes: readonly PromiseSettledResult<ItemEnd>[]): EventBatchResponse {
  const accepted = resultsOf(outcomes)
  const replayed = accepted.filter((end) => end === 'replayed').length
  const held = outcomes.flatMap((each, index) => (each.status === 'fulfilled' && each.value === 'held' ? [index] : []))
  const issues = failuresOf(outcomes).map(({ index, error: { code, message } }) => {
    return { index, severity: 'error' as const, message, code }
  })
  return { accepted: accepted.length, replayed, issues, ...(held.length === 0 ? {} : { held }) }
}
