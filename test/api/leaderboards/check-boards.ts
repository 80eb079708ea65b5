import { expect } from 'vitest'
import type { DefinedGame, Gamification, Storage } from '../../../src/index.ts'
import { addDays } from '../../model/dates.ts'
import { checkUser } from './check-user.ts'
import type { BoardsModel } from './model.ts'
import { currentRun } from './runs.ts'
import type { Row } from './scores.ts'

export interface Checked {
  readonly model: BoardsModel
  readonly engine: Gamification<DefinedGame>
  readonly storage: Storage
  readonly now: number
}

type Request = Parameters<Checked['engine']['leaderboards']['get']>[1]

/** Compares every page of every group of every run, and what every user has there, with the model. */
export async function checkBoards(checked: Checked): Promise<void> {
  const { model, now } = checked
  await checkList(checked)
  for (const board of model.boards.keys()) {
    const groups = new Map<string, Row>()
    for (const user of model.users()) {
      await checkUser(checked, board, user)
      for (const row of model.entries(board, user, now)) groups.set(JSON.stringify([row.run, row.group]), row)
    }
    for (const row of groups.values()) await checkGroup(checked, board, row)
  }
}

/** The status and the current run go by the date in UTC. */
async function checkList({ model, engine, now }: Checked): Promise<void> {
  const date = new Date(now).toISOString().slice(0, 10)
  const expected = [...model.boards].map(([key, board]) => {
    const { start, end = '9999-12-31' } = board
    const status = date < start ? 'scheduled' : date > end ? 'finished' : 'active'
    return { key, status, ...currentRun(board, date) }
  })
  const all = await engine.leaderboards.all({ includeFinished: true })
  expect(all.map(({ key, status, start, end }) => ({ key, status, start, end }))).toEqual(expected)
}

async function checkGroup({ model, engine, now }: Checked, board: string, { run, group }: Row): Promise<void> {
  const names = model.boards.get(board)?.breakdown ?? []
  const attributes = Object.fromEntries(names.map((name, index) => [name, group[index] ?? '']))
  const grouped = names.length === 0 ? {} : { userAttributes: attributes }
  const toLines = (participants: ReturnType<BoardsModel['participants']>) =>
    participants.map(({ user, value }, index) => ({
      userId: user,
      userName: model.nameOf(user),
      rank: index + 1,
      value,
    }))
  const expected = toLines(model.participants(board, run.start, group, now).slice(0, model.limit(board)))
  const compare = async (request: Request, rankings: typeof expected) => {
    const answer = await engine.leaderboards.get(board, { run: run.start, ...request })
    const seen = { board, request, start: answer.start, end: answer.end, rankings: answer.rankings }
    expect(seen).toEqual({ board, request, ...run, rankings })
  }
  await compare({ ...grouped, limit: 1000 }, expected)
  const lastDate = run.end ?? addDays(run.start, 400)
  await compare({ ...grouped, offset: 1, limit: 2, run: lastDate }, expected.slice(1, 3))
  const among = model.users().filter((_, index) => index % 3 !== 1)
  const friends = model.participants(board, run.start, null, now).filter(({ user }) => among.includes(user))
  await compare({ among: ['nobody', ...among], limit: 1000 }, toLines(friends))
  const middle = expected[Math.floor(expected.length / 2)]
  if (middle === undefined) return
  const around = expected.slice(Math.max(0, middle.rank - 2), middle.rank + 1)
  await compare({ ...grouped, userId: middle.userId, offset: -1, limit: 3 }, around)
  // Without attributes the group is that of the user.
  await compare({ userId: middle.userId, offset: 0, limit: 1 }, [middle])
}
