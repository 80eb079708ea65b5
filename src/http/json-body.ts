import type { HttpRequest } from './exchange.ts'
import { HttpProblem } from './problem.ts'

// `application/json` or `application/problem+json`, with any parameters.
const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/gi

/** Reads a body of JSON. Throws 413, 415 and 400, in this order. */
export async function readJsonBody(request: HttpRequest, limit: number): Promise<unknown> {
  const length = Number(request.header('content-length') ?? 0)
  if (length > limit) throw tooLarge(limit)
  const body = await request.readBody(limit)
  if (body.type === 'tooLarge') throw tooLarge(limit)
  if (body.type === 'brokenOff') throw new HttpProblem('malformed_request', 'The body broke off.')
  if (body.type === 'bytes' && body.bytes.length === 0 && length === 0 && request.header('content-type') === undefined)
    throw new HttpProblem('unsupported_media_type', NO_BODY)
  requireJson(request)
  if (body.type === 'bytes' && body.bytes.length === 0 && length > 0)
    throw new HttpProblem('malformed_request', READ_BEFORE)
  return body.type === 'parsed' ? body.value : parseJson(body.bytes)
}

function tooLarge(limit: number): HttpProblem {
  return new HttpProblem('body_too_large', `The body is over ${limit} bytes: send less at once.`)
}

function requireJson(request: HttpRequest): void {
  const type = request.header('content-type') ?? ''
  const encoding = request.header('content-encoding') || 'identity'
  // The most frequent content type.
  if (type === 'application/json' && encoding === 'identity') return
  if (type.split(',').every((each) => JSON_TYPE.test(each.trim())) && type.includes(',')) {
    throw new HttpProblem('malformed_request', 'Send the header Content-Type once.')
  }
  if (!JSON_TYPE.test(type)) {
    throw new HttpProblem(
      'unsupported_media_type',
      'Send the body as JSON, with the header Content-Type: application/json.',
    )
  }
  // All of them must be UTF-8, because another reader may choose any of them.
  const charsets = [...type.matchAll(CHARSET)].map(([, charset = '']) => charset)
  if (!charsets.every((charset) => /^utf-?8$/i.test(charset)) || encoding.toLowerCase() !== 'identity') {
    throw new HttpProblem('unsupported_media_type', 'Send the body as UTF-8, without a content encoding.')
  }
}

const NO_BODY = 'There is no body: send a JSON object, with the header Content-Type: application/json.'

const READ_BEFORE =
  'The header Content-Length announces a body, and none arrived: something on the server may have read it before laurels did.'

// Without the byte order mark that some clients put before it.
const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new HttpProblem('malformed_request', 'The body is empty: send a JSON object.')
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new HttpProblem('malformed_request', 'The body is not UTF-8.')
  }
  try {
    return JSON.parse(text)
  } catch {
    // Not the parser's own words: they quote the body.
    throw new HttpProblem('malformed_request', 'The body is not valid JSON.')
  }
}
