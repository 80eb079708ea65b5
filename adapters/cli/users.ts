import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { confirm } from './confirm.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { readChoice, readOptions, readWholeNumber } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { checkTenant, ofTenant, readTenant } from './tenant.ts'
import { unknownWord, wrongCall } from './text.ts'
import { USER_COMMANDS, type UserCommand, type UserCommandOptions } from './user-commands.ts'

const help = `Usage: laurels users <command> [id] [--db <file|url>] [options]

  list          print a page of the users, in order of id
  events <id>   print the user's log, the newest entry first
  export <id>   print everything that is kept of the user, as lines of JSON
  delete <id>   delete the user for good
  suspend <id>  leave the user out of leaderboards
  restore <id>  let the user back in
  merge <id>    make one user of two: the id is another name for --into from then on

  --db <file|url>   the SQLite database, or the URL of a Postgres database
                    (default: the variable DATABASE_URL)
  --schema <name>   the schema in Postgres (default: laurels)
  --tenant <id>     the tenant of the user, in a game that has tenants
  --search <text>   list: those with this in their id or name
  --after <id>      list: those after this one
  --limit <number>  list and events: how many (default: 50)
  --keep <what>     delete: nothing (the default), or anonymous, under a random id
  --yes             delete and merge: without asking
  --reason <text>   suspend: is kept in the log
  --into <id>       merge: the user that goes on
  --json            print the result as JSON
  -h, --help        print this

Exit codes: 0 done, 2 the call is wrong or the storage failed.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  tenant: { type: 'string' },
  search: { type: 'string' },
  after: { type: 'string' },
  limit: { type: 'string' },
  keep: { type: 'string' },
  yes: { type: 'boolean' },
  reason: { type: 'string' },
  into: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface UsersSettings extends UserCommandOptions {
  readonly command: UserCommand
  readonly database: ChosenDatabase
  readonly tenant: string | null
  readonly yes: boolean
}

export const usersCommand: CliCommand = {
  name: 'users',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return runUsers(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): UsersSettings | null {
  const { values, positionals } = readOptions(args, OPTIONS, 2)
  if (values.help === true) return null
  const [name, id] = positionals
  const command = findCommand(name)
  const limit = values.limit === undefined ? 50 : readWholeNumber(values.limit, 'limit')
  const { search, after, reason } = values
  const keep = readChoice(values.keep, 'keep', ['nothing', 'anonymous'])
  return {
    command,
    id: readId(command, id),
    database: readDatabase(values, environment),
    tenant: readTenant(values.tenant),
    list: { limit, ...(search === undefined ? {} : { search }), ...(after === undefined ? {} : { after }) },
    limit,
    deletion: keep === undefined ? {} : { keep },
    suspension: reason === undefined ? {} : { reason },
    into: readInto(command, values.into),
    yes: values.yes === true,
    json: values.json === true,
  }
}

function findCommand(name: string | undefined): UserCommand {
  const names = USER_COMMANDS.map((command) => command.name)
  if (name === undefined) throw wrongCall(`say what to do: ${names.join(', ')}`)
  const command = USER_COMMANDS.find((each) => each.name === name)
  if (command === undefined) throw wrongCall(unknownWord('command', name, names))
  return command
}

function readId({ name, takesId }: UserCommand, id: string | undefined): string {
  if (takesId && (id === undefined || id === '')) throw wrongCall(`say which user to ${name}: give the id`)
  if (!takesId && id !== undefined) throw wrongCall(`there is an argument too many: '${id}'`)
  return id ?? ''
}

function readInto({ name }: UserCommand, into: string | undefined): string {
  if (name !== 'merge') return ''
  if (into === undefined || into === '') throw wrongCall('say whom the user is merged into: --into <id>')
  return into
}

async function runUsers(settings: UsersSettings, environment: Environment): Promise<ExitCode> {
  const { command, database, id, tenant, yes } = settings
  await withStoredGame(database, environment, createScreen(environment), async ({ gamification, game }) => {
    checkTenant(game, tenant)
    if (command.final !== undefined) await confirm(environment, yes, command.final, id)
    const { users } = ofTenant(gamification, tenant)
    for await (const text of command.run(users, settings)) environment.output.out(text)
  })
  return EXIT.ok
}
