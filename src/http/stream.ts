import type { WalkProgress } from '../api/operate/requests.ts'
import type { Problem, StreamLine } from '../shapes/operate.ts'
import type { HttpResponse } from './exchange.ts'
import { HttpProblem } from './problem.ts'

/** An answer that is made while it is sent. */
export interface Stream {
  /** Lines of JSON, to be read once. The last has the report, or what `toError` makes of a failure. */
  lines(toError: (error: unknown) => Problem): AsyncIterable<string>
}

/** A walk over users, which reports its progress and can be aborted. */
export interface Walk<Report> {
  /** The key of work that cannot run twice at once in this process. */
  readonly kind: object
  /** How many users there are to look at, or `null` if it is not known. */
  readonly of: number | null
  run(control: { readonly onProgress: (progress: WalkProgress) => void; readonly signal: AbortSignal }): Promise<Report>
}

/** The interval of progress lines. An error within the first interval is an HTTP error, not a line. */
const EVERY_MS = 200
const RETRY_AFTER_SECONDS = '5'

/** Which walks are under way. A client that has gone still has its walk end between two users. */
const running = new WeakSet<object>()

/**
 * Begins a walk, and returns its stream. Throws 429 while a walk of its kind is under way, and an error that comes before
 * the first progress.
 */
export async function startStream<Report>({ kind, of, run }: Walk<Report>): Promise<Stream> {
  if (running.has(kind)) {
    const headers = { 'retry-after': RETRY_AFTER_SECONDS }
    throw new HttpProblem('too_many_requests', 'One of these is under way in this process: wait for its end.', {
      headers,
    })
  }
  running.add(kind)
  const ending = new AbortController()
  let progress: WalkProgress = { users: 0, entries: 0, last: null }
  const begun = Promise.withResolvers<void>()
  const onProgress = (next: WalkProgress): void => {
    progress = next
    begun.resolve()
  }
  const done = run({ onProgress, signal: ending.signal }).finally(() => running.delete(kind))
  // The reader of the stream gets the error. There may be no reader.
  done.catch(() => undefined)
  await Promise.race([done, begun.promise, pause(done)])

  async function* tell(toError: (error: unknown) => Problem): AsyncGenerator<StreamLine<Report>> {
    try {
      while (!(await pause(done))) yield { progress: { ...progress, of } }
      yield { report: await done }
    } catch (error) {
      yield { error: toError(error) }
    }
  }

  return { lines: (toError) => toTexts(tell(toError), () => ending.abort()) }
}

/** Waits for the next progress line. Returns true if the work ended before; rejects if it failed. */
async function pause(done: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const later = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), EVERY_MS)
  })
  try {
    return await Promise.race([done.then(() => true), later])
  } finally {
    clearTimeout(timer)
  }
}

/** Calls `end` when the reader stops, even before the first line. */
function toTexts<Report>(lines: AsyncGenerator<StreamLine<Report>>, end: () => void): AsyncIterable<string> {
  const toText = ({ value, done }: IteratorResult<StreamLine<Report>>): IteratorResult<string> =>
    done === true ? { value: undefined, done } : { value: `${JSON.stringify(value)}\n`, done: false }
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => toText(await lines.next()),
      return: async () => {
        end()
        return { value: undefined, done: true }
      },
    }),
  }
}

export function isStream(body: HttpResponse['body']): body is AsyncIterable<string> {
  return typeof body === 'object' && Symbol.asyncIterator in body
}
