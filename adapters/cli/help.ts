import { EXIT, type ExitCode } from './environment.ts'
import type { Options } from './options.ts'

export interface Argument {
  /** As `<file>`; in brackets: it may be left out. */
  readonly name: string
  readonly help: string
  /** The message if it is missing. Absent: it may be. */
  readonly missing?: string
}

/** What the help and the documentation say of a command. */
export interface Described {
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  /** The forms of the call, without the name. */
  readonly usage: readonly string[]
  /** What it does. Lines are wrapped, except those that begin with a blank. */
  readonly about: string
  readonly argument?: Argument
  readonly options: Options
  /** Below the options. */
  readonly notes?: string
  readonly exits?: Readonly<Partial<Record<ExitCode, string>>>
  /** The commands of a group. */
  readonly members?: Readonly<Record<string, { readonly takes?: string; readonly summary: string }>>
}

const WIDTH = 80
const WIDEST_LABEL = 22

/** What `laurels <command> --help` prints. */
export function toHelp({ name, ...command }: Described): string {
  const { usage, about, members = {}, argument, options, notes, exits } = command
  const [first = '', ...others] = usage
  const commands = Object.entries(members).map(([member, { takes, summary }]) => {
    return [takes === undefined ? member : `${member} ${takes}`, summary] as const
  })
  const rows = [
    ...(argument === undefined ? [] : [[argument.name, argument.help] as const]),
    ...toOptionRows(options),
    ['-h, --help', 'print this'] as const,
  ]
  const blocks = [
    [`Usage: laurels ${name} ${first}`, ...others.map((form) => `       laurels ${name} ${form}`)],
    wrap(about, WIDTH),
    toRows(commands),
    toRows(rows),
    wrap(notes ?? '', WIDTH),
    wrap(toExits(exits), WIDTH),
  ]
  return `${blocks.flatMap((lines) => (lines.length === 0 ? [] : [`${lines.join('\n')}\n`])).join('\n')}`
}

/** `--game <file>` and what it means. */
export function toOptionRows(options: Options): readonly (readonly [string, string])[] {
  return Object.entries(options).map(([name, { value, help }]) => [
    `--${name}${value === null ? '' : ` ${value}`}`,
    help,
  ])
}

/** `Exit codes: 0 done, 2 the call is wrong or the storage failed.` */
export function toExits(exits: Described['exits'] = {}): string {
  const codes = { [EXIT.ok]: 'done', [EXIT.failed]: 'the call is wrong or the storage failed', ...exits }
  return `Exit codes: ${Object.entries(codes)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(', ')}.`
}

function toRows(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.min(WIDEST_LABEL, Math.max(...rows.map(([label]) => label.length)))
  return rows.flatMap(([label, meaning]) => {
    const [first = '', ...others] = wrap(meaning, WIDTH - width - 4)
    const begin =
      label.length > width ? [`  ${label}`, `${' '.repeat(width + 4)}${first}`] : [`  ${label.padEnd(width)}  ${first}`]
    return [...begin, ...others.map((line) => `${' '.repeat(width + 4)}${line}`)]
  })
}

/** Breaks lines at blanks. A line that begins with a blank is kept. */
export function wrap(text: string, width: number): readonly string[] {
  if (text === '') return []
  return text.split('\n').flatMap((line) => {
    if (line.startsWith(' ')) return [line]
    const lines: string[] = []
    let current = ''
    for (const word of line.split(' ')) {
      if (current !== '' && current.length + 1 + word.length > width) {
        lines.push(current)
        current = word
      } else current = current === '' ? word : `${current} ${word}`
    }
    return [...lines, current]
  })
}
