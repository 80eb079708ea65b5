import { GamificationError } from '../../errors.ts'
import { importedEventId } from '../../game/ids.ts'
import { submit } from '../../record/write-modes.ts'
import type { Call, Context, WriteCall, WriteMode } from '../../runtime/context.ts'
import { parse } from '../../runtime/input.ts'
import type { EventBatchResponse } from '../../shapes/events.ts'
import { runSteps } from '../../storage/steps.ts'
import { failuresOf, resultsOf } from '../bulk-items.ts'
import { importExport, isExportLine } from '../operate/import-export.ts'
import { toPatch } from '../users/requests.ts'
import { type ImportReport, type ItemEnd, importOptions, startImportReport } from './import-report.ts'
import { readOccurredAt, submitEvent } from './record-event.ts'
import * as requests from './requests.ts'

/** The items of the next wave are read while this wave is recorded. */
const WAVE = 1_024

export async function importItems(
  context: Context,
  tenantOf: () => string,
  items: AsyncIterable<unknown> | Iterable<unknown>,
  options: unknown,
): Promise<ImportReport> {
  if (typeof items !== 'object' || items === null || !(Symbol.iterator in items || Symbol.asyncIterator in items)) {
    throw new GamificationError('invalid_request', 'import takes a list, an iterable or an async iterable of items.')
  }
  const { notify, ...callbacks } = parse(importOptions, options, 'options')
  const report = startImportReport(callbacks)
  const { first, all } = await lookAhead(items)
  if (isExportLine(first)) {
    await importExport(context, tenantOf, all, report)
    return report.finish()
  }
  const tenant = tenantOf()
  const mode: WriteMode =
    notify === true ? context.queued : { ...context.queued, notify: () => undefined, isSilent: true }
  const follow = (index: number, item: unknown, call: WriteCall): Promise<void> =>
    report.count(index, record(call, item))
  await recordItems({ ...context, tenant, mode }, all, follow, report.check)
  return report.finish()
}

async function lookAhead<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<{ readonly first: Item | undefined; readonly all: AsyncIterable<Item> }> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const first = await iterator.next()
  async function* all(): AsyncGenerator<Item> {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { first: first.done === true ? undefined : first.value, all: all() }
}

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

async function record(call: WriteCall, item: unknown): Promise<ItemEnd> {
  const isCompletion = typeof item === 'object' && item !== null && 'achievement' in item && !('metric' in item)
  if (isCompletion) return recordCompletion(call, item)
  const { metric, ...event } = parse(requests.importItem, item, 'import item')
  return recordItem(call, metric, event)
}

/** Records a completion, once for each instant: its idempotency key follows from it, unless the item has one. */
async function recordCompletion(call: WriteCall, item: unknown): Promise<ItemEnd> {
  const { achievement, user, occurredAt, idempotencyKey } = parse(requests.importedCompletion, item, 'import item')
  const key = requests.readIdempotencyKey(idempotencyKey) ?? `imported-${occurredAt.toISOString()}`
  const body = { kind: 'achievementClaimed', achievement, idempotencyKey: key } as const
  const at = readOccurredAt(occurredAt, call.now())
  const profile = toPatch(user)
  const outcome = await runSteps(submit(call, { user: user.id, profile, body, createsUser: true, occurredAt: at }))
  return outcome.type === 'unchanged' ? 'replayed' : 'recorded'
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
