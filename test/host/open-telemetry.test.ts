import { tracingChannel } from 'node:diagnostics_channel'
import { context, metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { applicationApi } from '../../adapters/fetch/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import { openTelemetry } from '../../adapters/opentelemetry/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import dashboard from '../../docs/pictures/grafana-dashboard.json' with { type: 'json' }
import { GamificationError } from '../../src/index.ts'
import { type Engine, NOON, openOn, untyped } from '../support/engine.ts'

const GAME = { metrics: { words: { name: 'Words' } } } as const
const EVENT = { user: { id: 'ann' }, value: 5 }

const spans = new InMemorySpanExporter()
let measured: InMemoryMetricExporter
let reader: PeriodicExportingMetricReader
let engine: Engine
let stop: () => void

beforeEach(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
  measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 60_000 })
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  engine = await openOn(sqlite(':memory:'), { now: NOON }, GAME)
  stop = openTelemetry({ gamification: engine })
})

afterEach(async () => {
  stop()
  await engine.close()
  await reader.shutdown()
  spans.reset()
  for (const api of [context, trace, metrics]) api.disable()
})

/** The finished spans, each as its name and the name of its parent. */
function tree(): readonly string[] {
  const finished = spans.getFinishedSpans()
  const nameOf = (id: string | undefined): string =>
    finished.find((span) => span.spanContext().spanId === id)?.name ?? '-'
  return finished.map((span) => `${span.name} < ${nameOf(span.parentSpanContext?.spanId)}`)
}

function spanOf(name: string): ReadableSpan | undefined {
  return spans.getFinishedSpans().find((span) => span.name === name)
}

async function measurements(): Promise<Record<string, unknown[]>> {
  measured.reset()
  await reader.forceFlush()
  const scopes = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
  const all = scopes.flatMap((scope) => scope.metrics)
  return Object.fromEntries(
    all.map(({ descriptor, dataPoints }) => [
      descriptor.name,
      dataPoints.map(({ attributes, value }) =>
        typeof value === 'number' ? { ...attributes, value } : { ...attributes, count: value.count },
      ),
    ]),
  )
}

/** As an instrumentation of a web framework does it. */
function asRequest<T>(run: () => Promise<T>): Promise<T> {
  return trace.getTracer('host').startActiveSpan('POST /event', { kind: SpanKind.SERVER }, async (span) => {
    try {
      return await run()
    } finally {
      span.end()
    }
  })
}

describe('spans', () => {
  test('lead from an HTTP request down to its storage request', async () => {
    const { key } = await engine.adminKeys.create()
    const handle = applicationApi(engine)
    spans.reset()
    const response = await asRequest(() =>
      handle(
        new Request('http://localhost/v1/metrics/words/event', {
          method: 'POST',
          headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
          body: JSON.stringify(EVENT),
        }),
      ),
    )
    expect(response.status).toBe(201)
    expect(tree()).toEqual([
      'laurels.storage commit < laurels.batch',
      'laurels.batch < laurels metrics.event',
      'laurels metrics.event < POST /event',
      'POST /event < -',
    ])
    const traces = new Set(spans.getFinishedSpans().map((span) => span.spanContext().traceId))
    expect(traces.size).toBe(1)
    expect(spanOf('laurels.batch')?.attributes).toEqual({ 'laurels.commands': 1 })
    expect(spanOf('laurels.storage commit')).toMatchObject({ kind: SpanKind.CLIENT, ended: true })
  })

  test('of a batch belong to its first call, and link to the others', async () => {
    await asRequest(() =>
      Promise.all(['ann', 'bob'].map((id) => engine.metrics.event('words', { user: { id }, value: 1 }))),
    )
    const [first, second] = spans.getFinishedSpans().filter(({ name }) => name === 'laurels metrics.event')
    const batch = spanOf('laurels.batch')
    expect(batch?.parentSpanContext?.spanId).toBe(first?.spanContext().spanId)
    expect(batch?.links.map((link) => link.context.spanId)).toEqual([second?.spanContext().spanId])
  })

  test('of a call that waited for a busy queue have their own batch', async () => {
    const calls = Array.from({ length: 65 }, (_, index) =>
      engine.metrics.event('words', { user: { id: `user-${index}` }, value: 1 }),
    )
    await Promise.all(calls)
    const finished = spans.getFinishedSpans()
    const batches = finished.filter(({ name }) => name === 'laurels.batch')
    const events = finished.filter(({ name }) => name === 'laurels metrics.event')
    expect(batches.map(({ attributes }) => attributes['laurels.commands'])).toEqual([64, 1])
    const parents = batches.map(({ parentSpanContext }) => parentSpanContext?.spanId)
    expect(new Set(parents).size).toBe(2)
    expect(events.map((span) => span.spanContext().spanId)).toEqual(expect.arrayContaining(parents))
  })

  test('of the host come between two calls', async () => {
    engine.on('user.created', async () => {
      await asRequest(() => engine.users.get('ann'))
    })
    await engine.metrics.event('words', EVENT)
    await engine.close()
    expect(tree()).toContain('laurels users.get < POST /event')
    expect(tree()).toContain('POST /event < -')
  })

  test('of a late event have the replay, which ends at once on SQLite', async () => {
    await engine.metrics.event('words', EVENT)
    spans.reset()
    await engine.metrics.event('words', { ...EVENT, occurredAt: new Date('2026-03-09T12:00:00Z') })
    expect(tree()).toContain('laurels.replay < laurels.storage transaction')
    expect(spanOf('laurels.replay')?.attributes).toMatchObject({ 'laurels.commands': 1 })
  })

  test('name the code of a refusal, which is no error', async () => {
    await engine.users.get('nobody').catch(() => undefined)
    const span = spanOf('laurels users.get')
    expect(span?.attributes['error.type']).toBe('unknown_user')
    expect(span?.status.code).toBe(SpanStatusCode.UNSET)
  })

  test('have the error if the database failed', async () => {
    await engine.close()
    await engine.users.get('ann').catch(() => undefined)
    const span = spanOf('laurels users.get')
    expect(span?.attributes['error.type']).toBe('closed')
    expect(span?.status.code).toBe(SpanStatusCode.ERROR)
    expect(span?.events.map(({ name }) => name)).toEqual(['exception'])
  })

  test('never have the message of an error that names a user', async () => {
    const error = new GamificationError('user_damaged', 'The log of the user "ann" lacks lines.')
    const failing = tracingChannel('laurels:call').tracePromise(() => Promise.reject(error), { operation: 'users.get' })
    await expect(failing).rejects.toBe(error)
    const span = spanOf('laurels users.get')
    expect(span).toMatchObject({ status: { code: SpanStatusCode.ERROR }, events: [] })
    expect(span?.attributes['error.type']).toBe('user_damaged')
  })

  test('are not made of what the metrics themselves read, nor after the end', async () => {
    await measurements()
    stop()
    await engine.users.get('nobody').catch(() => undefined)
    expect(tree()).toEqual([])
  })
})

