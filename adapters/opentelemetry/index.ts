import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import {
  type Attributes,
  type BatchObservableResult,
  type Context,
  context,
  type Histogram,
  type Link,
  type Meter,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { httpStatus } from '../../src/http-status.ts'
import type { BatchTrace, CallTrace, DefinedGame, Gamification, ReplayTrace, StorageTrace } from '../../src/index.ts'
import { checkOptions } from '../../src/options.ts'

export interface OpenTelemetryOptions {
  /** Reports how many messages wait for the subscriptions and webhooks of this engine. Default: not reported. */
  readonly gamification?: Pick<Gamification<DefinedGame>, 'subscriptions' | 'webhooks'>
}

interface Running {
  readonly span: Span | null
  /** The active context of the host when it started. */
  readonly outer: Context
  readonly startedAt: number
  readonly attributes: Attributes
}

type Message<Trace> = Trace & { readonly result?: unknown; readonly error?: unknown }

interface Instrument<Trace> {
  readonly channel: string
  readonly kind: SpanKind
  /** Without it, spans are made only as children of other spans of laurels. */
  readonly isRoot: boolean
  name(message: Trace): string
  attributes(message: Trace): Attributes
  links?(message: Trace): Link[]
  start?(message: Trace, now: number): void
  end?(seconds: number, attributes: Attributes): void
}

/** `null` if nothing is traced, because the metrics themselves ask. */
const current = new AsyncLocalStorage<Running | null>()

/**
 * Makes spans and metrics of all engines of this process, with the providers that are registered in
 * `@opentelemetry/api`. Call it once, after the SDK has started. Returns a function that ends it.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): () => void {
  checkOptions('options of openTelemetry', options, ['gamification'])
  const meter = metrics.getMeter('laurels')
  const ends = [
    observe(operations(meter, 'call', CALLS)),
    observe(batches(meter)),
    observe(operations(meter, 'storage', REQUESTS)),
    observe(replays(meter)),
    options.gamification === undefined ? () => undefined : observeMessages(meter, options.gamification),
  ]
  return () => {
    for (const end of ends) end()
  }
}

const CALLS = { kind: SpanKind.INTERNAL, isRoot: true, description: 'Time from a call to its answer' }
const REQUESTS = { kind: SpanKind.CLIENT, isRoot: false, description: 'Time of a request to the database' }

function operations(
  meter: Meter,
  name: 'call' | 'storage',
  { description, ...how }: Pick<Instrument<never>, 'kind' | 'isRoot'> & { readonly description: string },
): Instrument<CallTrace | StorageTrace> {
  const duration = secondsOf(meter, `laurels.${name}.duration`, description)
  return {
    ...how,
    channel: `laurels:${name}`,
    name: ({ operation }) => `${name === 'call' ? 'laurels' : 'laurels.storage'} ${operation}`,
    attributes: ({ operation }) => ({ 'laurels.operation': operation }),
    end: (seconds, attributes) => duration.record(seconds, attributes),
  }
}

function batches(meter: Meter): Instrument<BatchTrace> {
  const description = 'Commands that were saved together'
  const size = meter.createHistogram('laurels.batch.size', { description, unit: '{command}', advice: buckets(SIZES) })
  const wait = secondsOf(meter, 'laurels.queue.wait', 'Time that a command waited for its batch')
  return {
    channel: 'laurels:batch',
    kind: SpanKind.INTERNAL,
    isRoot: true,
    name: () => 'laurels.batch',
    attributes: ({ commands }) => ({ 'laurels.commands': commands }),
    links: linksTo,
    start: ({ commands, callers }, now) => {
      size.record(commands)
      for (const { queuedAt } of callers) wait.record((now - queuedAt) / 1_000)
    },
  }
}

/** A batch is a child of its first call, and has a link to each other one. */
function linksTo({ callers }: BatchTrace): Link[] {
  const links = new Map<string, Link>()
  for (const { run } of callers) {
    const span = run(() => current.getStore()?.span?.spanContext())
    if (span !== undefined) links.set(span.spanId, { context: span })
  }
  const parent = current.getStore()?.span?.spanContext()
  if (parent !== undefined) links.delete(parent.spanId)
  return [...links.values()]
}

function replays(meter: Meter): Instrument<ReplayTrace> {
  const description = 'Length of a log that was replayed for a late event'
  const options = { description, unit: '{entry}', advice: buckets(SIZES) }
  const length = meter.createHistogram('laurels.replay.entries', options)
  return {
    channel: 'laurels:replay',
    kind: SpanKind.INTERNAL,
    isRoot: false,
    name: () => 'laurels.replay',
    attributes: ({ commands, entries }) => ({ 'laurels.commands': commands, 'laurels.entries': entries }),
    start: ({ entries }) => length.record(entries),
  }
}

/** Returns `null` if the metrics themselves ask, so nothing is traced. */
function start<Trace>(instrument: Instrument<Trace>, message: Trace): Running | null {
  const store = current.getStore()
  if (store === null) return null
  const outer = context.active()
  const { name, kind, isRoot } = instrument
  const attributes = instrument.attributes(message)
  // If the contexts differ, the host has started a span of its own within the call.
  const parent = store?.span && store.outer === outer ? trace.setSpan(outer, store.span) : outer
  const links = instrument.links?.(message) ?? []
  const tracer = trace.getTracer('laurels')
  const span = isRoot || store?.span ? tracer.startSpan(name(message), { kind, attributes, links }, parent) : null
  const startedAt = performance.now()
  instrument.start?.(message, startedAt)
  return { span, outer, startedAt, attributes }
}

function observe<Trace extends object>(instrument: Instrument<Trace>): () => void {
  const channel = tracingChannel<Running | null, Message<Trace>>(instrument.channel)
  const running = new WeakMap<object, Running>()

  const begin = (message: Message<Trace>): Running | null => {
    const one = start(instrument, message)
    if (one !== null) running.set(message, one)
    return one
  }
  const finish = (message: Message<Trace>): void => {
    const one = running.get(message)
    if (one === undefined) return
    const { span, startedAt, attributes } = one
    const failure = 'error' in message ? { 'error.type': typeOf(message.error) } : {}
    instrument.end?.((performance.now() - startedAt) / 1_000, { ...attributes, ...failure })
    if ('error' in message) failSpan(span, message.error)
    span?.end()
  }

  // A call that returned synchronously has ended here. A promise publishes `asyncEnd` later.
  const end = (message: unknown): void => {
    const known = message as Message<Trace>
    if ('result' in known || 'error' in known) finish(known)
  }
  const asyncEnd = (message: unknown): void => finish(message as Message<Trace>)

  channel.start.bindStore(current, begin)
  channel.end.subscribe(end)
  channel.asyncEnd.subscribe(asyncEnd)
  return () => {
    channel.start.unbindStore(current)
    channel.end.unsubscribe(end)
    channel.asyncEnd.unsubscribe(asyncEnd)
  }
}

/** The messages of these errors can name a user. */
const NAME_USERS: ReadonlySet<string> = new Set(['user_damaged', 'internal'])

/** A refusal is an answer: only what HTTP answers with 500 or more makes a span an error. */
function failSpan(span: Span | null, error: unknown): void {
  const type = typeOf(error)
  span?.setAttribute('error.type', type)
  if (httpStatus(error) < 500) return
  if (error instanceof Error && !NAME_USERS.has(type)) span?.recordException(error)
  span?.setStatus({ code: SpanStatusCode.ERROR })
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function observeMessages(meter: Meter, gamification: NonNullable<OpenTelemetryOptions['gamification']>): () => void {
  const unit = '{message}'
  const subscriptions = meter.createObservableGauge('laurels.subscription.messages', {
    description: 'Messages that wait for a subscription (at most 10,000 are counted), or that it put aside',
    unit,
  })
  const webhooks = meter.createObservableGauge('laurels.webhook.messages', {
    description: 'Messages of the last 30 days that wait for a webhook, or that its receiver did not accept',
    unit,
  })
  const read = async (result: BatchObservableResult): Promise<void> => {
    for (const { name, behind, deadLetters } of await gamification.subscriptions.list()) {
      result.observe(subscriptions, behind, { 'laurels.subscription': name, 'laurels.state': 'waiting' })
      result.observe(subscriptions, deadLetters, { 'laurels.subscription': name, 'laurels.state': 'dead' })
    }
    for (const { id, deliveries } of await gamification.webhooks.list()) {
      result.observe(webhooks, deliveries.waiting, { 'laurels.webhook': id, 'laurels.state': 'waiting' })
      result.observe(webhooks, deliveries.dead, { 'laurels.webhook': id, 'laurels.state': 'dead' })
    }
  }
  const callback = (result: BatchObservableResult): Promise<void> => current.run(null, () => read(result))
  meter.addBatchObservableCallback(callback, [subscriptions, webhooks])
  return () => meter.removeBatchObservableCallback(callback, [subscriptions, webhooks])
}

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1_024, 4_096, 16_384, 65_536]

function buckets(explicitBucketBoundaries: number[]): { explicitBucketBoundaries: number[] } {
  return { explicitBucketBoundaries }
}

function secondsOf(meter: Meter, name: string, description: string): Histogram {
  return meter.createHistogram(name, { description, unit: 's', advice: buckets(SECONDS) })
}
