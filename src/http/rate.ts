import { describeGiven } from '../options.ts'
import type { Caller } from './callers.ts'
import type { RateLimit } from './options.ts'
import { Problem } from './problem.ts'

/** Throws 429 where the host says that the caller has to wait, and a fault where its answer is none. */
export async function requireRate(rateLimit: RateLimit, caller: Caller): Promise<void> {
  // The host has let these in by name.
  if (caller.kind === 'console') return
  const limited = await rateLimit(caller)
  if (limited === null || limited === undefined) return
  const seconds = Math.ceil(limited.retryAfter)
  if (!(seconds >= 0 && Number.isFinite(seconds))) {
    throw new TypeError(
      `The option rateLimit answered ${describeGiven(limited)}: answer null, or { retryAfter } in seconds.`,
    )
  }
  throw new Problem('too_many_requests', `There were too many requests: send this again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
