import type { ImportCompletion, ImportItem } from '../../src/api/events/requests.ts'
import { type ErrorCode, GamificationError, isGamificationError } from '../../src/errors.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification } from '../../src/index.ts'
import { type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { type ChosenDatabase, checkTenant, loadGame, ofTenant } from './database.ts'
import type { ExportedLine, Line, Source } from './import-files.ts'
import { isExported, openSource, readCsv, readNdjson, withoutWaiting } from './import-files.ts'
import { choice, flagOption, GAME, JSON_RESULT, NEW_DATABASE, TENANT, whole } from './options.ts'
import { defined, EXIT, plural, toCount, toJsonText, toScreenLogger, wrongCall } from './terminal.ts'

const OPTIONS = {
  ...NEW_DATABASE,
  game: GAME,
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
  json: JSON_RESULT,
}

type ImportCall = CommandCall<typeof OPTIONS>

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
    const format = values.format ?? formatOf(file)
    const database = call.database(defined({ synchronous: values.synchronous }))
    const game = await loadGame(values.game)
    checkTenant(game, tenant)
    const source = await openSource(file, environment.input)
    const signal = environment.interruption()
    const start = environment.elapsed()
    const bytes = withoutWaiting(source.bytes, signal)
    const lines = format === 'ndjson' ? readNdjson(bytes) : readCsv(bytes, game.definition.eventAttributes)
    const first = await lines.next().catch((error: unknown) => {
      if (signal.aborted) return null
      throw isGamificationError(error) ? wrongCall(`${source.name}: ${error.message}`) : error
    })
    if (first === null) {
      call.screen.line('Interrupted before anything was read.')
      return EXIT.interrupted
    }
    const counts = { read: 0, refused: 0, lastLine: 0, withoutIdempotencyKey: 0 }
    const reading: Reading = { source, first, lines, signal, ...counts, numbers: [], refusals: [], failure: null }
    const summary = await importLines(call, game, database, reading)
    for (const note of toNotes(summary)) call.screen.line(note)
    const took = environment.elapsed() - start
    environment.output.out(values.json ? toJsonText(summary) : toTextSummary(summary, took))
    if (signal.aborted) return EXIT.interrupted
    // After the summary, because what came before the failure is recorded.
    if (reading.failure !== null) throw reading.failure
    return summary.refused === 0 ? EXIT.ok : EXIT.found
  },
})

function formatOf(file: string): 'csv' | 'ndjson' {
  if (/\.csv$/i.test(file)) return 'csv'
  if (/\.(?:ndjson|jsonl)$/i.test(file)) return 'ndjson'
  throw wrongCall(`say what ${file === '-' ? 'standard input' : `'${file}'`} is with --format csv or --format ndjson`)
}

/** A file that is read, and the items found so far. */
interface Reading {
  readonly source: Source
  readonly first: IteratorResult<Line>
  readonly lines: AsyncGenerator<Line>
  readonly signal: AbortSignal
  read: number
  refused: number
  lastLine: number
  /** Events without an idempotency key: running the import again would record them again. */
  withoutIdempotencyKey: number
  readonly refusals: { readonly line: number; readonly code: ErrorCode; readonly message: string }[]
  /** The line of each item, by its index. */
  readonly numbers: number[]
  /** The error that ended the reading early, or `null`. */
  failure: unknown
}

const NOT_TWICE = 'what has an idempotencyKey is not recorded twice'

/** Throws the error that stopped the import. Everything recorded by then stays. */
async function importLines(call: ImportCall, game: DefinedGame, database: ChosenDatabase, reading: Reading) {
  const { screen, tenant, values } = call
  const { first, numbers, refusals, signal } = reading
  const storage = database.open()
  const gamification = createGamification({ game, storage, logger: toScreenLogger(screen) })
  try {
    // An export contains the games of its users.
    const isExport = first.done !== true && 'item' in first.value && isExported(first.value.item)
    await (isExport ? storage : gamification).migrate()
    const { recorded, replayed, held, ...report } = await ofTenant(gamification, tenant).import(
      readItems(call, reading) as AsyncIterable<ImportItem>,
      {
        notify: values.notify,
        onRefused: ({ index, code, message }) => refuse(call, reading, numbers[index] ?? 0, code, message),
      },
    )
    const { read, refused, withoutIdempotencyKey } = reading
    refusals.sort((left, right) => left.line - right.line)
    const counts = { read: report.read + read - numbers.length, recorded, replayed, refused }
    return { ...counts, interrupted: signal.aborted, withoutIdempotencyKey, held, refusals }
  } catch (error) {
    const line = reading.lastLine
    if (line > 0) screen.line(`Stopped near line ${line}. Run the same command again to resume; ${NOT_TWICE}.`)
    throw error
  } finally {
    screen.clear()
    await gamification.close()
  }
}

type Summary = Awaited<ReturnType<typeof importLines>>

function refuse(call: ImportCall, reading: Reading, line: number, code: ErrorCode, message: string): void {
  reading.refused += 1
  if (reading.refusals.length >= call.values['max-errors']) return
  reading.refusals.push({ line, code, message })
  call.screen.line(`line ${line}: ${message}`)
}

/** An error of the reading ends the items, so that those before it are still recorded. */
async function* readItems(
  call: ImportCall,
  reading: Reading,
): AsyncGenerator<ImportItem | ImportCompletion | ExportedLine> {
  const { source, lines, signal } = reading
  try {
    for (let next = reading.first; next.done !== true; next = await lines.next()) {
      if (signal.aborted) return
      const { line, ...found } = next.value
      reading.read += 1
      reading.lastLine = line
      if ('problem' in found) refuse(call, reading, line, 'invalid_request', found.problem)
      const counts = (): readonly string[] => [plural(reading.read, 'line'), `${toCount(reading.refused)} refused`]
      call.screen.show({ done: reading.read, counts, fraction: source.fractionRead() })
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

function toTextSummary({ read, recorded, replayed, refused, held = 0 }: Summary, milliseconds: number): string {
  const heldBack = held > 0 ? ` (${toCount(held)} held back)` : ''
  const done = `${toCount(read)} read, ${toCount(recorded)} recorded${heldBack}, ${toCount(replayed)} replayed`
  return `${done}, ${toCount(refused)} refused in ${(milliseconds / 1_000).toFixed(1)} s\n`
}

function toNotes({ refused, refusals, withoutIdempotencyKey, interrupted }: Summary): readonly string[] {
  const unprinted = refused - refusals.length
  const again = plural(withoutIdempotencyKey, 'line')
  return [
    ...(unprinted > 0 ? [`${plural(unprinted, 'more refused line')} not printed (--max-errors)`] : []),
    ...(interrupted ? [`Interrupted. Run the same command again to resume; ${NOT_TWICE}.`] : []),
    ...(withoutIdempotencyKey > 0 ? [`Without idempotencyKey, and recorded again by a next run: ${again}.`] : []),
  ]
}
