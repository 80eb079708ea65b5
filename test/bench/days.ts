import { join } from 'node:path'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../src/index.ts'
import { type Measured, measure, median, type Row, table } from './measure.ts'

export interface DaysBenchOptions {
  /** How long the logs are. */
  readonly entries: readonly number[]
  readonly rounds: number
  /** Calls of each kind in each round. */
  readonly count: number
}

const HOUR = 3_600_000
const START = Date.parse('2020-01-01T00:00:00Z')
/** In times of a plain event. */
const AIM = 4

const game: DefinedGame = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: { week: { name: 'A week', trigger: 'streak', length: 7 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 2 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    ever: { name: 'Ever', rankBy: 'metric', metric: 'words', start: '2020-01-01', maxParticipants: 100 },
    monthly: {
      name: 'Monthly',
      rankBy: 'points',
      system: 'xp',
      start: '2020-01-01',
      run: { unit: 'month', interval: 1 },
      maxParticipants: 100,
    },
  },
})

type Call = (library: Gamification<DefinedGame>, now: number) => Promise<unknown>

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const lastDays = (now: number, days: number) =>
  ({ aggregation: 'daily', startDate: dateOf(now - days * 24 * HOUR), endDate: dateOf(now) }) as const

const CALLS: { readonly [name: string]: Call } = {
  'a plain event': (library) => library.metrics.event('words', { user: { id: 'old' }, value: 1 }),
  'metricEventSummary, 30 days': (library, now) => library.users.metricEventSummary('old', 'words', lastDays(now, 30)),
  'metricEventSummary, 7 days': (library, now) => library.users.metricEventSummary('old', 'words', lastDays(now, 7)),
  'pointsEventSummary, 30 days': (library, now) => library.users.pointsEventSummary('old', 'xp', lastDays(now, 30)),
  'a place, with ten days of history': (library) => library.users.leaderboard('old', 'ever'),
  'a place in this month, with ten days': (library) => library.users.leaderboard('old', 'monthly'),
  'a place, without history': (library) => library.users.leaderboard('old', 'ever', { numEvents: 0 }),
  'a year in review': (library) => library.users.wrapped('old'),
}

/** Reads of some days of a user with an event every hour, beside an event of that user. */
export async function benchDays(folder: string, { entries, rounds, count }: DaysBenchOptions): Promise<string> {
  const tables: string[] = []
  for (const lines of entries) {
    let now = START + lines * HOUR
    const library = createGamification({
      game,
      storage: sqlite(join(folder, `days-${lines}.db`), { synchronous: 'NORMAL' }),
      clock: () => new Date(now),
    })
    await library.migrate()
    await library.import(
      Array.from({ length: lines }, (_, index) => {
        return { metric: 'words', user: { id: 'old' }, value: 1, occurredAt: new Date(START + index * HOUR) } as const
      }),
    )
    const results = new Map<string, Measured[]>(Object.keys(CALLS).map((name) => [name, []]))
    // In turns, and the first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, call] of Object.entries(CALLS)) {
        const measured = await measure(1, count, () => {
          now += 1_000
          return call(library, now)
        })
        if (round > 0) results.get(name)?.push(measured)
      }
    }
    await library.close()
    const head = ['', 'p50 ms', 'p99 ms', 'of an event', `at most ${AIM}`]
    tables.push(table(`Days of a log of ${lines} entries`, head, toRows(results)))
  }
  return tables.join('')
}

/** Ratios are taken within a round; of the rounds, the median. */
function toRows(results: ReadonlyMap<string, readonly Measured[]>): readonly Row[] {
  const [events = []] = results.values()
  return [...results].map(([name, measured], index): Row => {
    const p50 = median(measured.map((one) => one.p50))
    const p99 = median(measured.map((one) => one.p99))
    const ratio = median(measured.map((one, round) => one.p50 / (events[round]?.p50 ?? 0)))
    return index === 0 ? [name, p50, p99, '', ''] : [name, p50, p99, ratio, ratio <= AIM ? 'met' : 'missed']
  })
}
