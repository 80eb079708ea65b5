import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { readOptions, readWholeNumber } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import {
  SUBSCRIPTION_COMMANDS,
  type SubscriptionCommand,
  type SubscriptionCommandOptions,
} from './subscription-commands.ts'
import { unknownWord, wrongCall } from './text.ts'

const help = `Usage: laurels subscriptions <command> [name] [--db <file|url>] [options]

Handlers of your backend that take messages, each under a name.

  list          print how far each is
  dead <name>   print what was put aside after its tries, the newest first
  retry <name>  have what was put aside handed over again

  --ids <list>       retry: ids of messages, with commas between (default: all)
  --limit <number>   dead: how many (default: 50)
  --before <number>  dead: those before, as the answer before says
  --db <file|url>    the SQLite database, or the URL of a Postgres database
                     (default: the variable DATABASE_URL)
  --schema <name>    the schema in Postgres (default: laurels)
  --json             print the result as JSON
  -h, --help         print this
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  ids: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface SubscriptionSettings extends SubscriptionCommandOptions {
  readonly command: SubscriptionCommand
  readonly database: ChosenDatabase
}

export const subscriptionsCommand: CliCommand = {
  name: 'subscriptions',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return runSubscriptions(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): SubscriptionSettings | null {
  const { values, positionals } = readOptions(args, OPTIONS, 2)
  if (values.help === true) return null
  const [given, name] = positionals
  const command = findCommand(given)
  const ids = values.ids?.split(',').map((id) => id.trim())
  return {
    command,
    name: readName(command, name),
    limit: values.limit === undefined ? 50 : readWholeNumber(values.limit, 'limit'),
    before: values.before === undefined ? null : readWholeNumber(values.before, 'before'),
    ids: ids?.filter((id) => id !== '') ?? null,
    database: readDatabase(values, environment),
    json: values.json === true,
  }
}

function findCommand(name: string | undefined): SubscriptionCommand {
  const names = SUBSCRIPTION_COMMANDS.map((command) => command.name)
  if (name === undefined) throw wrongCall(`say what to do: ${names.join(', ')}`)
  const command = SUBSCRIPTION_COMMANDS.find((each) => each.name === name)
  if (command === undefined) throw wrongCall(unknownWord('command', name, names))
  return command
}

function readName({ name: command, takesName }: SubscriptionCommand, name: string | undefined): string {
  if (takesName && (name === undefined || name === '')) throw wrongCall(`say which subscription: ${command} <name>`)
  if (!takesName && name !== undefined) throw wrongCall(`there is an argument too many: '${name}'`)
  return name ?? ''
}

async function runSubscriptions(settings: SubscriptionSettings, environment: Environment): Promise<ExitCode> {
  const { command, database } = settings
  await withStoredGame(database, environment, createScreen(environment), async ({ gamification }) => {
    environment.output.out(await command.run(gamification.subscriptions, settings))
  })
  return EXIT.ok
}
