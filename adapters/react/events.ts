import type {
  MetricEventResponse,
  MetricResponse,
  MovedQuest,
  PointsLevel,
  UserAchievement,
  UserPreferences,
  UserStreak,
} from '../../src/index.ts'
import type { ClientEvent, GamificationClient } from '../client/api.ts'
import type { Query } from '../client/queries.ts'
import { addChange, type CacheEntry, createEntry, refresh, replace } from './store.ts'

type Earned =
  | { readonly type: 'achievement'; readonly achievement: UserAchievement }
  /** A quest that the event completed. With `quest.claimUntil`, its reward waits to be claimed. */
  | { readonly type: 'challenge'; readonly challenge: MovedQuest }
  | { readonly type: 'level'; readonly system: string; readonly level: PointsLevel }
  /** `streak`: the key of a named streak, or null. */
  | {
      readonly type: 'streak'
      readonly streak: string | null
      readonly length: number
      readonly frequency: UserStreak['frequency']
    }
  | { readonly type: 'points'; readonly system: string; readonly name: string; readonly added: number }

/** Something that an event earned, to show for a moment. */
export type Toast = Earned & { readonly id: number }

/** More than a page can show. */
const MOST_TOASTS = 20

/** The state of one provider: the answers, and the toasts that were not dismissed. */
export interface Store {
  readonly client: GamificationClient
  readonly userId: string
  readonly entries: Map<string, CacheEntry>
  readonly toastListeners: Set<() => void>
  toasts: readonly Toast[]
  /** The number of events under way, and of all that were sent. */
  sending: number
  sent: number
}

export function createStore(client: GamificationClient, userId: string): Store {
  return { client, userId, entries: new Map(), toastListeners: new Set(), toasts: [], sending: 0, sent: 0 }
}

/** The entry of a query. Queries with equal keys share one. */
export function cacheEntryOf<Data>({ entries }: Store, query: Query<Data>, given: Data | undefined): CacheEntry<Data> {
  const key = JSON.stringify(query.queryKey)
  // The key has the name and the arguments of the read, which decide the type of its answer.
  const entry = (entries.get(key) as CacheEntry<Data> | undefined) ?? createEntry(query, given)
  entries.set(key, entry as CacheEntry)
  return entry
}

/** Loads again what components show. */
export async function refreshAll({ entries }: Store): Promise<void> {
  await Promise.all([...entries.values()].map(refresh))
}

export function setToasts(store: Store, toasts: readonly Toast[]): void {
  store.toasts = toasts.slice(-MOST_TOASTS)
  for (const changed of store.toastListeners) changed()
}

/** Sends an event. Its total is shown at once, and everything else when the event is answered. */
export async function track(
  store: Store,
  metric: string,
  event: Omit<ClientEvent, 'user'>,
): Promise<MetricEventResponse> {
  const { client, userId, entries } = store
  const settles = [...entries.values()]
    .filter(({ query: { queryKey } }) => queryKey[1] === 'metric' && queryKey[3] === metric)
    .map((entry) => addChange(entry as CacheEntry<MetricResponse>, (shown) => addEvent(shown, event.value)))
  const number = ++store.sent
  const isFirst = store.sending === 0
  const end = (isCounted: boolean): void => {
    store.sending -= 1
    for (const settle of settles) settle(isCounted)
  }
  store.sending += 1
  try {
    const answer = await client.metrics.event(metric, { ...event, user: { id: userId } })
    end(true)
    // The answers of events that overlap may arrive in another order.
    showAnswer(store, metric, answer, isFirst && number === store.sent)
    setToasts(store, [...store.toasts, ...toToasts(answer)])
    return answer
  } catch (error) {
    end(false)
    // Without an answer, the event may have counted.
    void refreshAll(store)
    throw error
  }
}

/** The choices that users make for themselves. */
export type Choices = Partial<Pick<UserPreferences, 'leaderboards' | 'gamification'>>

