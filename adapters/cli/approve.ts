import { toApproveText } from './approve-text.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { type EventSubject, readEvent } from './event-subject.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { checkTenant, ofTenant, readTenant } from './tenant.ts'
import { toJsonText } from './text.ts'

const help = `Usage: laurels approve [--db <file|url>] <id> [options]
       laurels approve [--db <file|url>] --user <id> --metric <key> --key <key>

Has an event count that a limit of its metric holds back: at its own place, as
if it had not been held. laurels held lists those that wait.

  --db <file|url>  the SQLite database, or the URL of a Postgres database
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  <id>             the id of the event
  --user <id>      or: whose the event is,
  --metric <key>   of which metric,
  --key <key>      and with which idempotency key it was sent
  --tenant <id>    the tenant of the user, in a game that has tenants
  --json           print the result as JSON
  -h, --help       print this

Exit codes: 0 the event counts, 2 the call is wrong, the event is not held, or
the storage failed.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  user: { type: 'string' },
  metric: { type: 'string' },
  key: { type: 'string' },
  tenant: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface ApproveSettings {
  readonly database: ChosenDatabase
  readonly event: EventSubject
  readonly tenant: string | null
  readonly json: boolean
}

export const approveCommand: CliCommand = {
  name: 'approve',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return approve(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): ApproveSettings | null {
  const { values, positionals } = readOptions(args, OPTIONS, 1)
  if (values.help === true) return null
  const { json = false } = values
  const event = readEvent(positionals[0], values, 'its id')
  return { database: readDatabase(values, environment), event, tenant: readTenant(values.tenant), json }
}

async function approve(settings: ApproveSettings, environment: Environment): Promise<ExitCode> {
  const { database, event, tenant, json } = settings
  const text = await withStoredGame(database, environment, createScreen(environment), async (opened) => {
    checkTenant(opened.game, tenant)
    const answer = await ofTenant(opened.gamification, tenant).events.approve(event)
    return json ? toJsonText(answer) : toApproveText(answer, opened.game)
  })
  environment.output.out(text)
  return EXIT.ok
}
