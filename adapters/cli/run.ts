import { isGamificationError } from '../../src/errors.ts'
import { readVersion } from '../version.ts'
import { rebuild, verify } from './audit.ts'
import type { CliCommand } from './command.ts'
import { consoleCommand } from './console.ts'
import { type Environment, EXIT, type ExitCode } from './database.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { approve, explain, held, voidCommand } from './events.ts'
import { type CommandName, isCommand, printCommands, SUMMARIES } from './help.ts'
import { importCommand } from './import.ts'
import { info, openapi } from './info.ts'
import { init } from './init.ts'
import { keys } from './keys.ts'
import { migrate } from './migrate.ts'
import { reasonsBehind, toLines, unknownWord, wrongCall } from './text.ts'
import { exportCommand, tenants, users } from './users.ts'
import { subscriptions, webhooks, work } from './webhooks.ts'
import { apply, whatIf } from './what-if.ts'

export const COMMANDS: Readonly<Record<CommandName, CliCommand>> = {
  init,
  demo,
  import: importCommand,
  migrate,
  info,
  doctor,
  console: consoleCommand,
  explain,
  verify,
  rebuild,
  'what-if': whatIf,
  apply,
  void: voidCommand,
  held,
  approve,
  users,
  tenants,
  export: exportCommand,
  keys,
  webhooks,
  subscriptions,
  work,
  openapi,
}

/** Runs a command line. Never rejects: it prints errors to standard error and returns the exit code. */
export async function run(args: readonly string[], environment: Environment): Promise<ExitCode> {
  try {
    return printCommands(args, environment.output) ?? (await dispatch(args, environment))
  } catch (error) {
    environment.output.err(`laurels: ${toLines(describe(error))}\n`)
    if (isGamificationError(error) && error.code === 'invalid_request') {
      const [name = ''] = args
      environment.output.err(`See laurels ${isCommand(name) ? `${name} ` : ''}--help\n`)
    }
    return EXIT.failed
  }
}

async function dispatch([name = '', ...rest]: readonly string[], environment: Environment): Promise<ExitCode> {
  const { out } = environment.output
  if (['--version', '-v'].includes(name)) out(`${readVersion()}\n`)
  else if (['--help', '-h', 'help'].includes(name)) out(find(rest[0] ?? '').help)
  else return find(name).execute(rest, environment)
  return EXIT.ok
}

function find(name: string): CliCommand {
  if (isCommand(name)) return COMMANDS[name]
  const isOption = name.startsWith('-')
  const known = isOption ? ['--help', '--version'] : Object.keys(SUMMARIES)
  throw wrongCall(unknownWord(isOption ? 'option' : 'command', name, known))
}

/** The message, and the messages of the causes that add something. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [error.message, ...reasonsBehind(error).map((reason) => `  because: ${reason}`)].join('\n')
}
