import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { GamificationError, isGamificationError } from '../errors.ts'
import type { EntryBody, ProfilePatch } from '../rules/entry.ts'
import { distinctValue } from '../rules/tally.ts'
import type { CommandOutcome, Context, Recorder, TimedCommand, VoidCommand, WriteCall } from '../runtime/context.ts'
import { NEVER, storageBy } from '../runtime/deadline.ts'
import { batchChannel, trace } from '../runtime/tracing.ts'
import { userKeyText } from '../storage/rows.ts'
import type { CommitFailure, CommitReport, CommitRound, Decide, UserRequest, UserSave } from '../storage/storage.ts'
import { chain, type Eventually, growingPauses } from '../storage/sync-or-async.ts'
import { toLookups } from './accept/accept-command.ts'
import { acceptAll, LATE } from './accept/user-batch.ts'
import { createQueue, isAboutAll, type Queue } from './batch-queue.ts'
import { notify } from './emitter.ts'
import { recordLate } from './locked-user.ts'
import { type OrderedMove, rankMoves } from './ranks/ranks.ts'

const MOST_IN_BATCH = 64
/** Imports have no caller waiting for each item, so their batches can be larger. */
const MOST_IN_IMPORT_BATCH = 256
const MOST_OF_ONE_USER = 1_000
/** A batch begun just before its deadline still gets so long: a storage that answers at all is not cut off. */
const LEAST_MS = 400

/** A transaction outside this process has locked the user. Other users must not wait for it. */
const LOCKED: unique symbol = Symbol('locked')
const EPOCH_MOVED: unique symbol = Symbol('epoch moved')

type Recorded = Extract<CommandOutcome, { readonly type: 'recorded' }>
type Reason = typeof LATE | typeof LOCKED
type BatchOutcome = CommandOutcome | Reason | Failed
/** Nothing was recorded, though other commands of the batch were. */
interface Failed {
  readonly type: 'failed'
  readonly error: unknown
}

interface OwnCommand extends TimedCommand {
  readonly isLocked: boolean
}

interface UserQueue extends Queue<OwnCommand, BatchOutcome> {
  readonly reason: Reason
}

/** Why a command goes to the queue of its user; null: it does not. */
type ReasonOf = (command: TimedCommand) => Reason | null

type Dependencies = Pick<Context, 'storage' | 'games' | 'newId' | 'messageSignal'>

/**
 * One queue collects the commands of all users. Late commands, those of locked users, and those that failed with others
 * go to the queue of their user. While that queue is busy, it is the mutex of the user: later commands follow there.
 */
export function createRecorder(dependencies: Dependencies): Recorder {
  const { userQueues, queueOf, reasonOf } = createUserQueues(dependencies)
  const recordBatch = (isRanked: boolean) => (commands: readonly TimedCommand[]) => {
    const describe = () => ({ commands: commands.length, callers: commands.flatMap(({ caller }) => caller ?? []) })
    const run = async () => toHandled(await tryBatch(dependencies, commands, isRanked, reasonOf))
    return trace(batchChannel, describe, run)
  }
  const queue = createQueue(recordBatch(true), MOST_IN_BATCH, userKeyText)
  // No caller reads the ranks during an import.
  const importQueue = createQueue(recordBatch(false), MOST_IN_IMPORT_BATCH)

  /** Records a command, in the queue of its user if no batch has recorded it. */
  async function settle(first: Queue<TimedCommand, BatchOutcome>, command: TimedCommand): Promise<CommandOutcome> {
    let handled = await first.push(withCaller(command))
    while (typeof handled === 'symbol') {
      // Late items of an import wait for one another, so that many share a replay.
      if (first === importQueue) await importQueue.drained()
      handled = await queueOf(command, handled).push({ ...command, isLocked: handled === LOCKED })
    }
    if (handled.type === 'failed') throw handled.error
    return handled
  }

  let count = 0

  return {
    get count() {
      return count
    },
    record: (command) => {
      count += 1
      return settle(queue, command).catch(rethrow)
    },
    recordItem: (command) => settle(importQueue, command).catch(rethrow),
    drained: async () => {
      do {
        for (const each of [queue, importQueue, ...userQueues.values()]) await each.drained()
        // A command that one of them lets go may be sent to another.
        await nextTurn()
      } while (!queue.isIdle() || !importQueue.isIdle() || userQueues.size > 0)
    },
  }
}

