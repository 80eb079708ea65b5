// @early: It takes long for its size.
// Leaderboards on every storage beside the naive model of the users' own choice. HISTORIES=… goes through as many;
// SEED=… repeats a run.

import { describe, expect, it } from 'vitest'
import type { GameDefinition, LeaderboardRanking } from '../../../src/index.ts'
import { type Engine, openOn } from '../../support/engine.ts'
import { howMany } from '../../support/share.ts'
import { createRandom, DAY, seedOfRun } from '../../support/zones.ts'
import { STORAGES } from '../storages.ts'
import { CITIES, historyOf, STARTS, USERS } from './histories.ts'
import { type Board, type Call, createModel, type Game, type Model, type Row } from './model.ts'

const RUNS = howMany(20, 200, 2_000)
const SEED = seedOfRun()

const textOf = (at: number): string => new Date(at).toISOString()
const dateOf = (at: number): string => textOf(at).slice(0, 10)

function definitionOf({ usual, boards }: Game): GameDefinition {
  const leaderboards = Object.entries(boards).map(([key, board]) => [
    key,
    {
      name: key,
      rankBy: 'metric',
      metric: 'words',
      start: dateOf(STARTS),
      ...(board.days === null ? {} : { run: { unit: 'day', interval: board.days } }),
      ...(board.ends === undefined ? {} : { end: dateOf(board.ends - DAY) }),
      ...(board.byCity === true ? { breakdown: ['city'] } : {}),
      ...(board.isShared === true ? { ties: 'shared' } : {}),
      ...(board.consent === true ? { consent: true } : {}),
      ...(board.maxParticipants === undefined ? {} : { maxParticipants: board.maxParticipants }),
      ...(board.smallestGroup === undefined ? {} : { smallestGroup: board.smallestGroup }),
    },
  ])
  return {
    metrics: { words: { name: 'Words' } },
    userAttributes: ['city'],
    preferences: { leaderboards: usual },
    leaderboards: Object.fromEntries(leaderboards),
  }
}

interface Played {
  readonly engine: Engine
  readonly model: Model
  readonly game: Game
  /** The ids of anonymous users, by user, leaderboard and run. */
  readonly pseudonyms: Map<string, string>
}

/** A call about a user who does not exist is left out, and a suspension that changes nothing: it is no entry. */
function isPossible(model: Model, { user, action }: Call): boolean {
  const known = model.known(user)
  if (action.type === 'merge') {
    const into = model.known(action.into)
    return known !== null && into !== null && known !== into
  }
  if (action.type === 'suspend') return known !== null && model.isSuspended(user) !== action.suspended
  return action.type === 'add' || known !== null
}

async function drive({ engine, model, game }: Played, call: Call): Promise<void> {
  const { user: id, action, at } = call
  if (action.type !== 'add') {
    if (action.type === 'live') await engine.users.update(id, { attributes: { city: action.city } })
    else if (action.type === 'choose') await engine.users.updatePreferences(id, { leaderboards: action.choice })
    else if (action.type === 'turn') await engine.users.updatePreferences(id, { gamification: action.gamification })
    else if (action.type === 'suspend') await (action.suspended ? engine.users.suspend(id) : engine.users.restore(id))
    else if (action.type === 'merge') await engine.users.merge({ from: id, into: action.into })
    else await engine.users.delete(id)
    model.call(call)
    return
  }
  const active = Object.entries(game.boards).filter(([, { ends = Number.POSITIVE_INFINITY }]) => at < ends)
  const ranks = () => active.map(([key]) => model.place(key, model.runs(key, at).length - 1, id).rank)
  const before = ranks()
  model.call(call)
  const after = ranks()
  const { leaderboards } = await engine.metrics.event('words', { user: { id }, value: action.value })
  const found = active.map(([key]) => [key, leaderboards[key]?.previousRank, leaderboards[key]?.rank])
  expect(found).toEqual(active.map(([key], index) => [key, before[index], after[index]]))
}

/** Compares rows. One user has one id in a run of a leaderboard, and no other id is equal to it. */
function compare(
  { pseudonyms }: Played,
  run: string,
  found: readonly LeaderboardRanking[],
  rows: readonly Row[],
  seen: (row: Row) => string | null,
): void {
  const asFound = found.map(({ rank, userId, userName, value, anonymous }) => [
    rank,
    anonymous === true ? null : userId,
    value,
    anonymous === true ? userName : null,
  ])
  expect(asFound).toEqual(rows.map((row) => [row.rank, seen(row), row.value, null]))
  found.forEach(({ anonymous, userId }, index) => {
    if (anonymous !== true) return
    const key = `${rows[index]?.user} ${run}`
    expect(pseudonyms.get(key) ?? userId).toBe(userId)
    const others = [...pseudonyms].filter(([other]) => other !== key).map(([, id]) => id)
    expect([...USERS, ...others]).not.toContain(userId)
    pseudonyms.set(key, userId)
  })
}

/** Compares rows that have all users, and marks of anonymous ones. */
function compareRevealed(found: readonly LeaderboardRanking[], rows: readonly Row[]): void {
  const asFound = found.map(({ rank, userId, value, anonymous }) => [rank, userId, value, anonymous === true])
  expect(asFound).toEqual(rows.map(({ rank, user, value, who }) => [rank, user, value, who === null]))
}

