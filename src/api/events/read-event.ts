import { gameKey, parse } from '../input.ts'
import { eventRequest, type MetricEventRequest, type ParsedEvent, readIdempotencyKey } from './requests.ts'

/** An event of which every part was read, its idempotency key too. */
export interface ReadEvent extends ParsedEvent {
  readonly idempotencyKey: string | null
}

/** What a call records, and how it is to be answered. */
export interface ReadEventCall {
  readonly metric: string
  readonly event: ReadEvent
  readonly includePrivate: boolean
}

/** What HTTP has read of requests. No host gets hold of one of them, and a copy of it is a request like any other. */
const calls = new WeakMap<object, ReadEventCall>()

/** The request, of which `readEventCall` then answers `call` without reading it again. */
export function asRead(request: MetricEventRequest, call: ReadEventCall): MetricEventRequest {
  calls.set(request, call)
  return request
}

/** Reads what `metrics.event` was given. Throws `invalid_request`, then `invalid_idempotency_key`. */
export function readEventCall(metric: unknown, request: unknown): ReadEventCall {
  const known = typeof request === 'object' && request !== null ? calls.get(request) : undefined
  if (known !== undefined && known.metric === metric) return known
  const key = parse(gameKey, metric, 'metric key')
  const { includePrivate, ...event } = parse(eventRequest, request, 'metric event')
  return {
    metric: key,
    event: { ...event, idempotencyKey: readIdempotencyKey(event.idempotencyKey) },
    includePrivate,
  }
}
