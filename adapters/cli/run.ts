import { isGamificationError } from '../../src/errors.ts'
import { readVersion } from '../version.ts'
import type { CliCommand } from './command.ts'
import { type Environment, EXIT, type ExitCode } from './database.ts'
import { reasonsBehind, toLines, unknownWord, wrongCall } from './text.ts'

/** The table of commands. Only the file of the command that is called is loaded. */
const COMMANDS: Readonly<Record<string, () => Promise<CliCommand>>> = {
  init: async () => (await import('./commands.ts')).init,
  demo: async () => (await import('./commands.ts')).demo,
  import: async () => (await import('./commands.ts')).importCommand,
  migrate: async () => (await import('./commands.ts')).migrate,
  info: async () => (await import('./commands.ts')).info,
  doctor: async () => (await import('./commands.ts')).doctor,
  console: async () => (await import('./commands.ts')).consoleCommand,
  explain: async () => (await import('./commands.ts')).explain,
  verify: async () => (await import('./commands.ts')).verify,
  rebuild: async () => (await import('./commands.ts')).rebuild,
  'what-if': async () => (await import('./commands.ts')).whatIf,
  apply: async () => (await import('./commands.ts')).apply,
  void: async () => (await import('./commands.ts')).voidCommand,
  held: async () => (await import('./commands.ts')).held,
  approve: async () => (await import('./commands.ts')).approve,
  users: async () => (await import('./commands.ts')).users,
  tenants: async () => (await import('./commands.ts')).tenants,
  export: async () => (await import('./commands.ts')).exportCommand,
  keys: async () => (await import('./commands.ts')).keys,
  webhooks: async () => (await import('./commands.ts')).webhooks,
  subscriptions: async () => (await import('./commands.ts')).subscriptions,
  work: async () => (await import('./commands.ts')).work,
  openapi: async () => (await import('./commands.ts')).openapi,
}

/** All commands, in the order of the help. */
export function loadCommands(): Promise<readonly CliCommand[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()))
}

/** Runs what the arguments ask for. Never rejects: what goes wrong is said on standard error and by the exit code. */
export async function run(args: readonly string[], environment: Environment): Promise<ExitCode> {
  try {
    return await dispatch(args, environment)
  } catch (error) {
    environment.output.err(`laurels: ${toLines(describe(error))}\n`)
    if (isGamificationError(error) && error.code === 'invalid_request') {
      const [name = ''] = args
      environment.output.err(`See laurels ${Object.hasOwn(COMMANDS, name) ? `${name} ` : ''}--help\n`)
    }
    return EXIT.failed
  }
}

async function dispatch(args: readonly string[], environment: Environment): Promise<ExitCode> {
  const { out, err } = environment.output
  const [name, ...rest] = args
  if (name === undefined) {
    err(await listCommands())
    return EXIT.failed
  }
  if (['--help', '-h', 'help'].includes(name)) {
    out(rest[0] === undefined ? await listCommands() : (await find(rest[0])).help)
    return EXIT.ok
  }
  if (['--version', '-v'].includes(name)) {
    out(`${readVersion()}\n`)
    return EXIT.ok
  }
  return (await find(name)).execute(rest, environment)
}

async function listCommands(): Promise<string> {
  const commands = await loadCommands()
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  return `Usage: laurels <command> [options]

${commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`).join('\n')}

  laurels <command> --help  how to use a command
  laurels --version         print the version
`
}

function find(name: string): Promise<CliCommand> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (load !== undefined) return load()
  const isOption = name.startsWith('-')
  const known = isOption ? ['--help', '--version'] : Object.keys(COMMANDS)
  throw wrongCall(unknownWord(isOption ? 'option' : 'command', name, known))
}

/** With its causes, as far as they say more. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [error.message, ...reasonsBehind(error).map((reason) => `  because: ${reason}`)].join('\n')
}
