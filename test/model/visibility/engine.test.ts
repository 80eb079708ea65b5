// @early: It takes long for its size.
// Leaderboards on every storage beside the naive model of the users' own choice. HISTORIES=… goes through as many;
// SEED=… repeats a run.

import { describe, expect, it } from 'vitest'
import { type Engine, openOn } from '../../support/engine.ts'
import { howMany } from '../../support/share.ts'
import { createRandom, seedOfRun } from '../../support/zones.ts'
import { STORAGES } from '../storages.ts'
import {
  compare,
  compareRevealed,
  definitionOf,
  drive,
  isPossible,
  type Played,
  requestOf,
  seenBy,
  shown,
  textOf,
} from './drive.ts'
import { CITIES, historyOf, STARTS, USERS } from './histories.ts'
import { listen } from './messages.ts'
import { type Board, createModel, type Row } from './model.ts'
import { lookOverHttp } from './over-http.ts'

const RUNS = howMany(6, 40, 2_000)
const SEED = seedOfRun()
/** One history in so many is read over HTTP too. */
const HTTP_EVERY = 3
/** One history in so many has a subscription to messages about ranks. */
const MESSAGES_EVERY = 4

interface Look {
  readonly key: string
  readonly run: number
  readonly one: <T>(list: readonly T[]) => T
}

/** A page for everybody, and one of the other ways to read it. */
async function look(played: Played, { key, run, one }: Look): Promise<void> {
  const { engine, model, game } = played
  const board = game.boards[key] as Board
  const name = `${key} ${run}`
  const city = board.byCity === true ? one(CITIES) : null
  const group = city === null ? {} : { userAttributes: { city } }
  const get = (rest: object) => engine.leaderboards.get(key, { ...requestOf(board, run), limit: 100, ...rest })
  const rows = model.rows(key, run, city)
  const participants = model.participants(key, run, city)
  const page = await get(group)
  expect({ name, city, participants: page.participants }).toEqual({ name, city, participants })
  compare(played, name, page.rankings, rows, shown)

  const viewer = one(USERS)
  const reader = model.known(viewer)
  const friends = USERS.filter(() => one([true, false]))
  const among = (knows: (user: string) => boolean) => model.among(key, run, friends, knows)
  const isLarge = participants >= (board.smallestGroup ?? 0)
  const way = one(['revealed', 'a part', 'a viewer', 'some', 'some for a viewer', 'some revealed'] as const)
  const read = async (request: object, expected: readonly Row[], seen: (row: Row) => string | null) =>
    compare(played, name, (await get(request)).rankings, expected, seen)
  if (way === 'revealed') compareRevealed((await get({ ...group, reveal: true })).rankings, rows)
  else if (way === 'a part') await read({ ...group, offset: 1, limit: 2 }, rows.slice(1, 3), shown)
  else if (way === 'a viewer') await read({ ...group, viewer }, isLarge ? rows : [], seenBy(reader))
  else if (way === 'some') await read({ among: friends }, among(isNobody), shown)
  else if (way === 'some revealed')
    compareRevealed((await get({ among: friends, reveal: true })).rankings, among(isAnybody))
  else if (board.smallestGroup === undefined) {
    await read(
      { among: friends, viewer },
      among((user) => user === reader),
      seenBy(reader),
    )
  }
}

const isNobody = (): boolean => false
const isAnybody = (): boolean => true

async function lookAtUser(played: Played, { key, run }: Look, id: string): Promise<void> {
  const { engine, model, game } = played
  const request = requestOf(game.boards[key] as Board, run)
  const user = model.known(id)
  if (user === null) return
  const { rank, value, isHidden } = model.place(key, run, user)
  const own = await engine.users.leaderboard(id, key, { ...request, numEvents: 0 })
  const found = { rank: own.rank, value: own.value, isHidden: own.hidden === true }
  expect({ key, run, id, ...found }).toEqual({ key, run, id, rank, value, isHidden })
  const rows = model.rows(key, run, model.city(key, run, user))
  const index = rows.findIndex((row) => row.user === user)
  const around = await engine.leaderboards.get(key, { ...request, userId: id, offset: -1, limit: 3 })
  const near = index < 0 ? [] : rows.slice(Math.max(0, index - 1), index + 2)
  compare(played, `${key} ${run}`, around.rankings, near, seenBy(user))
}

async function lookAtStreaks(played: Played): Promise<void> {
  const rankings = await played.engine.streaks.rankings()
  const found = rankings.map(({ name, streakLength, ...rest }, index) => {
    return { ...rest, userName: name, value: streakLength, rank: index + 1 }
  })
  compare(played, 'longest streaks', found, played.model.streaks(), shown)
}

async function play(engine: Engine, seed: number): Promise<void> {
  const { game, calls } = historyOf(seed, 24)
  const random = createRandom(seed + 1)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const model = createModel(game)
  const played = { engine: await engine.redefine(definitionOf(game)), model, game, pseudonyms: new Map() }
  const lookAt = async (key: string, run: number): Promise<void> => {
    await look(played, { key, run, one })
    await lookAtUser(played, { key, run, one }, one(USERS))
    if (seed % HTTP_EVERY !== 0 || one([true, false])) return
    const reader = { id: one(USERS), friends: USERS.filter(() => one([true, false])) }
    await lookOverHttp(played, key, run, reader)
  }
  const listener = seed % MESSAGES_EVERY === 0 ? await listen(played) : null
  for (const call of calls) {
    model.goTo(call.at)
    played.engine.at(textOf(call.at))
    await listener?.check(call.at)
    if (!isPossible(model, call)) continue
    await drive(played, call)
    listener?.see(call)
    const key = one(Object.keys(game.boards))
    await lookAt(key, one(model.runs(key)))
  }
  await lookAtStreaks(played)
  for (const key of Object.keys(game.boards)) await lookAt(key, one(model.runs(key).slice(-2)))
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
