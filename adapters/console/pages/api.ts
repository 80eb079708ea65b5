import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { MOUNT } from './router.ts'

/** An error response. `status` 0: there was no response. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The mistakes in the request. */
  readonly issues: readonly ApiIssue[]

  constructor(status: number, code: string, message: string, issues: readonly ApiIssue[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.issues = issues
  }
}

export interface ApiIssue {
  readonly path: string
  readonly message: string
}

export type QueryValues = { readonly [name: string]: string | number | boolean | readonly string[] | null | undefined }

export interface CallOptions {
  readonly query?: QueryValues
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
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
export async function call<Loadable>(method: string, path: string, options: CallOptions = {}): Promise<Loadable> {
  const response = await send(method, path, options)
  if (response.status === 204) return undefined as Loadable
  return (await response.json().catch(() => Promise.reject(gone()))) as Loadable
}

/** Yields the JSON lines of a streaming route. Rejects with `ApiError`, also in the middle. */
export async function* lines<Line>(method: string, path: string, options: CallOptions = {}): AsyncGenerator<Line> {
  const { body } = await send(method, path, options)
  if (body === null) throw gone()
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((error: unknown) => Promise.reject(toError(error)))
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

async function send(
  method: string,
  path: string,
  { query = {}, body, headers, signal }: CallOptions,
): Promise<Response> {
  const url = new URL(`api/${path}`, MOUNT)
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined && each !== '') url.searchParams.append(name, String(each))
    }
  }
  if (tenant !== null && !/^[\x20-\x7e]*$/.test(tenant)) {
    throw new ApiError(0, 'invalid_request', `A tenant is named in a header, which is ASCII: "${tenant}" cannot be.`)
  }
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(tenant === null ? {} : { 'tenant-id': tenant }),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => Promise.reject(toError(error)))
  if (response.ok) return response
  const problem = (await response.json().catch(() => null)) as {
    readonly code?: string
    readonly error?: string
    readonly issues?: readonly ApiIssue[]
  } | null
  const text = problem?.error ?? `The server answered ${response.status}.`
  throw new ApiError(response.status, problem?.code ?? 'unknown', text, problem?.issues)
}

function toError(error: unknown): unknown {
  return error instanceof DOMException && error.name === 'AbortError' ? error : gone()
}

function gone(): ApiError {
  return new ApiError(0, 'gone', 'The server does not answer.')
}

export const ConsoleContext = createContext<ConsoleInfo>({
  access: 'read',
  multiTenant: false,
  hasWebhookKey: false,
  version: '',
  tenant: null,
})

/** Returns `true` if this page may make changes. Otherwise the page hides buttons that would. */
export function useMayWrite(): boolean {
  return useContext(ConsoleContext).access === 'write'
}
