import type { DefinedGame } from '../../src/game/define-game.ts'
import type { GamificationApi, WebhooksOptions } from '../../src/index.ts'
import type { SqliteOptions } from '../sqlite/driver.ts'
import { type ChosenDatabase, type Environment, EXIT, type ExitCode, readDatabase } from './database.ts'
import { checkTenant, type Opened, ofTenant, withStoredGame } from './game.ts'
import { checkRequired, type Given, type Options, parseCall, readValues, type Values } from './options.ts'
import { createScreen, type Screen } from './progress.ts'
import { toJsonText, toLine, unknownWord, wrongCall } from './text.ts'

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
function toHelp({ name, ...command }: Described): string {
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

/** A command of a group, such as `create` of `laurels keys`. */
export interface Member<O extends Options> {
  /** The placeholder of its argument. Absent: it takes none. */
  readonly takes?: string
  readonly summary: string
  /** What it does that cannot be undone: it asks for `--yes`, or for the argument typed again. */
  readonly final?: string
  run(call: Call<O>): Promise<Answer | ExitCode>
}

/** An entry of the table of commands: everything that is known of a command, said once. */
export interface Definition<O extends Options> extends Described {
  readonly options: O
  run?(call: Call<O>): Promise<Answer | ExitCode>
  /** For a group, in place of `run`. */
  readonly members?: Readonly<Record<string, Member<O>>>
  /** The message where the argument of a member is missing. */
  readonly missing?: (member: string) => string
  /** Whether these options stand in place of a member's argument. */
  readonly isNamed?: (values: Values<O>) => boolean
}

export interface Answer {
  /** For `--json`. */
  readonly value: unknown
  readonly text: string
  /** Default: 0. */
  readonly code?: ExitCode
  /** For people, on standard error. */
  readonly note?: string
}

/** A call of a command whose options have been read. */
export interface Call<O extends Options> {
  readonly values: Values<O>
  /** Empty if there is none. */
  readonly argument: string
  /** The member of a group that was called. */
  readonly member: string
  readonly environment: Environment
  readonly screen: Screen
  /** What `--tenant` names. */
  readonly tenant: string | null
  /** What `--db` and `--schema` name. `options` are for SQLite alone. */
  database(options?: SqliteOptions): ChosenDatabase
  /** Runs `work` on the game in force, and closes the database. */
  open<T>(work: (opened: Opened) => Promise<T>, webhooks?: WebhooksOptions): Promise<T>
  /** The same with the calls of the tenant. Throws `invalid_request` unless the game has tenants just when `--tenant` is given. */
  openTenant<T>(work: (api: GamificationApi<DefinedGame>, opened: Opened) => Promise<T>): Promise<T>
  /** Asks before something that cannot be undone. */
  confirm(): Promise<void>
}

export interface CliCommand extends Definition<Options> {
  readonly help: string
  /** Throws a `GamificationError`: `invalid_request` where the call is wrong. */
  execute(args: readonly string[], environment: Environment): Promise<ExitCode>
}

/** Everything that commands have in common: help, options, `--json` and exit codes. */
export function defineCommand<O extends Options>(definition: Definition<O>): CliCommand {
  const { name, options, members } = definition
  const help = toHelp(definition)
  return {
    ...(definition as unknown as Definition<Options>),
    help,
    execute: async (args, environment) => {
      const { output } = environment
      const { values: given, positionals } = parseCall(args, options)
      refuseSurplus(positionals[members !== undefined ? 2 : definition.argument === undefined ? 0 : 1])
      if (given.help === true) {
        output.out(help)
        return EXIT.ok
      }
      const [member, rest] = members === undefined ? [null, positionals] : findMember(definition, positionals)
      const values = readValues(given, options)
      const argument = readArgument(definition, member, values, rest)
      checkRequired(given, options)
      const run = member === null ? definition.run : members?.[member]?.run
      if (run === undefined) throw new RangeError(`${name} does nothing`)
      const answer = await run(createCall(definition, { values, argument, member: member ?? '', environment }))
      if (typeof answer === 'number') return answer
      output.out(given.json === true ? toJsonText(answer.value) : answer.text)
      if (answer.note !== undefined) output.err(`${answer.note}\n`)
      return answer.code ?? EXIT.ok
    },
  }
}

function refuseSurplus(surplus: string | undefined): void {
  if (surplus !== undefined) throw wrongCall(`there is an argument too many: '${surplus}'`)
}

function findMember<O extends Options>({ members = {} }: Definition<O>, [name, ...rest]: readonly string[]) {
  const names = Object.keys(members)
  if (name === undefined) throw wrongCall(`say what to do: ${names.join(', ')}`)
  if (!names.includes(name)) throw wrongCall(unknownWord('command', name, names))
  return [name, rest] as const
}

function readArgument<O extends Options>(
  { argument, members, missing, isNamed }: Definition<O>,
  member: string | null,
  values: Values<O>,
  [given]: readonly string[],
): string {
  if (member === null) {
    if (!given && argument?.missing !== undefined) throw wrongCall(argument.missing)
    return given ?? ''
  }
  const isTaken = members?.[member]?.takes !== undefined && isNamed?.(values) !== true
  if (!isTaken) refuseSurplus(given)
  else if (!given) throw wrongCall(missing?.(member) ?? 'an argument is missing')
  return given ?? ''
}

function createCall<O extends Options>(
  { members }: Definition<O>,
  parts: Pick<Call<O>, 'values' | 'argument' | 'member' | 'environment'>,
): Call<O> {
  const { argument, member, environment } = parts
  const values = parts.values as Given
  let screen: Screen | null = null
  const tenant = typeof values.tenant === 'string' ? values.tenant : null
  if (tenant === '') throw wrongCall('--tenant must not be empty')
  const { db, schema } = values as { readonly db?: string; readonly schema?: string }
  const database = (options: SqliteOptions = {}) => readDatabase({ db, schema }, environment, options)
  const call: Call<O> = {
    ...parts,
    // Made when it is first needed, because its clock starts then.
    get screen() {
      screen ??= createScreen(environment)
      return screen
    },
    tenant,
    database,
    open: (work, webhooks) => withStoredGame(database(), environment, call.screen, work, webhooks),
    openTenant: (work) =>
      call.open(async (opened) => {
        checkTenant(opened.game, tenant)
        return work(ofTenant(opened.gamification, tenant), opened)
      }),
    confirm: async () => {
      const what = members?.[member]?.final
      if (what === undefined || values.yes === true) return
      if (!environment.canAsk) throw wrongCall(`this ${what} ${toLine(argument)} for good: say --yes`)
      const answer = await environment.ask(`This ${what} ${toLine(argument)} for good. Type its id to go on: `)
      if (answer !== argument) throw wrongCall('that was not the id: nothing was changed')
    },
  }
  return call
}
