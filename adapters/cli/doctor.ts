import { readRemovedMetrics } from '../../src/api/operate/removed-metrics.ts'
import { isGamificationError } from '../../src/errors.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { compileAll } from '../../src/runtime/game-registry.ts'
import { loadGames } from '../../src/sql/games.ts'
import type { Examination } from '../sqlite/inspect.ts'
import { toDamagedText, toDriftLine } from './audit.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { type ChosenDatabase, type DatabaseFindings, loadGame, type Opened, readNewestGame } from './database.ts'
import { DATABASE, GAME_FILES, textOption } from './options.ts'
import { EXIT, plural, reasonsBehind, toCount, toText, untilInterrupted } from './terminal.ts'

type Status = 'ok' | 'warning' | 'problem'

export interface CheckResult {
  readonly check: string
  readonly status: Status
  readonly message: string
  /** Commands, or a sentence. Empty if nothing has to be fixed. */
  readonly fix: readonly string[]
}

const resultOf =
  (status: Status) =>
  (check: string, message: string, ...fix: readonly string[]): CheckResult => ({ check, status, message, fix })

const fine = resultOf('ok')
const warning = resultOf('warning')
const problem = resultOf('problem')

export interface ProcessFacts {
  readonly node: string
  /** The version of the zone data, such as `2025b`. Bun does not report it. */
  readonly zoneData: string | undefined
  readonly now: number
}

export function checkProcess({ node, zoneData, now }: ProcessFacts): readonly CheckResult[] {
  return [fine('node', `Node ${node}`), checkZones(zoneData, now)]
}

const MOST_YEARS = 3

function checkZones(zoneData: string | undefined, now: number): CheckResult {
  if (zoneData === undefined) return fine('zones', 'the age of the zone data is not known')
  const age = new Date(now).getUTCFullYear() - Number.parseInt(zoneData, 10)
  if (age <= MOST_YEARS) return fine('zones', `zone data ${zoneData}`)
  return warning('zones', `the zone data is of ${zoneData}: zones that changed since have other days`, 'update Node')
}

async function attempt<T>(reading: Promise<T>): Promise<T | string> {
  try {
    return await reading
  } catch (error) {
    if (!isGamificationError(error)) throw error
    return [error.message, ...reasonsBehind(error)].join(' because: ')
  }
}

async function checkWrites({ storage }: Opened): Promise<CheckResult> {
  const failure = await attempt(storage.checkWritable())
  return typeof failure === 'string' ? problem('writes', failure) : fine('writes', 'the database takes writes')
}

/** Seconds do not matter to streaks. A process that is minutes behind records events as late ones. */
const MOST_SKEW_MS = 2_000
const WORST_SKEW_MS = 60_000

function checkClock({ clock }: Examination): readonly CheckResult[] {
  if (clock === null) return []
  const { server, before, after } = clock
  // The server read its clock between the two, so this is the least difference.
  const skew = server < before ? server - before : server > after ? server - after : 0
  const size = Math.abs(skew)
  if (size < MOST_SKEW_MS) return [fine('clock', 'this process and the server have the same time')]
  const message = `the clock of this process is ${(size / 1_000).toFixed(1)} s ${skew > 0 ? 'behind' : 'ahead of'} the server's`
  const fix = 'set both clocks by NTP'
  return [size < WORST_SKEW_MS ? warning('clock', message, fix) : problem('clock', message, fix)]
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
  if (!isSuperuser) return [fine('grants', `the role ${name} may do what is needed`)]
  const message = `the role ${name} is a superuser: anyone with its password controls the whole server`
  const fix =
    'give the application a role of its own, with usage on the schema and select, insert, update, delete on its tables'
  return [warning('grants', message, fix)]
}

function checkTables(database: ChosenDatabase, { name, exists, pending }: DatabaseFindings): readonly CheckResult[] {
  const fix = `npx laurels migrate${database.option}`
  if (!exists) return [problem('database', `there is none at ${name}`, fix)]
  const there = fine('database', name)
  if (pending.length === 0) return [there, fine('migrations', 'all are applied')]
  return [there, problem('migrations', `${plural(pending.length, 'is', 'are')} pending: ${pending.join(', ')}`, fix)]
}

