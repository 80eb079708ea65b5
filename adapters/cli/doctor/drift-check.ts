import { toDamagedText, toDriftLine } from '../audit-text.ts'
import type { ChosenDatabase } from '../database.ts'
import type { Opened } from '../stored-game.ts'
import { plural } from '../text.ts'
import { type CheckResult, ok, problem } from './finding.ts'

const SAMPLE = 10

/** Folds the logs of some users, and compares. */
export async function checkDrift(
  { gamification }: Opened,
  database: ChosenDatabase,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { users, drift, damaged } = await gamification.verify({ sample: SAMPLE, signal })
  const looked = plural(users, 'user')
  const commands = [`npx laurels verify${database.option}`, `npx laurels rebuild${database.option}`] as const
  const [row] = drift
  if (row !== undefined) {
    const differ = plural(drift.length, 'row differs', 'rows differ')
    return problem('drift', `of ${looked} ${differ} from the logs, such as ${toDriftLine(row)}`, ...commands)
  }
  if (damaged.length > 0) return problem('drift', `of ${looked}: ${toDamagedText(damaged).trimEnd()}`, ...commands)
  return ok('drift', `nothing differs from the logs of ${looked}`)
}
