import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification } from '../../src/gamification.ts'
import type { StoredGame } from '../../src/storage.ts'
import { readVersion } from '../version.ts'
import { type CliCommand, EXIT } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import { loadGame } from './game-file.ts'
import { readOptions } from './options.ts'
import { wrongCall } from './text.ts'

const help = `Usage: laurels migrate [--db <file|url>] [--game <file>] [--dry-run]
       laurels migrate --sql [--db <file|url>]

Brings the database's tables to the newest schema, and stores the game if it is
new. Safe to run again, and while others do.

  --db <file|url>  the SQLite database, or the URL of a Postgres database; a
                   file or a schema is made if it does not exist
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  --game <file>    the game: a module (.ts, .js, .mjs) that exports it as
                   default or as 'game', or its definition (.json)
  --dry-run        print what would be done, and write nothing
  --sql            print the SQL that brings this database to the newest schema,
                   for somebody who runs it by hand, and run nothing. It keeps
                   the list of migrations, so nothing has to be told of it
                   afterwards. The game is stored by the first process
  -h, --help       print this
`

export const migrateCommand: CliCommand = {
  name: 'migrate',
  help,
  run: async (args, environment) => {
    const { output } = environment
    const { values } = readOptions(args, OPTIONS, 0)
    if (values.help === true) {
      output.out(help)
      return EXIT.ok
    }
    const database = readDatabase(values, environment)
    if (values.sql === true) {
      if (values['dry-run'] === true) throw wrongCall('--sql runs nothing: leave --dry-run out')
      if (values.game !== undefined) {
        throw wrongCall('--sql prints the SQL of the tables: leave --game out, and the first process stores its game')
      }
      output.out(await printSql(database))
      return EXIT.ok
    }
    const game = values.game === undefined ? null : await loadGame(values.game)
    output.out(toText(await (values['dry-run'] === true ? plan(database, game) : migrate(database, game))))
    return EXIT.ok
  },
}

const OPTIONS = {
  ...DATABASE_OPTIONS,
  game: { type: 'string' },
  'dry-run': { type: 'boolean' },
  sql: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

async function plan(database: ChosenDatabase, game: DefinedGame | null): Promise<readonly string[]> {
  const { name, exists, pending, contents } = await database.inspect()
  return [
    ...(exists ? [] : [`would make ${name}`]),
    ...pending.map((name) => `would apply ${name}`),
    ...(pending.length === 0 ? ['no migration to apply'] : []),
    ...(game === null ? [] : [describeGame(game, contents?.games ?? [], 'would store the game')]),
    'Nothing was written.',
  ]
}

/** SQL whatever there is to do, so that it can be piped; what is for a person is a comment. */
async function printSql(database: ChosenDatabase): Promise<string> {
  const found = await database.inspect()
  if (found.pending.length === 0) return '-- no migration to apply\n'
  const { sql, call } = database.script(found)
  return `-- laurels ${readVersion()}: ${found.pending.join(', ')}\n-- ${call}\n\n${sql}`
}

async function migrate(database: ChosenDatabase, game: DefinedGame | null): Promise<readonly string[]> {
  const storage = database.open()
  try {
    const { applied } = await storage.migrate()
    const schema = applied.length === 0 ? ['no migration to apply'] : applied.map((name) => `applied ${name}`)
    if (game === null) return schema
    const before = await storage.games()
    await createGamification({ game, storage }).migrate()
    return [...schema, describeGame(game, before, 'stored the game')]
  } finally {
    await storage.close()
  }
}

function describeGame({ fingerprint }: DefinedGame, stored: readonly StoredGame[], storing: string): string {
  const newest = stored.at(-1)
  if (newest === undefined) return `${storing} as epoch 1`
  const known = stored.findLast((game) => game.fingerprint === fingerprint)
  if (known === undefined) return `${storing} as epoch ${newest.epoch + 1}: its rules count from then on`
  if (known.epoch === newest.epoch) return `the game is stored already (epoch ${known.epoch})`
  return `the game is an older one (epoch ${known.epoch}); epoch ${newest.epoch} stays in force`
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
