import { randomInt } from 'node:crypto'
import pg from 'pg'
import { type Ending, startChild } from '../../crash/child.ts'
import { compiled } from '../../support/compiled.ts'
import { racesGame } from './races-game.ts'
import { JOBS, type Job } from './races-jobs.ts'

/** Does its jobs one after the other; each begins when all who share its gate stand before it. */
const SCRIPT = `
  import pg from 'pg'
  import { postgres } from './adapters/postgres/index.js'
  let now = Date.parse('2026-03-10T12:00:00.000Z')
  const clock = () => new Date(now)
  const game = defineGame(args.definition)
  const open = ({ url, schema }, options = {}) => postgres(url, { schema, ...options })
  const openEngine = (job) => createGamification({ game, storage: open(job), clock })
  const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
  async function passGate(number) {
    const client = new pg.Client({ connectionString: args.gates })
    await client.connect()
    say('ready ' + number)
    await client.query('select pg_advisory_lock_shared($1, $2)', [args.gateKey, number])
    await client.end()
  }
  const jobs = ${JOBS}
  for (const job of args.jobs) say('report ' + JSON.stringify(await jobs[job.job](job)))
`

export interface Worked<Report> {
  readonly ending: Ending
  /** One for each job that was done to its end. */
  readonly reports: readonly Report[]
}

/**
 * Runs a process for each list of jobs, and waits until all have ended. `gates`: the database that the gates are in, never
 * through a PgBouncer.
 */
export async function runChildren<Report>(
  gates: string,
  lists: readonly (readonly Job[])[],
): Promise<readonly Worked<Report>[]> {
  const directory = compiled()
  const gateKey = randomInt(1, 2 ** 31)
  const missing = new Map<number, number>()
  for (const { gate } of lists.flat()) missing.set(gate, (missing.get(gate) ?? 0) + 1)
  const keeper = new pg.Client({ connectionString: gates })
  await keeper.connect()
  for (const gate of missing.keys()) await keeper.query('select pg_advisory_lock($1, $2)', [gateKey, gate])

  const stand = (gate: number): void => {
    const left = (missing.get(gate) ?? 0) - 1
    missing.set(gate, left)
    // When the connection ends, every gate is open.
    if (left === 0) keeper.query('select pg_advisory_unlock($1, $2)', [gateKey, gate]).catch(() => undefined)
  }
  const running = lists.map(async (jobs): Promise<Worked<Report>> => {
    const reports: Report[] = []
    const child = startChild({
      directory,
      script: SCRIPT,
      args: { gates, gateKey, jobs, definition: racesGame.definition },
      onLine: (line) => {
        const [word, number] = line.split(' ', 2)
        if (word === 'ready') stand(Number(number))
        else reports.push(JSON.parse(line.slice('report '.length)))
      },
    })
    return { ending: await child.ended, reports }
  })
  try {
    return await Promise.all(running)
  } finally {
    // No test waits without end, even if a child failed before its gate.
    await keeper.end()
  }
}