/** Saves choices. They are shown at once, and everything is loaded again when they are answered. */
export async function choose(store: Store, choices: Choices): Promise<void> {
  const { client, userId, entries } = store
  const settles = [...entries.values()]
    .filter(({ query: { queryKey } }) => queryKey[1] === 'preferences')
    .map((entry) => addChange(entry as CacheEntry<UserPreferences>, (shown) => ({ ...shown, ...choices })))
  let isSaved = false
  try {
    await client.users.updatePreferences(userId, choices)
    isSaved = true
  } finally {
    for (const settle of settles) settle(isSaved)
    void refreshAll(store)
  }
}

/** Makes a call that changes the user, and loads everything again. */
export async function change(store: Store, call: (client: GamificationClient) => Promise<unknown>): Promise<void> {
  try {
    await call(store.client)
  } finally {
    void refreshAll(store)
  }
}

/** The total with the event, if it follows without the rules: `max` and `min` do not tell whether there was a value. */
function addEvent(shown: MetricResponse, value: number): MetricResponse {
  const { aggregation, current } = shown
  if (aggregation === 'last') return { ...shown, current: value }
  return aggregation === undefined ? { ...shown, current: Number((current + value).toPrecision(15)) } : shown
}

function showAnswer(store: Store, metric: string, answer: MetricEventResponse, isAlone: boolean): void {
  for (const entry of store.entries.values()) {
    const known = changedIn(entry, metric, answer)
    if (known !== null && known !== UNKNOWN && isAlone) replace(entry, (shown) => ({ ...(shown as object), ...known }))
    // A replayed event does not contain the changes of the first attempt.
    if (known !== null || answer.idempotentReplayed === true) void refresh(entry)
  }
}

/** Only the next read tells what changed. */
const UNKNOWN: object = {}

/**
 * The changes that an event made to the answer of a query, as far as the event's answer has them. Returns `null` if
 * there are none.
 */
function changedIn({ query, answer: shown }: CacheEntry, metric: string, answer: MetricEventResponse): object | null {
  const [, name, of, subject] = query.queryKey
  const { total, achievements, progressed, points, leaderboards } = answer
  if (name === 'metric') return subject === metric ? { current: total } : null
  if (name === 'preferences') return null
  // An event may earn points of any system.
  if (name === 'balance' || name === 'statement') return UNKNOWN
  if (name === 'rewards' || name === 'redemptions') return null
  // An event may count in any of them.
  if (name === 'challenges') return UNKNOWN
  if (name === 'achievements') return achievements.length > 0 || progressed !== undefined ? UNKNOWN : null
  if (name === 'leaderboard') return String(of) in leaderboards ? UNKNOWN : null
  if (name === 'points') {
    const change = points[String(subject)]
    if (change === undefined) return null
    return change.level === undefined ? { total: change.total } : { total: change.total, level: change.level }
  }
  const { streak: named } = subject as { readonly streak?: string }
  const current = named === undefined ? answer.currentStreak : answer.streaks?.[named]
  if (current === undefined) return null
  const { extended, ...streak } = current
  return extended || streak.length !== (shown as UserStreak | null)?.length ? streak : null
}

/** A completed quest is also among those that moved when the time to claim its reward is over. */
function isNewlyCompleted({ quest: { completedAt, claimed, claimUntil } }: MovedQuest): boolean {
  return completedAt !== null && (claimed || claimUntil !== null)
}

let lastId = 0

function toToasts({
  achievements,
  challenges = [],
  points,
  currentStreak,
  streaks = {},
}: MetricEventResponse): readonly Toast[] {
  const changes = Object.entries(points)
  const all = [...Object.entries(streaks), [null, currentStreak] as const]
  const earned: readonly Earned[] = [
    ...achievements.map((achievement) => ({ type: 'achievement', achievement }) as const),
    ...challenges.filter(isNewlyCompleted).map((challenge) => ({ type: 'challenge', challenge }) as const),
    ...changes.flatMap(([system, { level }]) => (level ? [{ type: 'level', system, level } as const] : [])),
    ...all.flatMap(([streak, { extended, length, frequency }]) =>
      extended ? [{ type: 'streak', streak, length, frequency } as const] : [],
    ),
    ...changes.flatMap(([system, { name, added }]) =>
      added > 0 ? [{ type: 'points', system, name, added } as const] : [],
    ),
  ]
  return earned.map((each) => ({ ...each, id: ++lastId }))
}
