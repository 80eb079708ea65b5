import { GamificationError } from '../../errors.ts'
import { quote, suggest } from '../../game/suggest.ts'
import { readSecret, SECRET_RULE } from './signature.ts'
import { urlProblem } from './url.ts'

function refuse(path: string, message: string): never {
  throw new GamificationError('invalid_request', `Invalid webhook: ${path}: ${message}`, {
    issues: [{ path, message }],
  })
}

/** Returns the URL as requests use it. */
export function checkUrl(url: string, allowInternal: boolean): string {
  const problem = urlProblem(url, allowInternal)
  if (problem !== null) refuse('url', problem)
  return new URL(url).href
}

export function checkSecret(secret: string | undefined): void {
  // Never repeated, not even a wrong one.
  if (secret !== undefined && readSecret(secret) === null) refuse('secret', SECRET_RULE)
}

export function checkTypes(types: readonly string[], known: readonly string[]): void {
  for (const [index, type] of types.entries()) {
    if (known.includes(type)) continue
    const near = suggest(type, known)
    const help = near === null ? `there are ${known.join(', ')}` : `did you mean ${quote(near)}?`
    refuse(`types[${index}]`, `there is no message of the type ${quote(type)}; ${help}`)
  }
}
