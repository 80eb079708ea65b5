import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification } from '../../src/gamification.ts'
import type { StoredGame } from '../../src/storage.ts'
import { sqlite } from '../sqlite/index.ts'
import { inspect } from '../sqlite/inspect.ts'
import { type Command, EXIT } from './command.ts'
import { readDatabasePath } from './database.ts'
import { loadGame } from './game-file.ts'
import { readOptions } from './options.ts'

const help = `Usage: laurels migrate --db <file> [--game <file>] [--dry-run]

Brings the database's tables to the newest schema, and stores the game if it is
new. Safe to run again, and while others do.

  --db <file>    the SQLite database; made if it does not exist
  --game <file>  the game: a module (.ts, .js, .mjs) that exports it as default
                 or as 'game', or its definition (.json)
  --dry-run      print what would be done, and write nothing
  -h, --help     print this
`

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'bring the database to the newest schema',
  help,
  run: async (args, { output }) => {
    const { values } = readOptions(args, OPTIONS, 0)
    if (values.help === true) {
      output.out(help)
      return EXIT.ok
    }
    const path = readDatabasePath(values.db)
    const game = values.game === undefined ? null : await loadGame(values.game)
    output.out(toText(await (values['dry-run'] === true ? plan(path, game) : migrate(path, game))))
    return EXIT.ok
  },
}

const OPTIONS = {
  db: { type: 'string' },
  game: { type: 'string' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

async function plan(path: string, game: DefinedGame | null): Promise<readonly string[]> {
  const { file, exists, pending, contents } = await inspect(path)
  return [
    ...(exists ? [] : [`would make ${file}`]),
    ...pending.map((name) => `would apply ${name}`),
    ...(pending.length === 0 ? ['no migration to apply'] : []),
    ...(game === null ? [] : [describeGame(game, contents?.games ?? [], 'would store the game')]),
    'Nothing was written.',
  ]
}

async function migrate(path: string, game: DefinedGame | null): Promise<readonly string[]> {
  const storage = sqlite(path)
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
