import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, toApiError } from '../../client/send.ts'
import { call, lines, type QueryValues } from './api.ts'
import type { CurrentGameResponse, StreamLine, StreamProgress } from './types.ts'

/** The state of an answer. While it reloads, `data` is the previous one. */
export interface Loadable<T> {
  readonly data: T | null
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
}

/**
 * Loads when `keys` change, and drops late answers to earlier loads. When only `version` changes, the previous data stays
 * until the new data arrives.
 */
export function useAnswer<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  version = 0,
): Loadable<T> {
  const [state, setState] = useState<Omit<Loadable<T>, 'reload'>>({ data: null, error: null, isLoading: true })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const id = JSON.stringify(keys)
  const shown = useRef(id)

  useEffect(() => {
    const abort = new AbortController()
    const isSame = shown.current === id
    shown.current = id
    setState(({ data }) => ({ data: isSame ? data : null, error: null, isLoading: true }))
    latest.current(abort.signal).then(
      (data) => abort.signal.aborted || setState({ data, error: null, isLoading: false }),
      (error: unknown) => abort.signal.aborted || setState(({ data }) => ({ data, error, isLoading: false })),
    )
    return () => abort.abort()
  }, [id, round, version])

  const reload = useCallback(() => setRound((count) => count + 1), [])
  return { ...state, reload }
}

/** The answer of a route. It loads again when the path or the query changes. */
export function useGet<T>(path: string, query: QueryValues = {}): Loadable<T> {
  return useAnswer((signal) => call<T>('GET', path, { query, signal }), [path, query])
}

/** The answer of a route, with the game in force. */
export function useWithGame<T>(path: string, query: QueryValues = {}): Loadable<{ all: T; game: CurrentGameResponse }> {
  const load = async (signal: AbortSignal) => {
    const [all, game] = await Promise.all([
      call<T>('GET', path, { query, signal }),
      call<CurrentGameResponse>('GET', 'admin/v1/game', { signal }),
    ])
    return { all, game }
  }
  return useAnswer(load, [path, query])
}

/** Work on the server that reports its progress. */
export interface StreamState<Report> {
  readonly state: 'idle' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly progress: StreamProgress | null
  readonly report: Report | null
  readonly error: unknown
  /** Posts the body. Ends an earlier run. */
  readonly start: (body: unknown) => void
  /** The server stops between two users. */
  readonly cancel: () => void
}

type Shown<Report> = Omit<StreamState<Report>, 'start' | 'cancel'>

const IDLE = { state: 'idle', progress: null, report: null, error: null } as const

/** A route that answers with lines of progress, then a report. It ends when the page is left. */
export function useStream<Report>(path: string): StreamState<Report> {
  const [shown, setShown] = useState<Shown<Report>>(IDLE)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const cancel = useCallback(() => {
    running.current?.abort()
    running.current = null
    setShown((before) => (before.state === 'running' ? { ...before, state: 'cancelled' } : before))
  }, [])

  const start = useCallback(
    (body: unknown) => {
      running.current?.abort()
      const own = new AbortController()
      running.current = own
      const show = (next: (before: Shown<Report>) => Shown<Report>): void => {
        if (running.current === own) setShown(next)
      }
      setShown({ ...IDLE, state: 'running' })
      void read<Report>(path, body, own.signal, (progress) => show((before) => ({ ...before, progress }))).then(
        (report) => show((before) => ({ ...before, state: 'done', report })),
        (error: unknown) => show((before) => ({ ...before, state: 'failed', error })),
      )
    },
    [path],
  )
  return { ...shown, start, cancel }
}

async function read<Report>(
  path: string,
  body: unknown,
  signal: AbortSignal,
  report: (progress: StreamProgress) => void,
): Promise<Report> {
  for await (const line of lines<StreamLine<Report>>('POST', path, { body, signal })) {
    if ('progress' in line) report(line.progress)
    else if ('report' in line) return line.report
    else throw toApiError({ method: 'POST', path, idempotencyKey: null }, 500, line.error)
  }
  throw new ApiError('The server ended in the middle.', { status: null, code: 'no_answer' })
}

/** The value after it has not changed for a while, so that the page does not send a request for each letter. */
export function useDebounced<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 250)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
