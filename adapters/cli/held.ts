import type { HeldEvent } from '../../src/index.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { readOptions, readWholeNumber } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { toTable } from './table.ts'
import { checkTenant, ofTenant, readTenant } from './tenant.ts'
import { toJsonText } from './text.ts'

const help = `Usage: laurels held [--db <file|url>] [options]

Lists the events that limits of their metrics hold back, in order of user, then
of when they happened. laurels approve has one count, laurels void drops one.

  --db <file|url>  the SQLite database, or the URL of a Postgres database
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  --user <id>      only events of this user
  --after <id>     only those that come after the event with this id
  --limit <n>      how many, 1 to 100 (default: 100)
  --tenant <id>    the tenant, in a game that has tenants
  --json           print the events as JSON
  -h, --help       print this

Exit codes: 0 they are listed, 2 the call is wrong or the storage failed.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  user: { type: 'string' },
  after: { type: 'string' },
  limit: { type: 'string' },
  tenant: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface HeldSettings {
  readonly database: ChosenDatabase
  readonly request: { readonly user?: string; readonly after?: string; readonly limit?: number }
  readonly tenant: string | null
  readonly json: boolean
}

export const heldCommand: CliCommand = {
  name: 'held',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return list(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): HeldSettings | null {
  const { values } = readOptions(args, OPTIONS, 0)
  if (values.help === true) return null
  const { user, after, limit, json = false } = values
  const request = {
    ...(user === undefined ? {} : { user }),
    ...(after === undefined ? {} : { after }),
    ...(limit === undefined ? {} : { limit: readWholeNumber(limit, 'limit') }),
  }
  return { database: readDatabase(values, environment), request, tenant: readTenant(values.tenant), json }
}

async function list({ database, request, tenant, json }: HeldSettings, environment: Environment): Promise<ExitCode> {
  const text = await withStoredGame(database, environment, createScreen(environment), async (opened) => {
    checkTenant(opened.game, tenant)
    const events = await ofTenant(opened.gamification, tenant).events.held(request)
    return json ? toJsonText(events) : toHeldText(events)
  })
  environment.output.out(text)
  return EXIT.ok
}

function toHeldText(events: readonly HeldEvent[]): string {
  if (events.length === 0) return 'no events are held back\n'
  const header = ['event', 'user', 'metric', 'value', 'date', 'recorded']
  const rows = events.map(({ eventId, userId, metric, value, date, recordedAt }) => {
    // As it was sent, not rounded for the eye.
    return [eventId, userId, metric, String(value), date, recordedAt]
  })
  return toTable(header, rows)
}
