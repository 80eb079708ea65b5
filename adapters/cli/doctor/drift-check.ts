import type { Drift } from '../../../src/index.ts'
import { toDriftLine } from '../audit-text.ts'
import type { ChosenDatabase } from '../database.ts'
import type { Opened } from '../stored-game.ts'
import { plural } from '../text.ts'
import { type CheckResult, ok, problem } from './finding.ts'

const MOST_LISTED = 1_000
const SAMPLE = 10

/** Folds the logs of some users, who lie evenly among the first ones, and compares. */
export async function checkDrift(
  { gamification, storage }: Opened,
  database: ChosenDatabase,
  signal: AbortSignal,
): Promise<CheckResult> {
  const listed = await storage.listUsers({ limit: MOST_LISTED })
  const every = Math.max(1, Math.floor(listed.length / SAMPLE))
  const sample = listed.filter((_, index) => index % every === 0).slice(0, SAMPLE)
  const drift: Drift[] = []
  for (const { tenant, user } of sample) {
    const of = tenant === '' ? {} : { tenant }
    drift.push(...(await gamification.verify({ users: [user], ...of, signal })).drift)
  }
  const looked = plural(sample.length, 'user')
  const [first] = drift
  if (first === undefined) return ok('drift', `nothing differs from the logs of ${looked}`)
  return problem(
    'drift',
    `of ${looked} ${plural(drift.length, 'row differs', 'rows differ')} from the logs, such as ${toDriftLine(first)}`,
    `npx laurels verify${database.option}`,
    `npx laurels rebuild${database.option}`,
  )
}
