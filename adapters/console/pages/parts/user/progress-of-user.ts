import type { UserAchievementWithStats } from '../../../../../src/api/achievements/types.ts'
import type { AdminPointsSystem } from '../../../../../src/api/configuration/types.ts'
import type { MetricResponse } from '../../../../../src/api/events/types.ts'
import type { CurrentGameResponse } from '../../../../../src/api/operate/types.ts'
import type { UserPoints } from '../../../../../src/api/points/types.ts'
import type { UserStreak } from '../../../../../src/api/streaks/types.ts'
import { call, route } from '../../api.ts'

/** Where a user stands in everything, as the API answers it. */
export interface UserProgress {
  readonly metrics: readonly MetricResponse[]
  readonly achievements: readonly UserAchievementWithStats[]
  readonly points: readonly UserPoints[]
  /** null: the game has none. */
  readonly streak: UserStreak | null
  readonly streaks: readonly { readonly key: string; readonly name: string; readonly streak: UserStreak }[]
}

/** About a year of each is shown, and two of months. */
const SHOWN_PERIODS = { daily: 365, weekly: 53, monthly: 24 }
/** Of each kind so many are asked: games have a handful. */
const MOST = 50

export async function loadProgress(id: string, signal: AbortSignal): Promise<UserProgress> {
  const get = <T>(path: string, query = {}): Promise<T> => call<T>('GET', path, { query, signal })
  const getStreak = async (path: string): Promise<UserStreak> =>
    toShown(await get<UserStreak>(path, { historyPeriods: SHOWN_PERIODS.daily }))
  const [metrics, achievements, systems, game] = await Promise.all([
    get<readonly MetricResponse[]>(route`v1/users/${id}/metrics`),
    get<readonly UserAchievementWithStats[]>(route`v1/users/${id}/achievements`, { includeIncomplete: true }),
    get<readonly AdminPointsSystem[]>('admin/v1/points', { limit: MOST }),
    get<CurrentGameResponse>('admin/v1/game'),
  ])
  const [streak, points, streaks] = await Promise.all([
    game.definition.streak === undefined ? null : getStreak(route`v1/users/${id}/streak`),
    Promise.all(systems.map(({ key }) => get<UserPoints>(route`v1/users/${id}/points/${key}`))),
    Promise.all(
      namedStreaks(game).map(async ({ key, name }) => ({
        key,
        name,
        streak: await getStreak(route`v1/users/${id}/streaks/${key}`),
      })),
    ),
  ])
  return { metrics, achievements, points, streak, streaks }
}

function toShown(streak: UserStreak): UserStreak {
  return { ...streak, streakHistory: streak.streakHistory.slice(-SHOWN_PERIODS[streak.frequency]) }
}

function namedStreaks({ definition }: CurrentGameResponse): readonly { readonly key: string; readonly name: string }[] {
  const { streaks } = definition
  if (typeof streaks !== 'object' || streaks === null) return []
  return Object.entries(streaks)
    .slice(0, MOST)
    .map(([key, { name }]) => ({ key, name: typeof name === 'string' ? name : key }))
}
