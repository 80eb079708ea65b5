import type { UserKey } from '../storage.ts'
import type { Command, Outcome } from './command.ts'
import { type LateDependencies, recordLate } from './late.ts'
import { createQueue, type Queue } from './queue.ts'

/** Records commands whose users' logs are to be folded again; those of one user that wait share one fold. */
export interface Refolder {
  record(command: Command): Promise<Outcome>
  /** Whether the user's log is being folded: other commands of the user then have to wait for it here. */
  isFolding(key: UserKey): boolean
  drained(): Promise<void>
}

const MOST_IN_FOLD = 1_000

/** A text for each user, and another one for every other. */
export function userKeyText({ tenant, user }: UserKey): string {
  return `${tenant.length} ${tenant}${user}`
}

export function createRefolder(dependencies: LateDependencies, isAboutAll: (error: unknown) => boolean): Refolder {
  const queues = new Map<string, Queue<Command, Outcome>>()

  async function run(commands: readonly Command[]): Promise<readonly Outcome[]> {
    const [first, ...others] = commands
    return first === undefined ? [] : recordLate(dependencies, [first, ...others])
  }

  function queueOf(key: UserKey): Queue<Command, Outcome> {
    const text = userKeyText(key)
    const known = queues.get(text)
    if (known !== undefined) return known
    const queue = createQueue(run, MOST_IN_FOLD, isAboutAll)
    queues.set(text, queue)
    void forgetWhenIdle(text, queue)
    return queue
  }

  async function forgetWhenIdle(text: string, queue: Queue<Command, Outcome>): Promise<void> {
    do await queue.drained()
    while (!queue.isIdle())
    queues.delete(text)
  }

  return {
    record: (command) => queueOf(command).push(command),
    isFolding: (key) => queues.has(userKeyText(key)),
    drained: async () => {
      while (queues.size > 0) await Promise.all([...queues.values()].map((queue) => queue.drained()))
    },
  }
}
