import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type {
  DefinedGame,
  KeysOf,
  MetricEventResponse,
  MetricKey,
  PointsBalance,
  PointsStatement,
  UserPreferences,
} from '../../src/index.ts'
import type { ClientEvent, GamificationClient } from '../client/api.ts'
import { createClient } from '../client/index.ts'
import { createQueries, type Queries, type Query } from '../client/queries.ts'
import { ApiError } from '../client/send.ts'
import {
  type Choices,
  cacheEntryOf,
  change,
  choose,
  createStore,
  refreshAll,
  type Store,
  setToasts,
  type Toast,
  track,
} from './events.ts'
import { type CacheEntry, load, type Shown, subscribe } from './store.ts'

export type { Choices, Toast } from './events.ts'
export type { Shown } from './store.ts'

/**
 * Names your game once, so that every hook knows its keys:
 * `declare module 'laurels/react' { interface Register { game: typeof game } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: a host adds the member.
export interface Register {}

/** The game of `Register`, or any game. */
export type RegisteredGame = Register extends { readonly game: infer G extends DefinedGame } ? G : DefinedGame

const Context = createContext<Store | null>(null)

/** The client, or the base URL of the API for the signed-in user. */
type Source =
  | { readonly client: GamificationClient<never>; readonly baseUrl?: never }
  | { readonly baseUrl: string | URL; readonly client?: never }

export type LaurelsProviderProps = Source & {
  /** The id of the signed-in user. */
  readonly userId: string
  readonly children?: ReactNode
}

/** Gives the hooks below it a client, a user, and a cache of their own. Another user starts with an empty cache. */
export function LaurelsProvider({ client, baseUrl, userId, children }: LaurelsProviderProps): ReactElement {
  const url = baseUrl === undefined ? undefined : String(baseUrl)
  const store = useMemo(
    () => createStore(client ?? createClient({ baseUrl: url as string }), userId),
    [client, url, userId],
  )
  return createElement(Context.Provider, { value: store }, children)
}

function useStore(): Store {
  const store = useContext(Context)
  if (store === null) throw new Error('Put a <LaurelsProvider> around the components that use hooks of laurels/react.')
  return store
}

/** Options of every hook that reads. */
export interface ReadOptions<Data> {
  /** An answer that the server has read already. It is shown at once, and loaded again only when it may have changed. */
  readonly initialData?: Data
  /** If true, the component suspends until the first answer, and throws its error to the nearest error boundary. */
  readonly suspense?: boolean
}

type Answer<G extends DefinedGame, Name extends keyof Queries<G>> =
  ReturnType<Queries<G>[Name]> extends Query<infer Data> ? Data : never

/** The options of a hook whose query takes its request as the argument `At`. */
type Options<G extends DefinedGame, Name extends keyof Queries<G>, At extends number> = NonNullable<
  Parameters<Queries<G>[Name]>[At]
> &
  ReadOptions<Answer<G, Name>>

/** The user's total of a metric. It shows events under way at once. */
export function useMetric<G extends DefinedGame = RegisteredGame>(
  metric: MetricKey<G>,
  options: ReadOptions<Answer<G, 'metric'>> = {},
): Shown<Answer<G, 'metric'>> {
  return useRead(options, (queries: Queries<G>) => queries.metric(metric))
}

/** The user's achievements with their progress. Includes achievements that are not completed. */
export function useAchievements<G extends DefinedGame = RegisteredGame>(
  options: Options<G, 'achievements', 0> = {},
): Shown<Answer<G, 'achievements'>> {
  return useRead({ includeIncomplete: true, ...options }, (queries: Queries<G>, request) =>
    queries.achievements(request),
  )
}

/** The user's streak. `streak` names another than the main one. */
export function useStreak<G extends DefinedGame = RegisteredGame>(
  options: Options<G, 'streak', 0> = {},
): Shown<Answer<G, 'streak'>> {
  return useRead(options, (queries: Queries<G>, request) => queries.streak(request))
}

/** The user's total, level and newest awards in a points system. */
export function usePoints<G extends DefinedGame = RegisteredGame>(
  system: Parameters<Queries<G>['points']>[0],
  options: Options<G, 'points', 1> = {},
): Shown<Answer<G, 'points'>> {
  return useRead(options, (queries: Queries<G>, request) => queries.points(system, request))
}

/** A page of a leaderboard, or with `userId` the places around that user. */
export function useLeaderboard<G extends DefinedGame = RegisteredGame>(
  leaderboard: Parameters<Queries<G>['leaderboard']>[0],
  options: Options<G, 'leaderboard', 1> = {},
): Shown<Answer<G, 'leaderboard'>> {
  return useRead(options, (queries: Queries<G>, request) => queries.leaderboard(leaderboard, request))
}