/** Compares the stored game with the given one. The other checks need a game that can be read. */
function checkGames(database: ChosenDatabase, inspection: DatabaseFindings, given: DefinedGame | null): CheckResult {
  const games = inspection.contents?.games ?? []
  const newest = games.at(-1)
  const fix = (command: string): string => `npx laurels ${command}${database.option} --game <file>`
  if (newest === undefined)
    return warning('game', 'none is stored yet: the first process stores its own', fix('migrate'))
  try {
    readNewestGame(database, inspection)
  } catch (error) {
    if (!isGamificationError(error)) throw error
    return problem('game', error.message, 'update laurels')
  }
  const stored = `epoch ${newest.epoch} is in force`
  if (given === null) return fine('game', `${stored}; with --game <file> doctor compares yours`)
  if (given.fingerprint === newest.fingerprint) return fine('game', `${stored}, and is the one given`)
  const older = games.findLast(({ fingerprint }) => fingerprint === given.fingerprint)
  if (older === undefined) {
    const message = `${stored}, and the one given is another: a process that starts with it puts it in force`
    return warning('game', message, fix('what-if'))
  }
  const message = `${stored}, and the one given is an earlier one (epoch ${older.epoch}): a process that starts with it puts it in force when no process with epoch ${newest.epoch} was seen for a minute`
  return warning('game', message, `${fix('apply')} --policy forward`)
}

/** Metrics of earlier games that the game in force does not have. */
async function checkMetrics({ storage }: Opened): Promise<readonly CheckResult[]> {
  const { games, game } = compileAll(await loadGames(storage))
  const removed = await readRemovedMetrics(storage, games.values(), game)
  const fix = "if you renamed it, give it its old key again; else keep it with status: 'archived'"
  return removed.map(({ metric, users }) =>
    warning('metrics', `metric ${metric} is gone (${plural(users, 'user has', 'users have')} totals)`, fix),
  )
}

/** Anyone with an application key can score for its user, and browsers have such keys. */
function checkKeys({ contents }: DatabaseFindings): CheckResult {
  const keys = contents?.applicationKeys ?? 0
  if (keys === 0) return fine('keys', 'no application keys')
  const may = keys === 1 ? 'It may' : 'Each may'
  return warning(
    'keys',
    `${plural(keys, 'application key')}. ${may} record events and completions for its user: anyone who has a key can score`,
    'give application keys to what you trust alone, and record what counts from your backend',
  )
}

const SAMPLE = 10

async function checkDrift({ gamification }: Opened, { option }: ChosenDatabase, signal: AbortSignal) {
  const { users, drift, damaged } = await gamification.verify({ sample: SAMPLE, signal })
  const looked = plural(users, 'user')
  const commands = [`npx laurels verify${option}`, `npx laurels rebuild${option}`] as const
  const [row] = drift
  if (row !== undefined) {
    const differ = plural(drift.length, 'row differs', 'rows differ')
    return problem('drift', `of ${looked} ${differ} from the logs, such as ${toDriftLine(row)}`, ...commands)
  }
  if (damaged.length > 0) return problem('drift', `of ${looked}: ${toDamagedText(damaged).trimEnd()}`, ...commands)
  return fine('drift', `nothing differs from the logs of ${looked}`)
}

const OPTIONS = {
  ...DATABASE,
  game: textOption('<file>', `the game to compare with the one in force: ${GAME_FILES}`),
}

export const doctor: CliCommand = defineCommand({
  name: 'doctor',
  summary: 'check the setup and suggest fixes',
  about: `Checks Node and its zones, the driver, the database and its clock, the rights of the role, the migrations, the game and the keys. Then checks that the database takes writes, and that some users are as their logs say. Suggests a fix for each finding, and changes nothing.`,
  options: OPTIONS,
  exits: {
    0: 'no problem, though perhaps a warning',
    1: 'a problem',
    2: 'the call is wrong or the check itself failed',
    130: 'interrupted',
  },
  run: async (call) => {
    const results = await untilInterrupted(call.environment, (signal) => examine(call, signal))
    return results === null ? EXIT.interrupted : toAnswer(results)
  },
})

async function examine(call: CommandCall<typeof OPTIONS>, signal: AbortSignal): Promise<readonly CheckResult[]> {
  const { values, environment } = call
  const database = call.database()
  const given = values.game === undefined ? null : await loadGame(values.game)
  const { node, tz: zoneData } = process.versions
  const results = [...checkProcess({ node, zoneData, now: environment.now() })]
  const examination = await attempt(database.examine(environment.now))
  if (typeof examination === 'string') return [...results, problem('database', examination)]
  results.push(fine('driver', `${examination.driver}, ${examination.server}`))
  results.push(...checkClock(examination), ...checkRole(examination))
  const inspection = await attempt(database.inspect())
  if (typeof inspection === 'string') return [...results, problem('database', inspection)]
  results.push(...checkTables(database, inspection))
  if (!inspection.exists || inspection.pending.length > 0) return results
  const game = checkGames(database, inspection, given)
  results.push(game, checkKeys(inspection))
  if (game.status === 'problem' || !inspection.contents?.games.length) return results
  return call.open(async (opened) => [
    ...results,
    ...(await checkMetrics(opened)),
    await checkWrites(opened),
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

function toFindingText({ check, status, message, fix }: CheckResult): string {
  return toText([`${status.padEnd(7)}  ${check}: ${message}`, ...fix.map((step) => `           ${step}`)])
}
