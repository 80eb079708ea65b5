import { type Answer, type Call, type CliCommand, defineCommand } from './command.ts'
import {
  type CheckResult,
  checkDatabase,
  checkDrift,
  checkGames,
  checkKeys,
  checkProcess,
  checkWrites,
  factsOfProcess,
} from './doctor-checks.ts'
import { EXIT } from './environment.ts'
import { loadGame } from './game.ts'
import { DATABASE, flag, GAME_FILES, text } from './options.ts'
import { toText } from './text.ts'

const OPTIONS = {
  ...DATABASE,
  game: text('<file>', `the game to compare with the one in force: ${GAME_FILES}`),
  json: flag('print the findings as JSON'),
}

export const doctor: CliCommand = defineCommand({
  name: 'doctor',
  summary: 'look for what is wrong, and say what mends it',
  usage: ['[--db <file|url>] [--game <file>] [--json]'],
  about: `Looks at what laurels runs on, and says for each finding what mends it: Node and its zones, the driver, the database and its clock, what the role may do, the migrations, the game, the keys, whether the database takes writes, and whether some users are as their logs say. Changes nothing.`,
  options: OPTIONS,
  exits: {
    0: 'no problem, though perhaps a warning',
    1: 'a problem',
    2: 'the call is wrong or the check itself failed',
    130: 'interrupted',
  },
  run: async (call) => {
    const signal = call.environment.interruption()
    try {
      return toAnswer(await examine(call, signal))
    } catch (error) {
      if (signal.aborted && error === signal.reason) return EXIT.interrupted
      throw error
    }
  },
})

async function examine(
  { values, environment: { now }, open, ...call }: Call<typeof OPTIONS>,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const database = call.database()
  const given = values.game === undefined ? null : await loadGame(values.game)
  const { findings, inspection } = await checkDatabase(database, now)
  const before = [...checkProcess(factsOfProcess(now())), ...findings]
  if (inspection === null || !inspection.exists || inspection.pending.length > 0) return before

  const { finding: game, isUsable } = checkGames(database, inspection, given)
  const after = [...before, game, checkKeys(inspection)]
  if (!isUsable) return after
  return open(async (opened) => [
    ...after,
    await checkWrites(opened.storage),
    await checkDrift(opened, database, signal),
  ])
}

function toAnswer(findings: readonly CheckResult[]): Answer {
  const problems = findings.filter(({ status }) => status === 'problem').length
  const warnings = findings.filter(({ status }) => status === 'warning').length
  return {
    value: { problems, warnings, findings },
    text: findings.map(toFindingText).join(''),
    code: problems === 0 ? EXIT.ok : EXIT.found,
  }
}

function toFindingText({ check, status, message, mend }: CheckResult): string {
  return toText([`${status.padEnd(7)}  ${check}: ${message}`, ...mend.map((step) => `           ${step}`)])
}
