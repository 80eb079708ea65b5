import type { WebhooksOptions } from '../../src/index.ts'
import type { SqliteOptions } from '../sqlite/driver.ts'
import type { ChosenDatabase, DatabaseValues, Opened } from './database.ts'
import { checkTenant, inspectMigrated, loadGame, readDatabase, readNewestGame, withGame } from './database.ts'
import { type Options, parseCall, readValues, type Values } from './options.ts'
import type { Environment, ExitCode, Screen } from './terminal.ts'
import { createScreen, EXIT, toJsonText, toLine, unknownWord, wrongCall } from './terminal.ts'

/** An entry of the table of commands. The help, the documentation and the parser follow from it. */
export interface Definition<O extends Options> {
  readonly name: string
  readonly summary: string
  /** Default: the database, and options that need not be given. */
  readonly usage?: readonly string[]
  /** The description of the command. Lines are wrapped, except lines that begin with a blank. */
  readonly about: string
  /** `<file>` is required, `[folder]` is not. */
  readonly argument?: { readonly name: string; readonly help: string }
  /** A second argument, which is not required. */
  readonly second?: { readonly name: string; readonly help: string }
  readonly options: O
  readonly notes?: string
  readonly exits?: Readonly<Partial<Record<ExitCode, string>>>
  run?(call: CommandCall<O>): Promise<Answer | ExitCode>
  readonly members?: Readonly<Record<string, Member<O>>>
  /** Options that replace the argument of a member. */
  readonly instead?: readonly (keyof O & string)[]
}

/** A command of a group, such as `create` of `laurels keys`. */
export interface Member<O extends Options> {
  /** The placeholder of its argument. Absent if it takes none. */
  readonly takes?: string
  readonly summary: string
  /** Options without which it does not run, each with the end of the message. */
  readonly needs?: { readonly [Name in keyof O]?: string }
  /** For a command that cannot be undone: opening the database asks for `--yes`, or for the argument typed again. */
  readonly final?: string
  run(call: CommandCall<O>): Promise<Answer | ExitCode>
}

export interface Answer {
  readonly value: unknown
  readonly text: string
  readonly code?: ExitCode
  /** For people, on standard error. */
  readonly note?: string
}

export interface CommandCall<O extends Options = Options> {
  readonly values: Values<O>
  readonly argument: string
  /** Empty if it is missing. */
  readonly second: string
  readonly member: string
  readonly environment: Environment
  readonly screen: Screen
  readonly tenant: string | null
  /** The database of `--db` and `--schema`. `options` are for SQLite only. */
  database(options?: SqliteOptions): ChosenDatabase
  /**
   * Runs `work` on the game in force, and closes the database. Checks the call, then asks if the command is final, and
   * opens the database after that. Throws `invalid_request` if `--tenant` does not fit the game.
   */
  open<T>(work: (opened: Opened) => Promise<T>, options?: OpenOptions): Promise<T>
  /** The same for the users of one tenant: in a game with tenants, `--tenant` is needed. */
  openTenant<T>(work: (opened: Opened) => Promise<T>): Promise<T>
}

export interface OpenOptions {
  readonly needsTenant?: boolean
  /** The file of the game that is in force on the opened database. */
  readonly game?: string | undefined
  /** The game may be another one than the game in force. */
  readonly acceptsOther?: boolean
  /** For commands that use the key of webhooks. */
  readonly webhooks?: WebhooksOptions
}

export interface CliCommand extends Definition<Options> {
  readonly help: string
  /** Throws a `GamificationError`: `invalid_request` if the call is wrong. */
  execute(args: readonly string[], environment: Environment): Promise<ExitCode>
}

/** Everything that commands have in common: help, options, `--json` and exit codes. */
export function defineCommand<O extends Options>(definition: Definition<O>): CliCommand {
  const { name, options, members } = definition
  const command = definition as unknown as Definition<Options>
  const help = toHelp(command)
  return {
    ...command,
    help,
    execute: async (args, environment) => {
      const { output } = environment
      const { values: given, positionals } = parseCall(args, options)
      const most = [definition.argument, definition.second].filter((each) => each !== undefined).length
      refuseSurplus(positionals[members === undefined ? most : 2])
      if (given.help === true) {
        output.out(help)
        return EXIT.ok
      }
      const [member, argument, second = ''] =
        members === undefined ? ['', ...positionals] : findMember(members, positionals)
      checkArgument(command, member, argument, (option) => given[option] !== undefined)
      const run = members === undefined ? definition.run : members[member]?.run
      if (run === undefined) throw new RangeError(`${name} does nothing`)
      const values = readValues(given, options, environment.variable)
      const { needs = {}, final } = members?.[member] ?? {}
      checkNeeds(values, needs)
      const call = { values, argument: argument ?? '', second, member, environment }
      const answer = await run(createCall(call, final))
      if (typeof answer === 'number') return answer
      output.out(given.json === true ? toJsonText(answer.value) : answer.text)
      if (answer.note !== undefined) output.err(`${answer.note}\n`)
      return answer.code ?? EXIT.ok
    },
  }
}

function refuseSurplus(surplus: string | undefined): void {
  if (surplus === undefined) return
  const help = /\.(db|sqlite3?)$|^postgres(ql)?:/.test(surplus) ? `; did you mean --db ${surplus}?` : ''
  throw wrongCall(`there is an argument too many: '${surplus}'${help}`)
}

function findMember(members: object, [name, argument]: readonly string[]) {
  const names = Object.keys(members)
  if (name === undefined) throw wrongCall(`say what to do: ${names.join(', ')}`)
  if (!names.includes(name)) throw wrongCall(unknownWord('command', name, names))
  return [name, argument, ''] as const
}

