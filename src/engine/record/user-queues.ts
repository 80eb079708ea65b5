import type { UserKey } from '../../storage-rows.ts'
import type { TimedCommand } from '../types.ts'
import { userKeyText } from '../user-key.ts'
import { createQueue, type Queue, type RunBatch } from './batch-queue.ts'

/** A queue for each user whose commands cannot go with the others, for as long as there are any. */
export interface UserQueues<Result> {
  record(command: TimedCommand): Promise<Result>
  /** Whether commands of the user wait or are under way here: later ones then have to come after them. */
  isBusy(key: UserKey): boolean
  drained(): Promise<void>
  isIdle(): boolean
}

export function createUserQueues<Result>(
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
