import { createAdminKeys } from '../../src/engine/calls/keys/admin-keys.ts'
import { uuidv7 } from '../../src/game/ids.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase, requireMigrated } from './database.ts'
import type { Environment } from './environment.ts'
import { KEY_COMMANDS, type KeyCommand, type KeyResult } from './key-commands.ts'
import { readOptions } from './options.ts'
import { readTenant } from './tenant.ts'
import { toJsonText, unknownWord, wrongCall } from './text.ts'
import { readUserKeys, runUserKeys, type UserKeySettings } from './user-keys.ts'

const help = `Usage: laurels keys <command> [key] [--db <file|url>] [--json]

Admin keys open every user's data and the admin API over HTTP. At most 3 exist.

  create            make a key, and print it
  list              print which keys there are
  rotate <key>      give the key a new value, and print that; the old one is
                    invalid at once
  revoke <key>      make the key invalid, until it is reactivated
  reactivate <key>  make a revoked key valid again
  delete <key>      delete the key for good

  <key>            the id of the key, or the prefix before its dot
  --user <id>      with list or delete: the application keys of this user, all
                   of them
  --application    with list: the application keys of all users
  --tenant <id>    the tenant of the users, in a game that has tenants
  --db <file|url>  the SQLite database, or the URL of a Postgres database; see
                   laurels migrate
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  --json           print the result as JSON
  -h, --help       print this

All of it holds for the next request, in every process. The key is printed on
standard output by create and rotate alone, and never shown again: only a hash
of it is stored.
`

export const keysCommand: CliCommand = {
  name: 'keys',
  help,
  run: async (args, environment) => {
    const settings = readKeySettings(args, environment)
    if (settings !== null) return runKeyCommand(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

const OPTIONS = {
  ...DATABASE_OPTIONS,
  user: { type: 'string' },
  application: { type: 'boolean' },
  tenant: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface KeySettings {
  readonly command: KeyCommand
  /** The id or prefix of a key; empty for a command that takes none. */
  readonly key: string
  /** null: admin keys are meant. */
  readonly ofUsers: UserKeySettings | null
  readonly database: ChosenDatabase
  readonly json: boolean
}

/** null when help is asked for. */
function readKeySettings(args: readonly string[], environment: Environment): KeySettings | null {
  const { values, positionals } = readOptions(args, OPTIONS, 2)
  if (values.help === true) return null
  const [name, key] = positionals
  const command = findCommand(name)
  const ofUsers = readUserKeys(command.name, values, readTenant(values.tenant))
  return {
    command,
    key: readKey(ofUsers === null ? command : { ...command, takesKey: false }, key),
    ofUsers,
    database: readDatabase(values, environment),
    json: values.json === true,
  }
}

function findCommand(name: string | undefined): KeyCommand {
  const names = KEY_COMMANDS.map((command) => command.name)
  if (name === undefined) throw wrongCall(`say what to do: ${names.join(', ')}`)
  const command = KEY_COMMANDS.find((each) => each.name === name)
  if (command === undefined) throw wrongCall(unknownWord('command', name, names))
  return command
}

function readKey({ name, takesKey }: KeyCommand, key: string | undefined): string {
  if (!takesKey) {
    if (key === undefined) return ''
    throw wrongCall(`there is an argument too many: '${key}'`)
  }
  if (key === undefined || key === '') throw wrongCall(`say which key to ${name}: give its id or prefix`)
  // Not repeated: what comes after the dot is secret.
  if (key.includes('.')) throw wrongCall('give the prefix before the dot alone, not the whole key')
  return key
}

async function runKeyCommand(
  { command, key, ofUsers, database, json }: KeySettings,
  environment: Environment,
): Promise<ExitCode> {
  const { output, now } = environment
  const run = ofUsers === null ? runOnAdminKeys : () => runUserKeys(ofUsers, database, environment)
  const { text, value, note } = await run()
  output.out(json ? toJsonText(value) : text)
  if (note !== undefined) output.err(`${note}\n`)
  return EXIT.ok

  async function runOnAdminKeys(): Promise<KeyResult> {
    await requireMigrated(database)
    const storage = database.open()
    try {
      return await command.run(createAdminKeys({ storage, now, newId: uuidv7 }), key)
    } finally {
      await storage.close()
    }
  }
}
