import { getTimezoneOffset } from 'date-fns-tz/getTimezoneOffset'
import { type ErrorCode, GamificationError, isGamificationError, reasonsOf } from '../../src/errors.ts'
import { quote, suggest } from '../../src/game/suggest.ts'

export function wrongCall(message: string): GamificationError {
  return new GamificationError('invalid_request', message)
}

const UNSAID: ReadonlySet<string> = new Set<ErrorCode>(['internal', 'outcome_unknown', 'unavailable'])

/** The reasons in the causes that the message does not say. */
export function reasonsBehind(error: Error): readonly string[] {
  if (isGamificationError(error) && !UNSAID.has(error.code)) return []
  return reasonsOf(error.cause).filter((reason) => !error.message.includes(reason))
}

/** `unknown command 'imprt'; did you mean 'import'?`, else what there is. */
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

export function defined<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [Name in keyof T]?: Exclude<T[Name], undefined> }
}

export function toText(lines: readonly string[]): string {
  return lines.map((line) => `${toLine(line)}\n`).join('')
}
