import { useEffect, useState } from 'preact/hooks'

const AT_ONCE = 4

/** Loads something for each key, a few at once; what fails is null. */
export function useEach<T>(
  keys: readonly string[],
  load: (key: string, signal: AbortSignal) => Promise<T>,
): ReadonlyMap<string, T | null> {
  const [found, setFound] = useState<ReadonlyMap<string, T | null>>(new Map())
  const id = JSON.stringify(keys)
  useEffect(() => {
    const abort = new AbortController()
    const waiting = [...keys]
    const work = async (): Promise<void> => {
      for (let key = waiting.shift(); key !== undefined && !abort.signal.aborted; key = waiting.shift()) {
        const name = key
        const value = await load(name, abort.signal).catch(() => null)
        if (!abort.signal.aborted) setFound((known) => new Map(known).set(name, value))
      }
    }
    setFound(new Map())
    for (let place = 0; place < AT_ONCE; place += 1) void work()
    return () => abort.abort()
  }, [id])
  return found
}