/** Tries a locked user again after pauses. No connection is taken during a pause, so other users go on. */
async function recordOwn(
  dependencies: Dependencies,
  commands: readonly OwnCommand[],
): Promise<readonly BatchOutcome[]> {
  if (commands.some(({ isLocked }) => !isLocked)) {
    return recordLate({ ...dependencies, storage: storageBy(dependencies.storage, endOf(commands)) }, commands)
  }
  const start = performance.now()
  const nextPause = growingPauses()
  for (;;) {
    const tried = await tryBatch(dependencies, commands, true)
    const failure = tried.failures[0]?.failure
    if (failure?.held === undefined) return toHandled(tried)
    const latest = start + failure.held.forMs
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

  const reasonOf: ReasonOf = (command) => userQueues.get(userKeyText(command))?.reason ?? null
  return { userQueues, queueOf, reasonOf }
}

function withCaller(command: TimedCommand): TimedCommand {
  if (!batchChannel.hasSubscribers) return command
  return { ...command, caller: { queuedAt: performance.now(), run: AsyncLocalStorage.snapshot() } }
}

interface Tried {
  readonly outcomes: BatchOutcome[]
  readonly failures: readonly { readonly group: Group; readonly failure: CommitFailure }[]
}

function endOf(commands: readonly TimedCommand[]): number {
  const first = Math.min(...commands.map(({ deadline }) => deadline))
  return first === NEVER ? NEVER : Math.max(first, performance.now() + LEAST_MS)
}

/**
 * Records commands of several users together, in one commit, without those that go to the queue of their user. It decides
 * again if the game is not the newest any more.
 */
async function tryBatch(
  dependencies: Dependencies,
  commands: readonly TimedCommand[],
  isRanked: boolean,
  reasonOf: ReasonOf = () => null,
): Promise<Tried> {
  const { storage, games, messageSignal } = dependencies
  const reasons = commands.map(reasonOf)
  const outcomes: BatchOutcome[] = reasons.map((reason) => reason ?? LATE)
  const slack = isRanked ? commands.length : null
  const saves = new Map<string, UserSave>()
  const own = commands.map((command, index) => ({ command, index })).filter(({ index }) => reasons[index] === null)
  const groups: ReadonlyMap<string, Group> = Map.groupBy(own, ({ command }) => userKeyText(command))
  const requests = [...groups.values()].flatMap(toRequest)
  if (requests.length === 0) return { outcomes, failures: [] }
  const bound = storageBy(storage, endOf(commands))
  const current = await games.current(bound)
  const decide: Decide = (users, epoch) => {
    if (epoch !== current.epoch) throw EPOCH_MOVED
    return users.map((user) => {
      const key = userKeyText(user)
      const group = groups.get(key) ?? []
      const asked = group.map(({ command }) => command)
      const accepted = acceptAll(user, asked, current, slack)
      // A later call for the same user overwrites what an earlier one found.
      for (const [position, { index }] of group.entries()) outcomes[index] = accepted.outcomes[position] ?? LATE
      if (accepted.save !== null) saves.set(key, accepted.save)
      return accepted.save
    })
  }
  let report: CommitReport
  try {
    report = await bound.commit(requests, decide)
  } catch (error) {
    if (error !== EPOCH_MOVED) throw error
    await games.refresh(bound)
    return tryBatch(dependencies, commands, isRanked, reasonOf)
  }
  if ([...saves.values()].some(({ messages }) => messages !== undefined)) messageSignal.notify()
  for (const round of report.rounds) attachRanks(round, groups, saves, outcomes)
  const failures = report.failures.map((failure) => ({ group: groups.get(userKeyText(failure)) ?? [], failure }))
  return { outcomes, failures }
}

type Group = readonly { readonly command: TimedCommand; readonly index: number }[]

function toRequest(group: Group): readonly UserRequest[] {
  const [first] = group
  if (first === undefined) return []
  const { tenant, user } = first.command
  return [{ tenant, user, lookups: toLookups(group.map(({ command }) => command)) }]
}

function attachRanks(
  round: CommitRound,
  groups: ReadonlyMap<string, Group>,
  saves: ReadonlyMap<string, UserSave>,
  outcomes: BatchOutcome[],
): void {
  const moves: OrderedMove[] = []
  const answered: { readonly index: number; readonly outcome: Recorded }[] = []
  for (const { tenant, user } of round.users) {
    for (const { index } of groups.get(userKeyText({ tenant, user })) ?? []) {
      const outcome = outcomes[index]
      if (typeof outcome !== 'object' || outcome.type !== 'recorded') continue
      for (const move of outcome.moves) moves.push({ tenant, user, order: index, move })
      if (outcome.moves.some(({ isAnswered }) => isAnswered)) answered.push({ index, outcome })
    }
  }
  if (answered.length === 0) return
  const ranks = rankMoves(round, (user) => saves.get(userKeyText(user))?.ranks ?? [], moves)
  for (const { index, outcome } of answered) outcomes[index] = { ...outcome, ranks }
}

/** A user who was not stored is tried apart from others if that may help: one bad command can fail a whole batch. */
function toHandled({ outcomes, failures }: Tried): readonly BatchOutcome[] {
  for (const { group, failure } of failures) {
    const { error, held } = failure
    const areSeveral = failures.length > 1 || group.length > 1
    const isTriedAgain = error === EPOCH_MOVED || (areSeveral && !isAboutAll(error))
    const failed: Failed | typeof LATE = isTriedAgain ? LATE : { type: 'failed', error }
    for (const { index } of group) outcomes[index] = held === undefined ? failed : LOCKED
  }
  return outcomes
}

/** An unexpected error is a fault of the library, and says so. */
export function rethrow(error: unknown): never {
  if (isGamificationError(error)) throw error
  const message = 'A fault of laurels: nothing was recorded. Please report it, with its cause.'
  throw new GamificationError('internal', message, { cause: error })
}

export interface Submission {
  readonly user: string
  readonly body: EntryBody
  readonly profile?: ProfilePatch | null
  readonly createsUser?: boolean
  readonly occurredAt?: number | null
  readonly entryId?: string
  readonly voids?: readonly VoidCommand[]
}

export type Accepted = Extract<CommandOutcome, { readonly type: 'recorded' | 'unchanged' }>

export function submit(call: WriteCall, submission: Submission): Eventually<Accepted> {
  const { tenant, mode, deadline, by, games } = call
  const { user, profile = null, createsUser = false, occurredAt = null } = submission
  const body = call.isClient ? ownBody(submission.body) : submission.body
  const receivedAt = call.now()
  const entryId = submission.entryId ?? call.newId(receivedAt)
  const known = games.known()
  const newValue = known !== null && body.kind === 'eventRecorded' ? distinctValue(known.game, body) : null
  const command = {
    tenant,
    user,
    profile,
    body,
    createsUser,
    occurredAt,
    receivedAt,
    deadline,
    entryId,
    ...(by === null ? {} : { by }),
    ...(newValue === null ? {} : { newValue }),
    ...(submission.voids === undefined ? {} : { voids: submission.voids }),
    ...(mode.isSilent === true ? { isSilent: true } : {}),
  }
  return chain(mode.record(command), (outcome) => {
    if (outcome.type === 'refused') throw new GamificationError(outcome.refusal.code, outcome.refusal.message)
    if (outcome.type === 'merged') return submit(call, { ...submission, user: outcome.into, entryId })
    if (outcome.type === 'recorded') mode.notify(() => notify(call.emitter, { tenant, user }, outcome))
    return outcome
  })
}

/** What a user changes with the own key or session is an activity; events and completions are in any case. */
function ownBody(body: EntryBody): EntryBody {
  return body.kind === 'userUpserted' || body.kind === 'preferencesChanged' ? { ...body, own: true } : body
}

export function stateAfter(outcome: Accepted): Extract<CommandOutcome, { type: 'unchanged' }>['state'] {
  return outcome.type === 'recorded' ? outcome.after : outcome.state
}
