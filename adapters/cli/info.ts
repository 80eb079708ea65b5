import { GamificationError } from '../../src/errors.ts'
import { type Inspection, inspect } from '../sqlite/inspect.ts'
import { type Command, EXIT } from './command.ts'
import { readDatabasePath } from './database.ts'
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
      const info = toInfo(readVersion(), existing(await inspect(readDatabasePath(values.db))))
      output.out(values.json === true ? `${JSON.stringify(info, null, 2)}\n` : toInfoText(info))
    }
    return EXIT.ok
  },
}

function existing(inspection: Inspection): Inspection {
  if (inspection.exists) return inspection
  throw new GamificationError(
    'storage_unusable',
    `There is no database at ${inspection.file}. Give another path, or make it: laurels migrate --db <file>`,
  )
}
