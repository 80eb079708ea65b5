import { isGamificationError } from '../../errors.ts'
import { liveInstant } from '../../record/accept/accept-command.ts'
import { readPages } from '../../record/replay/read-log.ts'
import { underGame } from '../../rules/fold.ts'
import { settled } from '../../rules/settle.ts'
import { hasStreak } from '../../rules/state.ts'
import type { Call, CurrentGame } from '../../runtime/context.ts'
import type { LongestStreaksOptions, StreakHolder, StreakLength } from '../../storage/storage.ts'
import { parse } from '../input.ts'
import { readUser } from '../users/read-user.ts'
import { toExtended } from './answer.ts'
import { streakRankingsRequest, streaksRequest } from './requests.ts'
import type { StreakRanking, UserStreakLength } from './types.ts'

export async function rankStreaks(call: Call, request: unknown = {}): Promise<readonly StreakRanking[]> {
  const { limit, type } = parse(streakRankingsRequest, request, 'request')
  const by = type === 'active' ? 'length' : 'longest'
  const ranked: StreakRanking[] = []
  let current = await call.games.current(call.storage)
  for await (const { user, state } of readHolders(call, by)) {
    if (state.epoch > current.epoch) {
      await call.games.refresh(call.storage)
      current = await call.games.current(call.storage)
    }
    const streakLength = readLength(current, state, by, call.now())
    if (streakLength > 0) ranked.push({ userId: user, name: state.profile.name, streakLength })
    if (ranked.length === limit) break
  }
  return ranked
}

const NO_PROGRESS = { totals: new Map(), tallies: new Map(), completions: new Map(), points: new Map() }

/** 0 for a streak that has expired, and for a user who wants none. Time makes no streak longer. */
function readLength(
  { game, games, epoch }: CurrentGame,
  stored: StreakHolder['state'],
  by: StreakLength,
  now: number,
): number {
  if (game.streak === null || !hasStreak(stored.preferences)) return 0
  const known = { ...NO_PROGRESS, ...stored }
  const at = liveInstant(known, now)
  return settled(game, underGame(games, known, epoch, at).state, at).streak[by]
}

const CHUNK = 250

/** The longest first: many may have expired. */
function readHolders({ storage, tenant }: Call, by: StreakLength): AsyncGenerator<StreakHolder> {
  return readPages(
    CHUNK,
    (after: Pick<LongestStreaksOptions, 'after'>) => storage.longestStreaks(tenant, by, { limit: CHUNK, ...after }),
    ({ user, state }) => ({ length: state.streak[by], user }),
  )
}

export async function listStreaks(call: Call, request: unknown = {}): Promise<readonly UserStreakLength[]> {
  const asked = parse(streaksRequest, Array.isArray(request) ? { userIds: request } : request, 'request').userIds
  const lengths = await Promise.all([...new Set(asked)].map((user) => readStreakLength(call, user)))
  return lengths.filter((length) => length !== null).sort((left, right) => right.streakLength - left.streakLength)
}

async function readStreakLength(call: Call, user: string): Promise<UserStreakLength | null> {
  try {
    const { game, state, at } = await readUser(call, user)
    const current = settled(game, state, at)
    const streakLength = game.streak === null ? 0 : current.streak.length
    return { userId: user, streakLength, extended: toExtended(game, current) }
  } catch (error) {
    if (isGamificationError(error) && error.code === 'unknown_user') return null
    throw error
  }
}
