import { type ErrorCode, isGamificationError, reasonsOf } from '../../src/errors.ts'
import { applyCommand } from './apply.ts'
import { type Command, EXIT, type ExitCode } from './command.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import type { Environment } from './environment.ts'
import { explainCommand } from './explain.ts'
import { importCommand } from './import.ts'
import { infoCommand } from './info.ts'
import { initCommand } from './init.ts'
import { keysCommand } from './keys.ts'
import { migrateCommand } from './migrate.ts'
import { openapiCommand } from './openapi.ts'
import { rebuildCommand } from './rebuild.ts'
import { toLines, unknownName, wrongCall } from './text.ts'
import { verifyCommand } from './verify.ts'
import { readVersion } from './version.ts'
import { voidCommand } from './void.ts'
import { whatIfCommand } from './what-if.ts'

const COMMANDS: readonly Command[] = [
  initCommand,
  demoCommand,
  importCommand,
  migrateCommand,
  infoCommand,
  doctorCommand,
  explainCommand,
  verifyCommand,
  rebuildCommand,
  whatIfCommand,
  applyCommand,
  voidCommand,
  keysCommand,
  openapiCommand,
]

const HELP = `Usage: laurels <command> [options]

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(9)}${summary}`).join('\n')}

  laurels <command> --help  how to use a command
  laurels --version         print the version
`

/** Runs what the arguments ask for. Never rejects: what goes wrong is said on standard error and by the exit code. */
export async function run(args: readonly string[], environment: Environment): Promise<ExitCode> {
  try {
    return await dispatch(args, environment)
  } catch (error) {
    environment.output.err(`laurels: ${toLines(describe(error))}\n`)
    if (isGamificationError(error) && error.code === 'invalid_request') {
      const command = COMMANDS.find(({ name }) => name === args[0])
      environment.output.err(`See laurels ${command === undefined ? '' : `${command.name} `}--help\n`)
    }
    return EXIT.failed
  }
}

async function dispatch(args: readonly string[], environment: Environment): Promise<ExitCode> {
  const [name, ...rest] = args
  if (name === undefined) {
    environment.output.err(HELP)
    return EXIT.failed
  }
  if (['--help', '-h', 'help'].includes(name)) {
    environment.output.out(rest[0] === undefined ? HELP : find(rest[0]).help)
    return EXIT.ok
  }
  if (['--version', '-v'].includes(name)) {
    environment.output.out(`${readVersion()}\n`)
    return EXIT.ok
  }
  return find(name).run(rest, environment)
}

function find(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name)
  if (command !== undefined) return command
  if (name.startsWith('-')) throw wrongCall(unknownName('option', name, ['--help', '--version']))
  throw wrongCall(
    unknownName(
      'command',
      name,
      COMMANDS.map((each) => each.name),
    ),
  )
}

/** What a message of these codes does not say is in the causes. */
const UNSAID: ReadonlySet<string> = new Set<ErrorCode>(['internal', 'outcome_unknown', 'unavailable'])

/** With its causes, as far as they say more. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isGamificationError(error) && !UNSAID.has(error.code)) return error.message
  const causes = reasonsOf(error.cause).filter((reason) => !error.message.includes(reason))
  return [error.message, ...causes.map((reason) => `  because: ${reason}`)].join('\n')
}
