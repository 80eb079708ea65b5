import { toInstantText } from '../../answers/users.ts'
import { type ErrorCode, GamificationError, isGamificationError } from '../../errors.ts'
import { isInControlGroup } from '../../game/ids.ts'
import { DAY, type Day, endOfDate, type Instant, localDate, toDateText } from '../../rules/calendar.ts'
import type { Game } from '../../rules/game.ts'
import { rankedAt, statusOn } from '../../rules/leaderboard.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { withoutUndefined } from '../../runtime/input.ts'
import { createPause } from '../../runtime/pages.ts'
import { startCall } from '../../runtime/start-call.ts'
import type { Health, LeaderboardStatusItem, StatusResponse } from '../../shapes/operate.ts'
import type { RetentionGroup, RetentionResponse } from '../../shapes/users.ts'
import { loadGames } from '../../sql/games.ts'
import { countEntries, type FirstDays, loadBacklog, loadFirstDays, type Waiting } from '../../sql/overview.ts'
import { loadCounters } from '../../sql/queries.ts'
import { findRun } from '../named-parts.ts'
import type { ParsedActivityRequest } from './requests.ts'

const MOST_MS = 2_000

/** Asks the storage for its health, and never rejects. Concurrent callers share the answer. */
export function createHealth(context: Context): () => Promise<Health> {
  let asked: Promise<Health> | null = null
  return () => {
    asked ??= askHealth(context).finally(() => {
      asked = null
    })
    return asked
  }
}

async function askHealth(context: Context): Promise<Health> {
  const start = performance.now()
  const failing = (code: ErrorCode, message: string): Health => {
    return { status: 'failing', storageMs: msSince(start), isNewestGame: false, code, message }
  }
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), MOST_MS)
    })
    const { storage, databaseClock, deadline } = startCall(context)
    const hasty = storage.until(Math.min(deadline, start + MOST_MS))
    const answers = await Promise.race([Promise.all([loadGames(hasty), databaseClock.compare(hasty)]), late])
    if (answers === null) return failing('unavailable', `The storage did not answer within ${MOST_MS} ms.`)
    const [games, wrongClock] = answers
    if (wrongClock !== null) return failing('unavailable', wrongClock)
    context.games.check(games)
    const isNewestGame = games.at(-1)?.fingerprint === context.games.fingerprint
    // A process that is asked for its health is at work.
    context.games.lookInBackground()
    const message = context.games.otherGameIn(games)
    return { status: 'ok', storageMs: msSince(start), isNewestGame, code: null, message }
  } catch (error) {
    const code = isGamificationError(error) ? error.code : 'internal'
    return failing(code, error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
  }
}

function msSince(start: number): number {
  return Math.round(performance.now() - start)
}

const MOST_COUNTED = 10_000

export async function readStatus(call: Call): Promise<StatusResponse> {
  const { storage, games, now } = call
  const { game } = await games.current(storage)
  const health = await askHealth(call)
  if (health.code !== null) throw new GamificationError(health.code, health.message ?? '')
  const [stored, counters, { users, messages }, leaderboards] = await Promise.all([
    loadGames(storage),
    loadCounters(storage, call.tenant),
    loadBacklog(storage, now(), MOST_COUNTED),
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
      const users = await countEntries(storage, tenant, key, id, asked)
      return { key, name, run: { start: toDateText(from), end: to === null ? null : toDateText(to) }, users }
    }),
  )
}

const DAYS = [1, 7, 14, 30] as const
const LAST_DAY = 30
/** One read takes a few milliseconds for each of its users who are active every day. */
const MOST_IN_READ = 250
const MOST_USERS = 10_000
/** After this many milliseconds it returns the users that it has read. */
const ENOUGH_MS = 2_000

export async function readRetention(call: Call, { from, to }: ParsedActivityRequest): Promise<RetentionResponse> {
  const { storage, tenant, now } = call
  const { controlRatio } = (await call.games.current(storage)).game
  const range = { from: endOfDate('UTC', from - 1), before: endOfDate('UTC', to) }
  const today = Math.floor(now() / DAY)
  const users: FirstDays[] = []
  const start = performance.now()
  const pause = createPause()
  let isWhole = false
  while (!isWhole && users.length < MOST_USERS && performance.now() - start < ENOUGH_MS) {
    const place = withoutUndefined({ after: users.at(-1) })
    const found = await loadFirstDays(storage, tenant, { ...range, ...place, days: LAST_DAY, limit: MOST_IN_READ })
    users.push(...found)
    isWhole = found.length < MOST_IN_READ
    await pause()
  }
  const groups = [false, true].map((isControl) => {
    const own = users.filter(({ user }) => isInControlGroup({ tenant, user }, controlRatio) === isControl)
    return toGroup(isControl, own, today)
  })
  return { isWhole, groups }
}

function toGroup(isControl: boolean, users: readonly FirstDays[], today: Day): RetentionGroup {
  const active = users.flatMap(({ active }) => active)
  return {
    isControl,
    users: users.length,
    activeUsers: users.filter((user) => user.active.length > 0).length,
    activeDays: active.length,
    events: active.reduce((sum, { events }) => sum + events, 0),
    days: DAYS.map((day) => {
      const reached = users.filter(({ created }) => created + day < today)
      const hasReturned = ({ created, active }: FirstDays) => active.some(({ date }) => date === created + day)
      return { day, users: reached.length, returned: reached.filter(hasReturned).length }
    }),
  }
}
