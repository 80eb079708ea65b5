import { CREATE_USER, isGamificationError } from '../../src/errors.ts'
import { nodeProblem } from '../../src/game/node-version.ts'
import { readVersion } from '../version.ts'
import { rebuildCommand, verifyCommand } from './audit.ts'
import { call } from './call.ts'
import type { CliCommand } from './command.ts'
import { consoleCommand } from './console.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { approve, held, voidCommand } from './events.ts'
import { explainCommand } from './explain.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { init } from './init.ts'
import { keys } from './keys.ts'
import { mcp } from './mcp.ts'
import { info, migrateCommand } from './migrate.ts'
import { points } from './points.ts'
import { rewards } from './rewards.ts'
import { openapi, serveCommand } from './serve.ts'
import { streaks } from './streaks.ts'
import { subscriptions, work } from './subscriptions.ts'
import { tenants } from './tenants.ts'
import { type Environment, EXIT, type ExitCode, reasonsBehind, toLines, unknownWord, wrongCall } from './terminal.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'
import { applyCommand, whatIfCommand } from './what-if.ts'

export const COMMANDS: readonly CliCommand[] = [
  init,
  demo,
  importCommand,
  migrateCommand,
  info,
  doctor,
  serveCommand,
  mcp,
  consoleCommand,
  call,
  explainCommand,
  verifyCommand,
  rebuildCommand,
  whatIfCommand,
  applyCommand,
  voidCommand,
  held,
  approve,
  users,
  streaks,
  points,
  rewards,
  tenants,
  exportCommand,
  keys,
  webhooks,
  subscriptions,
  work,
  openapi,
]

/** Runs a command line. Never rejects: it prints errors to standard error and returns the exit code. */
export async function run(args: readonly string[], environment: Environment): Promise<ExitCode> {
  const outdated = nodeProblem(environment.node)
  if (outdated !== null) {
    environment.output.err(`laurels: ${outdated}\n`)
    return EXIT.failed
  }
  try {
    return await dispatch(args, environment)
  } catch (error) {
    environment.output.err(`laurels: ${toLines(describe(error))}\n`)
    if (isGamificationError(error) && error.code === 'invalid_request') {
      const [name = ''] = args
      const isCommand = COMMANDS.some((command) => command.name === name)
      environment.output.err(`See laurels ${isCommand ? `${name} ` : ''}--help\n`)
    }
    return EXIT.failed
  }
}

async function dispatch([name, ...rest]: readonly string[], environment: Environment): Promise<ExitCode> {
  const { out, err } = environment.output
  if (name === undefined) {
    err(listCommands())
    return EXIT.failed
  }
  if (['--version', '-v'].includes(name)) out(`${readVersion()}\n`)
  else if (['--help', '-h', 'help'].includes(name)) out(rest[0] === undefined ? listCommands() : find(rest[0]).help)
  else return find(name).execute(rest, environment)
  return EXIT.ok
}

function listCommands(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length)) + 2
  return `Usage: laurels <command> [options]

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`).join('\n')}

  laurels <command> --help  how to use a command
  laurels --version         print the version
`
}

function find(name: string): CliCommand {
  const found = COMMANDS.find((command) => command.name === name)
  if (found !== undefined) return found
  const isOption = name.startsWith('-')
  const known = isOption ? ['--help', '--version'] : COMMANDS.map((command) => command.name)
  throw wrongCall(unknownWord(isOption ? 'option' : 'command', name, known))
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const message = error.message.replace(CREATE_USER, 'laurels users list has the ids.')
  return [message, ...reasonsBehind(error).map((reason) => `  because: ${reason}`)].join('\n')
}
