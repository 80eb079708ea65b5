import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../support/postgres-server.ts'
import { benchEvents } from './events.ts'
import { benchImport } from './import.ts'
import { benchLate } from './late.ts'
import { benchLeaderboards } from './leaderboards.ts'
import { benchPostgres } from './postgres.ts'
import { benchRules } from './rules.ts'
import { SIZES } from './sizes.ts'

/*
 * npm run bench                    everything
 * npm run bench -- events          one part, or several: their names are those of PARTS
 * npm run bench -- --quick         with fewer users and shorter runs
 * npm run bench -- --smoke         whether it runs at all, in seconds
 * LAURELS_BENCH_SQLITE=node        events with the library on node:sqlite
 */
const isSmoke = process.argv.includes('--smoke')
const size = SIZES[isSmoke ? 'smoke' : process.argv.includes('--quick') ? 'quick' : 'full']
const folder = mkdtempSync(join(tmpdir(), 'laurels-bench-'))
const print = (text: string): void => void process.stdout.write(text)

const PARTS: { readonly [name: string]: () => Promise<void> } = {
  events: () => benchEvents(folder, size.events, print),
  import: async () => print(await benchActivity('Import', benchImport)),
  rules: async () => print(benchRules(size.rules)),
  late: async () => print(await benchLate(folder, size.late)),
  postgres: () => benchPostgres(size.postgres, print),
  leaderboards: () => benchLeaderboards(folder, size.leaderboards, print),
}

async function benchActivity(
  title: string,
  bench: (folder: string, activity: string) => Promise<string>,
): Promise<string> {
  if (existsSync(size.activity)) return bench(folder, size.activity)
  return `\n${title}: left out, because ${size.activity} is not there (LAURELS_ACTIVITY_CSV names it).\n`
}

const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = given.filter((part) => !(part in PARTS))
if (unknown.length > 0) {
  throw new Error(`Unknown: ${unknown.join(', ')}. The parts are ${Object.keys(PARTS).join(', ')}.`)
}

// One for all parts, for starting it takes longer than they do.
const server = isSmoke && process.env.BENCH_DATABASE_URL === undefined ? await startPostgres() : null
if (server !== null) process.env.BENCH_DATABASE_URL = server.url
try {
  for (const part of given.length > 0 ? given : Object.keys(PARTS)) await PARTS[part]?.()
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
