/** The cost of a run of calls. */
export interface Measured {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}

/** Runs `call` `count` times by `callers` that each wait for their answer before they call again. */
export async function measure(callers: number, count: number, call: (index: number) => unknown): Promise<Measured> {
  const took = new Float64Array(count)
  let next = 0
  async function caller(): Promise<void> {
    for (let index = next; index < count; index = next) {
      next += 1
      const start = performance.now()
      await call(index)
      took[index] = performance.now() - start
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  const seconds = (performance.now() - start) / 1_000
  took.sort()
  return { perSecond: count / seconds, p50: percentile(took, 0.5), p99: percentile(took, 0.99) }
}

/** The same for a time: `call` gets the number of its caller. Calls under way at the end are waited for and counted. */
export async function measureFor(
  callers: number,
  seconds: number,
  call: (caller: number) => unknown,
): Promise<Measured> {
  const took: number[] = []
  const start = performance.now()
  const end = start + seconds * 1_000
  async function caller(index: number): Promise<void> {
    for (let now = start; now < end; ) {
      await call(index)
      const after = performance.now()
      took.push(after - now)
      now = after
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)))
  const passed = (performance.now() - start) / 1_000
  const sorted = Float64Array.from(took).sort()
  return { perSecond: took.length / passed, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

interface Beside {
  readonly seconds: number
  /** Milliseconds of each call, in ascending order. */
  readonly took: readonly number[]
}

/** How long `work` took, and what each call took that one caller made meanwhile. */
export async function measureBeside(
  work: Promise<unknown>,
  call: (index: number) => Promise<unknown>,
): Promise<Beside> {
  const begun = performance.now()
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  const took: number[] = []
  while (!isDone) {
    const start = performance.now()
    await call(took.length)
    took.push(performance.now() - start)
  }
  await done
  return { seconds: (performance.now() - begun) / 1_000, took: took.sort((left, right) => left - right) }
}

/** Microseconds of one call, the best of several rounds. */
export function microseconds(count: number, call: (index: number) => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now()
    for (let index = 0; index < count; index += 1) call(index)
    best = Math.min(best, ((performance.now() - start) * 1_000) / count)
  }
  return best
}

export type Row = readonly (string | number)[]

/** An aligned table as text. */
export function table(title: string, head: readonly string[], rows: readonly Row[]): string {
  const cells = [head, ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? round(cell) : cell)))]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
  return `\n${title}\n${lines.join('\n')}\n`
}

function round(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}
