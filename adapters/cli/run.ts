import { type ErrorCode, isGamificationError, reasonsOf } from '../../src/errors.ts'
import { readVersion } from '../version.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import type { Environment } from './environment.ts'
import { toLines, unknownWord, wrongCall } from './text.ts'

interface Listed {
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  /** Only the command that is called is loaded, with what it needs. */
  load(): Promise<CliCommand>
}

const COMMANDS: readonly Listed[] = [
  {
    name: 'init',
    summary: 'write a game, a server and a test to begin with',
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    name: 'demo',
    summary: 'fill an empty database with users to look at',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  {
    name: 'import',
    summary: 'record a history of events from a file',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'migrate',
    summary: 'bring the database to the newest schema',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  { name: 'info', summary: 'print what the database holds', load: async () => (await import('./info.ts')).infoCommand },
  {
    name: 'doctor',
    summary: 'look for what is wrong, and say what mends it',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'console',
    summary: 'look at all of it in a browser',
    load: async () => (await import('./console.ts')).consoleCommand,
  },
  {
    name: 'explain',
    summary: 'print why a user has something, or has not',
    load: async () => (await import('./explain.ts')).explainCommand,
  },
  {
    name: 'verify',
    summary: 'compare what was derived with the logs',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  {
    name: 'rebuild',
    summary: 'write what verify finds',
    load: async () => (await import('./rebuild.ts')).rebuildCommand,
  },
  {
    name: 'what-if',
    summary: 'print what another game would change',
    load: async () => (await import('./what-if.ts')).whatIfCommand,
  },
  { name: 'apply', summary: 'put another game in force', load: async () => (await import('./apply.ts')).applyCommand },
  { name: 'void', summary: 'undo an event', load: async () => (await import('./void.ts')).voidCommand },
  {
    name: 'held',
    summary: 'list events that limits hold back',
    load: async () => (await import('./held.ts')).heldCommand,
  },
  {
    name: 'approve',
    summary: 'have an event count that is held back',
    load: async () => (await import('./approve.ts')).approveCommand,
  },
  {
    name: 'users',
    summary: 'list, export, delete, merge, suspend and restore users',
    load: async () => (await import('./users.ts')).usersCommand,
  },
  {
    name: 'tenants',
    summary: 'list, export and delete tenants',
    load: async () => (await import('./tenants.ts')).tenantsCommand,
  },
  {
    name: 'export',
    summary: 'print everything as lines of JSON',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'keys',
    summary: 'make, list, rotate and revoke admin keys',
    load: async () => (await import('./keys.ts')).keysCommand,
  },
  {
    name: 'webhooks',
    summary: 'make, list, change and replay webhooks',
    load: async () => (await import('./webhooks.ts')).webhooksCommand,
  },
  {
    name: 'subscriptions',
    summary: 'list subscriptions, and what they put aside',
    load: async () => (await import('./subscriptions.ts')).subscriptionsCommand,
  },
  {
    name: 'work',
    summary: 'tell what time brings, and send to webhooks',
    load: async () => (await import('./work.ts')).workCommand,
  },
  {
    name: 'openapi',
    summary: 'write the description of the HTTP API',
    load: async () => (await import('./openapi.ts')).openapiCommand,
  },
]

const NAME_WIDTH = Math.max(...COMMANDS.map(({ name }) => name.length)) + 2

const HELP = `Usage: laurels <command> [options]

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(NAME_WIDTH)}${summary}`).join('\n')}

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
    environment.output.out(rest[0] === undefined ? HELP : (await find(rest[0]).load()).help)
    return EXIT.ok
  }
  if (['--version', '-v'].includes(name)) {
    environment.output.out(`${readVersion()}\n`)
    return EXIT.ok
  }
  return (await find(name).load()).run(rest, environment)
}

function find(name: string): Listed {
  const command = COMMANDS.find((each) => each.name === name)
  if (command !== undefined) return command
  if (name.startsWith('-')) throw wrongCall(unknownWord('option', name, ['--help', '--version']))
  throw wrongCall(
    unknownWord(
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
