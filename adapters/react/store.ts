import type { Query } from '../client/queries.ts'

/** The answer of one query as components show it. */
export interface Shown<Data> {
  /**
   * `null` if it is not loaded, or the user is not known yet. It stays while a newer answer loads, and after an error.
   */
  readonly data: Data | null
  /** The error of the newest attempt, such as an `ApiError`, or `null` if it did not fail. */
  readonly error: unknown
  readonly isLoading: boolean
}

/** Adds an unconfirmed event to the shown data. */
export type PendingChange<Data> = (data: Data) => Data

/** One query in the store, with the components that show it. */
export interface CacheEntry<Data = unknown> {
  readonly query: Query<Data>
  /** The data that a server renders, and that a browser uses while it hydrates. */
  readonly first: Shown<Data>
  shown: Shown<Data>
  answer: Data | null
  error: unknown
  /** The newest request. Older ones no longer count. */
  loading: Promise<void> | null
  /** True while nothing has happened that could have changed the answer. */
  isFresh: boolean
  /** Events whose effect `answer` may lack. */
  changes: readonly PendingChange<Data>[]
  /** The number of events under way. Until it is 0, a new answer may or may not contain them. */
  sending: number
  readonly listeners: Set<() => void>
}

export function createEntry<Data>(query: Query<Data>, given: Data | undefined): CacheEntry<Data> {
  const first = { data: given ?? null, error: null, isLoading: given === undefined }
  return {
    query,
    first,
    shown: first,
    answer: first.data,
    error: null,
    loading: null,
    isFresh: given !== undefined,
    changes: [],
    sending: 0,
    listeners: new Set(),
  }
}

function show<Data>(entry: CacheEntry<Data>): void {
  const { answer, changes, error, loading, isFresh } = entry
  const data = answer === null ? null : changes.reduce<Data>((known, change) => change(known), answer)
  const isLoaded = isFresh || answer !== null || error !== null
  entry.shown = { data, error, isLoading: loading !== null || !isLoaded }
  for (const changed of entry.listeners) changed()
}

/** Sends the query. Resolves when the answer or the error is shown, and never rejects. */
export function load<Data>(entry: CacheEntry<Data>): Promise<void> {
  // The end of the last event loads.
  if (entry.sending > 0 && entry.answer !== null) return Promise.resolve()
  const finish = (answer: Data | null, error: unknown): void => {
    if (entry.loading !== loading) return
    Object.assign(entry, { answer, error, loading: null, isFresh: error === null })
    if (error === null) entry.changes = []
    show(entry)
  }
  const loading: Promise<void> = entry.query.queryFn().then(
    (answer) => finish(answer, null),
    (error) => (isUnknownUser(error) ? finish(null, null) : finish(entry.answer, error)),
  )
  entry.loading = loading
  show(entry)
  return loading
}

/** A user who has done nothing yet is unknown to the API. For a page that is no error. */
function isUnknownUser(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'unknown_user'
}

/** Shows the query in a component until the returned function is called. */
export function subscribe(entry: CacheEntry, changed: () => void): () => void {
  entry.listeners.add(changed)
  if (!entry.isFresh && entry.loading === null) void load(entry)
  return () => {
    entry.listeners.delete(changed)
    // React in development, and a change of the page, put a component back at once.
    queueMicrotask(() => {
      if (entry.listeners.size > 0) return
      // The next component shows the answer that there is, and loads again.
      Object.assign(entry, { isFresh: false, loading: null })
      show(entry)
    })
  }
}

/** Loads a query again if a component shows it. Otherwise the next component that shows it does. */
export function refresh(entry: CacheEntry): Promise<void> {
  if (entry.listeners.size > 0 || entry.loading !== null) return load(entry)
  Object.assign(entry, { isFresh: false, error: null })
  show(entry)
  return Promise.resolve()
}

/** Shows the changes of an event. No other event may be in flight. */
export function replace<Data>(entry: CacheEntry<Data>, change: PendingChange<Data>): void {
  if (entry.answer === null) return
  Object.assign(entry, { answer: change(entry.answer), changes: [] })
  show(entry)
}

/** Shows an event at once. Call the returned function when it is answered or has failed, and then `refresh`. */
export function addChange<Data>(entry: CacheEntry<Data>, change: PendingChange<Data>): (isCounted: boolean) => void {
  entry.sending += 1
  if (entry.answer !== null) {
    // A request under way may or may not contain the event.
    entry.loading = null
    entry.changes = [...entry.changes, change]
    show(entry)
  }
  return (isCounted) => {
    entry.sending -= 1
    if (!isCounted) entry.changes = entry.changes.filter((each) => each !== change)
    show(entry)
  }
}
