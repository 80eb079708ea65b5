/** What stops after every part of many rows, so that whoever has them gone through can let others have their turn. */
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

/** The event loop gets its turn between the parts. */
export async function inTurns<Result>(work: InParts<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await new Promise((resolve) => setImmediate(resolve))
  }
}
