import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { StreamLine, StreamProgress } from '../../../src/engine/answers/wire/streams.ts'
import { ApiError, lines } from './api.ts'

/** Work of the server that tells how far it is. */
export interface Stream<Report> {
  readonly state: 'idle' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly progress: StreamProgress | null
  readonly report: Report | null
  readonly error: unknown
  /** Posts the body; what runs of it before is ended. */
  readonly start: (body: unknown) => void
  /** The server ends it between two users. */
  readonly cancel: () => void
}

type Shown<Report> = Omit<Stream<Report>, 'start' | 'cancel'>

const IDLE = { state: 'idle', progress: null, report: null, error: null } as const

/** A route that answers with lines of progress, then a report. It ends when the page is left. */
export function useStream<Report>(path: string): Stream<Report> {
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
  tell: (progress: StreamProgress) => void,
): Promise<Report> {
  for await (const line of lines<StreamLine<Report>>('POST', path, { body, signal })) {
    if ('progress' in line) tell(line.progress)
    else if ('report' in line) return line.report
    else throw new ApiError(500, line.error.code, line.error.error, line.error.issues)
  }
  throw new ApiError(0, 'gone', 'The server ended in the middle.')
}
