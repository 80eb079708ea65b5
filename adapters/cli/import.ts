import type { ImportProgress } from '../../src/api/events/import-report.ts'
import type { ImportCompletion, ImportItem } from '../../src/api/events/requests.ts'
import { type ErrorCode, GamificationError, isGamificationError } from '../../src/errors.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification } from '../../src/gamification.ts'
import { type CliCommand, defineCommand } from './command.ts'
import { type ChosenDatabase, checkTenant, loadGame, ofTenant } from './database.ts'
import {
  type ExportedLine,
  isExported,
  type Line,
  openFile,
  readCsv,
  readNdjson,
  type Source,
  withoutWaiting,
} from './import-files.ts'
import { choice, flagOption, GAME_FILES, NEW_DATABASE, required, TENANT, textOption, whole } from './options.ts'
import {
  defined,
  type Environment,
  EXIT,
  plural,
  type Screen,
  toCount,
  toJsonText,
  toScreenLogger,
  wrongCall,
} from './terminal.ts'

const OPTIONS = {
  ...NEW_DATABASE,
  game: required(textOption('<file>', `the game: ${GAME_FILES}`), 'the module or JSON file of the game'),
  format: choice(['csv', 'ndjson'], '<format>', 'csv or ndjson, if the name of the file does not say it'),
  tenant: TENANT,
  notify: flagOption(
    'publish messages about the import, to subscriptions and webhooks; without it an import notifies no one',
  ),
  synchronous: choice(
    ['NORMAL', 'FULL'],
    '<mode>',
    'SQLite only: FULL (default) or NORMAL, which is faster and may lose the last moments in a power cut',
  ),
  'max-errors': whole('<count>', 'print at most so many refused lines (default: 1000)', 1_000),
  json: flagOption('print the summary as JSON'),
}

export const importCommand: CliCommand = defineCommand({
  name: 'import',
  summary: 'import events and completions from a file',
  usage: ['<file> --game <file> [--db <file|url>] [options]'],
  about: `Records a history of metric events and completions of achievements. Completions, and events with an idempotency key, are recorded once, however often the import is run: run it again to resume it.`,
  argument: { name: '<file>', help: '.ndjson (or .jsonl), .csv, or - for standard input' },
  options: OPTIONS,
  notes: `CSV: the first line names the columns. Events need metric, userId and value; occurredAt, idempotencyKey, tz and attributes.<name> may be left out, and so may their cells. Completions need achievement, userId and occurredAt. A file may have both.

NDJSON: one JSON object on each line: an event has metric, user { id, tz, … }, value, attributes, idempotencyKey, occurredAt; a completion has achievement, user and occurredAt. The lines that laurels export prints are read too: they put users back as they were, with their games where the database is empty.

occurredAt is an instant with its zone, such as 2026-03-02T09:10:00Z.`,
  exits: { 0: 'all recorded or known before', 1: 'some lines refused', 130: 'interrupted' },
  run: async (call) => {
    const { argument: file, values, tenant, environment } = call
    const { game: gameFile, synchronous, notify, 'max-errors': maxErrors } = values
    const format = values.format ?? formatOf(file)
    const database = call.database(defined({ synchronous }))
    const game = await loadGame(gameFile)
    checkTenant(game, tenant)
    const source = file === '-' ? toStandardInput(environment) : await openFile(file)
    const signal = environment.interruption()
    const start = environment.elapsed()
    const lines = await openLines(source, format, game, signal)
    const { screen } = call
    if (lines === null) {
      screen.line('Interrupted before anything was read.')
      return EXIT.interrupted
    }
    const { fractionRead } = source
    const plan: ImportPlan = { game, lines, fractionRead, signal, database, tenant, notify, maxErrors }
    const summary = await runImport(plan, screen)
    for (const note of toNotes(summary)) screen.line(note)
    const took = environment.elapsed() - start
    environment.output.out(values.json ? toJsonText(toValue(summary)) : toTextSummary(summary, took))
    if (summary.interrupted) return EXIT.interrupted
    // After the summary, because what came before the failure is recorded.
    if (summary.failure !== null) throw summary.failure
    return summary.refused === 0 ? EXIT.ok : EXIT.found
  },
})

function formatOf(file: string): 'csv' | 'ndjson' {
  if (/\.csv$/i.test(file)) return 'csv'
  if (/\.(?:ndjson|jsonl)$/i.test(file)) return 'ndjson'
  throw wrongCall(`say what ${file === '-' ? 'standard input' : `'${file}'`} is with --format csv or --format ndjson`)
}

function toStandardInput({ input }: Environment): Source {
  return { name: 'standard input', bytes: input(), fractionRead: () => null }
}

async function openLines(
  source: Source,
  format: 'csv' | 'ndjson',
  { definition }: DefinedGame,
  signal: AbortSignal,
): Promise<AsyncIterable<Line> | null> {
  const bytes = withoutWaiting(source.bytes, signal)
  if (format === 'ndjson') return readNdjson(bytes)
  try {
    return await readCsv(bytes, definition.eventAttributes)
  } catch (error) {
    if (signal.aborted) return null
    throw isGamificationError(error) ? wrongCall(`${source.name}: ${error.message}`) : error
  }
}

interface ImportPlan {
  readonly game: DefinedGame
  readonly lines: AsyncIterable<Line>
  readonly fractionRead: () => number | null
  readonly signal: AbortSignal
  readonly database: ChosenDatabase
  readonly tenant: string | null
  readonly notify: boolean
  readonly maxErrors: number
}

