import { GamificationError } from '../../errors.ts'
import { submit } from '../../record/write-modes.ts'
import type { Context, WriteCall, WriteMode } from '../../runtime/context.ts'
import { parse } from '../../runtime/input.ts'
import { runSteps } from '../../storage/steps.ts'
import { readOccurredAt } from '../events/record-event.ts'
import { type ItemEnd, recordItem, recordItems } from '../events/record-events.ts'
import * as requests from '../events/requests.ts'
import { toPatch } from '../users/requests.ts'
import { importExport, isExportLine } from './import-export.ts'
import { type ImportReport, importOptions, startImportReport } from './import-report.ts'

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
