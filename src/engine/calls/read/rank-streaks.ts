import { parse } from '../../../requests/input.ts'
import { streakRankingsRequest } from '../../../requests/reads.ts'
import { underGame } from '../../../rules/fold.ts'
import { settled } from '../../../rules/settle.ts'
import { hasStreak } from '../../../rules/state.ts'
import type { LongestStreaksOptions, Storage, StreakHolder, StreakLength } from '../../../storage.ts'
import { liveInstant } from '../../accept/accept-command.ts'
import type { StreakRanking } from '../../answers/wire/streak.ts'
import { readPages } from '../../replay/read-log.ts'
import type { Context, CurrentGame } from '../../types.ts'

/** The users with the longest streaks, as they read now or as they ever were; equal ones are in order of their ids. */
export async function rankStreaks(
  context: Context,
  tenant: string,
  request: unknown = {},
): Promise<readonly StreakRanking[]> {
  const { limit, type } = parse(streakRankingsRequest, request, 'request')
  const by = type === 'active' ? 'length' : 'longest'
  const ranked: StreakRanking[] = []
  let current = await context.games.current(context.storage)
  for await (const { user, state } of readHolders(context.storage, tenant, by)) {
    if (state.epoch > current.epoch) {
      await context.games.refresh(context.storage)
      current = await context.games.current(context.storage)
    }
    const streakLength = readLength(current, state, by, context.now())
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
function readHolders(storage: Storage, tenant: string, by: StreakLength): AsyncGenerator<StreakHolder> {
  return readPages(
    CHUNK,
    (after: Pick<LongestStreaksOptions, 'after'>) => storage.longestStreaks(tenant, by, { limit: CHUNK, ...after }),
    ({ user, state }) => ({ length: state.streak[by], user }),
  )
}
