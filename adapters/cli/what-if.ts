import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import type { Environment } from './environment.ts'
import { loadGame } from './game-file.ts'
import { readOptions, requireOption } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { toJsonText, wrongCall } from './text.ts'
import { walk } from './walk.ts'
import { readWalkSettings, toWhichUsers, WALK_OPTIONS, type WalkSettings } from './walk-settings.ts'
import { toWhatIfText } from './what-if-text.ts'

const help = `Usage: laurels what-if [--db <file|url>] --game <file> [options]

Prints who would gain and who would lose what if another game had always been
there: folds the logs under it and compares. Changes nothing, and may run beside
whoever writes.

  --db <file|url>   the SQLite database, or the URL of a Postgres database
                    (default: the variable DATABASE_URL)
  --schema <name>   the schema in Postgres (default: laurels)
  --game <file>     the other game: a module (.ts, .js, .mjs) that exports it as
                    default or as 'game', or its definition (.json)
  --user <id>       look at this user only; may be given again
  --tenant <id>     the tenant of the users, in a game that has tenants
  --sample <share>  look at this share of the users only, above 0 and at most 1;
                    the same ones each time. Places are then among these
  --json            print the report as JSON, with the ids of triggers and up to
                    100 users with the largest differences
  -h, --help        print this

Exit codes: 0 done, 1 done but for damaged users, who are named, 2 the call is
wrong or the storage failed, 130 interrupted.
`

const OPTIONS = { ...WALK_OPTIONS, sample: { type: 'string' } } as const

export interface WhatIfSettings extends WalkSettings {
  /** The file of the other game. */
  readonly game: string
  readonly sample: number
}

export const whatIfCommand: CliCommand = {
  name: 'what-if',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return printWhatIf(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): WhatIfSettings | null {
  const { values } = readOptions(args, OPTIONS, 0)
  if (values.help === true) return null
  const game = requireOption(values.game, 'game', 'the module or JSON file of the other game')
  return { ...readWalkSettings(values, environment), game, sample: readShare(values.sample ?? '1') }
}

function readShare(value: string): number {
  const share = value.trim() === '' ? Number.NaN : Number(value)
  if (share > 0 && share <= 1) return share
  throw wrongCall(`--sample must be a number above 0 and at most 1, such as 0.1, not '${value}'`)
}

export async function printWhatIf(settings: WhatIfSettings, environment: Environment): Promise<ExitCode> {
  const next = await loadGame(settings.game)
  const screen = createScreen(environment)
  const done = await withStoredGame(settings.database, environment, screen, async (opened) => {
    const which = await toWhichUsers(settings, opened)
    const total = (settings.users?.length ?? opened.users) * settings.sample
    const goOn = 'Nothing was written; the same command begins anew.'
    const report = await walk(environment, { screen, total, goOn }, (options) =>
      opened.gamification.whatIf(next, { ...which, ...options, sample: settings.sample }),
    )
    if (report === null) return null
    const text = settings.json ? toJsonText(report) : toWhatIfText(report, [next, opened.game])
    return { text, code: report.damaged.length === 0 ? EXIT.ok : EXIT.differs }
  })
  if (done === null) return EXIT.interrupted
  environment.output.out(done.text)
  return done.code
}
