import { GamificationError } from '../../../errors.ts'
import { type Instant, localDate, toDateText } from '../../../rules/calendar.ts'
import type { Game } from '../../../rules/game.ts'
import { rankedAt, statusOn } from '../../../rules/leaderboard.ts'
import type { Waiting } from '../../../storage-overview.ts'
import { toInstantText } from '../../answers/user.ts'
import type { LeaderboardStatusItem, StatusResponse } from '../../answers/wire/status.ts'
import { findRun } from '../../ranks/find-leaderboard.ts'
import type { Context } from '../../types.ts'
import { askHealth } from './health.ts'

const MOST_COUNTED = 10_000

/** The state of a tenant, and of what serves it. Throws the error of a storage that fails. */
export async function readStatus(context: Context, tenant: string): Promise<StatusResponse> {
  const { storage, games, now } = context
  const { game } = await games.current(storage)
  const { health, stored } = await askHealth(context)
  if (health.code !== null) throw new GamificationError(health.code, health.message ?? '')
  const [counters, { users, messages }, leaderboards] = await Promise.all([
    storage.counters(tenant),
    storage.backlog(now(), MOST_COUNTED),
    readLeaderboards(context, tenant, game),
  ])
  const newestEpoch = stored.at(-1)?.epoch ?? 0
  const epoch = stored.findLast(({ fingerprint }) => fingerprint === games.fingerprint)?.epoch ?? newestEpoch
  return {
    health,
    game: { epoch, isNewest: health.isNewestGame, newestEpoch },
    due: { users: users.count, oldest: toOldest(users) },
    messages: { waiting: messages.count, oldest: toOldest(messages) },
    leaderboards,
    storage: storage.name,
    users: counters.find(({ kind }) => kind === 'users')?.count ?? 0,
  }
}

function toOldest({ oldest }: Waiting): string | null {
  return oldest === null ? null : toInstantText(oldest)
}

async function readLeaderboards(
  { storage, now }: Context,
  tenant: string,
  game: Game,
): Promise<readonly LeaderboardStatusItem[]> {
  const at: Instant = now()
  const today = localDate('UTC', at)
  const active = [...game.leaderboards.values()].filter((leaderboard) => statusOn(leaderboard, today) === 'active')
  return Promise.all(
    active.map(async (leaderboard) => {
      const { key, name } = leaderboard
      const { id, from, to } = findRun(leaderboard, undefined, today)
      const asked = { at: rankedAt(leaderboard, at), most: MOST_COUNTED }
      const users = await storage.countEntries(tenant, key, id, asked)
      return { key, name, run: { start: toDateText(from), end: to === null ? null : toDateText(to) }, users }
    }),
  )
}
