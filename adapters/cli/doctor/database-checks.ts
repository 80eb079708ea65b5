import { type ErrorCode, isGamificationError, reasonsOf } from '../../../src/errors.ts'
import type { Storage } from '../../../src/storage.ts'
import type { Examination } from '../../sqlite/migrate.ts'
import type { ChosenDatabase, Inspection } from '../database.ts'
import { plural, toCount } from '../text.ts'
import { type CheckResult, ok, problem, warning } from './finding.ts'

export interface DatabaseFindings {
  readonly findings: readonly CheckResult[]
  /** null where the tables could not be read. */
  readonly inspection: Inspection | null
}

export async function checkDatabase(database: ChosenDatabase, now: () => number): Promise<DatabaseFindings> {
  const examination = await attempt(database.examine(now))
  if (typeof examination === 'string') {
    return { findings: [problem('database', examination)], inspection: null }
  }
  const basic = [
    ok('driver', `${examination.driver}, ${examination.server}`),
    ...checkClock(examination),
    ...checkRole(examination),
  ]
  const inspection = await attempt(database.inspect())
  if (typeof inspection === 'string') {
    return { findings: [...basic, problem('database', inspection)], inspection: null }
  }
  return { findings: [...basic, ...checkTables(database, inspection)], inspection }
}

/** What is there, or why it could not be had. */
async function attempt<T>(reading: Promise<T>): Promise<T | string> {
  try {
    return await reading
  } catch (error) {
    if (!isGamificationError(error)) throw error
    const said = error.message
    const causes = UNSAID.has(error.code) ? reasonsOf(error.cause).filter((reason) => !said.includes(reason)) : []
    return [said, ...causes].join(' because: ')
  }
}

/** What a message of these codes does not say is in the causes. */
const UNSAID: ReadonlySet<string> = new Set<ErrorCode>(['internal', 'unavailable'])

/** Proves that a write would succeed, without one. */
export async function checkWrites(storage: Pick<Storage, 'checkWritable'>): Promise<CheckResult> {
  const failure = await attempt(storage.checkWritable())
  return typeof failure === 'string' ? problem('writes', failure) : ok('writes', 'the database takes writes')
}

/** A streak is of days, so a second is nothing; but a process minutes behind records events as late ones. */
const MOST_SKEW_MS = 2_000
const WORST_SKEW_MS = 60_000

function checkClock({ clock }: Examination): readonly CheckResult[] {
  if (clock === null) return []
  const { server, before, after } = clock
  // As far as it is certain: the answer was read at some moment between the two.
  const skew = server < before ? server - before : server > after ? server - after : 0
  const size = Math.abs(skew)
  if (size < MOST_SKEW_MS) return [ok('clock', 'this process and the server have the same time')]
  const told = `the clock of this process is ${(size / 1_000).toFixed(1)} s ${skew > 0 ? 'behind' : 'ahead of'} the server's`
  const mend = 'set both clocks by NTP'
  return [size < WORST_SKEW_MS ? warning('clock', told, mend) : problem('clock', told, mend)]
}

const MOST_NAMED = 5

function checkRole({ role }: Examination): readonly CheckResult[] {
  if (role === null) return []
  const { name, isSuperuser, missing, grants } = role
  if (missing.length > 0) {
    const named = missing.slice(0, MOST_NAMED).join(', ')
    const more = missing.length > MOST_NAMED ? ` and ${toCount(missing.length - MOST_NAMED)} more` : ''
    return [problem('grants', `the role ${name} lacks ${named}${more}`, ...grants.map((grant) => `${grant};`))]
  }
  if (!isSuperuser) return [ok('grants', `the role ${name} may do what is needed`)]
  return [
    warning(
      'grants',
      `the role ${name} is a superuser: whoever gets its password has the whole server`,
      'give the application a role of its own, with usage on the schema and select, insert, update, delete on its tables',
    ),
  ]
}

function checkTables(database: ChosenDatabase, { name, exists, pending }: Inspection): readonly CheckResult[] {
  const mend = `npx laurels migrate${database.option}`
  if (!exists) return [problem('database', `there is none at ${name}`, mend)]
  const there = ok('database', name)
  if (pending.length === 0) return [there, ok('migrations', 'all are applied')]
  return [there, problem('migrations', `${plural(pending.length, 'is', 'are')} pending: ${pending.join(', ')}`, mend)]
}
