import { z } from 'zod'

/** One try of a delivery, as it is kept. */
export interface Try {
  readonly at: number
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
}

/** What became of the last tries, the newest last, and the beginning of the last answer. */
export interface Tries {
  readonly tries: readonly Try[]
  readonly answer: string
}

const MOST_KEPT = 10
const NO_TRIES: Tries = { tries: [], answer: '' }

const schema: z.ZodType<Tries> = z.object({
  tries: z.array(
    z.object({ at: z.number(), status: z.number().nullable(), ms: z.number(), error: z.string().nullable() }),
  ),
  answer: z.string(),
})

export const NO_LOG: string = JSON.stringify(NO_TRIES)

export function readTries(log: string): Tries {
  return schema.safeParse(JSON.parse(log)).data ?? NO_TRIES
}

export function withTry(log: string, made: Try, answer: string): string {
  return JSON.stringify({ tries: [...readTries(log).tries, made].slice(-MOST_KEPT), answer })
}
