/** Work on a connection that can stop after each of its steps, so that the event loop turns, and go on. */
export type Steps<T> = Generator<undefined, T>

/** As many rows are one step; a shorter list is part of the step that it stands in. */
const ROWS = 128
/** How long the event loop waits for steps at most, one of them aside. */
const TURN_MS = 8

export function* forEachRow<Row>(rows: readonly Row[], write: (row: Row) => void): Steps<void> {
  for (const [index, row] of rows.entries()) {
    write(row)
    if (index % ROWS === ROWS - 1) yield
  }
}

export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** `mayGoOn` is awaited after each turn of the event loop, and throws where the steps are to end. */
export async function runInTurns<T>(steps: Steps<T>, mayGoOn: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const end = performance.now() + TURN_MS
    do {
      const { done, value } = steps.next()
      if (done === true) return value
    } while (performance.now() < end)
    await new Promise((resolve) => setImmediate(resolve))
    await mayGoOn()
  }
}
