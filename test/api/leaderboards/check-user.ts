import { expect } from 'vitest'
import { loadUser } from '../../../src/sql/read-user.ts'
import type { Checked } from './check-boards.ts'
import { currentRun } from './runs.ts'
import type { Row } from './scores.ts'

/** Compares what a user has in every run of a board with the model. */
export async function checkUser(checked: Checked, board: string, user: string): Promise<void> {
  const { model, engine, storage, now } = checked
  const rows = model.entries(board, user, now)
  // Nothing is left over, and what ties are broken by is there.
  const view = await loadUser(storage, { tenant: '', user }, { leaderboards: { leaderboard: board } })
  const kept = view.leaderboards.filter(({ until }) => until === null || until > model.timeOf(board, now))
  const plain = ({ value, reachedAt }: { value: number; reachedAt: number }) => ({ value, reachedAt })
  expect({ board, user, kept: kept.map(plain) }).toEqual({ board, user, kept: rows.map(plain) })

  for (const row of rows) await checkRun(checked, board, user, row)
  const definition = model.boards.get(board)
  if (definition === undefined) return
  const run = currentRun(definition, model.todayOf(user, now))
  const { start, end, value } = await engine.users.leaderboard(user, board, { numEvents: 0 })
  const row = rows.find((each) => each.run.start === run.start)
  expect({ board, user, start, end, value }).toEqual({ board, user, ...run, value: row?.value ?? null })
}

async function checkRun({ model, engine, now }: Checked, board: string, user: string, row: Row): Promise<void> {
  const { run, group, value, days } = row
  const participants = model.participants(board, run.start, group, now)
  const place = participants.findIndex((participant) => participant.user === user) + 1
  const rank = place <= model.limit(board) ? place : null
  const answer = await engine.users.leaderboard(user, board, { run: run.start, numEvents: 3 })
  const { start, end } = answer
  const seen = { board, user, start, end, value: answer.value, rank: answer.rank }
  expect(seen).toEqual({ board, user, ...run, value, rank })
  if (model.boards.get(board)?.rankBy === 'streak') return
  // A value that was undone on the same day is no change of the day.
  const changes = days.filter((day) => day.previousValue !== day.value)
  const history = changes.map((day, index) => ({
    date: day.date,
    timestamp: new Date(day.timestamp).toISOString(),
    previousRank: null,
    rank: index === changes.length - 1 ? rank : null,
    previousValue: day.previousValue,
    value: day.value,
  }))
  expect({ board, user, run, history: answer.history }).toEqual({ board, user, run, history: history.slice(-3) })
}
