import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { GamificationError, isGamificationError } from '../errors.ts'
import type { GameRegistry, Outcome, Recorder, TimedCommand } from '../runtime/context.ts'
import { NEVER, storageBy, waitedTooLong } from '../runtime/deadline.ts'
import { batchChannel, trace } from '../runtime/tracing.ts'
import { userKeyText } from '../runtime/user-key.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Storage } from '../storage/storage.ts'
import { LATE } from './accept/user-batch.ts'
import { createQueue, type Queue, type RunBatch } from './batch-queue.ts'
import {
  EPOCH_MOVED,
  endOf,
  type Failed,
  type Handled,
  isAboutAll,
  type Tried,
  tryBatch,
  USER_LOCKED,
} from './record-batch.ts'
import { recordLate as recordLateOnes } from './record-late.ts'

/** A queue for each user whose commands cannot go with the others, for as long as there are any. */
export interface UserQueues<Result> {
  record(command: TimedCommand): Promise<Result>
  /** True if commands of the user wait or are under way here: later ones then have to come after them. */
  isBusy(key: UserKey): boolean
  drained(): Promise<void>
  isIdle(): boolean
}

function createUserQueues<Result>(
  run: RunBatch<TimedCommand, Result>,
  most: number,
  isAboutAll: (error: unknown) => boolean,
): UserQueues<Result> {
  const queues = new Map<string, Queue<TimedCommand, Result>>()

  function queueOf(key: UserKey): Queue<TimedCommand, Result> {
    const text = userKeyText(key)
    const known = queues.get(text)
    if (known !== undefined) return known
    const queue = createQueue(run, { most, isAboutAll })
    queues.set(text, queue)
    void forgetWhenIdle(text, queue)
    return queue
  }

  async function forgetWhenIdle(text: string, queue: Queue<TimedCommand, Result>): Promise<void> {
    do await queue.drained()
    while (!queue.isIdle())
    queues.delete(text)
  }

  return {
    record: (command) => queueOf(command).push(command),
    isIdle: () => queues.size === 0,
    isBusy: (key) => queues.has(userKeyText(key)),
    drained: async () => {
      while (queues.size > 0) await Promise.all([...queues.values()].map((queue) => queue.drained()))
    },
  }
}

const MOST_IN_BATCH = 64
/** Imports have no caller waiting for each item, so their batches can be larger. */
const MOST_IN_IMPORT_BATCH = 256
const MOST_WAITING = 64
const MOST_IN_REPLAY = 1_000
const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 100

