import { request } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import type { GameDefinition } from '../../../src/index.ts'
import { type Answer, type HttpOptions, openServer, type Server } from '../../support/http.ts'

export type { Answer, Server } from '../../support/http.ts'

/** Serves a game, and stops after the test. */
export async function serve(
  definition: GameDefinition,
  options: Omit<HttpOptions, 'definition'> = {},
): Promise<Server> {
  const server = await openServer({ definition, storage: memory(), ...options })
  onTestFinished(() => server.close())
  return server
}

interface Sent {
  /** Default: the server's admin key. No key if null. */
  readonly key?: string | null
  /** A list is a header sent several times. */
  readonly headers?: { readonly [name: string]: string | readonly string[] }
  /** Sent unchanged, with its length. No body if null. */
  readonly body?: string | Buffer | null
  /** Sent unchanged, in pieces of unknown length. */
  readonly chunks?: readonly (string | Buffer)[]
}

/** A call that `fetch` would not make: any method, path, header and body, byte for byte. */
export function send(server: Server, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { key = server.adminKey, chunks } = sent
  const body = sent.body ?? undefined
  const headers: Record<string, string | string[]> = {}
  if (key !== null) headers['x-api-key'] = key
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
  if (body !== undefined || chunks !== undefined) headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(sent.headers ?? {})) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : [...value]
  }
  const { hostname, port } = new URL(server.base)

  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString('utf8')
        const answered = new Headers()
        for (const [name, value] of Object.entries(response.headersDistinct)) {
          for (const one of value ?? []) answered.append(name, one)
        }
        const isJson = answered.get('content-type')?.includes('json') === true
        resolve({
          status: response.statusCode ?? 0,
          headers: answered,
          text,
          body: text !== '' && isJson ? JSON.parse(text) : undefined,
        })
      })
    })
    // After an answer this no longer rejects: a server may answer before it has read the whole body.
    call.on('error', reject)
    for (const chunk of chunks ?? []) call.write(chunk)
    call.end(body)
  })
}

/** Any code there may be. */
export const ANY_CODE: string = expect.stringMatching(/^[a-z]+(_[a-z]+)*$/)

/** The codes of what is wrong with a request before anybody looks at what it says. */
const CODES: { readonly [status: number]: string } = {
  400: 'malformed_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'unknown_path',
  405: 'method_not_allowed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
}

const SENTENCE: string = expect.stringMatching(/\S{2,}\s+\S{2,}/)

/** The answer is an error with this status and code, and nothing else in its body. */
export function expectProblem(answer: Answer, status: number, code: string = CODES[status] ?? ANY_CODE): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { error: SENTENCE, code } })
  expect(answer.headers.get('content-type')).toMatch(/^application\/json(;|$)/)
}

/** The answer is 422 for a body, path or query of the wrong shape, and names `path` among what is wrong. */
export function expectInvalid(answer: Answer, path: string = expect.any(String)): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 422,
    body: {
      error: SENTENCE,
      code: 'invalid_request',
      issues: expect.arrayContaining([{ path, message: expect.any(String) }]),
    },
  })
  expect(answer.headers.get('content-type')).toMatch(/^application\/json(;|$)/)
}

/** The status is this, and the answer is JSON. */
export function expectStatus(answer: Answer, status: number): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: expect.anything() })
  expect(answer.headers.get('content-type')).toMatch(/^application\/json(;|$)/)
}
