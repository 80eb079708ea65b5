import { setImmediate as nextTurn } from 'node:timers/promises'
/** Work on many rows that pauses after every part, so that its caller can let other work have its turn. */
export type InParts<Result> = Generator<void, Result>

const PART = 1_000

export function endsPart(index: number): boolean {
  return index % PART === PART - 1
}

export function atOnce<Result>(work: InParts<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** Does the work; the event loop gets its turn between the parts. */
export async function inTurns<Result>(work: InParts<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await nextTurn()
  }
}