function checkArgument(
  { name, argument, members, instead = [] }: Definition<Options>,
  member: string,
  given: string | undefined,
  isGiven: (option: string) => boolean,
): void {
  if (members === undefined) {
    if (given || !argument?.name.startsWith('<')) return
    throw wrongCall(`${argument.name} is missing: give ${argument.help}`)
  }
  const takes = instead.some(isGiven) ? undefined : members[member]?.takes
  if (takes === undefined) refuseSurplus(given)
  else if (!given) throw wrongCall(`${takes} is missing: laurels ${name} ${member} ${takes}`)
}

function checkNeeds(values: Values<Options>, needs: Readonly<Record<string, string | undefined>>): void {
  const missing = Object.keys(needs).find((option) => !values[option])
  if (missing !== undefined) throw wrongCall(`--${missing} is missing: ${needs[missing]}`)
}

function createCall<O extends Options>(
  parts: Pick<CommandCall<O>, 'values' | 'argument' | 'second' | 'member' | 'environment'>,
  final: string | undefined,
): CommandCall<O> {
  const { argument, environment } = parts
  const { db, schema, partitions, yes, ...values } = parts.values as Values<Options> & DatabaseValues
  const tenant = typeof values.tenant === 'string' ? values.tenant : null
  if (tenant === '') throw wrongCall('--tenant must not be empty')
  const database = (options: SqliteOptions = {}) => readDatabase({ db, schema, partitions }, environment, options)
  const confirm = async (): Promise<void> => {
    if (final === undefined || yes === true) return
    if (!environment.canAsk) throw wrongCall(`this ${final} ${toLine(argument)} for good: say --yes`)
    const answer = await environment.ask(`This ${final} ${toLine(argument)} for good. Type its id to continue: `)
    if (answer !== argument) throw wrongCall('that was not the id: nothing was changed')
  }
  let screen: Screen | null = null
  const call: CommandCall<O> = {
    ...parts,
    // Made when it is first needed, because its clock starts then.
    get screen() {
      screen ??= createScreen(environment)
      return screen
    },
    tenant,
    database,
    open: async (work, { game: file, acceptsOther = false, needsTenant = false, webhooks = {} } = {}) => {
      const chosen = database()
      const loaded = file === undefined ? null : await loadGame(file)
      const inForce = readNewestGame(chosen, await inspectMigrated(chosen))
      const given = loaded ?? inForce.game
      if (!acceptsOther && given.fingerprint !== inForce.game.fingerprint) {
        const other = `${file} is not the game in force (epoch ${inForce.epoch})`
        throw wrongCall(`${other}: leave --game out, or put it in force with laurels apply`)
      }
      checkTenant(inForce.game, tenant, needsTenant)
      await confirm()
      return withGame({ ...inForce, given }, chosen.open(), call, webhooks, work)
    },
    openTenant: (work) => call.open(work, { needsTenant: true }),
  }
  return call
}

const WIDTH = 80
const WIDEST_LABEL = 22

type Row = readonly [label: string, meaning: string]

function toHelp(command: Definition<Options>): string {
  const { name, usage, about, members = {}, argument, second, options, notes = '', exits } = command
  const commands = Object.entries(members).map(([member, { takes, summary }]): Row => {
    return [takes === undefined ? member : `${member} ${takes}`, summary]
  })
  const forms = usage ?? [`${commands.length === 0 ? '' : '<command> [id] '}[--db <file|url>] [options]`]
  const rows: readonly Row[] = [
    ...[argument, second].flatMap((each) => (each === undefined ? [] : [[each.name, each.help] as const])),
    ...toOptionRows(options),
    ['-h, --help', 'print this'],
  ]
  const blocks = [
    forms.map((form, index) => `${index === 0 ? 'Usage:' : '      '} laurels ${name} ${form}`),
    wrap(about, WIDTH),
    toRows(commands),
    toRows(rows),
    wrap(notes, WIDTH),
    wrap(toExits(exits), WIDTH),
  ]
  return blocks.flatMap((lines) => (lines.length === 0 ? [] : [`${lines.join('\n')}\n`])).join('\n')
}

export function toOptionRows(options: Options): readonly Row[] {
  return Object.entries(options).map(([name, { value, help }]) => [
    `--${name}${value === null ? '' : ` ${value}`}`,
    help,
  ])
}

function toExits(exits: Definition<Options>['exits'] = {}): string {
  const codes = { [EXIT.ok]: 'done', [EXIT.failed]: 'the call is wrong or the storage failed', ...exits }
  return `Exit codes: ${Object.entries(codes)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(', ')}.`
}

function toRows(rows: readonly Row[]): readonly string[] {
  const width = Math.min(WIDEST_LABEL, Math.max(0, ...rows.map(([label]) => label.length)))
  const indent = ' '.repeat(width + 4)
  return rows.flatMap(([label, meaning]) => {
    const [first = '', ...others] = wrap(meaning, WIDTH - width - 4)
    const begin = label.length > width ? [`  ${label}`, indent + first] : [`  ${label.padEnd(width)}  ${first}`]
    return [...begin, ...others.map((line) => indent + line)]
  })
}

/** Breaks lines at blanks. A line that begins with a blank is kept. */
function wrap(text: string, width: number): readonly string[] {
  if (text === '') return []
  // A word that is longer than the width has a line of its own.
  const lines = new RegExp(`\\S.{0,${width - 1}}(?= |$)|\\S+`, 'g')
  return text.split('\n').flatMap((line) => (line.startsWith(' ') ? [line] : (line.match(lines) ?? [line])))
}