interface RefusedLine {
  readonly line: number
  readonly code: ErrorCode
  readonly message: string
}

interface ImportSummary extends ImportProgress, Pick<ImportReading, 'withoutIdempotencyKey' | 'refusals' | 'failure'> {
  readonly interrupted: boolean
}

const NOT_TWICE = 'what has an idempotencyKey is not recorded twice'

/** Throws the error that stopped the import. Everything recorded by then stays. */
async function runImport(plan: ImportPlan, screen: Screen): Promise<ImportSummary> {
  const { database, game, signal, tenant, notify } = plan
  const iterator = plan.lines[Symbol.asyncIterator]()
  const first = await iterator.next()
  const counts = { read: 0, refused: 0, lastLine: 0, withoutIdempotencyKey: 0 }
  const reading: ImportReading = { ...counts, refusals: [], numbers: [], failure: null }
  const storage = database.open()
  const gamification = createGamification({ game, storage, logger: toScreenLogger(screen) })
  try {
    // An export brings the games that its users had.
    const isExport = first.done !== true && 'item' in first.value && isExported(first.value.item)
    await (isExport ? storage : gamification).migrate()
    const items = readItems(plan, reading, first, iterator, screen) as AsyncIterable<ImportItem>
    const report = await ofTenant(gamification, tenant).import(items, {
      notify,
      onRefused: ({ index, code, message }) => {
        refuse(plan, reading, { line: reading.numbers[index] ?? 0, code, message }, screen)
      },
    })
    const { numbers, ...rest } = reading
    rest.refusals.sort((left, right) => left.line - right.line)
    return { ...report, ...rest, read: report.read + rest.read - numbers.length, interrupted: signal.aborted }
  } catch (error) {
    const line = reading.lastLine
    if (line > 0) screen.line(`Stopped near line ${line}. Run the same command again to resume; ${NOT_TWICE}.`)
    throw error
  } finally {
    screen.clear()
    await gamification.close()
  }
}

/** What the reading of the file has found so far. */
interface ImportReading {
  read: number
  refused: number
  lastLine: number
  /** Events without an idempotency key: running the import again would record them again. */
  withoutIdempotencyKey: number
  readonly refusals: RefusedLine[]
  /** The line of each item, by its index. */
  readonly numbers: number[]
  /** The error that ended the reading early, or `null`. */
  failure: unknown
}

function refuse({ maxErrors }: ImportPlan, reading: ImportReading, refusal: RefusedLine, screen: Screen): void {
  reading.refused += 1
  if (reading.refusals.length >= maxErrors) return
  reading.refusals.push(refusal)
  screen.line(`line ${refusal.line}: ${refusal.message}`)
}

/** An error of the reading ends the items, so that those before it are still recorded. */
async function* readItems(
  plan: ImportPlan,
  reading: ImportReading,
  first: IteratorResult<Line>,
  iterator: AsyncIterator<Line>,
  screen: Screen,
): AsyncGenerator<ImportItem | ImportCompletion | ExportedLine> {
  try {
    for (let next = first; next.done !== true; next = await iterator.next()) {
      if (plan.signal.aborted) return
      const { line, ...found } = next.value
      reading.read += 1
      reading.lastLine = line
      if ('problem' in found) refuse(plan, reading, { line, code: 'invalid_request', message: found.problem }, screen)
      const counts = (): readonly string[] => [plural(reading.read, 'line'), `${toCount(reading.refused)} refused`]
      screen.show({ done: reading.read, counts, fraction: plan.fractionRead() })
      if ('problem' in found) continue
      reading.numbers.push(line)
      if ('metric' in found.item && found.item.idempotencyKey === undefined) reading.withoutIdempotencyKey += 1
      yield found.item
    }
  } catch (error) {
    reading.failure = toReadError(error)
  }
}

function toReadError(error: unknown): unknown {
  if (isGamificationError(error) || !(error instanceof Error)) return error
  const message = `The file could not be read to its end: ${error.message}`
  return new GamificationError('unavailable', message, { cause: error })
}

function toTextSummary(summary: ImportSummary, milliseconds: number): string {
  const { read, recorded, replayed, refused, held = 0 } = summary
  const counts = [
    `${toCount(read)} read`,
    `${toCount(recorded)} recorded${held > 0 ? ` (${toCount(held)} held back)` : ''}`,
    `${toCount(replayed)} replayed`,
    `${toCount(refused)} refused`,
  ]
  return `${counts.join(', ')} in ${(milliseconds / 1_000).toFixed(1)} s\n`
}

function toValue(summary: ImportSummary): object {
  const { read, recorded, replayed, refused, interrupted, withoutIdempotencyKey, held, refusals } = summary
  return { read, recorded, replayed, refused, interrupted, withoutIdempotencyKey, held, refusals }
}

function toNotes({ refused, refusals, withoutIdempotencyKey, interrupted }: ImportSummary): readonly string[] {
  const unprinted = refused - refusals.length
  const again = plural(withoutIdempotencyKey, 'line')
  return [
    ...(unprinted > 0 ? [`${plural(unprinted, 'more refused line')} not printed (--max-errors)`] : []),
    ...(interrupted ? [`Interrupted. Run the same command again to resume; ${NOT_TWICE}.`] : []),
    ...(withoutIdempotencyKey > 0 ? [`Without idempotencyKey, and recorded again by a next run: ${again}.`] : []),
  ]
}
