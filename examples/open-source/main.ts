import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { createGamification, type Gamification } from 'laurels'
import { sqlite } from 'laurels/sqlite'
import { readActivity } from './activity.ts'
import { game, type OpenSourceGame } from './game.ts'
import { report } from './report.ts'

const USAGE = 'node dist/examples/open-source/main.js [file.csv] [database.db] [--now 2026-03-15T20:00:00Z]'
const SAMPLE = fileURLToPath(new URL('../../../examples/open-source/sample.csv', import.meta.url))
/** The evening of the sample's last day, so that the output is always the same. */
const SAMPLE_NOW = '2026-03-15T20:00:00Z'
/** On a terminal, one line counts up. */
const END_OF_PROGRESS = process.stderr.isTTY ? '\r' : '\n'

async function importFile(gamification: Gamification<OpenSourceGame>, file: string): Promise<void> {
  const start = performance.now()
  const imported = await gamification.import(readActivity(file), {
    onProgress: ({ read }) => process.stderr.write(`${read} events${END_OF_PROGRESS}`),
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const { recorded, replayed, refused } = imported
  process.stderr.write(`${recorded} recorded, ${replayed} known already, ${refused} refused in ${seconds} s\n`)
  for (const { index, message } of imported.refusals.slice(0, 10)) {
    // Two events a row, below the header.
    process.stderr.write(`  row ${Math.floor(index / 2) + 1}: ${message}\n`)
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { now: { type: 'string' } }, allowPositionals: true })
  const [file = SAMPLE, path = ':memory:'] = positionals
  const given = values.now ?? (file === SAMPLE ? SAMPLE_NOW : undefined)
  const now = given === undefined ? new Date() : new Date(given)
  if (Number.isNaN(now.getTime())) throw new Error(`--now is no instant. Usage: ${USAGE}`)

  const database = new Database(path)
  const gamification = createGamification({ game, storage: sqlite(database), clock: () => now })
  try {
    await gamification.migrate()
    await importFile(gamification, file)
    process.stdout.write(`${await report({ gamification, database, now })}\n`)
  } finally {
    await gamification.close()
    database.close()
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
