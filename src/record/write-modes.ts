import { GamificationError } from '../errors.ts'
import type { Command, CommandOutcome, Context, CurrentGame, WriteMode } from '../runtime/context.ts'
import { AGAIN, type Again, compileAll } from '../runtime/game-registry.ts'
import type { JoinedTransaction, StorageTransaction } from '../storage/storage.ts'
import { chain, type Eventually } from '../storage/sync-or-async.ts'
import { toLookups } from './accept/accept-command.ts'
import { findEventBefore, lockUser, recordLocked, withLockedUser } from './locked-user.ts'
import { rethrow } from './recorder.ts'

const MOST_TRIES = 100

/** Records within the host's transaction, at once and one call after the other. Nothing waits in a queue. */
export function transactionMode(context: Context, storage: JoinedTransaction, notify: WriteMode['notify']): WriteMode {
  return {
    record: (command) => storage.savepoint(() => record(context, storage, command, MOST_TRIES)),
    current: () => currentGame(context, storage, context.games.known()?.epoch ?? 0),
    notify: (run) =>
      notify(() => {
        context.messageSignal.notify()
        run()
      }),
  }
}

/** The game of an epoch: the one that this process knows, or the one in the storage. */
export function currentGame(
  { games }: Pick<Context, 'games'>,
  storage: StorageTransaction,
  epoch: number,
): Eventually<CurrentGame> {
  const known = games.known()
  if (known?.epoch === epoch && epoch > 0) return known
  return chain(storage.games(), (stored) => {
    if (stored.length > 0) return compileAll(stored)
    throw new GamificationError('storage_unusable', 'The storage has no game yet. Call migrate() first.')
  })
}

function record(
  context: Context,
  storage: JoinedTransaction,
  command: Command,
  tries: number,
): Eventually<CommandOutcome> {
  const { tenant, user, receivedAt } = command
  const lookups = toLookups([command])
  const gameOf = (epoch: number) => currentGame(context, storage, epoch)
  // Only the log says when an event happened, so a void or an approval replays it from its beginning.
  const source = { newId: context.newId, eventAt: null }
  return chain(lockUser(storage, { tenant, user }, { lookups }, gameOf, receivedAt), (locked) =>
    chain(typeof locked === 'symbol' ? locked : recordLocked(source, storage, locked, [command]), (recorded) => {
      if (recorded !== AGAIN) return onlyOutcome(recorded)
      if (tries > 1) return record(context, storage, command, tries - 1)
      throw new GamificationError('unavailable', 'Others changed the same user again and again: try once more.')
    }),
  )
}

function onlyOutcome(recorded: readonly CommandOutcome[] | null): CommandOutcome {
  const [outcome] = recorded ?? []
  if (outcome === undefined) throw new RangeError('Every command has an outcome')
  return outcome
}

/** Answers as if calls were recorded now. Nothing is stored, and handlers are not called. */
export function dryRunMode(context: Context): WriteMode {
  return {
    record: (command) => rehearse(context, command).catch(rethrow),
    current: () => context.games.current(context.storage),
    notify: () => undefined,
  }
}

/** The path of every call that takes a lock, in a transaction that is rolled back. */
async function rehearse(context: Context, command: Command): Promise<CommandOutcome> {
  const { tenant, user, receivedAt } = command
  const key = { tenant, user }
  const source = { newId: context.newId, eventAt: await findEventBefore(context.storage, command) }
  const rollBack = new GamificationError('internal', 'A dry run stores nothing.')
  let recorded: readonly CommandOutcome[] | null = null
  const options = { lookups: toLookups([command]) }
  const running = withLockedUser<never>({ ...context, now: () => receivedAt }, key, options, (tx, locked) =>
    chain(recordLocked(source, tx, locked, [command]), (done): Again => {
      if (done === AGAIN) return done
      recorded = done
      throw rollBack
    }),
  )
  return running.catch((error) => {
    if (error !== rollBack) throw error
    return onlyOutcome(recorded)
  })
}
