import type { Logger } from '../../src/index.ts'
import type { Environment } from './database.ts'
import { plural, toCount, toLine } from './text.ts'

export interface ProgressLine {
  readonly done: number
  readonly counts: () => readonly string[]
  /** The part of the whole, from 0 to 1. `null` if the size is unknown. */
  readonly fraction: number | null
}

/** Progress on standard error: a bar on a terminal, otherwise a line every second. */
export interface Screen {
  line(text: string): void
  show(progress: ProgressLine): void
  clear(): void
}

const BAR_EVERY_MS = 100
const LINE_EVERY_MS = 1_000
const WIDEST_BAR = 30
const CLEAR = '\r\u001b[K'

export function createScreen({ output, elapsed }: Pick<Environment, 'output' | 'elapsed'>): Screen {
  const { isTerminal } = output
  const every = isTerminal ? BAR_EVERY_MS : LINE_EVERY_MS
  const start = elapsed()
  let shown = start
  let isDrawn = false

  const clear = (): void => {
    if (isDrawn) output.err(CLEAR)
    isDrawn = false
  }

  return {
    line: (text) => {
      clear()
      output.err(`${toLine(text)}\n`)
    },
    show: (progress) => {
      const now = elapsed()
      if (now - shown < every) return
      shown = now
      const text = describe(progress, (progress.done / (now - start)) * 1_000)
      if (!isTerminal) output.err(`${text}\n`)
      else output.err(`${CLEAR}${withBar(text, progress.fraction, output.columns)}`)
      isDrawn = isTerminal
    },
    clear,
  }
}

function describe({ counts, fraction }: ProgressLine, perSecond: number): string {
  const percent = fraction === null ? [] : [`${Math.floor(fraction * 100)} %`]
  return [...percent, ...counts(), `${toCount(Math.round(perSecond))}/s`].join(', ')
}

function withBar(text: string, fraction: number | null, columns: number): string {
  const width = Math.min(WIDEST_BAR, columns - text.length - 4)
  if (fraction === null || width < 5) return text.slice(0, Math.max(0, columns - 1))
  const full = Math.floor(fraction * width)
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}] ${text}`
}

/** Runs `work`. Returns `null` if the user interrupted it. */
export async function untilInterrupted<T>(
  { interruption }: Environment,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const signal = interruption()
  try {
    return await work(signal)
  } catch (error) {
    if (signal.aborted && error === signal.reason) return null
    throw error
  }
}

export function toUsers(count: number): string {
  return plural(count, 'user')
}

export function toEntries(count: number): string {
  return plural(count, 'entry', 'entries')
}

export function toScreenLogger(screen: Screen): Logger {
  return { warn: (_, message) => screen.line(`Warning: ${message}`), error: (_, message) => screen.line(message) }
}
