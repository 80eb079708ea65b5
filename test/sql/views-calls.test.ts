// Each view beside the call that it mirrors, after random histories. HISTORIES=… goes through as many; SEED=… repeats a run.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGamificationError } from '../../src/index.ts'
import { type Driven, drive, openDriven } from '../model/mechanics/drive.ts'
import { type Play, plays, USERS } from '../model/mechanics/histories.ts'
import { howMany } from '../support/share.ts'
import { closeViewsAfterAll, type Row, VIEWS_DATABASES, type ViewsDatabase } from '../support/views.ts'
import { seedOfRun } from '../support/zones.ts'

closeViewsAfterAll()

const RUNS = Number(process.env.HISTORIES ?? howMany(8, 30, 500))
const SEED = seedOfRun()
const DAY = 86_400_000

type Ask = (columns: string, view: string, user: string, more?: string) => Promise<readonly Row[]>

const toDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

interface Asked extends Driven {
  readonly ask: Ask
  readonly id: string
}

/** The dates of everything that may have happened. */
const datesOf = ({ clock }: Driven) =>
  ({ aggregation: 'daily', startDate: toDate(clock.now - 300 * DAY), endDate: toDate(clock.now + 2 * DAY) }) as const

/** The days of a summary on which a view has a row. */
async function compareTotals(rows: readonly Row[], summary: Promise<readonly { readonly date: string }[]>) {
  const dates = new Set(rows.map(({ date }) => date))
  expect(rows).toEqual((await summary).filter(({ date }) => dates.has(date)))
}

async function compareMetrics(asked: Asked) {
  const { ask, id, engine, game } = asked
  for (const key of Object.keys(game.metrics)) {
    const rows = await ask('date, change, total', 'view_metric_totals', id, `and metric_key = '${key}'`)
    await compareTotals(rows, engine.users.metricEventSummary(id, key, datesOf(asked)))
  }
}

async function comparePoints(asked: Asked) {
  const { ask, id, engine } = asked
  const rows = await ask('date, change, total', 'view_points_totals', id)
  await compareTotals(rows, engine.users.pointsEventSummary(id, 'xp', datesOf(asked)))
}

async function compareActiveDays({ ask, id, engine }: Asked) {
  const { entries } = await engine.users.events(id, { limit: 1000 })
  const dates = entries
    .filter(({ kind, voidedBy, held }) => kind === 'eventRecorded' && voidedBy === undefined && held !== true)
    .map(({ localDate }) => localDate)
    .sort()
  const expected = [...new Set(dates)].map((date) => ({ date, events: dates.filter((each) => each === date).length }))
  expect(await ask('date, events', 'view_active_days', id)).toEqual(expected)
}

/** With those that have expired: a view keeps their rows. */
async function compareCompletions({ ask, id, engine }: Asked) {
  const rows = await ask('achievement_key, achieved_at', 'view_achievement_completions', id)
  const achievements = await engine.users.achievements(id, { includeIncomplete: true })
  expect(rows.map((row) => `${row.achievement_key} ${row.achieved_at}`)).toEqual(
    achievements
      .filter(({ achievedAt }) => achievedAt !== null)
      .map(({ key, achievedAt }) => `${key} ${achievedAt}`)
      .sort(),
  )
}

