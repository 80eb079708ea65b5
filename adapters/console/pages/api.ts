import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { ApiError, randomKey, request, toApiError } from '../../client/send.ts'
import { MOUNT } from './router.ts'

export type QueryValues = { readonly [name: string]: string | number | boolean | readonly string[] | null | undefined }

interface Settings {
  readonly query?: QueryValues
  /** Default: `{}`, except for GET. */
  readonly body?: unknown
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** The response of `console.json`, which the pages load first. */
export interface ConsoleInfo {
  readonly access: 'read' | 'write'
  readonly multiTenant: boolean
  /** The server can create webhooks. */
  readonly hasWebhookKey: boolean
  readonly version: string
  readonly tenant: string | null
}

let tenant: string | null = null

/** Sets the tenant of all later calls. `null` in a game without tenants. */
export function setTenantOfCalls(id: string | null): void {
  tenant = id
}

/** Calls a route of the application API (`v1/…`) or admin API (`admin/v1/…`). Rejects with `ApiError`. */
export async function call<Data>(method: string, path: string, settings?: Settings): Promise<Data> {
  const response = await send(method, path, settings)
  return (await response.json().catch(() => Promise.reject(gone()))) as Data
}

/** Yields the JSON lines of a streaming route. Rejects with `ApiError`, also in the middle. */
export async function* lines<Line>(method: string, path: string, settings?: Settings): AsyncGenerator<Line> {
  const { body } = await send(method, path, settings)
  if (body === null) throw gone()
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => Promise.reject(gone()))
      rest += value ?? ''
      const complete = rest.split('\n')
      rest = complete.pop() ?? ''
      for (const line of complete) if (line !== '') yield JSON.parse(line) as Line
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Encodes the parts of a path: `` route`admin/v1/users/${id}/events` ``. */
export function route(texts: TemplateStringsArray, ...parts: readonly string[]): string {
  return texts.map((text, index) => text + encodeURIComponent(parts[index] ?? '')).join('')
}

async function send(method: string, path: string, settings: Settings = {}): Promise<Response> {
  const { query = {}, idempotencyKey = null, signal } = settings
  if (tenant !== null && !/^[\x20-\x7e]*$/.test(tenant)) {
    const message = `A tenant is named in a header, which is ASCII: "${tenant}" cannot be.`
    throw new ApiError(message, { status: null, code: 'invalid_request' })
  }
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== '')
  // Only JSON is accepted as a change, because other sites cannot send it.
  const body = settings.body ?? (method === 'GET' ? undefined : {})
  const sent = { method, path, query: Object.fromEntries(given), body, idempotencyKey, signal }
  const options = { baseUrl: new URL('api', MOUNT), ...(tenant !== null && { tenant }) }
  const response = await request(options, sent, signal ?? null).catch(() => Promise.reject(gone()))
  if (response.ok) return response
  throw toApiError(sent, response.status, await response.json().catch(() => null))
}

function gone(): ApiError {
  return new ApiError('The server does not answer.', { status: null, code: 'no_answer' })
}

/** `null` until the pages are loaded. */
export const ConsoleContext = createContext<ConsoleInfo | null>(null)

/** Returns `true` if this page may make changes. Otherwise the page hides buttons that would. */
export function useMayWrite(): boolean {
  return useContext(ConsoleContext)?.access === 'write'
}

/** A key for each dialog, so that a change that is sent twice counts once. */
export function useIdempotencyKey(): string {
  return useState(() => `console-${randomKey()}`)[0]
}
