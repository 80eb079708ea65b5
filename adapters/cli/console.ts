import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ConsoleServer, startConsole } from './console-server.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'
import { checkGame, withStoredGame } from './stored-game.ts'
import { readTenant } from './tenant.ts'
import { wrongCall } from './text.ts'
import { WEBHOOK_KEY, WEBHOOK_KEY_HELP, webhookOptions } from './webhook-key.ts'

const help = `Usage: laurels console [--db <file|url>] [--write] [options]

Serves the console on this machine alone, until it is interrupted, and prints a
link to it. The link can be opened once, within ten minutes.

  --write          let it change things; otherwise it is for looking
  --port <number>  where it listens on 127.0.0.1 (default: any free port)
  --tenant <id>    the tenant it begins with, in a game with tenants
  --game <file>    refuse to start unless this is the game in force
  --db <file|url>  the SQLite database, or the URL of a Postgres database
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  -h, --help       print this

${WEBHOOK_KEY_HELP}

Exit codes: 0 interrupted, 2 the call is wrong, or it could not listen or reach
the storage.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  write: { type: 'boolean' },
  port: { type: 'string' },
  tenant: { type: 'string' },
  game: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

interface Settings {
  readonly database: ChosenDatabase
  readonly write: boolean
  readonly port: number
  readonly tenant: string | null
  readonly game: string | null
}

export const consoleCommand: CliCommand = {
  name: 'console',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return runConsole(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): Settings | null {
  const { values } = readOptions(args, OPTIONS, 0)
  if (values.help === true) return null
  return {
    database: readDatabase(values, environment),
    write: values.write === true,
    port: readPort(values.port),
    tenant: readTenant(values.tenant),
    game: values.game ?? null,
  }
}

function readPort(given: string | undefined): number {
  const port = Number(given ?? 0)
  if (given === undefined || (/^\d+$/.test(given) && port <= 65_535)) return port
  throw wrongCall(`--port must be a whole number from 0 to 65,535, not '${given}'`)
}

async function runConsole(
  { database, write, port, tenant, game }: Settings,
  environment: Environment,
): Promise<ExitCode> {
  const { output, variable } = environment
  await withStoredGame(
    database,
    environment,
    createScreen(environment),
    async (opened) => {
      await checkGame(game, opened)
      const { gamification } = opened
      if (tenant !== null && !gamification.game.rules.multiTenant) {
        throw wrongCall('the game has no tenants (multiTenant): leave --tenant out')
      }
      const server = await startConsole(gamification, { port, access: write ? 'write' : 'read', tenant })
      output.out(`${server.link}\n`)
      output.err(
        `Open it once, within ten minutes. ${write ? 'It can change things.' : 'It is read-only.'} Ctrl-C ends it.\n`,
      )
      await untilInterrupted(server, environment.interruption())
    },
    webhookOptions(variable(WEBHOOK_KEY)),
  )
  return EXIT.ok
}

async function untilInterrupted(server: ConsoleServer, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await server.close()
}