/** The periods before the current one. After a move to another zone a view keeps the old dates. */
async function compareStreak({ ask, id, engine }: Asked) {
  const { entries } = await engine.users.events(id, { limit: 1000 })
  if (new Set(entries.map(({ zone }) => zone)).size > 1) return
  const rows = await ask('period_start, period_end, length, used_freeze, used_pause', 'view_streak_periods', id)
  const { streakHistory, frequency } = await engine.users.streak(id, { historyPeriods: 365 })
  const current = streakHistory.at(-1)?.periodStart ?? ''
  const toText = (start: unknown, end: unknown, length: unknown, isFrozen: unknown, isPaused: unknown): string =>
    `${start} to ${end}: ${length}${isFrozen ? ' frozen' : ''}${isPaused ? ' paused' : ''}`
  const kept = streakHistory.filter(({ length, usedFreeze, usedPause, periodStart, neutral }, index) => {
    if (periodStart >= current) return false
    // A day off without an event keeps the length, and is no period of the streak.
    if (neutral && length === streakHistory[index - 1]?.length) return false
    return length > 0 || usedFreeze === true || usedPause
  })
  expect({
    frequency,
    periods: rows
      .filter(({ period_start }) => String(period_start) < current)
      .map((row) => toText(row.period_start, row.period_end, row.length, row.used_freeze, row.used_pause)),
  }).toEqual({
    frequency,
    periods: kept.map(({ periodStart, periodEnd, length, usedFreeze, usedPause }) =>
      toText(periodStart, periodEnd, length, usedFreeze, usedPause),
    ),
  })
  const consumed = await ask('date', 'view_streak_freezes', id, "and type = 'consumed'")
  expect(consumed.map(({ date }) => date).filter((date) => String(date) < current)).toEqual(
    kept.filter(({ usedFreeze }) => usedFreeze === true).map(({ periodStart }) => periodStart),
  )
}

const GROUPS = [null, 'red', 'blue'] as const

async function compareBoards({ engine, game }: Driven, database: ViewsDatabase) {
  const rows = await database.ask('select * from {view_leaderboard_rankings} order by rank')
  for (const [key, { order, ties, breakdown, maxParticipants }] of Object.entries(game.leaderboards)) {
    const runs = new Set(rows.filter((row) => row.leaderboard_key === key).map(({ run }) => String(run)))
    for (const run of runs) {
      for (const team of breakdown === undefined ? ([null] as const) : GROUPS.slice(1)) {
        const group = team === null ? null : JSON.stringify([['team', team]])
        const inView = rows.filter(
          (row) => row.leaderboard_key === key && row.run === run && row.breakdown_attribute_values === group,
        )
        const { rankings } = await engine.leaderboards.get(key, {
          run,
          limit: 100,
          ...(team === null ? {} : { userAttributes: { team } }),
        })
        const ofView = inView.slice(0, maxParticipants ?? inView.length).map(({ user_id, value, rank }) => ({
          userId: user_id,
          value: order === 'lowest' ? 0 - Number(value) : value,
          rank: ties === 'shared' ? null : rank,
        }))
        const ofCall = rankings.map(({ userId, value, rank }) => ({
          userId,
          value,
          rank: ties === 'shared' ? null : rank,
        }))
        expect({ key, run, team, places: ofView }).toEqual({ key, run, team, places: ofCall })
      }
    }
  }
}

const COMPARED = [compareMetrics, comparePoints, compareActiveDays, compareCompletions, compareStreak]

/** A merged user no longer has rows: they belong to the other user. */
async function isPresent({ engine }: Driven, id: string): Promise<boolean> {
  try {
    return (await engine.users.get(id)).id === id
  } catch (error) {
    if (isGamificationError(error) && error.code === 'unknown_user') return false
    throw error
  }
}

async function agree(open: () => ViewsDatabase, { game, calls }: Play): Promise<void> {
  const database = open()
  const driven = await openDriven(game, database.storage)
  const ask: Ask = (columns, view, user, more = '') =>
    database.ask(`select ${columns} from {${view}} where user_id = '${user}' ${more} order by ${columns.split(',')[0]}`)
  try {
    for (const call of calls) {
      driven.clock.now = call.now
      await drive(driven, call)
    }
    for (const id of USERS) {
      if (!(await isPresent(driven, id))) continue
      // Effects of time since the last entry are in a view after the next entry.
      await driven.engine.metrics.event('a', { user: { id }, value: 1 })
      for (const compare of COMPARED) await compare({ ...driven, ask, id })
    }
    await compareBoards(driven, database)
  } finally {
    await driven.engine.close()
    await database.close()
  }
}

describe.each(VIEWS_DATABASES)('The views of %s', (_name, open) => {
  it(`say what the calls say after ${RUNS} histories (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(plays(30), (play) => agree(open, play)),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env.SHRINK === '0' },
    )
  })
})
