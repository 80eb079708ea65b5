import { GamificationError, isGamificationError } from '../errors.ts'
import type { Instant } from '../rules/calendar.ts'
import type { Command, CommandOutcome } from '../runtime/command.ts'
import type { Context, CurrentGame } from '../runtime/context.ts'
import { damagedLog } from '../runtime/damaged-users.ts'
import { isReplaced } from '../runtime/game-registry.ts'
import { AGAIN, type Again, untilDone } from '../runtime/newest-game.ts'
import { replayChannel, trace } from '../runtime/tracing.ts'
import { findEntries, loadLog } from '../sql/log.ts'
import { loadSnapshot, loadUser, lockAndLoadUser, type ReadUserOptions } from '../sql/read-user.ts'
import { OutOfStock } from '../sql/stock.ts'
import type { UserKey } from '../storage/rows.ts'
import { type Eventually, runSteps, type Steps, wait } from '../storage/steps.ts'
import { NOTHING_KNOWN, type StockLeft } from '../storage/stock.ts'
import type { Storage, StoredUser, UserTransaction } from '../storage/storage.ts'
import { eventIdOf, toLookups } from './accept/accept-command.ts'
import { acceptAll, LATE } from './accept/batch.ts'
import type { StoredRows } from './accept/derived-rows.ts'
import { takeInHand } from './accept/stock.ts'
import { acceptLate, toReplacement, toRows } from './accept-late.ts'
import { type Decision, withRanks } from './late-answers.ts'
import type { ReadChunk } from './replay/read-log.ts'
import { ALL_ROWS, type ReplaySource } from './replay/replay-start.ts'

/** A user that no other call can change until the transaction ends, under the game in force. */
export interface LockedUser {
  readonly key: UserKey
  readonly storedUser: StoredUser
  readonly current: CurrentGame
  readonly readLog: ReadChunk
}

/**
 * Locks a user until the transaction ends. `gameOf` gives the game of the epoch that is in force then.
 * AGAIN: the user's state was of a replaced game. It is of the newest one now: lock the user again.
 */
export function* lockUser(
  tx: UserTransaction,
  key: UserKey,
  options: ReadUserOptions,
  gameOf: (epoch: number) => Eventually<CurrentGame | Again>,
  now: Instant,
): Steps<LockedUser | Again> {
  const readLog: ReadChunk = (cursor) => loadLog(tx, key, cursor)
  const storedUser = yield* lockAndLoadUser(tx, key, options)
  const current = yield* wait(gameOf(storedUser.epoch))
  if (current === AGAIN) return AGAIN
  if (!isReplaced(storedUser.state, current)) return { key, storedUser, current, readLog }
  const all = yield* wait(loadUser(tx, key, ALL_ROWS))
  const save = yield* toReplacement({ key, readLog, current, storedUser: all, now })
  if (save === null) throw damagedLog(key.user)
  yield* wait(tx.save(key, all, save))
  return AGAIN
}

/**
 * Runs `work` on a locked user in a transaction of its own, again if the game has changed meanwhile. Updates the user
 * to the newest game first.
 */
export async function withLockedUser<T>(
  context: Pick<Context, 'storage' | 'games' | 'now' | 'messageSignal'>,
  key: UserKey,
  options: ReadUserOptions,
  work: (tx: UserTransaction, user: LockedUser) => Steps<T | Again>,
): Promise<T> {
  const { storage, now, messageSignal } = context
  function* lockAndWork(tx: UserTransaction, current: CurrentGame): Steps<T | Again> {
    const gameOf = (epoch: number) => (epoch === current.epoch ? current : AGAIN)
    const user = yield* lockUser(tx, key, options, gameOf, now())
    return typeof user === 'symbol' ? user : yield* work(tx, user)
  }
  const done = await untilDone(context, key, 'it was locked', (current) =>
    storage.transaction((tx) => lockAndWork(tx, current)),
  )
  messageSignal.notify()
  return done
}

export async function bringToNewestGame(context: Parameters<typeof withLockedUser>[0], key: UserKey): Promise<void> {
  await withLockedUser(context, key, {}, () => wait(null))
}

type LateContext = Pick<Context, 'storage' | 'games' | 'newId' | 'messageSignal'>

/** Thrown to the queue: one of several commands must be judged alone, so the queue splits them. */
const TRY_ALONE: unique symbol = Symbol('try alone')
/** Other writers of the user wait no longer than for a batch. An import may keep them waiting for longer. */
const MOST_CALLS = 64
/** So often a lost reply to a commit has the commands recorded again. Their deadline mostly ends them before. */
const MOST_LOST_REPLIES = 20

/** Records commands of one user in one transaction, with one replay of the log if one of them is late. */
export async function recordLate(
  context: LateContext,
  commands: readonly Command[],
): Promise<readonly CommandOutcome[]> {
  const [first] = commands
  if (first === undefined) return []
  if (commands.length > 1 && !canShareReplay(commands)) throw TRY_ALONE
  for (let replies = 0; replies < MOST_LOST_REPLIES; replies += 1) {
    const outcomes = await recordOnce(context, first, commands)
    if (outcomes === null) throw TRY_ALONE
    if (outcomes !== AGAIN) return outcomes
  }
  const message = `The replies to ${MOST_LOST_REPLIES} commits were lost. Nothing was saved; try again.`
  throw new GamificationError('unavailable', message)
}

