import type { ApplyPolicy, ApplyReport } from '../../src/index.ts'
import { toDamagedText } from './audit-text.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { loadGame } from './game-file.ts'
import { readChoice, readOptions, requireOption } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { toCount, toJsonText } from './text.ts'
import { toUsers, walk } from './walk.ts'
import { printWhatIf } from './what-if.ts'

const help = `Usage: laurels apply [--db <file|url>] --game <file> --policy <policy> [options]

Puts a game in force for every process on the database, by a policy:

  forward    its rules count from now on; nobody is looked at
  grant      what it would have given for the past is given, and nothing is
             taken away
  recompute  everything becomes as if it had always been there: achievements,
             points, levels and places may also be lost

  --db <file|url>    the SQLite database, or the URL of a Postgres database
                     (default: the variable DATABASE_URL)
  --schema <name>    the schema in Postgres (default: laurels)
  --game <file>      the game: a module (.ts, .js, .mjs) that exports it as
                     default or as 'game', or its definition (.json)
  --policy <policy>  forward, grant or recompute
  --dry-run          print what laurels what-if prints, and write nothing
  --json             print the report as JSON
  -h, --help         print this

Users are gone through one by one, beside whoever writes. Exit codes: 0 done, 1
done but for damaged users, who are named, 2 the call is wrong or the storage
failed, 130 interrupted: the game is in force then, and the same command goes on
with the users that are left.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  game: { type: 'string' },
  policy: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const POLICIES: readonly ApplyPolicy[] = ['forward', 'grant', 'recompute']

/** What of a what-if report a policy makes true. */
const NOTES: Readonly<Record<ApplyPolicy, string>> = {
  forward: 'With forward nobody gains or loses any of this: the rules would count from now on.',
  grant: 'With grant users would be given what they gain, and would lose nothing.',
  recompute: 'With recompute all of this would happen.',
}

interface ApplySettings {
  readonly database: ChosenDatabase
  readonly game: string
  readonly policy: ApplyPolicy
  readonly json: boolean
  readonly dryRun: boolean
}

export const applyCommand: CliCommand = {
  name: 'apply',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings === null) environment.output.out(help)
    else return settings.dryRun ? dryRun(settings, environment) : apply(settings, environment)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): ApplySettings | null {
  const { values } = readOptions(args, OPTIONS, 0)
  if (values.help === true) return null
  const given = requireOption(values.policy, 'policy', 'forward, grant or recompute; see laurels what-if before')
  return {
    database: readDatabase(values, environment),
    game: requireOption(values.game, 'game', 'the module or JSON file of the game'),
    policy: readChoice(given, 'policy', POLICIES) ?? 'forward',
    json: values.json === true,
    dryRun: values['dry-run'] === true,
  }
}

async function dryRun(settings: ApplySettings, environment: Environment): Promise<ExitCode> {
  const code = await printWhatIf({ ...settings, users: null, tenant: null, sample: 1 }, environment)
  if (code !== EXIT.interrupted) environment.output.err(`${NOTES[settings.policy]} Nothing was written.\n`)
  return code
}

async function apply(settings: ApplySettings, environment: Environment): Promise<ExitCode> {
  const next = await loadGame(settings.game)
  const { policy } = settings
  const screen = createScreen(environment)
  const done = await withStoredGame(settings.database, environment, screen, async (opened) => {
    const { gamification, epoch, users: total } = opened
    const goOn = 'The game is in force. Run the same command again to go on with the users that are left.'
    const report = await walk(environment, { screen, total, goOn }, (options) =>
      gamification.apply(next, { policy, ...options }),
    )
    if (report === null) return null
    const text = settings.json ? toJsonText(report) : toText(report, report.epoch > epoch)
    return { text, code: report.damaged.length === 0 ? EXIT.ok : EXIT.differs }
  })
  if (done === null) return EXIT.interrupted
  environment.output.out(done.text)
  return done.code
}

/** What was done to the users who were changed. A user may be recalculated without gaining or losing anything. */
const DONE = { grant: 'were given something', recompute: 'recalculated' } as const

function toText({ epoch, policy, users, changed, damaged }: ApplyReport, isNew: boolean): string {
  const done =
    policy === 'forward'
      ? isNew
        ? 'its rules count from now on'
        : 'the game is in force already'
      : `${toUsers(users)} checked, ${toCount(changed)} ${DONE[policy]}`
  return `${toDamagedText(damaged)}epoch ${epoch}, ${policy}: ${done}\n`
}
