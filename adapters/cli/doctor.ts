import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import { checkGames, checkKeys } from './doctor/content-checks.ts'
import { checkDatabase, checkWrites } from './doctor/database-checks.ts'
import { checkDrift } from './doctor/drift-check.ts'
import type { CheckResult } from './doctor/finding.ts'
import { checkProcess, factsOfProcess } from './doctor/process-checks.ts'
import type { Environment } from './environment.ts'
import { loadGame } from './game-file.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { toJsonText, toLine } from './text.ts'

const help = `Usage: laurels doctor [--db <file|url>] [--game <file>] [--json]

Looks at what laurels runs on, and says for each finding what mends it: Node and
its zones, the driver, the database and its clock, what the role may do, the
migrations, the game, the keys, whether the database takes writes, and whether
some users are as their logs say.
Changes nothing.

  --db <file|url>  the SQLite database, or the URL of a Postgres database
                   (default: the variable DATABASE_URL)
  --schema <name>  the schema in Postgres (default: laurels)
  --game <file>    the game to compare with the one in force: a module (.ts,
                   .js, .mjs) that exports it as default or as 'game', or its
                   definition (.json)
  --json           print the findings as JSON
  -h, --help       print this

Exit codes: 0 no problem, though perhaps a warning; 1 a problem; 2 the call is
wrong or the check itself failed; 130 interrupted.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  game: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export const doctorCommand: CliCommand = {
  name: 'doctor',
  help,
  run: async (args, environment) => {
    const { values } = readOptions(args, OPTIONS, 0)
    if (values.help === true) {
      environment.output.out(help)
      return EXIT.ok
    }
    const database = readDatabase(values, environment)
    const signal = environment.interruption()
    const findings = await examine(database, values.game, environment, signal).catch((error: unknown) => {
      if (signal.aborted && error === signal.reason) return null
      throw error
    })
    if (findings === null) return EXIT.interrupted
    return print(findings, values.json === true, environment)
  },
}

async function examine(
  database: ChosenDatabase,
  gameFile: string | undefined,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const { now } = environment
  const given = gameFile === undefined ? null : await loadGame(gameFile)
  const { findings, inspection } = await checkDatabase(database, now)
  const before = [...checkProcess(factsOfProcess(now())), ...findings]
  if (inspection === null || !inspection.exists || inspection.pending.length > 0) return before

  const { finding: game, isUsable } = checkGames(database, inspection, given)
  const after = [...before, game, checkKeys(inspection)]
  if (!isUsable) return after
  return withStoredGame(database, environment, createScreen(environment), async (opened) => [
    ...after,
    await checkWrites(opened.storage),
    await checkDrift(opened, database, signal),
  ])
}

function print(findings: readonly CheckResult[], isJson: boolean, { output }: Environment): ExitCode {
  const problems = findings.filter(({ status }) => status === 'problem').length
  const warnings = findings.filter(({ status }) => status === 'warning').length
  output.out(isJson ? toJsonText({ problems, warnings, findings }) : findings.map(toText).join(''))
  return problems === 0 ? EXIT.ok : EXIT.unsound
}

function toText({ check, status, message, mend }: CheckResult): string {
  const lines = [`${status.padEnd(7)}  ${check}: ${message}`, ...mend.map((step) => `           ${step}`)]
  return lines.map((line) => `${toLine(line)}\n`).join('')
}