describe('metrics', () => {
  test('count calls, batches, waits, storage requests and replays', async () => {
    await engine.metrics.event('words', EVENT)
    await engine.metrics.event('words', { ...EVENT, occurredAt: new Date('2026-03-09T12:00:00Z') })
    await engine.users.get('nobody').catch(() => undefined)
    expect(await measurements()).toMatchObject({
      'laurels.call.duration': [
        { 'laurels.operation': 'metrics.event', count: 2 },
        { 'laurels.operation': 'users.get', 'error.type': 'unknown_user', count: 1 },
      ],
      'laurels.batch.size': [{ count: 2 }],
      'laurels.queue.wait': [{ count: 2 }],
      'laurels.storage.duration': expect.arrayContaining([{ 'laurels.operation': 'commit', count: 2 }]),
      'laurels.replay.entries': [{ count: 1 }],
    })
  })

  test('say how many messages wait for subscriptions and webhooks', async () => {
    await engine.subscribe('mail', { types: ['user.created'] }, () => undefined)
    const { id } = await engine.webhooks.create({ url: 'https://example.com/hook', types: ['user.created'] })
    await engine.metrics.event('words', EVENT)
    expect(await measurements()).toMatchObject({
      'laurels.subscription.messages': [
        { 'laurels.subscription': 'mail', 'laurels.state': 'waiting', value: 1 },
        { 'laurels.subscription': 'mail', 'laurels.state': 'dead', value: 0 },
      ],
      'laurels.webhook.messages': [
        { 'laurels.webhook': id, 'laurels.state': 'waiting', value: 0 },
        { 'laurels.webhook': id, 'laurels.state': 'dead', value: 0 },
      ],
    })
  })
})

test('The answers are those of an engine without telemetry', async () => {
  const other = await openOn(memory(), { now: NOON }, GAME)
  const answer = await other.metrics.event('words', EVENT)
  stop()
  const { eventId } = answer
  expect({ ...(await engine.metrics.event('words', EVENT)), eventId }).toEqual(answer)
  await other.close()
})

test('The Grafana dashboard asks for these metrics and no others', () => {
  const asked = [...JSON.stringify(dashboard).matchAll(/laurels_\w+?(?=_(?:bucket|count|sum)\b)|laurels_\w+_messages/g)]
  expect(new Set(asked.map(([name]) => name.replace('_seconds', '').replaceAll('_', '.')))).toEqual(
    new Set([
      'laurels.call.duration',
      'laurels.batch.size',
      'laurels.queue.wait',
      'laurels.storage.duration',
      'laurels.replay.entries',
      'laurels.subscription.messages',
      'laurels.webhook.messages',
    ]),
  )
})

test('An unknown option is refused', () => {
  expect(() => openTelemetry(untyped({ engine }))).toThrow('Invalid options of openTelemetry')
})
