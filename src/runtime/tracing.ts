import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'
import { GamificationError, isGamificationError } from '../errors.ts'
import type { Eventually } from '../storage/steps.ts'

/** A call of the library, from its beginning to its answer. */
export interface CallTrace {
  /** The name of the call, such as `metrics.event`. */
  readonly operation: string
}

/** Commands of one or several users that are recorded in one commit. */
export interface BatchTrace {
  readonly commands: number
  /** One caller for each command. */
  readonly callers: readonly BatchCaller[]
}

/** The call that waits for a command of a batch. */
export interface BatchCaller {
  /** When the command was queued, by `performance.now()`. */
  readonly queuedAt: number
  /** Runs work in the asynchronous context of the call, with the stores of its `AsyncLocalStorage`. */
  readonly run: <T>(work: () => T) => T
}

/** One operation of the storage: a round trip, or several. */
export interface StorageTrace {
  /** As `commit`, `read`. */
  readonly operation: string
}

/** A user's log that is replayed, because an event is late or voided. */
export interface ReplayTrace {
  readonly tenant: string
  readonly user: string
  readonly commands: number
  /** The number of entries in the log. */
  readonly entries: number
}

type Channel<Trace> = TracingChannel<unknown, Trace & object>

const callChannel: Channel<CallTrace> = tracingChannel('laurels:call')
export const batchChannel: Channel<BatchTrace> = tracingChannel('laurels:batch')
export const storageChannel: Channel<StorageTrace> = tracingChannel('laurels:storage')
export const replayChannel: Channel<ReplayTrace> = tracingChannel('laurels:replay')

/**
 * Runs something and notifies the subscribers of a channel: `start` and `end` around the synchronous part, `asyncStart`
 * and `asyncEnd` when its promise ends, and `error`. All get one object, which has `result` or `error` in the end.
 */
export function trace<Trace extends object, T>(channel: Channel<Trace>, describe: () => Trace, run: () => T): T {
  if (!channel.hasSubscribers) return run()
  const sent: Trace & { result?: unknown; error?: unknown } = describe()
  const fail = (error: unknown): void => {
    sent.error = error
    channel.error.publish(sent)
  }
  const finish = (): void => {
    channel.asyncStart.publish(sent)
    channel.asyncEnd.publish(sent)
  }
  return channel.start.runStores(sent, () => {
    try {
      const result = run()
      if (!(result instanceof Promise)) {
        sent.result = result
        return result
      }
      result.then(
        (value) => {
          sent.result = value
          finish()
        },
        (error: unknown) => {
          fail(error)
          finish()
        },
      )
      return result
    } catch (error) {
      fail(error)
      throw error
    } finally {
      channel.end.publish(sent)
    }
  })
}

export function tracedCall<T>(operation: string, run: () => T): T {
  return trace(callChannel, () => ({ operation }), run)
}

const MESSAGES = {
  internal: 'Internal error in laurels or its storage. Please report it with its cause.',
  outcome_unknown:
    'Internal error in laurels or its storage. It is not known whether anything was saved. Please report it with its cause.',
}

/** Wraps unexpected errors in `GamificationError`. `outcome_unknown` is for methods that write. */
export async function wrapErrors<T>(code: keyof typeof MESSAGES, work: () => Eventually<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw wrapError(code, cause)
  }
}

export function wrapError(code: keyof typeof MESSAGES, cause: unknown): GamificationError {
  return isGamificationError(cause) ? cause : new GamificationError(code, MESSAGES[code], { cause })
}

/** A traced call whose unexpected errors are wrapped. */
export function publicCall<T>(operation: string, code: keyof typeof MESSAGES, run: () => Eventually<T>): Promise<T> {
  return tracedCall(operation, () => wrapErrors(code, run))
}
