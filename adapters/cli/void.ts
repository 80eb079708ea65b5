import type { EventsOf } from '../../src/index.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { type EventSubject, readEvent } from './event-subject.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { checkTenant, ofTenant, readTenant } from './tenant.ts'
import { toJsonText, wrongCall } from './text.ts'
import { readSeveral, toSeveralExit, toSeveralText, voidSeveral } from './void-several.ts'
import { toVoidText } from './void-text.ts'

const help = `Usage: laurels void [--db <file|url>] --event <id> [options]
       laurels void [--db <file|url>] --user <id> --metric <key> --key <key>
       laurels void [--db <file|url>] --by <key id>
       laurels void [--db <file|url>] --user <id> --from <time> --to <time>

Undoes an event, all events that one API key wrote, or all of a user in a time.
It stays in the log, with its idempotency key used, and the user's totals,
points, level, streak and places become those without it. An event that is void
already stays so.

  --db <file|url>  the SQLite database, or the URL of a Postgres database
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  --event <id>     the id of the event
  --user <id>      or: whose the event is,
  --metric <key>   of which metric,
  --key <key>      and with which idempotency key it was sent
  --by <key id>    or: all events that this API key wrote; delete the key before
                   (laurels keys list [--user <id>] shows its id)
  --from <time>, --to <time>
                   or: all events of --user from the one instant on and before
                   the other, as 2026-03-10T12:00:00Z
  --tenant <id>    the tenant of the user, in a game that has tenants
  --reason <text>  is kept in the log
  --revoke         take achievements back that are not reached without the event
  --json           print the result as JSON
  -h, --help       print this

Exit codes: 0 the event is void, or the events are, 1 those of some users stay,
2 the call is wrong or the storage failed; what is void by then stays so.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  event: { type: 'string' },
  user: { type: 'string' },
  metric: { type: 'string' },
  key: { type: 'string' },
  by: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  tenant: { type: 'string' },
  reason: { type: 'string' },
  revoke: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface VoidSettings {
  readonly database: ChosenDatabase
  readonly event: EventSubject | EventsOf
  readonly tenant: string | null
  readonly reason: string | undefined
  readonly revoke: boolean
  readonly json: boolean
}

export const voidCommand: CliCommand = {
  name: 'void',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return runVoid(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): VoidSettings | null {
  const { values } = readOptions(args, OPTIONS, 0)
  if (values.help === true) return null
  const { reason, revoke = false, json = false } = values
  const several = readSeveral(values)
  const event = several === null ? readEvent(values.event, values, '--event', OTHER_WAYS) : refuseOne(several, values)
  return { database: readDatabase(values, environment), event, tenant: readTenant(values.tenant), reason, revoke, json }
}

const OTHER_WAYS = ', or --by, or --user, --from and --to'

/** What names several events goes with nothing that names one. */
function refuseOne(
  several: EventsOf,
  { event, metric, key }: { readonly [name in 'event' | 'metric' | 'key']?: string | undefined },
): EventsOf {
  if ([event, metric, key].every((each) => each === undefined)) return several
  throw wrongCall('name one event or several: --event, --metric and --key do not go with --by, --from and --to')
}

async function runVoid(settings: VoidSettings, environment: Environment): Promise<ExitCode> {
  const { database, event, tenant, reason, revoke, json } = settings
  const { text, code } = await withStoredGame(database, environment, createScreen(environment), async (opened) => {
    checkTenant(opened.game, tenant)
    const options = { revoke, ...(reason === undefined ? {} : { reason }) }
    const api = ofTenant(opened.gamification, tenant)
    if (typeof event !== 'string' && ('by' in event || 'between' in event)) {
      const answer = await voidSeveral(api, event, options)
      return { text: json ? toJsonText(answer) : toSeveralText(answer), code: toSeveralExit(answer) }
    }
    const answer = await api.events.void(event, options)
    return { text: json ? toJsonText(answer) : toVoidText(answer, opened.game), code: EXIT.ok }
  })
  environment.output.out(text)
  return code
}
