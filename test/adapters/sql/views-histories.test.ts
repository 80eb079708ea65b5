// What analysts read is what the API answers, after random lives. HISTORIES=500: so many; SEED: which ones.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../../src/index.ts'
import { type Action, type Life, lives, perform, USERS } from '../../record/random-lives.ts'
import { howMany } from '../../support/share.ts'
import { closeViewsAfterAll, type Row, VIEWS_DATABASES, type ViewsDatabase } from '../../support/views.ts'
import { DAY, seedOfRun } from '../../support/zones.ts'

const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? howMany(8, 25, 500))
const MOST_DEEDS = 30
const METRICS = ['reads', 'writes']

closeViewsAfterAll()

type Engine = Gamification<DefinedGame>
interface Played {
  readonly database: ViewsDatabase
  readonly engine: Engine
  readonly life: Life
  /** Of dates: before the first that anybody has, and after the last. */
  readonly first: string
  readonly last: string
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** A total of more than 15 digits is rounded at each event, and a sum of a view once. */
function withinDigits(action: Action): Action {
  const { said } = action
  if (said.call !== 'event' || Math.abs(said.value) < 1e12) return action
  return { ...action, said: { ...said, value: 12.5 } }
}

/** Days with their totals, as the API has them: a change of 0 is no row. */
async function apiDays({ engine, first, last }: Played, user: string, metric: string): Promise<readonly Row[]> {
  const days: Row[] = []
  for (let start = Date.parse(first); start < Date.parse(last); start += 400 * DAY) {
    const range = { startDate: dateOf(start), endDate: dateOf(start + 399 * DAY) }
    const items = await engine.users.metricEventSummary(user, metric, { aggregation: 'daily', ...range })
    days.push(...items.map((item) => ({ ...item })))
  }
  return days.filter(({ change }) => change !== 0)
}

async function expectMetricTotals(played: Played, user: string): Promise<void> {
  for (const metric of METRICS) {
    const rows = await played.database.ask(
      `select date, total, change from {view_metric_totals}
        where tenant_id = '' and user_id = '${user}' and metric_key = '${metric}' and change <> 0 order by date`,
    )
    expect(rows).toEqual(await apiDays(played, user, metric))
  }
}

async function expectPointsTotals({ database, engine, life }: Played, user: string): Promise<void> {
  for (const system of Object.keys(life.definition.points ?? {})) {
    const rows = await database.ask(
      `select date, change, total from {view_points_totals}
        where tenant_id = '' and user_id = '${user}' and points_system_key = '${system}' order by date`,
    )
    let total = 0
    for (const { change, total: shown } of rows) {
      total += Number(change)
      expect(shown).toBe(total)
    }
    expect(total).toBe((await engine.users.points(user, system)).total)
  }
}

async function expectCompletions({ database, engine }: Played, user: string): Promise<void> {
  const rows = await database.ask(
    `select achievement_key as "key", achieved_at as "achievedAt" from {view_achievement_completions}
      where tenant_id = '' and user_id = '${user}'`,
  )
  const completed = (await engine.users.achievements(user)).map(({ key, achievedAt }) => ({ key, achievedAt }))
  // An achievement that is inactive is completed by nobody, and none is made so in these lives.
  expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(new Set(completed.map((row) => JSON.stringify(row))))
}

async function expectRanks({ database, engine, life }: Played, user: string): Promise<number> {
  let compared = 0
  for (const [key, { rankBy }] of Object.entries(life.definition.leaderboards ?? {})) {
    // Streaks may have expired by now, which a view cannot know.
    if (rankBy === 'streak') continue
    const known = await engine.users.leaderboard(user, key).catch(() => null)
    if (known === null || known.value === null) continue
    const [row, ...more] = await database.ask(
      `select rank, value from {view_leaderboard_rankings}
        where tenant_id = '' and user_id = '${user}' and leaderboard_key = '${key}' and run = '${known.start}'`,
    )
    expect(more).toEqual([])
    expect(row?.value).toBe(known.value)
    const rank = Number(row?.rank)
    expect(known.rank).toBe(rank <= known.maxParticipants ? rank : null)
    compared += 1
  }
  return compared
}

test.each(VIEWS_DATABASES)(
  `The views of %s say what the API says of ${RUNS} random lives (seed ${SEED})`,
  async (_, open) => {
    let rows = 0
    let ranks = 0
    await fc.assert(
      fc.asyncProperty(lives(MOST_DEEDS), async ({ definition, actions }) => {
        const life = { definition, actions: actions.map(withinDigits) }
        let now = actions[0]?.now ?? 0
        const database = open()
        const game = defineGame(definition) as DefinedGame
        const engine = createGamification<DefinedGame>({ game, storage: database.storage, clock: () => new Date(now) })
        try {
          await engine.migrate()
          for (const action of life.actions) {
            now = action.now
            await perform(engine, action)
          }
          const times = actions.map((action) => action.now)
          const first = dateOf(Math.min(...times) - 20 * DAY)
          const played = { database, engine, life, first, last: dateOf(Math.max(...times) + 3 * DAY) }
          for (const user of USERS) {
            if ((await engine.users.get(user).catch(() => null)) === null) continue
            await expectMetricTotals(played, user)
            await expectPointsTotals(played, user)
            await expectCompletions(played, user)
            ranks += await expectRanks(played, user)
          }
          rows += (await database.ask('select 1 from {view_metric_totals}')).length
        } finally {
          await engine.close()
          await database.close()
        }
      }),
      { numRuns: RUNS, seed: SEED },
    )
    process.stdout.write(`${rows} days and ${ranks} ranks compared\n`)
    expect(rows).toBeGreaterThan(RUNS)
    expect(ranks).toBeGreaterThan(0)
  },
  600_000,
)
