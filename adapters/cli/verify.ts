import { auditCommand } from './audit.ts'
import { type CliCommand, EXIT } from './command.ts'
import { plural } from './text.ts'

const help = `Usage: laurels verify [--db <file|url>] [options]

Folds the log of every user under the game in force, and prints each row of what
was derived from the logs that differs: the table, its key, what is stored and
what is expected. Changes nothing, and may run beside whoever writes.

  --db <file|url>  the SQLite database, or the URL of a Postgres database
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  --game <file>    refuse to run unless this is the game in force
  --user <id>      look at this user only; may be given again. Counters and
                   blocks of leaderboards are then left out
  --tenant <id>    the tenant of the users, in a game that has tenants
  --sample <n>     look at so many users only, drawn evenly each time. Counters
                   and blocks of leaderboards are then left out
  --json           print the report as JSON
  -h, --help       print this

A user with a row that cannot be read, or without a line of the log, is named as
damaged; all other users are checked.

Exit codes: 0 nothing differs, 1 something does or a user is damaged, 2 the call
is wrong or the storage failed, 130 interrupted.
`

export const verifyCommand: CliCommand = auditCommand({
  name: 'verify',
  help,
  draws: true,
  run: (gamification, options) => gamification.verify(options),
  goOn: 'Nothing was reported; the same command begins anew.',
  describe: (rows) => {
    if (rows === 0) return 'nothing differs'
    return rows === 1 ? '1 row differs' : `${plural(rows, 'row')} differ`
  },
  toExit: (rows) => (rows === 0 ? EXIT.ok : EXIT.differs),
})