export function createRecorder(storage: Storage, games: GameRegistry, newId: (now: number) => string): Recorder {
  const dependencies = { storage, games }
  const lateQueues = createUserQueues(replayLate, MOST_IN_REPLAY, isAboutAll)
  const waits = createUserQueues(retryLockedUser, MOST_WAITING, isAboutAll)
  const queue = createQueue((commands: readonly TimedCommand[]) => runBatch(commands, true), {
    most: MOST_IN_BATCH,
    isAboutAll,
    ownerOf: userKeyText,
  })
  // No caller reads the ranks during an import.
  const importQueue = createQueue((commands: readonly TimedCommand[]) => runBatch(commands, false), {
    most: MOST_IN_IMPORT_BATCH,
    isAboutAll,
  })

  /** Later commands of a user whose log is being replayed come after the replay. */
  const beingReplayed = (command: TimedCommand): typeof LATE | null => (lateQueues.isBusy(command) ? LATE : null)

  async function replayLate(commands: readonly TimedCommand[]): Promise<readonly Outcome[]> {
    const [first, ...others] = commands
    if (first === undefined) return []
    return recordLateOnes({ storage: storageBy(storage, endOf(commands)), games, newId }, [first, ...others])
  }

  async function runBatch(commands: readonly TimedCommand[], isRanked: boolean): Promise<readonly Handled[]> {
    // Commands of a user who is waited for come after those that wait.
    const elsewhere = (command: TimedCommand): Handled | null =>
      beingReplayed(command) ?? (waits.isBusy(command) ? USER_LOCKED : null)
    const describe = () => ({ commands: commands.length })
    return trace(batchChannel, describe, async () =>
      handleFailures(await tryBatch(dependencies, commands, isRanked, elsewhere)),
    )
  }

  /**
   * Retries commands of one user whom a transaction outside this process has locked, with a pause between the attempts. No
   * connection is taken while they wait, so other users go on.
   */
  async function retryLockedUser(
    commands: readonly TimedCommand[],
    answer: (index: number, handled: Handled) => void,
  ): Promise<readonly Handled[]> {
    const start = performance.now()
    const handled: Handled[] = []
    let left = commands.map((command, index) => ({ command, index }))
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await sleep(pause * (0.5 + Math.random()))
      const own = left.map(({ command }) => command)
      const tried = await tryBatch(dependencies, own, true, beingReplayed)
      const failure = tried.failures[0]?.failure
      if (failure?.held === undefined) {
        const answers = await handleFailures(tried)
        for (const [nth, { index }] of left.entries()) handled[index] = answers[nth] ?? LATE
        return handled
      }
      const now = performance.now()
      const latest = start + failure.held.forMs
      const isOver = ({ deadline }: TimedCommand): boolean => now >= (deadline === NEVER ? latest : deadline)
      const failed: Failed = { type: 'failed', error: failure.error }
      for (const { command, index } of left) {
        if (isOver(command)) answer(index, failed)
      }
      left = left.filter(({ command }) => !isOver(command))
      if (left.length === 0) return handled
    }
  }

  /** The outcomes of a batch, those of users who were not stored among them: some of these are tried again. */
  async function handleFailures({ outcomes, failures }: Tried): Promise<readonly Handled[]> {
    for (const { group, failure } of failures) {
      const { error, held } = failure
      if (error === EPOCH_MOVED)
        await games.refresh(storageBy(storage, endOf(group.commands.map(({ command }) => command))))
      // One bad command can fail its user's commands, so each is tried alone. The saves of other users have committed.
      const areSeveral = failures.length > 1 || group.commands.length > 1
      const isDivisible = error === EPOCH_MOVED || (areSeveral && !isAboutAll(error))
      for (const { command, index } of group.commands) {
        if (held !== undefined) outcomes[index] = USER_LOCKED
        else outcomes[index] = isDivisible ? await runAlone(command) : { type: 'failed', error }
      }
    }
    return outcomes
  }

  async function runAlone(command: TimedCommand): Promise<Handled> {
    try {
      if (performance.now() >= command.deadline) throw waitedTooLong()
      const [handled] = await handleFailures(await tryBatch(dependencies, [command], true, beingReplayed))
      return handled ?? LATE
    } catch (error) {
      return { type: 'failed', error }
    }
  }

  const recordLate = (command: TimedCommand): Promise<Outcome> => lateQueues.record(command).catch(rethrow)

  /** Follows a command that the queue did not record to where the queue sent it. */
  async function follow(command: TimedCommand, handled: Handled): Promise<Outcome | typeof LATE> {
    if (handled === USER_LOCKED) return follow(command, await waits.record(command).catch(rethrow))
    return handled === LATE ? LATE : toOutcome(handled)
  }

  let count = 0

  return {
    get count() {
      return count
    },
    record: (command) => {
      count += 1
      return queue.push(command).then((handled) => {
        if (handled === LATE) return recordLate(command)
        if (handled !== USER_LOCKED) return toOutcome(handled)
        return follow(command, handled).then((outcome) => (outcome === LATE ? recordLate(command) : outcome))
      }, rethrow)
    },
    recordUnlessLate: (command) =>
      importQueue.push(command).then(async (handled) => {
        const outcome = await follow(command, handled)
        return outcome === LATE ? null : outcome
      }, rethrow),
    recordLate,
    drained: async () => {
      const queues = [queue, importQueue, waits, lateQueues]
      do {
        for (const each of queues) await each.drained()
        // A command that one of them lets go may be sent to another.
        await nextTurn()
      } while (queues.some((each) => !each.isIdle()))
    },
  }
}

function toOutcome(handled: Outcome | Failed): Outcome {
  return handled.type === 'failed' ? rethrow(handled.error) : handled
}

/** An unforeseen error is a fault of the library, and says so. */
export function rethrow(error: unknown): never {
  if (isGamificationError(error)) throw error
  const message = 'A fault of laurels: nothing was recorded. Please report it, with its cause.'
  throw new GamificationError('internal', message, { cause: error })
}
