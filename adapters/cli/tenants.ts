import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { confirm } from './confirm.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { exportLines } from './export.ts'
import { readOptions, readWholeNumber } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { toTable } from './table.ts'
import { plural, toJsonText, toLine, unknownWord, wrongCall } from './text.ts'
import { toUsers } from './walk.ts'

const help = `Usage: laurels tenants <command> [id] [--db <file|url>] [options]

  list         print a page of the tenants that have users, in order of id
  export <id>  print everything that is kept of the tenant, as lines of JSON
  delete <id>  delete the tenant for good, user by user

  --db <file|url>   the SQLite database, or the URL of a Postgres database
                    (default: the variable DATABASE_URL)
  --schema <name>   the schema in Postgres (default: laurels)
  --after <id>      list: those after this one
  --limit <number>  list: how many (default: 100)
  --yes             delete: without asking
  --json            print the result as JSON
  -h, --help        print this

A deletion that was interrupted goes on when the same command is run again.

Exit codes: 0 done, 2 the call is wrong or the storage failed, 130 interrupted.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  after: { type: 'string' },
  limit: { type: 'string' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const COMMANDS = ['list', 'export', 'delete'] as const

interface TenantsSettings {
  readonly database: ChosenDatabase
  readonly command: (typeof COMMANDS)[number]
  readonly id: string
  readonly after: string | undefined
  readonly limit: number
  readonly yes: boolean
  readonly json: boolean
}

export const tenantsCommand: CliCommand = {
  name: 'tenants',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings === null) {
      environment.output.out(help)
      return EXIT.ok
    }
    if (settings.command === 'list') return list(settings, environment)
    if (settings.command === 'export') return exportLines(settings.database, environment, settings.id)
    return remove(settings, environment)
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): TenantsSettings | null {
  const { values, positionals } = readOptions(args, OPTIONS, 2)
  if (values.help === true) return null
  const [name, id] = positionals
  if (name === undefined) throw wrongCall(`say what to do: ${COMMANDS.join(', ')}`)
  const command = COMMANDS.find((each) => each === name)
  if (command === undefined) throw wrongCall(unknownWord('command', name, COMMANDS))
  if (command === 'list' && id !== undefined) throw wrongCall(`there is an argument too many: '${id}'`)
  if (command !== 'list' && (id === undefined || id === ''))
    throw wrongCall(`say which tenant to ${command}: give the id`)
  return {
    database: readDatabase(values, environment),
    command,
    id: id ?? '',
    after: values.after,
    limit: values.limit === undefined ? 100 : readWholeNumber(values.limit, 'limit'),
    yes: values.yes === true,
    json: values.json === true,
  }
}

async function list({ database, after, limit, json }: TenantsSettings, environment: Environment): Promise<ExitCode> {
  const text = await withStoredGame(database, environment, createScreen(environment), async ({ gamification }) => {
    const page = await gamification.tenants.list({ limit, ...(after === undefined ? {} : { after }) })
    if (json) return toJsonText(page)
    if (page.tenants.length === 0) return 'no tenants here\n'
    const more = page.after === null ? '' : `more: --after ${JSON.stringify(toLine(page.after))}\n`
    return `${toTable(
      ['id', 'users'],
      page.tenants.map(({ id, users }) => [id, users]),
    )}${more}`
  })
  environment.output.out(text)
  return EXIT.ok
}

async function remove({ database, id, yes, json }: TenantsSettings, environment: Environment): Promise<ExitCode> {
  const screen = createScreen(environment)
  return withStoredGame(database, environment, screen, async ({ gamification }): Promise<ExitCode> => {
    await confirm(environment, yes, 'deletes the tenant', id)
    const signal = environment.interruption()
    let done = 0
    const onProgress = ({ users }: { readonly users: number }): void => {
      done = users
      screen.show({ done: users, counts: () => [toUsers(users)], fraction: null })
    }
    try {
      const deleted = await gamification.tenants.delete(id, { onProgress, signal })
      screen.clear()
      environment.output.out(json ? toJsonText(deleted) : `deleted ${toLine(id)}: ${plural(deleted.users, 'user')}\n`)
      return EXIT.ok
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error
      screen.line(`Interrupted after ${toUsers(done)}: the same command goes on with those that are left.`)
      return EXIT.interrupted
    }
  })
}
