import { randomUUID } from 'node:crypto'
import { GamificationError } from '../../../errors.ts'
import { parse, userId } from '../../../requests/input.ts'
import { deletionRequest } from '../../../requests/users.ts'
import type { HostTransaction, JoinedStorage, RemovedUser, UserView } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { requireUser } from '../../accept/accept-command.ts'
import { chain } from '../../accept/chain.ts'
import type { DeletedUser } from '../../answers/wire/users.ts'
import { isReplaced } from '../../games.ts'
import { CHANGED, OUTDATED, onNewestGame } from '../../on-newest-game.ts'
import { toReplacement } from '../../record/accept-late.ts'
import { currentGame } from '../../record/host-door.ts'
import { storeReplacement } from '../../record/record-late.ts'
import { toAnonymousSave } from '../../replay/anonymous-user.ts'
import { ALL_ROWS } from '../../replay/fold-start.ts'
import { isWhole } from '../../replay/new-user-save.ts'
import { type ReadChunk, readInTurns } from '../../replay/read-log.ts'
import type { Context, CurrentGame, Eventually } from '../../types.ts'
import { followMerges } from '../read/follow-merges.ts'

/**
 * Deletes a user, or makes it anonymous. Calls of that user that have not been decided by then are those of an unknown
 * user.
 */
export async function deleteUser(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown = {},
  tx?: HostTransaction,
): Promise<DeletedUser> {
  if (tx !== undefined) return deleteInTransaction(context, tx, tenant, id, request)
  const { key: named, anonymousId } = readDeletion(tenant, id, request)
  const { key } = await followMerges(context.storage, named)
  if (anonymousId === null) requireRemoved(await context.storage.removeUser(key), key)
  else await makeAnonymous(context, key, anonymousId)
  return { id: key.user, anonymousId }
}

function readDeletion(
  tenant: string,
  id: unknown,
  request: unknown,
): { readonly key: UserKey; readonly anonymousId: string | null } {
  const key = { tenant, user: parse(userId, id, 'user id') }
  const { keep } = parse(deletionRequest, request, 'options')
  return { key, anonymousId: keep === 'anonymous' ? randomUUID() : null }
}

function requireRemoved(outcome: RemovedUser, { user }: UserKey): void {
  if (outcome === 'unknown') requireUser(null, user)
}

/**
 * Removes under the version and the game that were read. Calls of this process wait; those of others make it begin
 * again.
 */
function makeAnonymous(context: Context, key: UserKey, user: string): Promise<null> {
  const { storage, newId, now } = context
  const work = async (view: UserView, current: CurrentGame): Promise<null | typeof CHANGED | typeof OUTDATED> => {
    requireUser(view.state, key.user)
    if (isReplaced(view.state, current)) return storeReplacement(storage, key, { view, current }, now())
    const readLog = readInTurns(storage, key, view.state?.seq ?? 0)
    const save = await toAnonymousSave({ readLog, newId, now: now() }, current, view)
    if (save === null) return OUTDATED
    if (!isWhole(save)) return CHANGED
    const replacement = { epoch: current.epoch, users: [{ user, version: 0, save }] }
    return (await storage.removeUser(key, { version: view.version, replacement })) === 'changed' ? CHANGED : null
  }
  return context.recorder.alone(key, () => onNewestGame(context, key, ALL_ROWS, 'it was made anonymous', work))
}

async function deleteInTransaction(
  context: Context,
  tx: HostTransaction,
  tenant: string,
  id: unknown,
  request: unknown,
): Promise<DeletedUser> {
  const deleted = await deleteWithin(context, context.storage.join(tx), tenant, id, request)
  // Removes the rows that a host's transaction leaves because nobody may wait for it, unless the user has come again
  // since.
  tx.afterCommit(() => {
    context.storage.removeUser({ tenant, user: deleted.id }, { version: 0 }).catch((err: unknown) => {
      context.logger.warn({ err }, 'Positions of a deleted user stay until the next event on their leaderboards.')
    })
  })
  return deleted
}

/** The same within the host's own transaction. */
export function deleteWithin(
  context: Context,
  joined: JoinedStorage,
  tenant: string,
  id: unknown,
  request: unknown = {},
): Eventually<DeletedUser> {
  const { key, anonymousId } = readDeletion(tenant, id, request)
  return chain(
    joined.attempt(() => removeWithin(context, joined, key, anonymousId)),
    (user) => ({ id: user, anonymousId }),
  )
}

/** The user whose rows are removed: in place of a merged user the one into whom it was merged. */
function removeWithin(
  context: Context,
  joined: JoinedStorage,
  key: UserKey,
  anonymousId: string | null,
): Eventually<string> {
  return chain(joined.lockUser(key, ALL_ROWS), (view) => {
    const into = view.state?.mergedInto ?? null
    if (into !== null) return removeWithin(context, joined, { ...key, user: into }, anonymousId)
    if (anonymousId === null) {
      return chain(joined.removeUser(key), (outcome) => {
        requireRemoved(outcome, key)
        return key.user
      })
    }
    requireUser(view.state, key.user)
    return chain(currentGame(context, joined, view.epoch), (current) => {
      const readLog: ReadChunk = (options) => joined.readLog(key, options)
      const { newId, now } = context
      if (isReplaced(view.state, current)) {
        return chain(toReplacement({ key, readLog, current, view, now: now() }), (replaced) => {
          if (replaced === null) throw changedMeanwhile()
          return chain(joined.save(key, view, replaced), () => removeWithin(context, joined, key, anonymousId))
        })
      }
      return chain(toAnonymousSave({ readLog, newId, now: now() }, current, view), (save) => {
        if (save === null) throw changedMeanwhile()
        const replacement = { epoch: current.epoch, users: [{ user: anonymousId, version: 0, save }] }
        return chain(joined.removeUser(key, { version: view.version, replacement }), (outcome) => {
          if (outcome === 'changed') throw changedMeanwhile()
          return key.user
        })
      })
    })
  })
}

function changedMeanwhile(): GamificationError {
  return new GamificationError('unavailable', 'A newer game was stored meanwhile: try once more.')
}
