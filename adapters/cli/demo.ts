import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { DEMO_DAYS, DEMO_USERS, makeHistory } from './demo/history.ts'
import { prepareDemo } from './demo/prepare.ts'
import { runDemo } from './demo/run.ts'
import { type DemoSettings, readDemoSettings } from './demo/settings.ts'
import { toDemoJson, toDemoText } from './demo/text.ts'
import type { Environment } from './environment.ts'
import { createScreen } from './screen.ts'

const help = `Usage: laurels demo [--db <file|url>] [--game <file>] [options]

Fills an empty database with ${DEMO_DAYS} days of ${DEMO_USERS} users, so that there is something to
look at. The same end date gives the same users and events each time.

  --db <file|url>  the SQLite database, or the URL of a Postgres database; a
                   file or a schema is made if it does not exist
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  --game <file>    the game: a module (.ts, .js, .mjs) that exports it as
                   default or as 'game', or its definition (.json). It is put
                   in force. Default: the game that the database has, or else a
                   small one that comes with the command
  --tenant <id>    the tenant, which must have no users yet
  --until <date>   the last day, such as 2026-03-31 (default: today, in UTC, as
                   far as it has come)
  --users <count>  how many users, from 1 to 5000 (default: 500)
  --add            put the users beside those that are there already
  --json           print what was recorded as JSON
  -h, --help       print this

Exit codes: 0 done, 1 the game refused some events, 2 the call is wrong or the
storage failed, 130 interrupted.
`

export const demoCommand: CliCommand = {
  name: 'demo',
  help,
  run: async (args, environment) => {
    const settings = readDemoSettings(args, environment)
    if (settings !== null) return demo(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

async function demo(settings: DemoSettings, environment: Environment): Promise<ExitCode> {
  const { output, elapsed, now } = environment
  const { database, tenant, users, end, json } = settings
  // What a power cut may take is made again.
  const storage = database.open({ synchronous: 'NORMAL' })
  const screen = createScreen(environment)
  const start = elapsed()
  try {
    const game = await prepareDemo(settings, storage)
    const until = Math.min(end - 1, now())
    const items = makeHistory(game, { users, end, now: until })
    const signal = environment.interruption()
    const report = await runDemo({ game, storage, tenant, items, now: until, signal }, screen)
    screen.clear()
    if (signal.aborted) {
      screen.line('Interrupted. Run the same command again with --add: what is there is not recorded twice.')
      return EXIT.interrupted
    }
    output.out(
      json ? toDemoJson(report, items) : toDemoText(report, items, { game, settings, took: elapsed() - start }),
    )
    return report.refused === 0 ? EXIT.ok : EXIT.refused
  } finally {
    screen.clear()
    await storage.close()
  }
}
