import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { GamificationError, isGamificationError } from '../errors.ts'
import type { CommandOutcome, TimedCommand } from '../runtime/command.ts'
import type { Context, Recorder } from '../runtime/context.ts'
import { NEVER } from '../runtime/deadline.ts'
import { batchChannel, trace } from '../runtime/tracing.ts'
import { growingPauses } from '../storage/growing-pauses.ts'
import { userKeyText } from '../storage/rows.ts'
import { type BatchOutcome, endOf, type Failed, LOCKED, type Reason, type ReasonOf, tryBatch } from './accept/batch.ts'
import { createQueue, type Queue, takeTogether } from './batch-queue.ts'
import { recordLate } from './locked-user.ts'

const MOST_IN_BATCH = 64
/** Imports have no caller waiting for each item, so their batches can be larger. */
const MOST_IN_IMPORT_BATCH = 256
const MOST_OF_ONE_USER = 1_000

interface OwnCommand extends TimedCommand {
  readonly isLocked: boolean
}

interface UserQueue extends Queue<OwnCommand, BatchOutcome> {
  readonly reason: Reason
}

type Dependencies = Pick<Context, 'storage' | 'games' | 'newId' | 'messageSignal'>

/**
 * One queue collects the commands of all users. Late commands, commands of locked users, and commands that failed with
 * others go to the queue of their user. While that queue is busy, it is the mutex of the user: later commands follow
 * there.
 */
export function createRecorder(dependencies: Dependencies): Recorder {
  const { userQueues, queueOf, reasonOf } = createUserQueues(dependencies)
  const recordBatch = (isRanked: boolean) => (commands: readonly TimedCommand[]) => {
    const describe = () => ({ commands: commands.length, callers: commands.flatMap(({ caller }) => caller ?? []) })
    const run = async () => (await tryBatch(dependencies, commands, isRanked, reasonOf)).outcomes
    return trace(batchChannel, describe, run)
  }
  const queue = createQueue(recordBatch(true), MOST_IN_BATCH, userKeyText)
  // No caller reads the ranks during an import.
  const importQueue = createQueue(recordBatch(false), MOST_IN_IMPORT_BATCH, userKeyText, takeTogether)

  /** Records a command, in the queue of its user if no batch has recorded it. */
  async function recordUntilSaved(
    first: Queue<TimedCommand, BatchOutcome>,
    command: TimedCommand,
  ): Promise<CommandOutcome> {
    try {
      let handled = await first.push(withCaller(command))
      while (typeof handled === 'symbol') {
        // Late items of an import wait for one another, so that many share a replay.
        if (first === importQueue) await importQueue.drained()
        handled = await queueOf(command, handled).push({ ...command, isLocked: handled === LOCKED })
      }
      if (handled.type === 'failed') throw handled.error
      return handled
    } catch (error) {
      return rethrow(error)
    }
  }

  let count = 0

  return {
    get count() {
      return count
    },
    record: (command) => {
      count += 1
      return recordUntilSaved(queue, command)
    },
    recordItem: (command) => recordUntilSaved(importQueue, command),
    drained: async () => {
      do {
        for (const each of [queue, importQueue, ...userQueues.values()]) await each.drained()
        // A command that one of them lets go may be sent to another.
        await nextTurn()
      } while (!queue.isIdle() || !importQueue.isIdle() || userQueues.size > 0)
    },
  }
}

/** Tries a locked user again after pauses. It takes no connection during a pause, so other users continue. */
async function recordOwn(
  dependencies: Dependencies,
  commands: readonly OwnCommand[],
): Promise<readonly BatchOutcome[]> {
  if (commands.some(({ isLocked }) => !isLocked)) {
    return recordLate({ ...dependencies, storage: dependencies.storage.until(endOf(commands)) }, commands)
  }
  const start = performance.now()
  const nextPause = growingPauses()
  for (;;) {
    const { outcomes, failures } = await tryBatch(dependencies, commands, true)
    const [failure] = failures
    if (failure?.locked === undefined) return outcomes
    const latest = start + failure.locked.forMs
    await sleep(nextPause())
    const now = performance.now()
    const isOver = ({ deadline }: TimedCommand): boolean => now >= (deadline === NEVER ? latest : deadline)
    const failed: Failed = { type: 'failed', error: failure.error }
    if (commands.some(isOver)) return commands.map((command) => (isOver(command) ? failed : LOCKED))
  }
}

function createUserQueues(dependencies: Dependencies) {
  const userQueues = new Map<string, UserQueue>()

  async function forgetWhenIdle(text: string, own: UserQueue): Promise<void> {
    do await own.drained()
    while (!own.isIdle())
    userQueues.delete(text)
  }

  function queueOf(command: TimedCommand, reason: Reason): UserQueue {
    const text = userKeyText(command)
    const known = userQueues.get(text)
    if (known !== undefined) return known
    const record = (commands: readonly OwnCommand[]) => recordOwn(dependencies, commands)
    const own: UserQueue = { ...createQueue(record, MOST_OF_ONE_USER), reason }
    userQueues.set(text, own)
    void forgetWhenIdle(text, own)
    return own
  }

  const reasonOf: ReasonOf = (command) =>
    userQueues.size === 0 ? null : (userQueues.get(userKeyText(command))?.reason ?? null)
  return { userQueues, queueOf, reasonOf }
}

function withCaller(command: TimedCommand): TimedCommand {
  if (!batchChannel.hasSubscribers) return command
  return { ...command, caller: { queuedAt: performance.now(), run: AsyncLocalStorage.snapshot() } }
}

/** An unexpected error is a fault of the library, and says so. */
export function rethrow(error: unknown): never {
  if (isGamificationError(error)) throw error
  const message = 'Internal error: nothing was saved. Please report it with its cause.'
  throw new GamificationError('internal', message, { cause: error })
}
