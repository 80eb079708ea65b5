import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { escapeJson } from './text.ts'
import { toUsers } from './walk.ts'

const help = `Usage: laurels export [--db <file|url>] > <file>

Prints everything that is kept as lines of JSON: the games, and the log of every
user of every tenant. What follows from the logs is not there: whoever reads them
folds them again. Keys are not there either. Changes nothing, and may run beside
whoever writes.

  --db <file|url>  the SQLite database, or the URL of a Postgres database
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  -h, --help       print this

Of one user: laurels users export <id>. Of one tenant: laurels tenants export <id>.

A user with a damaged row is left out and named; the others are printed, and the
exit code is 2.

Exit codes: 0 done, 2 a user is damaged, the call is wrong, or the storage
failed, 130 interrupted.
`

const OPTIONS = { ...DATABASE_OPTIONS, help: { type: 'boolean', short: 'h' } } as const

export const exportCommand: CliCommand = {
  name: 'export',
  help,
  run: async (args, environment) => {
    const { values } = readOptions(args, OPTIONS, 0)
    if (values.help !== true) return exportLines(readDatabase(values, environment), environment, null)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** Prints the lines of a tenant, or of all. */
export async function exportLines(
  database: ChosenDatabase,
  environment: Environment,
  tenant: string | null,
): Promise<ExitCode> {
  const screen = createScreen(environment)
  const signal = environment.interruption()
  return withStoredGame(database, environment, screen, async ({ gamification, users: total }): Promise<ExitCode> => {
    const onProgress = ({ users }: { readonly users: number }): void => {
      const fraction = tenant !== null || total === 0 ? null : Math.min(1, users / total)
      screen.show({ done: users, counts: () => [toUsers(users)], fraction })
    }
    const options = { onProgress, signal }
    try {
      const lines = tenant === null ? gamification.export(options) : gamification.tenants.export(tenant, options)
      for await (const line of lines) environment.output.out(escapeJson(line))
      return EXIT.ok
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error
      screen.line('Interrupted: what was printed has no end, and cannot be imported whole.')
      return EXIT.interrupted
    }
  })
}
