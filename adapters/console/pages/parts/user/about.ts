import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { call, route } from '../../api.ts'
import type {
  AdminPointsSystem,
  CurrentGameResponse,
  ListedUser,
  MetricResponse,
  User,
  UserAchievementWithStats,
  UserPoints,
  UserStreak,
  UsersResponse,
} from '../../types.ts'
import { type Answer, useAnswer } from '../../use-answer.ts'

/** The user that the page is about. */
export interface About {
  readonly user: User
  /** The user as lists show it, with suspension and merge. `null`: not found. */
  readonly listed: ListedUser | null
  /** Counts the changes made on this page. */
  readonly version: number
  /** Call it after a change: everything on the page reloads. */
  readonly changed: () => void
}

export const AboutUser = createContext<About | null>(null)

export function useAbout(): About {
  const about = useContext(AboutUser)
  if (about === null) throw new Error('There is no user around this part.')
  return about
}

/** Loads data about the user, and again after a change or when `keys` change. */
export function useOfUser<T>(
  load: (id: string, signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[] = [],
): Answer<T> {
  const { user, version } = useAbout()
  return useAnswer((signal) => load(user.id, signal), [user.id, ...keys], version)
}

export async function loadUser(id: string, signal: AbortSignal): Promise<Pick<About, 'user' | 'listed'>> {
  const [user, listed] = await Promise.all([
    call<User>('GET', route`v1/users/${id}`, { signal }),
    findListed(id, signal),
  ])
  return { user, listed }
}

/** The search gives up after so many pages. */
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
  /** `null`: the game has none. */
  readonly streak: UserStreak | null
  readonly streaks: readonly { readonly key: string; readonly name: string; readonly streak: UserStreak }[]
}

/** About a year of days or weeks, and two years of months. */
const SHOWN_PERIODS = { daily: 365, weekly: 53, monthly: 24 }
/** The most of each kind that the page loads. Games have a handful. */
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

export interface ActionProps {
  readonly close: () => void
  readonly metrics: readonly MetricResponse[]
  readonly achievements: readonly UserAchievementWithStats[]
  readonly points: readonly UserPoints[]
  /** The game's named streaks. */
  readonly streaks: readonly { readonly key: string; readonly name: string }[]
}

/** Throws the first issue of a call for several users. */
export function firstIssue({ issues }: { readonly issues: readonly { readonly message: string }[] }): void {
  const [issue] = issues
  if (issue !== undefined) throw new Error(issue.message)
}
