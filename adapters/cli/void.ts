import { type Command, EXIT, type ExitCode } from './command.ts'
import { DATABASE_OPTIONS, type Database, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { type EventSubject, readEvent } from './event-subject.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { checkTenant, ofTenant, readTenant } from './tenant.ts'
import { toJsonText } from './text.ts'
import { toVoidText } from './void-text.ts'

const help = `Usage: laurels void [--db <file|url>] --event <id> [options]
       laurels void [--db <file|url>] --user <id> --metric <key> --key <key>

Undoes an event: it stays in the log, with its idempotency key used, and the
user's totals, points, level, streak and places become those without it. An
event that is void already stays so.

  --db <file|url>  the SQLite database, or the URL of a Postgres database
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  --event <id>     the id of the event
  --user <id>      or: whose the event is,
  --metric <key>   of which metric,
  --key <key>      and with which idempotency key it was sent
  --tenant <id>    the tenant of the user, in a game that has tenants
  --reason <text>  is kept in the log
  --revoke         take achievements back that are not reached without the event
  --json           print the result as JSON
  -h, --help       print this

Exit codes: 0 the event is void, 2 the call is wrong or the storage failed.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  event: { type: 'string' },
  user: { type: 'string' },
  metric: { type: 'string' },
  key: { type: 'string' },
  tenant: { type: 'string' },
  reason: { type: 'string' },
  revoke: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface VoidSettings {
  readonly database: Database
  readonly event: EventSubject
  readonly tenant: string | null
  readonly reason: string | undefined
  readonly revoke: boolean
  readonly json: boolean
}

export const voidCommand: Command = {
  name: 'void',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return voidEvent(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): VoidSettings | null {
  const { values } = readOptions(args, OPTIONS, 0)
  if (values.help === true) return null
  const { reason, revoke = false, json = false } = values
  const event = readEvent(values.event, values, '--event')
  return { database: readDatabase(values, environment), event, tenant: readTenant(values.tenant), reason, revoke, json }
}

async function voidEvent(settings: VoidSettings, environment: Environment): Promise<ExitCode> {
  const { database, event, tenant, reason, revoke, json } = settings
  const text = await withStoredGame(database, environment, createScreen(environment), async (opened) => {
    checkTenant(opened.game, tenant)
    const options = { revoke, ...(reason === undefined ? {} : { reason }) }
    const answer = await ofTenant(opened.gamification, tenant).events.void(event, options)
    return json ? toJsonText(answer) : toVoidText(answer, opened.game)
  })
  environment.output.out(text)
  return EXIT.ok
}
