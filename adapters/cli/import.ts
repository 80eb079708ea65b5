import { isGamificationError } from '../../src/errors.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { openFile, type Source, untilAborted } from './bytes.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { readCsv } from './csv.ts'
import type { Environment } from './environment.ts'
import { loadGame } from './game-file.ts'
import { runImport } from './import-run.ts'
import { type ImportSettings, readImportSettings } from './import-settings.ts'
import { toJsonSummary, toNotes, toTextSummary } from './import-summary.ts'
import type { Line } from './line.ts'
import { readNdjson } from './ndjson.ts'
import { createScreen } from './screen.ts'
import { checkTenant } from './tenant.ts'
import { wrongCall } from './text.ts'

const help = `Usage: laurels import <file> --game <file> [--db <file|url>] [options]

Records a history of metric events and completions of achievements. Completions,
and events with an idempotency key, are recorded once, however often the import
is run: run it again to resume it.

  <file>                .ndjson (or .jsonl), .csv, or - for standard input
  --game <file>         the game: a module (.ts, .js, .mjs) that exports it as
                        default or as 'game', or its definition (.json)
  --db <file|url>       the SQLite database, or the URL of a Postgres database;
                        a file or a schema is made if it does not exist
                        (default: the variable DATABASE_URL)
  --schema <name>       the schema in Postgres (default: laurels)
  --format <format>     csv or ndjson, where the file's name does not say it
  --tenant <id>         the tenant, in a game that has tenants
  --notify              publish messages about the import, to subscriptions and
                        webhooks; without it an import notifies nobody
  --synchronous <mode>  FULL (default) or NORMAL, which is faster and may lose
                        the last moments in a power cut; for SQLite alone
  --max-errors <count>  how many refused lines are printed (default: 1000)
  --json                print the summary as JSON
  -h, --help            print this

CSV: the first line names the columns. Events need metric, userId and value;
occurredAt, idempotencyKey, tz and attributes.<name> may be left out, and so may
their cells. Completions need achievement, userId and occurredAt. A file may
have both.

NDJSON: one JSON object on each line: an event has metric, user { id, tz, … },
value, attributes, idempotencyKey, occurredAt; a completion has achievement,
user and occurredAt. Or the lines that 'laurels export' and
its like print: what is counted are users then, which are put back as they were,
with their games where the database is empty.

occurredAt is an instant with its zone, such as 2026-03-02T09:10:00Z.

Exit codes: 0 all recorded or known before, 1 some lines refused, 2 the call is
wrong or the storage failed, 130 interrupted.
`

export const importCommand: CliCommand = {
  name: 'import',
  help,
  run: async (args, environment) => {
    const settings = readImportSettings(args, environment)
    if (settings !== null) return importFile(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

async function importFile(settings: ImportSettings, environment: Environment): Promise<ExitCode> {
  const { output, elapsed } = environment
  const game = await loadGame(settings.game)
  checkTenant(game, settings.tenant)
  const source = await openSource(settings.file, environment)
  const signal = environment.interruption()
  const start = elapsed()
  const screen = createScreen(environment)
  const lines = await openLines(source, settings, game, signal)
  if (lines === null) {
    screen.line('Interrupted before anything was read.')
    return EXIT.interrupted
  }

  const { fractionRead } = source
  const { summary, items } = await runImport({ game, lines, fractionRead, signal }, settings, screen)
  const isInterrupted = signal.aborted
  for (const note of toNotes(summary, isInterrupted)) screen.line(note)
  output.out(settings.json ? toJsonSummary(summary, isInterrupted) : toTextSummary(summary, elapsed() - start))
  if (isInterrupted) return EXIT.interrupted
  items.check()
  return summary.refused === 0 ? EXIT.ok : EXIT.refused
}

async function openSource(file: string, { input }: Environment): Promise<Source> {
  if (file !== '-') return openFile(file)
  return { name: 'standard input', bytes: input(), fractionRead: () => null }
}

/** null when interrupted. Throws `invalid_request` when the header is wrong: before there is a database. */
async function openLines(
  source: Source,
  { format }: ImportSettings,
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
