import { GamificationError } from '../errors.ts'
import type { Command, Context, CurrentGame, Outcome, WriteMode } from '../runtime/context.ts'
import { CHANGED, compileAll } from '../runtime/game-registry.ts'
import type { JoinedTransaction, StorageTransaction } from '../storage/storage.ts'
import { chain, type Eventually } from '../storage/sync-or-async.ts'
import { toLookup } from './accept/accept-command.ts'
import { lockUser } from './locked-user.ts'
import { recordLocked } from './record-late.ts'

const MOST_TRIES = 100

/** Records within the host's transaction, at once and one call after the other: nothing waits in a queue meanwhile. */
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

/** The game of an epoch: the one that this process knows, or what the storage has. */
export function currentGame(
  { games }: Pick<Context, 'games'>,
  storage: StorageTransaction,
  epoch: number,
): Eventually<CurrentGame> {
  const known = games.known()
  if (known?.epoch === epoch && epoch > 0) return known
  return chain(storage.games(), (stored) => {
    const newest = stored.at(-1)
    if (newest !== undefined) return compileAll(stored, newest.epoch)
    throw new GamificationError('storage_unusable', 'The storage has no game yet. Call migrate() first.')
  })
}

function record(context: Context, storage: JoinedTransaction, command: Command, tries: number): Eventually<Outcome> {
  const { tenant, user, receivedAt } = command
  const lookups = [toLookup(command)]
  const gameOf = (epoch: number) => currentGame(context, storage, epoch)
  // Only the log says when an event happened, so it is replayed from its beginning for a void or an approval.
  const source = { newId: context.newId, findEvent: () => null }
  return chain(lockUser(storage, { tenant, user }, { lookups }, gameOf, receivedAt), (locked) =>
    chain(typeof locked === 'symbol' ? CHANGED : recordLocked(source, storage, locked, [command]), (recorded) => {
      if (recorded === CHANGED) return record(context, storage, command, lessOne(tries))
      const [outcome] = recorded ?? []
      if (outcome === undefined) throw new RangeError('Every command has an outcome')
      return outcome
    }),
  )
}

function lessOne(tries: number): number {
  if (tries > 1) return tries - 1
  throw new GamificationError('unavailable', 'Others changed the same user again and again: try once more.')
}
