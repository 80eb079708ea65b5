import { toRemovedText } from '../../src/api/operate/removed-metrics.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification } from '../../src/gamification.ts'
import type { MigrateResponse } from '../../src/shapes/operate.ts'
import { loadGames } from '../../src/sql/games.ts'
import type { CounterKind } from '../../src/storage/rows.ts'
import type { StoredGame } from '../../src/storage/storage.ts'
import { PARTITIONS } from '../postgres/driver.ts'
import type { Contents } from '../sqlite/inspect.ts'
import { readVersion } from '../version.ts'
import { type CliCommand, defineCommand } from './command.ts'
import { type ChosenDatabase, type DatabaseFindings, inspectExisting, loadGame } from './database.ts'
import { DATABASE, flagOption, GAME_FILES, NEW_DATABASE, textOption, whole } from './options.ts'
import { toCount, toLocalText, toText, wrongCall } from './terminal.ts'

export const migrateCommand: CliCommand = defineCommand({
  name: 'migrate',
  summary: 'update the database schema',
  usage: [
    '[--db <file|url>] [--game <file>] [--dry-run]',
    '--partitions <n> [--db <url>] [--game <file>] [--dry-run]',
    '--sql [--db <file|url>] [--partitions <n>]',
  ],
  about: `Creates or updates the database's tables, and stores the game if it is new. Safe to run again, and while others do.`,
  options: {
    ...NEW_DATABASE,
    game: textOption('<file>', `the game: ${GAME_FILES}`),
    'dry-run': flagOption('print the changes, and write nothing'),
    partitions: whole('<n>', 'partitions of new Postgres tables of users (default: none)', undefined, PARTITIONS),
    sql: flagOption(
      'print the SQL of the pending migrations, to run by hand, and run nothing. The SQL updates the list of migrations. The first process stores the game',
    ),
  },
  run: async ({ values: { game: file, sql, 'dry-run': isDry }, ...call }) => {
    const database = call.database()
    if (sql) {
      if (isDry) throw wrongCall('--sql runs nothing: leave --dry-run out')
      if (file === undefined) return toAnswer(await printSql(database))
      throw wrongCall('--sql prints the SQL of the tables: leave --game out, and the first process stores its game')
    }
    const game = file === undefined ? null : await loadGame(file)
    return toAnswer(toText(await (isDry ? plan(database, game) : apply(database, game))))
  },
})

const toAnswer = (printed: string) => ({ value: null, text: printed })

async function plan(database: ChosenDatabase, game: DefinedGame | null): Promise<readonly string[]> {
  const { name, exists, pending, contents } = await database.inspect()
  return [
    ...(exists ? [] : [`would make ${name}`]),
    ...pending.map((name) => `would apply ${name}`),
    ...(pending.length === 0 ? ['no migration to apply'] : []),
    ...(game === null ? [] : [describePlan(game, contents?.games ?? [])]),
    'Nothing was written.',
  ]
}

/** Prints only SQL, so that the output can be piped; text for people is in comments. */
async function printSql(database: ChosenDatabase): Promise<string> {
  const found = await database.inspect()
  if (found.pending.length === 0) return '-- no migration to apply\n'
  const { sql, call } = database.script(found)
  return `-- laurels ${readVersion()}: ${found.pending.join(', ')}\n-- ${call}\n\n${sql}`
}

async function apply(database: ChosenDatabase, game: DefinedGame | null): Promise<readonly string[]> {
  const storage = database.open()
  try {
    const { applied } = await storage.migrate()
    const schema = applied.length === 0 ? ['no migration to apply'] : applied.map((name) => `applied ${name}`)
    if (game === null) return schema
    const before = await loadGames(storage)
    const report = await createGamification({ game, storage }).migrate()
    return [...schema, describeStored(report.game, before.at(-1)), ...report.game.removedMetrics.map(toRemovedText)]
  } finally {
    await storage.close()
  }
}

