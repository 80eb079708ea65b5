import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres-server.ts'
import { benchEdge } from './edge.ts'
import { benchEvents } from './events.ts'
import { GUARDED, guard } from './guard.ts'
import { benchImport } from './import.ts'
import { benchLate } from './late.ts'
import { benchLeaderboards } from './leaderboards.ts'
import { benchPostedGames } from './posted-games.ts'
import { benchPostgres } from './postgres.ts'
import { benchRules } from './rules.ts'
import { SIZES } from './sizes.ts'

/*
 * npm run bench                    everything
 * npm run bench -- events          one part, or several: their names are those of PARTS
 * npm run bench -- --quick         with fewer users and shorter runs
 * npm run bench -- --smoke         whether it runs at all, in seconds
 * npm run bench -- --against ../other          the guard: this build beside another one, which has its `dist`
 * npm run bench -- --against ../other --only board-1 --only http
 * LAURELS_BENCH_SQLITE=node        events with the library on node:sqlite
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    smoke: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    against: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
  },
})
const { smoke: isSmoke, quick: isQuick, against, only } = values
const size = SIZES[isSmoke ? 'smoke' : isQuick ? 'quick' : 'full']
const folder = mkdtempSync(join(tmpdir(), 'laurels-bench-'))
const print = (text: string): void => void process.stdout.write(text)

const PARTS: { readonly [name: string]: () => Promise<void> } = {
  events: () => benchEvents(folder, size.events, print),
  edge: () => benchEdge(folder, size.edge, print),
  import: async () => print(await benchActivity('Import', benchImport)),
  rules: async () => print(benchRules(size.rules)),
  late: async () => print(await benchLate(folder, size.late)),
  postgres: () => benchPostgres(size.postgres, print),
  leaderboards: () => benchLeaderboards(folder, size.leaderboards, print),
  'posted-games': () => benchPostedGames(folder, size.postedGames, print),
  guard: async () => {
    const chosen = only.length > 0 ? only : size.guard.only
    // A smoke test compares the build with itself.
    const isAsQuick = await guard({ ...size.guard, against: against ?? GUARDED, only: chosen, folder }, print)
    if (!isAsQuick) process.exitCode = 1
  },
}
/** Without a build to compare with, there is nothing to guard. */
const CHOSEN = against !== undefined ? ['guard'] : Object.keys(PARTS).filter((part) => part !== 'guard' || isSmoke)

async function benchActivity(
  title: string,
  bench: (folder: string, activity: string) => Promise<string>,
): Promise<string> {
  if (existsSync(size.activity)) return bench(folder, size.activity)
  return `\n${title}: left out, because ${size.activity} is not there (LAURELS_ACTIVITY_CSV names it).\n`
}

const unknown = positionals.filter((part) => !(part in PARTS))
if (unknown.length > 0) {
  throw new Error(`Unknown: ${unknown.join(', ')}. The parts are ${Object.keys(PARTS).join(', ')}.`)
}

// One for all parts, for starting it takes longer than they do.
const server = isSmoke && process.env.BENCH_DATABASE_URL === undefined ? await startPostgres() : null
if (server !== null) process.env.BENCH_DATABASE_URL = server.url
try {
  for (const part of positionals.length > 0 ? positionals : CHOSEN) await PARTS[part]?.()
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
