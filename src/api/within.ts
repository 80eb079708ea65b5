import { GamificationError } from '../errors.ts'
import type { DefinedGame } from '../game/define-game.ts'
import { invalidOption } from '../options.ts'
import { transactionMode } from '../record/write-modes.ts'
import type { Context, WriteCall } from '../runtime/context.ts'
import { runSteps, type Steps } from '../storage/steps.ts'
import { achievementOperations, type CompletionApi } from './achievements/operations.ts'
import { type ChallengeWritesApi, challengeOperations } from './challenges/operations.ts'
import { eventOperations, type MetricsApi } from './events/operations.ts'
import { eachOperation, type Operations } from './operation.ts'
import { type RewardWritesApi, rewardOperations } from './rewards/operations.ts'
import { type UserRemovalApi, type UserWritesApi, userOperations } from './users/operations.ts'
import { type SpendingApi, walletOperations } from './wallets/operations.ts'

/** The writing calls, run synchronously. They return their answer; a refusal is thrown and rolled back. */
export interface WithinApi<G extends DefinedGame> {
  readonly metrics: MetricsApi<G, 'atOnce'>
  readonly achievements: CompletionApi<G, 'atOnce'>
  readonly challenges: ChallengeWritesApi<G, 'atOnce'>
  readonly points: SpendingApi<G, 'atOnce'>
  readonly rewards: RewardWritesApi<G, 'atOnce'>
  /** A refused call is rolled back on its own; the others stay. */
  readonly users: UserWritesApi<G, 'atOnce'> & UserRemovalApi<'atOnce'>
  /**
   * Calls the handlers of the recorded messages. Call it after your own commit. It is not needed if `within` began the
   * transaction itself.
   */
  committed(): void
}

/**
 * Handlers that wait for the commit, by the connection of the `within` that is running: one inside another shares the
 * list.
 */
const running = new WeakMap<object, (() => void)[]>()

/** Runs `work` within the host's transaction on `host`, or within one of its own if none is open. */
export function runWithin<G extends DefinedGame, T>(
  context: Context,
  tenantOf: () => string,
  host: object,
  work: (gamification: WithinApi<G>) => T,
): T {
  if (typeof work !== 'function') throw invalidOption('work', 'a function that makes the calls', work)
  const tenant = tenantOf()
  const storage = context.storage.joinTransaction(host)
  if (storage.begin === undefined) {
    throw new GamificationError('storage_unusable', 'within() takes a database of SQLite; for others use { tx }.')
  }
  const outer = running.get(host)
  const waiting = outer ?? []
  const before = waiting.length
  const committed = (): void => {
    for (const run of waiting.splice(0)) run()
  }
  const scope = { isOver: false }
  const mode = transactionMode(context, storage, (run) => waiting.push(run))
  const api = createWithinApi<G>({ ...context, tenant, mode }, scope, committed)
  running.set(host, waiting)
  try {
    const { result, isCommitted } = storage.begin(() => withoutPromise(work(api)))
    scope.isOver = true
    if (isCommitted) committed()
    return result
  } catch (error) {
    // Its entries are rolled back, so its handlers must not run.
    if (!scope.isOver) waiting.splice(before)
    throw error
  } finally {
    scope.isOver = true
    if (outer === undefined) running.delete(host)
  }
}

/** Refuses a promise, because its work would run after the transaction. */
function withoutPromise<T>(result: T): T {
  if (!(result instanceof Promise)) return result
  result.catch(() => undefined)
  throw new GamificationError('invalid_request', 'The callback of within() must not be async.')
}

function createWithinApi<G extends DefinedGame>(
  call: WriteCall,
  scope: { readonly isOver: boolean },
  committed: () => void,
): WithinApi<G> {
  /** The types forbid options. A caller without types must not get a write where it asked for a dry run. */
  const atOnce = <Answer>([options]: readonly unknown[], steps: () => Steps<Answer>): Answer => {
    if (scope.isOver) {
      throw new GamificationError('invalid_request', 'within() is over: make its calls while its callback runs.')
    }
    if (options !== undefined) {
      throw new GamificationError('invalid_request', 'The calls of within() take no options: leave them out.')
    }
    const answer = runSteps(steps())
    if (answer instanceof Promise) throw new RangeError('A storage that can be joined at once answered later')
    return answer
  }
  /** The methods of the operations of a group that write. */
  const groupOf = <Group>(operations: Operations): Group => {
    const writes = [...eachOperation(operations)].filter(([, { kind }]) => kind === 'write')
    const methods = writes.map(([name, { takes, run }]) => {
      const method = (...given: readonly unknown[]): unknown => {
        return atOnce(given.slice(takes.length), () => stepsOf(run(call, given)))
      }
      return [name, method]
    })
    return Object.fromEntries(methods)
  }
  return {
    metrics: groupOf(eventOperations.metrics),
    achievements: groupOf({ complete: achievementOperations.achievements.complete }),
    challenges: groupOf(challengeOperations.challenges),
    points: groupOf(walletOperations.points),
    rewards: groupOf(rewardOperations.rewards),
    users: groupOf(userOperations.users),
    committed,
  }
}

/** `run` of an operation that `within` has must return steps. */
function stepsOf<T>(running: Promise<T> | Steps<T>): Steps<T> {
  if (running instanceof Promise) throw new RangeError('A call of within() must be steps')
  return running
}
