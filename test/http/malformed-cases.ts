import type { BindingName } from '../support/http.ts'
import type { RawRequest } from './raw-connection.ts'

/*
 * Requests that are not as they should be, with the status and the code that the documents decide: specification,
 * sections 4 and 7; decisions, sections 1, 2 and 8. Written by hand, never from the route table.
 */

/** Answers of a host in place of ours, or answers to a request that the host changed on its way to us. */
export interface Exception {
  readonly bindings: readonly (BindingName | 'bare')[]
  readonly status: number
  /** `ours`: JSON with `error` and `code`. The others are the host's own. */
  readonly says: 'ours' | 'html of Express' | 'JSON of Fastify' | 'JSON of the host of the tests' | 'nothing'
  readonly code?: string
  readonly reason: string
}

export interface MalformedCase {
  readonly what: string
  readonly request: RawRequest
  readonly status: number
  /** Absent if the request is fine. */
  readonly code?: string
  /** Methods in the header Allow. */
  readonly allow?: readonly string[]
  readonly exceptions?: readonly Exception[]
}

export const LIMIT = 262_144

/** Replaced by the server's admin key. */
export const VALID_KEY = '{{key}}'

export const JSON_TYPE = ['Content-Type', 'application/json'] as const
export const EVENT = '/v1/metrics/words/event'
export const ANN = '/v1/users/ann'

export type Headers = readonly (readonly [string, string])[]

export function post(body: string | Uint8Array, headers: Headers = [JSON_TYPE], chunk?: number): RawRequest {
  return { method: 'POST', path: EVENT, headers, body, ...(chunk === undefined ? {} : { chunk }) }
}

export const get = (path: string): RawRequest => ({ method: 'GET', path })

export const EVENT_OF_ANN = '{"user":{"id":"ann"},"value":1}'

export const malformed = { status: 400, code: 'malformed_request' } as const
export const invalid = { status: 422, code: 'invalid_request' } as const
export const unsupported = { status: 415, code: 'unsupported_media_type' } as const
export const tooLarge = { status: 413, code: 'body_too_large' } as const
export const unknownPath = { status: 404, code: 'unknown_path' } as const
export const accepted = { status: 201 } as const
export const fine = { status: 200 } as const

export function row(
  what: string,
  request: RawRequest,
  outcome: Pick<MalformedCase, 'status' | 'code' | 'allow'>,
  exceptions: readonly Exception[] = [],
): MalformedCase {
  return { what, request, ...outcome, exceptions }
}
