import { useEffect, useState } from 'preact/hooks'
import type { ActivityDay, ActivityResponse } from '../../../../../src/api/users/types.ts'
import { call } from '../../api.ts'

export interface Activity {
  /** The oldest first, as far as they have come: the newest come first. */
  readonly days: readonly ActivityDay[]
  readonly isWhole: boolean
  readonly error: unknown
  readonly reload: () => void
}

const NOTHING = { days: [], isWhole: false, error: null }

/** The figures of some dates in UTC; the server answers as many at once as take no time, and is asked for the rest. */
export function useActivity(from: string, to: string): Activity {
  const [state, setState] = useState<Omit<Activity, 'reload'>>(NOTHING)
  const [round, setRound] = useState(0)

  useEffect(() => {
    const abort = new AbortController()
    setState(({ days }) => ({ ...NOTHING, days: days[0]?.date === from ? days : [] }))
    void read(from, to, abort.signal, setState)
    return () => abort.abort()
  }, [from, to, round])

  return { ...state, reload: () => setRound(round + 1) }
}

async function read(
  from: string,
  to: string,
  signal: AbortSignal,
  show: (state: Omit<Activity, 'reload'>) => void,
): Promise<void> {
  let days: readonly ActivityDay[] = []
  try {
    for (let before: string | null = to; before !== null; ) {
      const query = { from, to: before }
      const answer: ActivityResponse = await call('GET', 'admin/v1/activity', { query, signal })
      days = [...[...answer.days].reverse(), ...days]
      before = answer.before
      if (!signal.aborted) show({ days, isWhole: before === null, error: null })
    }
  } catch (error) {
    if (!signal.aborted) show({ days, isWhole: false, error })
  }
}
