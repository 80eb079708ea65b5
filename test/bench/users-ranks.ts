import { BOARDS, type Board, RUNS, UNLIMITED } from './leaderboards-game.ts'
import { countedRank, type Place } from './leaderboards-places.ts'

const OF_BOARD = `tenant_id = '' and leaderboard = '${UNLIMITED}' and run = '${RUNS[UNLIMITED]}' and group_key = ''`

/** Ranks of some users, by board and user. */
export type Ranks = ReadonlyMap<string, number | null>

export const placeOf = (board: Board, user: string): string => `${board} ${user}`

/** How many stand on the board without a limit. */
export async function countedUsers({ ask, dialect }: Place): Promise<number> {
  return Number(await ask(`select count(*) from ${dialect.table('leaderboard_entries')} where ${OF_BOARD}`))
}

/** Who stands at some ranks of the board without a limit, from 1. */
export async function usersAt({ ask, dialect }: Place, ranks: readonly number[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const rank of ranks) {
    const user = await ask(`select user_id from ${dialect.table('leaderboard_entries')}
      where ${OF_BOARD} order by minus_value, reached_at, user_id limit 1 offset ${rank - 1}`)
    found.push(String(user))
  }
  return found
}

/** What the library says of each user on each board; throws unless a plain count says the same. */
export async function checkedRanks(place: Place, users: readonly string[]): Promise<Ranks> {
  const ranks = new Map<string, number | null>()
  for (const user of users) {
    for (const board of BOARDS) {
      const { rank } = await place.library.users.leaderboard(user, board, { numEvents: 0 })
      const counted = await countedRank(place, board, user)
      if (rank !== counted) throw new Error(`${user} has the rank ${rank} on ${board}, and not ${counted}.`)
      ranks.set(placeOf(board, user), rank)
    }
  }
  return ranks
}

/** Throws unless `user` stood on the board without a limit before and does not after, and whoever was behind moved up by one. */
export function checkClosedUp(before: Ranks, after: Ranks, user: string, others: readonly string[]): void {
  const own = before.get(placeOf(UNLIMITED, user)) ?? null
  if (own === null) throw new Error(`${user} had no rank before.`)
  if ((after.get(placeOf(UNLIMITED, user)) ?? null) !== null) throw new Error(`${user} has a rank still.`)
  for (const other of others) {
    const [was, is] = [before.get(placeOf(UNLIMITED, other)), after.get(placeOf(UNLIMITED, other))]
    if (typeof was !== 'number') throw new Error(`${other} had no rank before.`)
    const expected = was > own ? was - 1 : was
    if (is !== expected) throw new Error(`${other} moved from ${was} to ${is}, and not to ${expected}.`)
  }
}

/** Throws where a rank is not what it was. */
export function checkSame(before: Ranks, after: Ranks): void {
  for (const [name, rank] of before) {
    if (after.get(name) !== rank) throw new Error(`${name} has the rank ${after.get(name)}, and not ${rank}.`)
  }
}
