import type {
  AuditReport,
  DamagedUser,
  DefinedGame,
  Drift,
  DriftRow,
  Gamification,
  VerifyOptions,
} from '../../src/index.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import type { Opened } from './database.ts'
import { DATABASE, TENANT, textOption, texts, whole } from './options.ts'
import { EXIT, type ExitCode, plural, toEntries, toLine, toUsers } from './terminal.ts'
import { readUsers, runWalk, toExit, type Walk } from './walk.ts'

/** `totals user_id="ada" metric="words": stored total=800, expected total=750`. */
export function toDriftLine({ table, key, stored, expected }: Drift): string {
  const { tenant_id: tenant, ...others } = key
  // Games without tenants have an empty one.
  const named = tenant === '' ? others : key
  const columns = differing(key, stored, expected)
  return toLine(`${table} ${toFields(named)}: stored ${toSide(stored, columns)}, expected ${toSide(expected, columns)}`)
}

export function toDamagedText(damaged: readonly DamagedUser[]): string {
  return damaged.map((each) => `${toDamagedLine(each)}\n`).join('')
}

function toDamagedLine({ tenant, user, message }: DamagedUser): string {
  const named = tenant === '' ? { user_id: user } : { tenant_id: tenant, user_id: user }
  return toLine(`damaged ${toFields(named)}: ${message}`)
}

function differing(key: DriftRow, stored: DriftRow | null, expected: DriftRow | null): readonly string[] {
  return [...new Set([...Object.keys(stored ?? {}), ...Object.keys(expected ?? {})])].filter(
    (column) =>
      !Object.hasOwn(key, column) && (stored === null || expected === null || stored[column] !== expected[column]),
  )
}

function toSide(row: DriftRow | null, columns: readonly string[]): string {
  if (row === null) return 'nothing'
  // The row has no columns outside the key.
  if (columns.length === 0) return 'a row'
  return toFields(Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))
}

function toFields(row: DriftRow): string {
  return Object.entries(row)
    .map(([column, value]) => `${column}=${JSON.stringify(value)}`)
    .join(' ')
}

const SUMS_LEFT_OUT = 'Counters and blocks of leaderboards are left out then'

const optionsTo = (verb: string) => ({
  ...DATABASE,
  game: textOption('<file>', 'refuse to run unless this is the game in force'),
  user: texts('<id>', `${verb} this user only; repeat it for more. ${SUMS_LEFT_OUT}`),
  tenant: TENANT,
})

type AuditOptions = ReturnType<typeof optionsTo>

export const verifyCommand: CliCommand = defineCommand({
  name: 'verify',
  summary: 'compare derived rows with the logs',
  about: `Replays the log of every user under the game in force, and prints each derived row that differs: the table, its key, what is stored and what is expected. Changes nothing, and may run while others write.`,
  options: {
    ...optionsTo('check'),
    sample: whole('<n>', `check so many random users only. ${SUMS_LEFT_OUT}`, undefined),
  },
  notes: `A user with a row that cannot be read, or without a line of the log, is named as damaged; all other users are checked.`,
  exits: { 0: 'nothing differs', 1: 'something does or a user is damaged', 130: 'interrupted' },
  run: (call) =>
    runAudit(call, call.values.sample ?? null, {
      run: (gamification, options) => gamification.verify(options),
      nextStep: 'Nothing was reported. Run the same command to start again.',
      describe: (rows) => (rows === 0 ? 'nothing differs' : plural(rows, 'row differs', 'rows differ')),
      isFinding: true,
    }),
})

export const rebuildCommand: CliCommand = defineCommand({
  name: 'rebuild',
  summary: 'repair the rows that verify finds',
  about: `Writes what laurels verify finds: replays the log of every user under the game in force, makes each row that differs what the log says, and prints what it was. Each user is repaired in one step, while others write.`,
  options: optionsTo('repair'),
  notes: `A user with a row of the log that cannot be read is reported as damaged and not changed; the others are repaired.`,
  exits: {
    0: 'no difference',
    1: 'a user is damaged',
    130: 'interrupted: repairs stay, and the same command continues',
  },
  run: (call) =>
    runAudit(call, null, {
      run: (gamification, options) => gamification.rebuild(options),
      nextStep: 'Repaired rows stay. Run the same command again to repair the rest.',
      describe: (rows) => (rows === 0 ? 'nothing differed' : `${plural(rows, 'row')} repaired`),
      isFinding: false,
    }),
})

interface Audit {
  run(gamification: Gamification<DefinedGame>, options: VerifyOptions): Promise<AuditReport>
  readonly nextStep: string
  describe(rows: number): string
  readonly isFinding: boolean
}

/** `sample`: how many users to draw. Returns `null` for all. */
function runAudit(
  call: CommandCall<AuditOptions>,
  sample: number | null,
  { run, nextStep, describe, isFinding }: Audit,
): Promise<Answer | ExitCode> {
  const { game, user } = call.values
  const chosen = readUsers(user, call.tenant)
  const toWalk = ({ gamification, users }: Opened): Walk<AuditReport> => ({
    total: Math.min(chosen.users?.length ?? users, sample ?? Number.POSITIVE_INFINITY),
    nextStep,
    work: (options) => run(gamification, { ...chosen, ...options, ...(sample !== null && { sample }) }),
    answer: (report) => {
      const rows = report.drift.length
      const code = isFinding && rows > 0 ? EXIT.found : toExit(report)
      return { value: report, text: toReportText(report, describe(rows)), code }
    },
  })
  return runWalk(call, toWalk, { game, chosen })
}

function toReportText({ users, entries, drift, damaged }: AuditReport, rows: string): string {
  const lines = drift.map((row) => `${toDriftLine(row)}\n`).join('')
  const also = damaged.length === 0 ? '' : `, ${toUsers(damaged.length)} damaged`
  return `${lines}${toDamagedText(damaged)}${toUsers(users)}, ${toEntries(entries)}: ${rows}${also}\n`
}
