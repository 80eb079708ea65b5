import type { DefinedGame } from '../../src/index.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { benchBoardEvents, type Quartet } from './leaderboards-events.ts'
import { withBoards, withoutBoards } from './leaderboards-game.ts'
import { makePostgres, makeSqlite, type Place } from './leaderboards-places.ts'
import { DURABLE } from './postgres.ts'

export interface LeaderboardsBenchOptions {
  /** Events among few participants are compared with events among many. */
  readonly few: number
  readonly many: number
  readonly rounds: number
  /** The duration of each measurement in each round. */
  readonly seconds: number
}

/** Measures events with and without leaderboards, on SQLite and on Postgres. */
export async function benchLeaderboards(
  folder: string,
  { few, many, rounds, seconds }: LeaderboardsBenchOptions,
  print: (text: string) => void,
): Promise<void> {
  const given = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
  const server = given === undefined ? await startPostgres(DURABLE) : null
  const url = server?.url ?? given ?? ''
  const opened: Place[] = []
  const makers = {
    SQLite: (game: DefinedGame, users: number) => makeSqlite(folder, game, users),
    Postgres: (game: DefinedGame, users: number) => makePostgres(url, game, users),
  }
  try {
    const quartets: Quartet[] = []
    for (const [name, make] of Object.entries(makers)) {
      const open = async (game: DefinedGame, users: number): Promise<Place> => {
        const place = await make(game, users)
        opened.push(place)
        return place
      }
      const [fewWith, manyWith] = [await open(withBoards, few), await open(withBoards, many)]
      const [fewWithout, manyWithout] = [await open(withoutBoards, few), await open(withoutBoards, many)]
      quartets.push({ name, few: fewWith, many: manyWith, fewWithout, manyWithout })
    }
    for (const callers of [1, 32]) print(await benchBoardEvents(quartets, callers, rounds, seconds))
  } finally {
    for (const place of opened) await place.close()
    await server?.stop()
  }
}
