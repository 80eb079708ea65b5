import type { ImportProgress } from '../../src/api/events/import-report.ts'
import type { ImportCompletion, ImportItem } from '../../src/api/events/requests.ts'
import { type ErrorCode, GamificationError, isGamificationError } from '../../src/errors.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification } from '../../src/gamification.ts'
import { type CliCommand, defineCommand } from './command.ts'
import { type ChosenDatabase, type Environment, EXIT } from './database.ts'
import { checkTenant, loadGame, ofTenant } from './game.ts'
import {
  type ExportedLine,
  isExported,
  type Line,
  openFile,
  readCsv,
  readNdjson,
  type Source,
  untilAborted,
} from './import-files.ts'
import { choice, flag, GAME_FILES, NEW_DATABASE, required, TENANT, text, whole } from './options.ts'
import type { Screen } from './progress.ts'
import { defined, plural, toCount, toJsonText, wrongCall } from './text.ts'

const OPTIONS = {
  ...NEW_DATABASE,
  game: required(text('<file>', `the game: ${GAME_FILES}`), 'the module or JSON file of the game'),
  format: choice(['csv', 'ndjson'], '<format>', 'csv or ndjson, if the name of the file does not say it'),
  tenant: TENANT,
  notify: flag(
    'publish messages about the import, to subscriptions and webhooks; without it an import notifies no one',
  ),
  synchronous: choice(
    ['NORMAL', 'FULL'],
    '<mode>',
    'SQLite only: FULL (default) or NORMAL, which is faster and may lose the last moments in a power cut',
  ),
  'max-errors': whole('<count>', 'print at most so many refused lines (default: 1000)', 1_000),
  json: flag('print the summary as JSON'),
}

