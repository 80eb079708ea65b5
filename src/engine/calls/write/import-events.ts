import { GamificationError } from '../../../errors.ts'
import { importedEventId } from '../../../game/ids.ts'
import { parse } from '../../../requests/input.ts'
import { importItem, type MetricEventRequest } from '../../../requests/metric-event.ts'
import type { Context, Door } from '../../types.ts'
import { collectLate } from './import-late.ts'
import { checkImportOptions, type ImportOptions, type ImportReport, startImportReport } from './import-report.ts'
import { performEvent } from './record-event.ts'

/** What `metrics.event` takes, with the metric's key. */
export interface ImportItem<
  Metric extends string = string,
  UserAttribute extends string = string,
  EventAttribute extends string = string,
> extends Omit<MetricEventRequest<UserAttribute, EventAttribute>, 'includePrivate'> {
  readonly metric: Metric
}

const MOST_UNDER_WAY = 2_048
const MOST_LATE = 10_000

/**
 * Records a history. Items with an idempotency key are recorded once however often the import is run, so an import that
 * was cut off is resumed by running it again (decisions, sections 6 and 10). The host's handlers are not called.
 */
export async function importEvents(
  context: Context,
  tenant: string,
  items: AsyncIterable<unknown> | Iterable<unknown>,
  options: ImportOptions,
): Promise<ImportReport> {
  if (!isIterable(items)) {
    throw new GamificationError('invalid_request', 'import takes a list, an iterable or an async iterable of items.')
  }
  checkImportOptions(options)
  const tally = startImportReport(options)
  const late = collectLate(context.recorder)
  const door: Door = { ...context.live, record: late.record, notify: () => undefined }
  let index = 0
  let underWay = 0
  let wake: (() => void) | null = null

  async function settle(place: number, item: unknown): Promise<void> {
    await tally.count(place, record(context, door, tenant, item))
    underWay -= 1
    wake?.()
  }

  async function waitFor(isReached: () => boolean): Promise<void> {
    while (!isReached()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  late.onCollected(() => wake?.())
  try {
    for await (const item of items) {
      underWay += 1
      void settle(index, item)
      index += 1
      if (late.collected() >= MOST_LATE) await late.flush()
      if (underWay - late.collected() >= MOST_UNDER_WAY) {
        await waitFor(() => underWay - late.collected() <= MOST_UNDER_WAY / 2)
      }
      tally.check()
    }
  } finally {
    await waitFor(() => underWay === late.collected())
  }
  await late.flush()
  await waitFor(() => underWay === 0)
  return tally.finish()
}

function isIterable(items: unknown): boolean {
  return typeof items === 'object' && items !== null && (Symbol.iterator in items || Symbol.asyncIterator in items)
}

/** True when it is new, false when it is a replay. */
async function record(context: Context, door: Door, tenant: string, item: unknown): Promise<boolean> {
  const event = parse(importItem, item, 'import item')
  const { metric, idempotencyKey: key } = event
  const derived = typeof key === 'string' ? { entryId: importedEventId(tenant, event.user.id, metric, key) } : {}
  const outcome = await performEvent(context, door, tenant, metric, event, derived)
  return outcome.type === 'recorded'
}