/** Returns AGAIN if the reply to the commit was lost and nothing was saved, and `null` as `recordLocked` does. */
async function recordOnce(
  context: LateContext,
  first: Command,
  commands: readonly Command[],
): Promise<readonly CommandOutcome[] | Again | null> {
  const { storage, newId } = context
  const { tenant, user, receivedAt } = first
  const key = { tenant, user }
  const source = { newId, eventAt: await findEventBefore(storage, first) }
  const reads = toLookups(commands)
  let recorded: readonly CommandOutcome[] | null = null
  const running = withLockedUser({ ...context, now: () => receivedAt }, key, reads, function* (tx, locked) {
    const describe = () => ({ ...key, commands: commands.length, entries: locked.storedUser.state?.seq ?? 0 })
    const done = yield* wait(trace(replayChannel, describe, () => runSteps(recordLocked(source, tx, locked, commands))))
    recorded = typeof done === 'symbol' ? null : done
    return done
  })
  return running.catch(async (error) => {
    if (!isUnknown(error)) throw error
    return (await areStored(storage, key, commands, error)) && recorded !== null ? recorded : AGAIN
  })
}

/**
 * The answer of a void or an approval has only its own changes. Items of an import publish no messages, and calls do.
 */
function canShareReplay(commands: readonly Command[]): boolean {
  const [{ isSilent: isImport = false } = {}] = commands
  return (
    (isImport || commands.length <= MOST_CALLS) &&
    commands.every((command) => eventIdOf(command) === null && (command.isSilent ?? false) === isImport)
  )
}

function isUnknown(error: unknown): boolean {
  return isGamificationError(error) && error.code === 'outcome_unknown'
}

/** True if a transaction stored the commands although the reply to its commit was lost. Else throws `cause`. */
async function areStored(
  storage: Storage,
  key: UserKey,
  commands: readonly Command[],
  cause: unknown,
): Promise<boolean> {
  // The lock is free once that transaction has ended.
  const after = storage.transaction((tx) => wait(tx.lockUser(key)))
  await after.catch((error) => {
    if (!isUnknown(error)) throw cause
  })
  const ids = commands.map(({ entryId }) => entryId)
  return (await findEntries(storage, key.tenant, ids)).length > 0
}

/**
 * Reads the instant of the event to void or approve, before other writers have to wait. Returns `null` if the user has
 * no such event.
 */
export async function findEventBefore(storage: Storage, command: Command): Promise<Instant | null> {
  const event = eventIdOf(command)
  const [found] = event === null ? [] : await findEntries(storage, command.tenant, [event])
  return found?.user === command.user && found.metric !== null ? found.at : null
}

type LockedSource = { readonly newId: (now: Instant) => string } & Pick<ReplaySource, 'eventAt'>

/**
 * Records commands of one locked user together, with one replay if one is late, a void or an approval. Returns AGAIN if
 * a newer game was stored in the meantime. Returns `null` if one of several commands must be decided alone, so nothing
 * is stored.
 */
export function* recordLocked(
  source: LockedSource,
  tx: UserTransaction,
  user: LockedUser,
  commands: readonly Command[],
): Steps<readonly CommandOutcome[] | Again | null> {
  try {
    return yield* recordWith(source, tx, user, commands, NOTHING_KNOWN)
  } catch (error) {
    if (!(error instanceof OutOfStock)) throw error
    // The transaction has locked the stock now, so it does not change again.
    return yield* recordWith(source, tx, user, commands, error.left)
  }
}

function* recordWith(
  { newId, eventAt }: LockedSource,
  tx: UserTransaction,
  { key, storedUser, current, readLog }: LockedUser,
  commands: readonly Command[],
  left: StockLeft,
): Steps<readonly CommandOutcome[] | Again | null> {
  const stock = takeInHand(left)
  const { outcomes, save } = acceptAll(storedUser, commands, current, commands.length, stock)
  const accepted = outcomes.filter((outcome) => outcome !== LATE)
  if (accepted.length === commands.length) return yield* store(tx, key, storedUser, { outcomes: accepted, save })
  // The user was deleted during the wait. The first command creates a new user, and the others find it.
  if (storedUser.state === null && commands.length > 1) return null
  const source = {
    newId,
    eventAt,
    readLog,
    readSnapshot: (until: Instant) => loadSnapshot(tx, key, until),
    *readRows(): Steps<StoredRows> {
      return toRows(yield* wait(loadUser(tx, key, ALL_ROWS)))
    },
  }
  const decision = yield* acceptLate(source, { storedUser, current, commands })
  if (decision === null) throw damagedLog(key.user)
  const hand = takeInHand(left)
  for (const entry of decision.save?.appended ?? []) {
    const refusal = hand.take(key.tenant, entry)
    if (refusal === null) continue
    return commands.length > 1 ? null : [{ type: 'refused', refusal }]
  }
  return decision.isRefused && commands.length > 1 ? null : yield* store(tx, key, storedUser, decision)
}

function* store(
  tx: UserTransaction,
  key: UserKey,
  storedUser: StoredUser,
  decision: Decision,
): Steps<readonly CommandOutcome[] | Again> {
  if (decision.save === null) return decision.outcomes
  const ranks = yield* wait(tx.save(key, storedUser, decision.save))
  return ranks === null ? AGAIN : withRanks(key, decision, ranks)
}
