import { type ErrorCode, GamificationError, isGamificationError } from '../../errors.ts'
import { type Instant, localDate, toDateText } from '../../rules/calendar.ts'
import type { Game } from '../../rules/game.ts'
import { rankedAt, statusOn } from '../../rules/leaderboard.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { startCall } from '../../runtime/deadline.ts'
import type { Waiting } from '../../storage/overview.ts'
import type { StoredGame } from '../../storage/storage.ts'
import { findRun } from '../known.ts'
import { toInstantText } from '../users/answer.ts'
import type { Health, LeaderboardStatusItem, StatusResponse } from './types.ts'

const MOST_MS = 2_000

/** Asks the storage for its health, and never rejects. Callers that come meanwhile share the answer. */
export function createHealth(context: Context): () => Promise<Health> {
  let asked: Promise<Asked> | null = null
  return async () => {
    asked ??= askHealth(context).finally(() => {
      asked = null
    })
    return (await asked).health
  }
}

interface Asked {
  readonly health: Health
  readonly stored: readonly StoredGame[]
}

/** With the games that the storage answered; none where it did not. */
async function askHealth(context: Context): Promise<Asked> {
  const start = performance.now()
  const took = (): number => Math.round(performance.now() - start)
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), MOST_MS)
    })
    const { storage, databaseClock, deadline } = startCall(context)
    const hasty = storage.until(Math.min(deadline, start + MOST_MS))
    const answers = await Promise.race([Promise.all([hasty.games(), databaseClock.compare(hasty)]), late])
    if (answers === null) {
      const message = `The storage did not answer within ${MOST_MS} ms.`
      return failing(took(), 'unavailable', message)
    }
    const [games, wrongClock] = answers
    if (wrongClock !== null) return failing(took(), 'unavailable', wrongClock)
    const isNewestGame = games.at(-1)?.fingerprint === context.games.fingerprint
    return { health: { status: 'ok', storageMs: took(), isNewestGame, code: null, message: null }, stored: games }
  } catch (error) {
    const code = isGamificationError(error) ? error.code : 'internal'
    const message = error instanceof Error ? error.message : String(error)
    return failing(took(), code, message)
  } finally {
    clearTimeout(timer)
  }
}

function failing(storageMs: number, code: ErrorCode, message: string): Asked {
  return { health: { status: 'failing', storageMs, isNewestGame: false, code, message }, stored: [] }
}

const MOST_COUNTED = 10_000

export async function readStatus(call: Call): Promise<StatusResponse> {
  const { storage, games, now } = call
  const { game } = await games.current(storage)
  const { health, stored } = await askHealth(call)
  if (health.code !== null) throw new GamificationError(health.code, health.message ?? '')
  const [counters, { users, messages }, leaderboards] = await Promise.all([
    storage.counters(call.tenant),
    storage.backlog(now(), MOST_COUNTED),
    readLeaderboards(call, game),
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

async function readLeaderboards({ storage, now, tenant }: Call, game: Game): Promise<readonly LeaderboardStatusItem[]> {
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
