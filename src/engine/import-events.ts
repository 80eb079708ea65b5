import { z } from 'zod'
import { type ErrorCode, isGamificationError } from '../errors.ts'
import { importedEventId } from '../game/ids.ts'
import type { Context } from './context.ts'
import { parse } from './input.ts'
import { eventRequest, type MetricEventRequest, metricKey, performEvent } from './record-event.ts'

/** What `metrics.event` takes, with the metric's key. */
export interface ImportItem<
  Metric extends string = string,
  UserAttribute extends string = string,
  EventAttribute extends string = string,
> extends MetricEventRequest<UserAttribute, EventAttribute> {
  readonly metric: Metric
}

export interface ImportRefusal {
  /** Place among the items read, from 0. */
  readonly index: number
  readonly code: ErrorCode
  readonly message: string
}

export interface ImportProgress {
  /** Items that were settled; the sum of the other three. */
  readonly read: number
  readonly recorded: number
  /** Recorded before, by their idempotency keys. */
  readonly replayed: number
  readonly refused: number
}

export interface ImportReport extends ImportProgress {
  /** The first 1,000 refusals; `onRefused` sees all of them. */
  readonly refusals: readonly ImportRefusal[]
}

export interface ImportOptions {
  /** Called now and then while items are settled, and once at the end. */
  readonly onProgress?: (progress: ImportProgress) => void
  /** Called for each item that is refused; a refused item never stops the rest. */
  readonly onRefused?: (refusal: ImportRefusal) => void
}

const MOST_UNDER_WAY = 512
const MOST_REFUSALS = 1_000
const PROGRESS_EVERY = 1_000

/** Failures of the storage, not of an item: the import stops, and can be run again. */
const FATAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'storage_unusable',
  'unavailable',
  'storage_full',
  'outcome_unknown',
  'closed',
  'internal',
])

const metricOf = z.looseObject({ metric: metricKey })

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
  const course = startImport(options)
  let index = 0
  for await (const item of items) {
    course.enter(index, importItem(context, tenant, item))
    index += 1
    if (course.underWay() >= MOST_UNDER_WAY) await course.room()
    course.check()
  }
  await course.finished()
  return course.report()
}

/** True when it is new, false when it is a replay. */
async function importItem(context: Context, tenant: string, item: unknown): Promise<boolean> {
  const { metric } = parse(metricOf, item, 'import item')
  const event = parse(eventRequest, item, 'import item')
  const { idempotencyKey: key } = event
  const derived = typeof key === 'string' ? { entryId: importedEventId(tenant, event.user.id, metric, key) } : {}
  const outcome = await performEvent(context, tenant, metric, event, { ...derived, isNotified: false })
  return outcome.type === 'recorded'
}

interface ImportCourse {
  enter(index: number, recording: Promise<boolean>): void
  underWay(): number
  /** Resolves when another item may be entered. */
  room(): Promise<void>
  finished(): Promise<void>
  /** Throws what stopped the import. */
  check(): void
  report(): ImportReport
}

function startImport({ onProgress, onRefused }: ImportOptions): ImportCourse {
  const progress = { read: 0, recorded: 0, replayed: 0, refused: 0 }
  const refusals: ImportRefusal[] = []
  let underWay = 0
  let failure: { readonly error: unknown } | null = null
  let wake: (() => void) | null = null

  function refuse(index: number, error: unknown): void {
    if (!isGamificationError(error) || FATAL.has(error.code)) {
      failure ??= { error }
      return
    }
    const refusal: ImportRefusal = { index, code: error.code, message: error.message }
    progress.refused += 1
    if (refusals.length < MOST_REFUSALS) refusals.push(refusal)
    onRefused?.(refusal)
  }

  async function follow(index: number, recording: Promise<boolean>): Promise<void> {
    try {
      if (await recording) progress.recorded += 1
      else progress.replayed += 1
    } catch (error) {
      refuse(index, error)
    }
    progress.read = progress.recorded + progress.replayed + progress.refused
    if (progress.read % PROGRESS_EVERY === 0) onProgress?.({ ...progress })
    underWay -= 1
    wake?.()
  }

  const check = (): void => {
    if (failure !== null) throw failure.error
  }
  const waitUntil = async (isReached: () => boolean): Promise<void> => {
    while (!isReached()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  return {
    enter: (index, recording) => {
      underWay += 1
      void follow(index, recording)
    },
    underWay: () => underWay,
    room: () => waitUntil(() => underWay <= MOST_UNDER_WAY / 2),
    finished: async () => {
      await waitUntil(() => underWay === 0)
      check()
      onProgress?.({ ...progress })
    },
    check,
    report: () => ({ ...progress, refusals }),
  }
}