const shown = ({ who }: Row): string | null => who
const seenBy =
  (viewer: string | null) =>
  ({ user, who }: Row): string | null =>
    user === viewer ? user : who

interface Look {
  readonly key: string
  readonly run: number
  readonly one: <T>(list: readonly T[]) => T
}

function requestOf({ days, ends = Number.POSITIVE_INFINITY }: Board, run: number, now: number): { run?: string } {
  if (days === null) return {}
  const at = STARTS + run * days * DAY
  return at <= Math.min(now, ends) ? { run: dateOf(at) } : {}
}

async function look(played: Played, now: number, { key, run, one }: Look): Promise<void> {
  const { engine, model, game } = played
  const board = game.boards[key] as Board
  const request = requestOf(board, run, now)
  const name = `${key} ${run}`
  const get = (rest: object) => engine.leaderboards.get(key, { ...request, ...rest })
  for (const city of board.byCity === true ? CITIES : [null]) {
    const group = city === null ? {} : { userAttributes: { city } }
    const rows = model.rows(key, run, city)
    const page = await get(group)
    const participants = model.participants(key, run, city)
    expect({ name, city, participants: page.participants }).toEqual({ name, city, participants })
    compare(played, name, page.rankings, rows, shown)
    compareRevealed((await get({ ...group, reveal: true })).rankings, rows)
    compare(played, name, (await get({ ...group, offset: 1, limit: 2 })).rankings, rows.slice(1, 3), shown)
    const viewer = one(USERS)
    const isLarge = participants >= (board.smallestGroup ?? 0)
    const asViewer = await get({ ...group, viewer })
    compare(played, name, asViewer.rankings, isLarge ? rows : [], seenBy(model.known(viewer)))
  }
  await lookAtUsers(played, key, run, get)
  const friends = USERS.filter(() => one([true, false]))
  const viewer = one(USERS)
  const among = (knows: (user: string) => boolean) => model.among(key, run, friends, knows)
  const [none, own, all] = [among(() => false), among((user) => user === model.known(viewer)), among(() => true)]
  compare(played, name, (await get({ among: friends })).rankings, none, shown)
  if (board.smallestGroup === undefined) {
    compare(played, name, (await get({ among: friends, viewer })).rankings, own, seenBy(model.known(viewer)))
  }
  compareRevealed((await get({ among: friends, reveal: true })).rankings, all)
}

async function lookAtUsers(
  played: Played,
  key: string,
  run: number,
  get: (rest: object) => ReturnType<Engine['leaderboards']['get']>,
): Promise<void> {
  const { engine, model, game } = played
  const request = requestOf(game.boards[key] as Board, run, Number.POSITIVE_INFINITY)
  for (const id of USERS) {
    const user = model.known(id)
    if (user === null) continue
    const expected = model.place(key, run, id)
    const rows = model.rows(key, run, model.city(id))
    const index = rows.findIndex((row) => row.user === user)
    const own = await engine.users.leaderboard(id, key, { ...request, numEvents: 0 })
    expect({ id, rank: own.rank, isHidden: own.hidden === true }).toEqual({ id, ...expected })
    if (index >= 0) expect(own.value).toBe(rows[index]?.value)
    const around = await get({ userId: id, offset: -1, limit: 3 })
    const near = index < 0 ? [] : rows.slice(Math.max(0, index - 1), index + 2)
    compare(played, `${key} ${run}`, around.rankings, near, seenBy(user))
  }
}

async function play(engine: Engine, seed: number): Promise<void> {
  const { game, calls } = historyOf(seed, 24)
  const random = createRandom(seed + 1)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const played = {
    engine: await engine.redefine(definitionOf(game)),
    model: createModel(game),
    game,
    pseudonyms: new Map(),
  }
  const { model, pseudonyms } = played
  let now = STARTS
  for (const call of calls) {
    now = call.at
    played.engine.at(textOf(now))
    if (!isPossible(model, call)) continue
    await drive(played, call)
    const key = one(Object.keys(game.boards))
    await look(played, now, { key, run: one(model.runs(key, now)), one })
  }
  for (const key of Object.keys(game.boards))
    for (const run of model.runs(key, now).slice(-2)) await look(played, now, { key, run, one })
  expect([...pseudonyms.values()].length).toBe(new Set(pseudonyms.values()).size)
  expect((await played.engine.verify()).drift).toEqual([])
}

describe.each(STORAGES)('On $name', ({ open }) => {
  const runs = Number(process.env.HISTORIES ?? RUNS)
  it(`leaderboards follow the users' own choice in ${runs} histories (seed ${SEED})`, {
    timeout: 14_400_000,
  }, async () => {
    for (let run = 0; run < runs; run += 1) {
      const { storage, end } = open()
      const engine = await openOn(storage, { now: textOf(STARTS) }, { metrics: { words: { name: 'Words' } } })
      try {
        await play(engine, SEED + run)
      } catch (error) {
        throw new Error(`seed ${SEED + run}: ${error instanceof Error ? error.message : error}`, { cause: error })
      } finally {
        await engine.close()
        await end?.()
      }
    }
  })
})
