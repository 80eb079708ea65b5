import { GamificationError } from '../../src/errors.ts'
import type { DamagedUser } from '../../src/index.ts'
import { auditRows } from '../../src/sql/audit.ts'
import { loadLog } from '../../src/sql/log.ts'
import { quote } from '../../src/suggest.ts'
import type { Answer, CommandCall, OpenOptions } from './command.ts'
import type { Opened } from './database.ts'
import { EXIT, type ExitCode, toEntries, toUsers, untilInterrupted, wrongCall } from './terminal.ts'

export interface Walk<Report> {
  /** The approximate number of users. 0: unknown. */
  readonly total: number
  /** The state after an interruption, and how to continue. */
  readonly nextStep: string
  work(options: { readonly signal: AbortSignal; readonly onProgress: (progress: Walked) => void }): Promise<Report>
  answer(report: Report): Answer | ExitCode
}

interface Walked {
  readonly users: number
  readonly entries?: number
}

interface WalkOptions extends OpenOptions {
  readonly chosen?: ChosenUsers
}

/** Opens the database and goes through the users. Throws `unknown_user` if one of the chosen users does not exist. */
export async function runWalk<Report>(
  call: CommandCall,
  toWalk: (opened: Opened) => Walk<Report>,
  { chosen = {}, ...options }: WalkOptions = {},
): Promise<Answer | ExitCode> {
  const open = async (opened: Opened): Promise<Answer | ExitCode> => {
    await expectUsers(chosen, opened)
    return walk(call, toWalk(opened))
  }
  return call.open(open, { ...options, needsTenant: chosen.users !== undefined })
}

/** Shows the progress. If the user interrupts it, prints how far it came. */
async function walk<Report>(
  { environment, screen }: CommandCall,
  { total, nextStep, work, answer }: Walk<Report>,
): Promise<Answer | ExitCode> {
  let users = 0
  let counts: readonly string[] = [toUsers(users)]
  const onProgress = ({ entries, ...walked }: Walked): void => {
    users = walked.users
    counts = [toUsers(users), ...(entries === undefined ? [] : [toEntries(entries)])]
    const fraction = total === 0 ? null : Math.min(1, users / total)
    screen.show({ done: entries ?? users, counts: () => counts, fraction })
  }
  const stopped = (how: string): void => screen.line(`${how} after ${counts.join(', ')}. ${nextStep}`)
  const report = await untilInterrupted(environment, async (signal) => ({
    value: await work({ signal, onProgress }),
  })).catch((error: unknown) => {
    if (users > 0) stopped('Stopped')
    throw error
  })
  if (report !== null) return answer(report.value)
  stopped('Interrupted')
  return EXIT.interrupted
}

export function toExit({ damaged }: { readonly damaged: readonly DamagedUser[] }): ExitCode {
  return damaged.length === 0 ? EXIT.ok : EXIT.found
}

/** Without `users`: all. */
export interface ChosenUsers {
  readonly users?: readonly string[]
  readonly tenant?: string
}

export function readUsers(given: readonly string[] | undefined, tenant: string | null): ChosenUsers {
  if (given?.includes('') === true) throw wrongCall('--user must not be empty')
  if (given === undefined && tenant !== null) {
    throw wrongCall('--tenant says whose the users are: name them with --user, or leave it out to look at all tenants')
  }
  return given === undefined ? {} : { users: [...new Set(given)], ...(tenant !== null && { tenant }) }
}

async function expectUsers({ users = [], tenant = '' }: ChosenUsers, { storage }: Opened): Promise<void> {
  for (const user of users) {
    const key = { tenant, user }
    const hasLog = (await loadLog(storage, key, { limit: 1 })).length > 0
    if (hasLog || (await auditRows(storage, key, null)).drift.length > 0) continue
    throw new GamificationError('unknown_user', `There is no user ${quote(user)}.`)
  }
}
