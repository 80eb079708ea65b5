import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

/** What is there of an answer: while it is loaded anew the one before is still shown. */
export interface Answer<T> {
  readonly data: T | null
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
}

/**
 * Loads when `keys` change; what comes late of an earlier load is dropped. When only `version` changes, what was there is
 * shown until the new is.
 */
export function useAnswer<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  version = 0,
): Answer<T> {
  const [state, setState] = useState<Omit<Answer<T>, 'reload'>>({ data: null, error: null, isLoading: true })
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
