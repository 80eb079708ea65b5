import { auditCommand } from './audit.ts'
import { type CliCommand, EXIT } from './command.ts'
import { plural } from './text.ts'

const help = `Usage: laurels rebuild [--db <file|url>] [options]

Writes what laurels verify finds: folds the log of every user under the game in
force, makes each row that differs what the log says, and prints what it was.
Each user is mended in one step, beside whoever else writes.

  --db <file|url>  the SQLite database, or the URL of a Postgres database
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  --game <file>    refuse to run unless this is the game in force
  --user <id>      mend this user only; may be given again. Counters and blocks
                   of leaderboards are then left out
  --tenant <id>    the tenant of the users, in a game that has tenants
  --json           print the report as JSON
  -h, --help       print this

A user with a row of the log that cannot be read is named as damaged and left
as it is; the others are mended.

Exit codes: 0 all is as the logs say, 1 a user is damaged, 2 the call is wrong
or the storage failed, 130 interrupted: what was mended stays, and the same
command finds the rest.
`

export const rebuildCommand: CliCommand = auditCommand({
  name: 'rebuild',
  help,
  run: (gamification, options) => gamification.rebuild(options),
  goOn: 'What was mended stays. Run the same command again to go on: it finds the rest.',
  describe: (rows) => (rows === 0 ? 'nothing differed' : `${plural(rows, 'row')} mended`),
  toExit: () => EXIT.ok,
})
