import { getTimezoneOffset } from 'date-fns-tz/getTimezoneOffset'
import { type ErrorCode, GamificationError, isGamificationError, reasonsOf } from '../../src/errors.ts'
import type { Logger } from '../../src/index.ts'
import { quote, suggest } from '../../src/suggest.ts'

/** Standard output is for results. Standard error is for people: progress, refused lines, errors. */
export interface Output {
  out(text: string): void
  err(text: string): void
  readonly isTerminal: boolean
  readonly columns: number
}

export interface Environment {
  readonly output: Output
  readonly variable: (name: string) => string | undefined
  readonly input: () => AsyncIterable<Uint8Array>
  readonly canAsk: boolean
  /** The answer to a question. `null` if the terminal closed. */
  readonly ask: (question: string) => Promise<string | null>
  readonly node: string
  readonly runsTypeScript: boolean
  /** Aborts when the user interrupts. After the first call an interruption no longer ends the process. */
  readonly interruption: () => AbortSignal
  readonly now: () => number
  readonly elapsed: () => number
}

/**
 * The option `clock` of an engine. Without a `now` it leaves the option out, so that the machine's clock is compared
 * with the clock of Postgres.
 */
export function clockOf({ now }: Pick<Environment, 'now'>): { readonly clock?: () => Date } {
  return now === Date.now ? {} : { clock: () => new Date(now()) }
}

export const EXIT = { ok: 0, found: 1, failed: 2, interrupted: 130 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export function wrongCall(message: string): GamificationError {
  return new GamificationError('invalid_request', message)
}

const UNSAID: ReadonlySet<string> = new Set<ErrorCode>(['internal', 'outcome_unknown', 'unavailable'])

/** The reasons in the causes that the message does not say. */
export function reasonsBehind(error: Error): readonly string[] {
  if (isGamificationError(error) && !UNSAID.has(error.code)) return []
  return reasonsOf(error.cause).filter((reason) => !error.message.includes(reason))
}

/** `unknown command 'imprt'; did you mean 'import'?`, or the list of known words. */
export function unknownWord(kind: string, name: string, known: readonly string[]): string {
  const near = suggest(name, known)
  const help = near === null ? `there are ${known.map(quote).join(', ')}` : `did you mean ${quote(near)}?`
  return `unknown ${kind} ${quote(name)}; ${help}`
}

/** Escapes control characters: data in a message cannot control the terminal or break the line. */
export function toLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, toEscape)
}

export function toJsonText(value: unknown): string {
  return `${escapeJson(JSON.stringify(value, null, 2))}\n`
}

/** JSON that is safe for a terminal. JSON.stringify escapes only the controls below U+0020. */
export function escapeJson(json: string): string {
  return json.replace(/[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu, toEscape)
}

/** The same for a message of several lines. All but the first are indented: data cannot pass for a line of laurels. */
export function toLines(text: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 || line.startsWith('  ') ? toLine(line) : `  ${toLine(line)}`))
    .join('\n')
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

export function toCount(count: number): string {
  return count.toLocaleString('en-US')
}

export function plural(count: number, noun: string, many: string = `${noun}s`): string {
  return `${toCount(count)} ${count === 1 ? noun : many}`
}

/** An instant for people: `2026-03-10 13:00 (Europe/Berlin)`. Default: the zone of this machine. */
export function toLocalText(
  instant: string,
  zone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): string {
  const at = new Date(instant)
  const local = new Date(at.getTime() + getTimezoneOffset(zone, at)).toISOString()
  return `${local.slice(0, 16).replace('T', ' ')} (${zone})`
}

export const KEEP_IT = 'Keep it now: it is not shown again.'

export type Cell = string | number

const GAP = '  '

/** A table with texts on the left of their column and numbers on the right. `empty`: printed if there are no rows. */
export function toTable(header: readonly string[], rows: readonly (readonly Cell[])[], empty?: string): string {
  if (rows.length === 0 && empty !== undefined) return empty
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? toCount(cell) : toLine(cell))))
  const widths = header.map((_, column) => Math.max(...[header, ...texts].map((row) => (row[column] ?? '').length)))
  const isNumber = header.map((_, column) => typeof rows[0]?.[column] === 'number')
  const toRow = (row: readonly string[]): string => {
    const cells = row.map((text, column) => {
      const width = widths[column] ?? 0
      return isNumber[column] ? text.padStart(width) : text.padEnd(width)
    })
    return `${cells.join(GAP).trimEnd()}\n`
  }
  return [header, ...texts].map(toRow).join('')
}

/** How to get the next page. */
export function toMore(option: 'after' | 'before', next: string | number | null): string {
  return next === null ? '' : `more: --${option} ${toLine(JSON.stringify(next))}\n`
}

export function defined<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [Name in keyof T]?: Exclude<T[Name], undefined> }
}

export function toText(lines: readonly string[]): string {
  return lines.map((line) => `${toLine(line)}\n`).join('')
}

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
