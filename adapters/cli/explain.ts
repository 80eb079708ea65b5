import type { ExplainRequest } from '../../src/index.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { readSubject } from './explain-subject.ts'
import { toExplainText } from './explain-text.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { checkTenant, ofTenant, readTenant } from './tenant.ts'
import { toJsonText, wrongCall } from './text.ts'

const help = `Usage: laurels explain <user> --achievement <key> [--db <file|url>] [options]
       laurels explain <user> --event <id> [options]
       laurels explain <user> --metric <key> --key <key> [options]
       laurels explain <user> --streak <date> [--named <key>] [options]

Prints why a user has an achievement or not, what an event did and what it did
not count for, or what became of the streak on a date. Changes nothing.

  <user>               the id of the user
  --achievement <key>  explain this achievement
  --event <id>         explain the event with this id
  --metric <key>       or: of which metric the event is,
  --key <key>          and with which idempotency key it was sent
  --streak <date>      explain the streak on this local date, such as 2026-03-02
  --named <key>        of the streak with this key in the game's streaks
  --db <file|url>      the SQLite database, or the URL of a Postgres database
                       (default: the variable DATABASE_URL)
  --schema <name>      the schema in Postgres (default: laurels)
  --tenant <id>        the tenant of the user, in a game that has tenants
  --json               print the reasons as JSON
  -h, --help           print this

Exit codes: 0 explained, 2 the call is wrong or the storage failed.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  achievement: { type: 'string' },
  event: { type: 'string' },
  metric: { type: 'string' },
  key: { type: 'string' },
  streak: { type: 'string' },
  named: { type: 'string' },
  tenant: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface ExplainSettings {
  readonly user: string
  readonly subject: ExplainRequest
  readonly database: ChosenDatabase
  readonly tenant: string | null
  readonly json: boolean
}

export const explainCommand: CliCommand = {
  name: 'explain',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return explain(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): ExplainSettings | null {
  const { values, positionals } = readOptions(args, OPTIONS, 1)
  if (values.help === true) return null
  const [user = ''] = positionals
  if (user === '') throw wrongCall('the user is missing: give an id')
  const subject = readSubject(values)
  const { json = false } = values
  return { user, subject, database: readDatabase(values, environment), tenant: readTenant(values.tenant), json }
}

async function explain(settings: ExplainSettings, environment: Environment): Promise<ExitCode> {
  const { user, subject, database, tenant, json } = settings
  const explanation = await withStoredGame(database, environment, createScreen(environment), async (opened) => {
    checkTenant(opened.game, tenant)
    return ofTenant(opened.gamification, tenant).explain(user, subject)
  })
  environment.output.out(json ? toJsonText(explanation) : toExplainText(explanation))
  return EXIT.ok
}
