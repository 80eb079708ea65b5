import { readVersion } from '../version.ts'
import { type CliCommand, EXIT } from './command.ts'
import { DATABASE_OPTIONS, inspectExisting, readDatabase } from './database.ts'
import { toInfo, toInfoText } from './info-text.ts'
import { readOptions } from './options.ts'
import { toJsonText } from './text.ts'

const help = `Usage: laurels info [--db <file|url>] [--json]

Prints what the database holds: its migrations, its games, and how many users,
log entries and completed achievements there are. Changes nothing.

  --db <file|url>  the SQLite database, or the URL of a Postgres database
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  --json           print it as JSON
  -h, --help       print this
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export const infoCommand: CliCommand = {
  name: 'info',
  help,
  run: async (args, environment) => {
    const { output } = environment
    const { values } = readOptions(args, OPTIONS, 0)
    if (values.help === true) output.out(help)
    else {
      const info = toInfo(readVersion(), await inspectExisting(readDatabase(values, environment)))
      output.out(values.json === true ? toJsonText(info) : toInfoText(info))
    }
    return EXIT.ok
  },
}
