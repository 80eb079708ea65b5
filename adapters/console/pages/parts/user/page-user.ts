import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { call, route } from '../../api.ts'
import type {
  CurrentGameResponse,
  ListedUser,
  MetricResponse,
  User,
  UserAchievementWithStats,
  UserChallenge,
  UserPoints,
  UserStreak,
  UsersResponse,
} from '../../types.ts'
import { type Loadable, useAnswer } from '../../use-answer.ts'
import { definitionOf } from '../game/game-graph.ts'

/** The user that the page is about. */
export interface PageUser {
  readonly user: User
  /** The user as lists show it, with suspension and merge. `null` if not found. */
  readonly listed: ListedUser | null
  /** Counts the changes made on this page. */
  readonly version: number
  /** Call it after a change: everything on the page reloads. */
  readonly changed: () => void
}

export const PageUserContext = createContext<PageUser | null>(null)

export function usePageUser(): PageUser {
  const found = useContext(PageUserContext)
  if (found === null) throw new Error('There is no user around this part.')
  return found
}

/** Loads data about the user, and again after a change or when `keys` change. */
export function useOfUser<T>(
  load: (id: string, signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[] = [],
): Loadable<T> {
  const { user, version } = usePageUser()
  return useAnswer((signal) => load(user.id, signal), [user.id, ...keys], version)
}

/** The search gives up after this many pages. */
const MOST_PAGES = 5

/** Finds the user in the list of users whose id or name contains the id. */
async function findListed(id: string, signal: AbortSignal): Promise<ListedUser | null> {
  let after: string | null = [...id].slice(0, -1).join('')
  for (let page = 0; page < MOST_PAGES && after !== null; page += 1) {
    const query = { search: id, after, limit: 100 }
    const answer: UsersResponse = await call('GET', 'admin/v1/users', { query, signal })
    const found = answer.users.find((user) => user.id === id)
    if (found !== undefined) return found
    after = answer.after
  }
  return null
}

/** The user's progress, as the API returns it. */
export interface UserProgress {
  readonly metrics: readonly MetricResponse[]
  readonly achievements: readonly UserAchievementWithStats[]
  readonly points: readonly UserPoints[]
  /** `null` if the game has none. */
  readonly streak: UserStreak | null
  readonly streaks: readonly { readonly key: string; readonly streak: UserStreak }[]
  readonly challenges: readonly UserChallenge[]
}

/** About a year of days or weeks, and two years of months. */
const SHOWN_PERIODS = { daily: 365, weekly: 53, monthly: 24 }

export async function loadPageUser(
  id: string,
  signal: AbortSignal,
): Promise<Pick<PageUser, 'user' | 'listed'> & { readonly progress: UserProgress }> {
  const get = <T>(path: string, query = {}): Promise<T> => call<T>('GET', path, { query, signal })
  const getStreak = (path: string, { frequency }: Pick<UserStreak, 'frequency'>): Promise<UserStreak> =>
    get(path, { historyPeriods: SHOWN_PERIODS[frequency] })
  const [user, listed, metrics, achievements, challenges, game] = await Promise.all([
    get<User>(route`v1/users/${id}`),
    findListed(id, signal),
    get<readonly MetricResponse[]>(route`v1/users/${id}/metrics`),
    get<readonly UserAchievementWithStats[]>(route`v1/users/${id}/achievements`, { includeIncomplete: true }),
    get<readonly UserChallenge[]>(route`v1/users/${id}/challenges`),
    get<CurrentGameResponse>('admin/v1/game'),
  ])
  const definition = definitionOf(game)
  const [streak, points, streaks] = await Promise.all([
    definition.streak === undefined ? null : getStreak(route`v1/users/${id}/streak`, definition.streak),
    Promise.all(Object.keys(definition.points).map((key) => get<UserPoints>(route`v1/users/${id}/points/${key}`))),
    Promise.all(
      Object.entries(definition.streaks ?? {}).map(async ([key, named]) => ({
        key,
        streak: await getStreak(route`v1/users/${id}/streaks/${key}`, named),
      })),
    ),
  ])
  return { user, listed, progress: { metrics, achievements, points, streak, streaks, challenges } }
}

export interface ActionProps extends UserProgress {
  readonly close: () => void
}
