import { expect } from 'vitest'
import type { DefinedGame, Gamification, Storage } from '../../src/index.ts'
import { addDays } from '../model/dates.ts'
import type { BoardsModel } from './model.ts'
import type { Row } from './scores.ts'

export interface Checked {
  readonly model: BoardsModel
  readonly engine: Gamification<DefinedGame>
  readonly storage: Storage
  readonly now: number
}

/** Compares every page of every group of every run, and what every user has there, with the model. */
export async function checkBoards(checked: Checked): Promise<void> {
  const { model } = checked
  for (const board of model.boards.keys()) {
    const groups = new Map<string, Row>()
    for (const user of model.users.keys()) {
      const rows = model.entries(board, user, checked.now)
      await checkUser(checked, board, user, rows)
      for (const row of rows) groups.set(JSON.stringify([row.run, row.group]), row)
    }
    for (const row of groups.values()) await checkGroup(checked, board, row)
  }
}

/** Nothing is left over, and ties will be broken by what is kept. */
async function checkUser(checked: Checked, board: string, user: string, rows: readonly Row[]): Promise<void> {
  const { model, engine, storage, now } = checked
  const view = await storage.readUser({ tenant: '', user }, { leaderboards: { leaderboard: board } })
  const kept = view.leaderboards.filter(({ until }) => until === null || until > model.timeOf(board, now))
  const plain = ({ value, reachedAt }: { value: number; reachedAt: number }) => ({ value, reachedAt })
  expect({ board, user, kept: kept.map(plain) }).toEqual({ board, user, kept: rows.map(plain) })
  for (const { run, group, value, days } of rows) {
    const participants = model.participants(board, run.start, group, now)
    const place = participants.findIndex((participant) => participant.user === user) + 1
    const rank = place <= model.limit(board) ? place : null
    const answer = await engine.users.leaderboard(user, board, { run: run.start, numEvents: 3 })
    const { start, end } = answer
    const seen = { board, user, start, end, value: answer.value, rank: answer.rank }
    expect(seen).toEqual({ board, user, ...run, value, rank })
    if (model.boards.get(board)?.rankBy === 'streak') continue
    // What was undone on the same day is no change of the day.
    const changes = days.filter((day) => day.previousValue !== day.value)
    const history = changes.map(({ timestamp, previousValue, value: after }, index) => ({
      timestamp: new Date(timestamp).toISOString(),
      previousRank: null,
      rank: index === changes.length - 1 ? rank : null,
      previousValue,
      value: after,
    }))
    expect({ board, user, run, history: answer.history }).toEqual({ board, user, run, history: history.slice(-3) })
  }
}

async function checkGroup({ model, engine, now }: Checked, board: string, { run, group }: Row): Promise<void> {
  const names = model.boards.get(board)?.breakdown ?? []
  const attributes = Object.fromEntries(names.map((name, index) => [name, group[index] ?? '']))
  const userAttributes = names.length === 0 ? {} : { userAttributes: attributes }
  const expected = model
    .participants(board, run.start, group, now)
    .slice(0, model.limit(board))
    .map(({ user, value }, index) => ({ userId: user, userName: model.nameOf(user), rank: index + 1, value }))
  const get = async (request: Parameters<typeof engine.leaderboards.get>[1]) => {
    const { start, end, rankings } = await engine.leaderboards.get(board, { run: run.start, ...request })
    return { board, group, request, start, end, rankings }
  }
  const compare = async (request: Parameters<typeof engine.leaderboards.get>[1], rankings: typeof expected) => {
    expect(await get(request)).toEqual({ board, group, request, ...run, rankings })
  }
  await compare({ ...userAttributes, limit: 1000 }, expected)
  await compare(
    { ...userAttributes, offset: 1, limit: 2, run: run.end ?? addDays(run.start, 400) },
    expected.slice(1, 3),
  )
  const middle = expected[Math.floor(expected.length / 2)]
  if (middle === undefined) return
  const around = expected.slice(Math.max(0, middle.rank - 2), middle.rank + 1)
  await compare({ ...userAttributes, userId: middle.userId, offset: -1, limit: 3 }, around)
  // Without attributes the group is that of the user.
  await compare({ userId: middle.userId, offset: 0, limit: 1 }, [middle])
}