function useRead<G extends DefinedGame, Request extends object, Data>(
  options: Request & ReadOptions<Data>,
  toQuery: (queries: Queries<G>, request: Request) => Query<Data>,
): Shown<Data> {
  const store = useStore()
  const { suspense = false, initialData, ...request } = options
  const queries: Queries<G> = createQueries<G>(store.client, store.userId)
  const entry = cacheEntryOf(store, toQuery(queries, request as Request), initialData)
  const read = (): Shown<Data> => entry.shown
  const shown = useSyncExternalStore(
    useCallback((changed: () => void) => subscribe(entry as CacheEntry, changed), [entry]),
    read,
    // A suspended component hydrates when the data is there.
    suspense ? read : () => entry.first,
  )
  if (suspense && shown.data === null) {
    if (shown.error !== null) throw shown.error
    if (shown.isLoading) throw entry.loading ?? load(entry)
  }
  return shown
}

/** An event of the user. It happens when it arrives. */
export type TrackedEvent<G extends DefinedGame = RegisteredGame> = Omit<ClientEvent<G>, 'user'>

/** The result of `useTrackEvent`. */
export interface TrackEvent<G extends DefinedGame> {
  /**
   * Sends an event, and refreshes the data that it changed. Never rejects: it resolves to null if it failed, and
   * `error` has the reason.
   */
  readonly track: (metric: MetricKey<G>, event: TrackedEvent<G>) => Promise<MetricEventResponse<KeysOf<G>> | null>
  readonly isSending: boolean
  /** The error of the newest event, or `null` if it did not fail. */
  readonly error: unknown
  /** Sends the failed event again. It counts once, even if the first attempt arrived. `null` if no event failed. */
  readonly retry: (() => Promise<MetricEventResponse<KeysOf<G>> | null>) | null
}

interface Sending<G extends DefinedGame> {
  readonly count: number
  readonly error: unknown
  readonly failed: readonly [metric: MetricKey<G>, event: TrackedEvent<G>] | null
}

/** Sends events of the user. */
export function useTrackEvent<G extends DefinedGame = RegisteredGame>(): TrackEvent<G> {
  const store = useStore()
  const [{ count, error, failed }, set] = useState<Sending<G>>({ count: 0, error: null, failed: null })
  const send = useCallback<TrackEvent<G>['track']>(
    async (metric, event) => {
      set((now) => ({ count: now.count + 1, error: null, failed: null }))
      try {
        const answer = await track(store, metric, event)
        set((now) => ({ ...now, count: now.count - 1 }))
        // The keys in the answer are the keys of the game that answered.
        return answer as MetricEventResponse<KeysOf<G>>
      } catch (error) {
        const idempotencyKey = error instanceof ApiError ? error.idempotencyKey : null
        const again = idempotencyKey === null ? event : { ...event, idempotencyKey }
        set((now) => ({ count: now.count - 1, error, failed: [metric, again] }))
        return null
      }
    },
    [store],
  )
  return { track: send, isSending: count > 0, error, retry: failed && (() => send(...failed)) }
}

/** The result of `useChoices`. */
export interface ShownChoices extends Shown<UserPreferences> {
  /**
   * Saves choices, and loads again what components show. Never rejects: it resolves to false if it failed, and `error`
   * has the reason.
   */
  readonly choose: (choices: Choices) => Promise<boolean>
  readonly isSaving: boolean
}

/** The user's preferences, with the choices to hide on leaderboards, or to turn the game off. */
export function useChoices(options: ReadOptions<UserPreferences> = {}): ShownChoices {
  const store = useStore()
  const shown = useRead(options, (queries) => queries.preferences())
  const { save, isSaving, error } = useSave()
  const chooseAll = useCallback<ShownChoices['choose']>((choices) => save(() => choose(store, choices)), [save, store])
  return { ...shown, error: error ?? shown.error, choose: chooseAll, isSaving }
}

/** The result of `useChallenges`. The functions resolve to false if they failed, and `error` has the reason. */
export interface ShownChallenges<G extends DefinedGame> extends Shown<Answer<G, 'challenges'>> {
  readonly enrol: (challenge: Challenge<G>) => Promise<boolean>
  readonly abandon: (challenge: Challenge<G>) => Promise<boolean>
  /** Takes the reward of a completed quest. `quest` names it in a challenge with a pool. */
  readonly claim: (challenge: Challenge<G>, quest?: string) => Promise<boolean>
  /** Replaces a quest for which nothing has counted. */
  readonly reroll: (challenge: Challenge<G>, quest: string) => Promise<boolean>
  readonly isSaving: boolean
}

type Challenge<G extends DefinedGame> = Parameters<GamificationClient<G>['challenges']['claim']>[0]