export const importCommand: CliCommand = defineCommand({
  name: 'import',
  summary: 'import events and completions from a file',
  usage: ['<file> --game <file> [--db <file|url>] [options]'],
  about: `Records a history of metric events and completions of achievements. Completions, and events with an idempotency key, are recorded once, however often the import is run: run it again to resume it.`,
  argument: {
    name: '<file>',
    help: '.ndjson (or .jsonl), .csv, or - for standard input',
  },
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
    const isInterrupted = signal.aborted
    for (const note of toNotes(summary, isInterrupted)) screen.line(note)
    const took = environment.elapsed() - start
    environment.output.out(values.json ? toJsonSummary(summary, isInterrupted) : toTextSummary(summary, took))
    if (isInterrupted) return EXIT.interrupted
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

/** Null if interrupted. Throws `invalid_request` when the header is wrong: before there is a database. */
async function openLines(
  source: Source,
  format: 'csv' | 'ndjson',
  { definition }: DefinedGame,
  signal: AbortSignal,
): Promise<AsyncIterable<Line> | null> {
  const bytes = untilAborted(source.bytes, signal)
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
  /** Publish messages about the import. */
  readonly notify: boolean
  /** How many refusals are printed. */
  readonly maxErrors: number
}

interface RefusedLine {
  readonly line: number
  readonly code: ErrorCode
  readonly message: string
}

interface ImportSummary extends ImportProgress {
  /** Events without an idempotency key: running the import again would record them again. */
  readonly withoutKey: number
  readonly refusals: readonly RefusedLine[]
  /** What ended the reading early. Null: nothing did. */
  readonly failure: unknown
}

const NOT_TWICE = 'what has an idempotencyKey is not recorded twice'

/** Throws what stopped the import; what was recorded by then stays. */
async function runImport(plan: ImportPlan, screen: Screen): Promise<ImportSummary> {
  const reader = createReader(plan, screen)
  const isExport = await reader.isExport()
  const storage = plan.database.open()
  const gamification = createGamification({
    game: plan.game,
    storage,
    logger: { warn: (_, message) => screen.line(`Warning: ${message}`), error: (_, message) => screen.line(message) },
  })
  try {
    // An export brings the games that its users had.
    if (isExport) await storage.migrate()
    else await gamification.migrate()
    const report = await ofTenant(gamification, plan.tenant).import(reader.items() as AsyncIterable<ImportItem>, {
      notify: plan.notify,
      onRefused: ({ index, code, message }) => reader.refuse({ line: reader.lineOf(index), code, message }),
    })
    return reader.summarize(report)
  } catch (error) {
    const line = reader.lastLine()
    if (line > 0) screen.line(`Stopped near line ${line}. Run the same command again to resume; ${NOT_TWICE}.`)
    throw error
  } finally {
    screen.clear()
    await gamification.close()
  }
}

/** Reads the lines of a file as items of an import, and counts, shows and prints what is read and refused. */
function createReader({ lines, signal, maxErrors, fractionRead }: ImportPlan, screen: Screen) {
  const iterator = lines[Symbol.asyncIterator]()
  const refusals: RefusedLine[] = []
  /** The line of each item, by its index. */
  const numbers: number[] = []
  let first: IteratorResult<Line> | null = null
  let failure: unknown = null
  let [read, refused, unreadable, withoutKey, lastLine] = [0, 0, 0, 0, 0]

  function refuse(refusal: RefusedLine): void {
    refused += 1
    if (refusals.length >= maxErrors) return
    refusals.push(refusal)
    screen.line(`line ${refusal.line}: ${refusal.message}`)
  }

  function count(line: Line): void {
    read += 1
    lastLine = line.line
    if ('problem' in line) {
      unreadable += 1
      refuse({ line: line.line, code: 'invalid_request', message: line.problem })
    } else {
      numbers.push(line.line)
      if ('metric' in line.item && line.item.idempotencyKey === undefined) withoutKey += 1
    }
    const counts = (): readonly string[] => [plural(read, 'line'), `${toCount(refused)} refused`]
    screen.show({ done: read, counts, fraction: fractionRead() })
  }

  /** What cannot be read ends the items, so that those before it are still recorded. */
  async function* items(): AsyncGenerator<ImportItem | ImportCompletion | ExportedLine> {
    try {
      for (let next = first ?? (await iterator.next()); next.done !== true; next = await iterator.next()) {
        if (signal.aborted) return
        count(next.value)
        if ('item' in next.value) yield next.value.item
      }
    } catch (error) {
      failure = toReadError(error)
    }
  }

  return {
    items,
    refuse,
    lineOf: (index: number): number => numbers[index] ?? 0,
    lastLine: () => lastLine,
    /** Resolves to `true` if the first line is one of an export. */
    isExport: async (): Promise<boolean> => {
      first = await iterator.next()
      return first.done !== true && 'item' in first.value && isExported(first.value.item)
    },
    summarize: (report: ImportProgress): ImportSummary => ({
      ...report,
      read: report.read + unreadable,
      refused: report.refused + unreadable,
      withoutKey,
      refusals: refusals.sort((left, right) => left.line - right.line),
      failure,
    }),
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

function toJsonSummary(summary: ImportSummary, isInterrupted: boolean): string {
  const { read, recorded, replayed, refused, held, withoutKey, refusals } = summary
  const fields = { read, recorded, replayed, refused, interrupted: isInterrupted, withoutIdempotencyKey: withoutKey }
  return toJsonText({ ...fields, ...(held === undefined ? {} : { held }), refusals })
}

function toNotes({ refused, refusals, withoutKey }: ImportSummary, isInterrupted: boolean): readonly string[] {
  const unprinted = refused - refusals.length
  return [
    ...(unprinted > 0 ? [`${plural(unprinted, 'more refused line')} not printed (--max-errors)`] : []),
    ...(isInterrupted ? [`Interrupted. Run the same command again to resume; ${NOT_TWICE}.`] : []),
    ...(withoutKey > 0
      ? [`Without idempotencyKey, and recorded again by a next run: ${plural(withoutKey, 'line')}.`]
      : []),
  ]
}