function describeStored({ epoch, message }: MigrateResponse['game'], before: StoredGame | undefined): string {
  if (message !== null) return message
  if (before === undefined) return `stored the game as epoch ${epoch}`
  if (before.epoch === epoch) return `the game is stored already (epoch ${epoch})`
  return `stored the game as epoch ${epoch}: its rules count from now on`
}

function describePlan({ fingerprint }: DefinedGame, stored: readonly StoredGame[]): string {
  const newest = stored.at(-1)
  if (newest === undefined) return 'would store the game as epoch 1'
  const known = stored.findLast((game) => game.fingerprint === fingerprint)
  const next = `would store the game as epoch ${newest.epoch + 1}`
  if (known === undefined) return `${next}: its rules count from then on`
  if (known.epoch === newest.epoch) return `the game is stored already (epoch ${known.epoch})`
  return `the game is an earlier one (epoch ${known.epoch}): ${next}, if no process with epoch ${newest.epoch} was seen for a minute`
}

export const info: CliCommand = defineCommand({
  name: 'info',
  summary: 'print what the database contains',
  about: `Prints what the database holds: its migrations, its games, and how many users, log entries and completed achievements there are. Changes nothing.`,
  options: DATABASE,
  run: async ({ database }) => {
    const value = toInfo(readVersion(), await inspectExisting(database()))
    return { value, text: toInfoText(value) }
  },
})

const NOTHING: Contents = { games: [], users: 0, logEntries: 0, counters: [], applicationKeys: 0 }

function toInfo(version: string, { name, applied, pending, contents }: DatabaseFindings) {
  const { games, users, logEntries, counters } = contents ?? NOTHING
  const ofKind = (kind: CounterKind) => counters.filter((counter) => counter.kind === kind && counter.count > 0)
  const completions = ofKind('completions')
  return {
    version,
    database: name,
    migrations: { applied: applied.map((each) => each.name), pending },
    games: games.map(({ epoch, fingerprint, policy, cause, createdAt }) => {
      return { epoch, fingerprint, policy, cause, createdAt: new Date(createdAt).toISOString() }
    }),
    users,
    logEntries,
    completions: {
      total: completions.reduce((total, { count }) => total + count, 0),
      achievements: completions.map(({ key, count }) => ({ achievement: key, users: count })),
    },
    levels: ofKind('level').map(({ key, count }) => {
      // The counter of a level has `[system, level]` as JSON text for its key.
      const [system, level] = JSON.parse(key) as [system: string, level: string]
      return { system, level, users: count }
    }),
  }
}

const CAUSES: { readonly [Cause in StoredGame['cause']]: string } = {
  start: 'a process started with it',
  return: 'a deploy was rolled back',
  apply: 'applied',
  boosts: 'the same game with other boosts',
  messages: 'the same game with other wanted messages',
}

function toInfoText(info: ReturnType<typeof toInfo>): string {
  const { migrations, games, completions, levels } = info
  return toText([
    `laurels ${info.version}`,
    `database: ${info.database}`,
    `migrations: ${migrations.applied.join(', ') || 'none'}`,
    ...(migrations.pending.length === 0 ? [] : [`to apply with laurels migrate: ${migrations.pending.join(', ')}`]),
    games.length === 0 ? 'games: none' : 'games:',
    ...games.map(({ epoch, policy, cause, createdAt, fingerprint }) => {
      return `  epoch ${epoch}, ${policy}, since ${toLocalText(createdAt)}, ${fingerprint}, ${CAUSES[cause]}`
    }),
    `users: ${toCount(info.users)}`,
    `log entries: ${toCount(info.logEntries)}`,
    `achievements completed: ${toCount(completions.total)}`,
    ...completions.achievements.map(({ achievement, users }) => `  ${achievement}: ${toCount(users)}`),
    levels.length === 0 ? 'users on a level: 0' : 'users on a level:',
    ...levels.map(({ system, level, users }) => `  ${system}, ${level}: ${toCount(users)}`),
  ])
}
