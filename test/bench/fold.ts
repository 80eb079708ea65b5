import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'better-sqlite3'
import { sqlite } from '../../adapters/sqlite/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type GameDefinition,
  type Gamification,
  type ImportItem,
} from '../../src/index.ts'
import { activityGame, readActivity } from './import.ts'
import { table } from './measure.ts'
import type { Size } from './sizes.ts'

/** Other thresholds, one achievement more, one less, and another frequency. */
const otherDefinition: GameDefinition = {
  ...activityGame.definition,
  achievements: Object.fromEntries(
    [1, 50, 100, 500].map((value) => [
      `commits-${value}`,
      { name: `${value} commits`, trigger: 'metric' as const, metric: 'commits' as const, value },
    ]),
  ),
  streak: { frequency: 'weekly', metrics: { commits: {} } },
}
const otherGame: DefinedGame = defineGame(otherDefinition)

type Library = Gamification<DefinedGame>

async function open(file: string): Promise<Library> {
  const library = createGamification({ game: activityGame, storage: sqlite(file, { synchronous: 'NORMAL' }) })
  await library.migrate()
  return library
}

async function secondsOf(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

/** The logs of the real file, folded; beside reading their lines by hand. */
export async function benchFold(folder: string, activity: string): Promise<string> {
  const file = join(folder, 'fold.db')
  const library = await open(file)
  await library.import(readActivity(activity))
  const { users, entries } = await library.verify()
  const byHand = await secondsOf(() => {
    const database = new Database(file, { readonly: true })
    database.prepare('select * from laurels_view_log order by tenant_id, user_id, at, seq').all()
    database.close()
  })
  const rows: (string | number)[][] = []
  const line = async (name: string, work: () => unknown): Promise<void> => {
    const seconds = await secondsOf(work)
    rows.push([name, seconds, users / seconds, entries / seconds, seconds / byHand])
  }
  rows.push(['lines read by hand', byHand, users / byHand, entries / byHand, 1])
  await line('verify', () => library.verify())
  await line('what-if', () => library.whatIf(otherGame))
  await line('rebuild, nothing differs', () => library.rebuild())
  await line('apply, grant', () => library.apply(otherGame, { policy: 'grant' }))
  await line('apply, recompute', () => library.apply(otherGame, { policy: 'recompute' }))
  await library.close()
  const head = ['', 's', 'users per s', 'entries per s', 'times by hand']
  return table(`The real file folded: ${users} users, ${entries} entries (aim: under 2 s)`, head, rows)
}

const EVENTS_OF_USER = 1_000
const START = Date.parse('2020-01-01T00:00:00Z')

function* histories(events: number): Generator<ImportItem> {
  for (let index = 0; index < events; index += 1) {
    const user = { id: `user-${Math.floor(index / EVENTS_OF_USER)}` }
    const occurredAt = new Date(START + (index % EVENTS_OF_USER) * 3_600_000)
    yield { metric: 'commits', user, value: 1, occurredAt }
  }
}

/** The most memory in use while all is verified, at ever more events. */
export async function benchFoldMemory(folder: string, size: Size['fold']): Promise<string> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const rows: (string | number)[][] = []
  for (const events of size.events) {
    const library = await open(join(folder, `fold-${events}.db`))
    await library.import(histories(events))
    collect()
    const before = process.memoryUsage().heapUsed
    let most = 0
    const seconds = await secondsOf(() =>
      library.verify({
        onProgress: ({ users }) => {
          if (users % 10 !== 0) return
          collect()
          most = Math.max(most, process.memoryUsage().heapUsed - before)
        },
      }),
    )
    await library.close()
    rows.push([`${events} events`, most / 1e6, seconds])
  }
  return table('Memory while logs are verified', ['', 'most in use, MB', 's, with collections'], rows)
}
