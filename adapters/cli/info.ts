import { type Command, EXIT } from './command.ts'
import { inspectExisting, readDatabasePath } from './database.ts'
import { toInfo, toInfoText } from './info-text.ts'
import { readOptions } from './options.ts'
import { readVersion } from './version.ts'

const help = `Usage: laurels info --db <file> [--json]

Prints what the database holds: its migrations, its games, and how many users,
log entries and completed achievements there are. Changes nothing.

  --db <file>  the SQLite database
  --json       print it as JSON
  -h, --help   print this
`

const OPTIONS = {
  db: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export const infoCommand: Command = {
  name: 'info',
  summary: 'print what the database holds',
  help,
  run: async (args, { output }) => {
    const { values } = readOptions(args, OPTIONS, 0)
    if (values.help === true) output.out(help)
    else {
      const info = toInfo(readVersion(), await inspectExisting(readDatabasePath(values.db)))
      output.out(values.json === true ? `${JSON.stringify(info, null, 2)}\n` : toInfoText(info))
    }
    return EXIT.ok
  },
}