/** The user's challenges: the quests of the current windows, their progress, and rewards that wait. */
export function useChallenges<G extends DefinedGame = RegisteredGame>(
  options: ReadOptions<Answer<G, 'challenges'>> = {},
): ShownChallenges<G> {
  const store = useStore()
  const shown = useRead(options, (queries: Queries<G>) => queries.challenges())
  const { save, isSaving, error } = useSave()
  const acts = useMemo(() => {
    const { userId: user } = store
    const act = (call: (client: GamificationClient['challenges']) => Promise<unknown>) =>
      save(() => change(store, ({ challenges }) => call(challenges)))
    return {
      enrol: (challenge: string) => act((calls) => calls.enrol(challenge, { user })),
      abandon: (challenge: string) => act((calls) => calls.abandon(challenge, { user })),
      claim: (challenge: string, quest?: string) =>
        act((calls) => calls.claim(challenge, { user, ...(quest === undefined ? {} : { quest }) })),
      reroll: (challenge: string, quest: string) => act((calls) => calls.reroll(challenge, { user, quest })),
    }
  }, [save, store])
  return { ...shown, ...acts, error: error ?? shown.error, isSaving }
}

/** The result of `useWallet`. */
export interface ShownWallet extends Shown<PointsBalance> {
  readonly statement: Shown<PointsStatement>
}

/** The points that the user can spend of a system, and the newest `limit` lines of the statement, default 10. */
export function useWallet<G extends DefinedGame = RegisteredGame>(
  system: Parameters<Queries<G>['balance']>[0],
  { limit = 10, ...options }: ReadOptions<PointsBalance> & { readonly limit?: number } = {},
): ShownWallet {
  const shown = useRead(options, (queries: Queries<G>) => queries.balance(system))
  const statement = useRead({}, (queries: Queries<G>) => queries.statement({ system, limit }))
  return { ...shown, statement }
}

/** The result of `useRewards`. */
export interface ShownRewards<G extends DefinedGame> extends Shown<Answer<G, 'rewards'>> {
  /** The redemptions of the user, the newest first. */
  readonly redemptions: Shown<Answer<G, 'redemptions'>>
  /**
   * Buys a reward for the user, and loads again what components show. Resolves to false if it failed, and `error` has the
   * reason, such as an `ApiError` with the code `insufficient_points`.
   */
  readonly redeem: (reward: Parameters<GamificationClient<G>['rewards']['redeem']>[0]) => Promise<boolean>
  readonly isSaving: boolean
}

/** The catalogue of rewards with what is left, and what the user has redeemed. */
export function useRewards<G extends DefinedGame = RegisteredGame>(
  options: ReadOptions<Answer<G, 'rewards'>> = {},
): ShownRewards<G> {
  const store = useStore()
  const shown = useRead(options, (queries: Queries<G>) => queries.rewards())
  const redemptions = useRead({}, (queries: Queries<G>) => queries.redemptions())
  const { save, isSaving, error } = useSave()
  const redeem = useCallback(
    (reward: string) => save(() => change(store, ({ rewards }) => rewards.redeem(reward, { user: store.userId }))),
    [save, store],
  )
  return { ...shown, redemptions, error: error ?? shown.error, redeem, isSaving }
}

interface Saves {
  readonly save: (call: () => Promise<void>) => Promise<boolean>
  readonly isSaving: boolean
  /** The error of the newest call, or `null` if it did not fail. */
  readonly error: unknown
}

function useSave(): Saves {
  const [{ count, error }, set] = useState<{ readonly count: number; readonly error: unknown }>({
    count: 0,
    error: null,
  })
  const save = useCallback(async (call: () => Promise<void>) => {
    set((now) => ({ count: now.count + 1, error: null }))
    const failure = await call().then(
      () => null,
      (reason: unknown) => reason,
    )
    set((now) => ({ count: now.count - 1, error: failure }))
    return failure === null
  }, [])
  return { save, isSaving: count > 0, error }
}

/** Rewards of events, the oldest first, until you dismiss them. All components of a provider share the list. */
export function useToasts(): { readonly toasts: readonly Toast[]; readonly dismiss: (id: number) => void } {
  const store = useStore()
  const subscribeToasts = useCallback(
    (changed: () => void) => {
      store.toastListeners.add(changed)
      return () => void store.toastListeners.delete(changed)
    },
    [store],
  )
  const read = (): readonly Toast[] => store.toasts
  const toasts = useSyncExternalStore(subscribeToasts, read, read)
  const dismiss = useCallback(
    (id: number) =>
      setToasts(
        store,
        store.toasts.filter((toast) => toast.id !== id),
      ),
    [store],
  )
  return { toasts, dismiss }
}

/**
 * The client and the user of the provider. `refresh` reloads everything that is shown, and resolves when that is done.
 */
export function useLaurels<G extends DefinedGame = RegisteredGame>(): {
  readonly client: GamificationClient<G>
  readonly userId: string
  readonly refresh: () => Promise<void>
} {
  const store = useStore()
  const refresh = useCallback(() => refreshAll(store), [store])
  return { client: store.client as GamificationClient<G>, userId: store.userId, refresh }
}
