import { randomUUID } from 'node:crypto'
import { GamificationError } from '../../errors.ts'
import { requireUser } from '../../record/accept/accept-command.ts'
import { type LockedUser, lockUser, withLockedUser } from '../../record/locked-user.ts'
import { ALL_ROWS } from '../../record/replay/fold-start.ts'
import { isWhole, toAnonymousSave } from '../../record/replay/new-user-save.ts'
import { stateAfter, submit } from '../../record/submit.ts'
import { currentGame } from '../../record/write-modes.ts'
import type { EntryBody, PersonalStreak } from '../../rules/entry.ts'
import { refusePersonalStreak } from '../../rules/refuse.ts'
import type { Call, Context, WriteCall } from '../../runtime/context.ts'
import { damagedLog } from '../../runtime/damage.ts'
import { AGAIN, type Again } from '../../runtime/game-registry.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { HostTransaction, JoinedTransaction, RemovedUser, StorageTransaction } from '../../storage/storage.ts'
import { chain, type Eventually } from '../../storage/sync-or-async.ts'
import { parse, userId } from '../input.ts'
import { toPreferences, toSuspension, toUser } from './answer.ts'
import { followMerges } from './read-user.ts'
import {
  deletionRequest,
  type ParsedUpdate,
  parseUserId,
  suspensionRequest,
  toPatch,
  toPreferencesBody,
  userUpdate,
  userUpsert,
} from './requests.ts'
import type { DeletedUser, SuspendedUser, User, UserPreferences } from './types.ts'

export function createUser(call: WriteCall, request: unknown): Eventually<User> {
  const { id, ...update } = parse(userUpsert, request, 'user')
  return saveUser(call, id, update, true)
}

export function identifyUser(call: WriteCall, id: unknown, request: unknown): Eventually<User> {
  return saveUser(call, parseUserId(id), parse(userUpdate, request, 'user'), true)
}

export function updateUser(call: WriteCall, id: unknown, request: unknown): Eventually<User> {
  return saveUser(call, parseUserId(id), parse(userUpdate, request, 'user'), false)
}

function saveUser(call: WriteCall, user: string, update: ParsedUpdate, createsUser: boolean): Eventually<User> {
  const submission = { user, profile: toPatch(update), body: { kind: 'userUpserted' }, createsUser } as const
  return chain(submit(call, submission), (outcome) =>
    toUser(outcome.game, { tenant: call.tenant, user: outcome.user }, stateAfter(outcome)),
  )
}

export function suspendUser(call: WriteCall, id: unknown, request: unknown = {}): Eventually<SuspendedUser> {
  const { from, reason = null } = parse(suspensionRequest, request, 'request')
  return record(call, id, { kind: 'userSuspended', from, reason })
}

export function restoreUser(call: WriteCall, id: unknown): Eventually<SuspendedUser> {
  return record(call, id, { kind: 'userRestored' })
}

function record(call: WriteCall, id: unknown, body: EntryBody): Eventually<SuspendedUser> {
  return chain(submit(call, { user: parseUserId(id), body }), (outcome) => {
    return { id: outcome.user, suspended: toSuspension(stateAfter(outcome).suspended) }
  })
}

export function updatePreferences(call: WriteCall, id: unknown, request: unknown): Eventually<UserPreferences> {
  const user = parseUserId(id)
  const body = toPreferencesBody(request)
  const streak = body.kind === 'preferencesChanged' ? body.streak : null
  return chain(streak === null ? null : checkCustomization(call, streak), () =>
    chain(submit(call, { user, body }), (outcome) => toPreferences(stateAfter(outcome).preferences)),
  )
}

/** Throws where personal streaks are off, whether the user exists or not. */
function checkCustomization({ mode }: WriteCall, streak: PersonalStreak): Eventually<null> {
  return chain(mode.current(), ({ game }) => {
    const refusal = refusePersonalStreak(game, streak)
    if (refusal?.code === 'streak_customization_disabled') throw new GamificationError(refusal.code, refusal.message)
    return null
  })
}

export async function deleteUser(
  call: Call,
  id: unknown,
  request: unknown = {},
  tx?: HostTransaction,
): Promise<DeletedUser> {
  if (tx !== undefined) return deleteInTransaction(call, tx, id, request)
  const { key: named, anonymousId } = readDeletion(call, id, request)
  const { key } = await followMerges(call.storage, named)
  if (anonymousId !== null) return { id: await makeAnonymous(call, key, anonymousId), anonymousId }
  requireRemoved(await call.storage.transaction((tx) => tx.removeUser(key)), key)
  return { id: key.user, anonymousId }
}

function readDeletion(
  { tenant }: Call,
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

/** The id of the user: another one, if the user was merged meanwhile. */
async function makeAnonymous(context: Context, key: UserKey, anonymousId: string): Promise<string> {
  const into = await withLockedUser<string | null>(context, key, ALL_ROWS, (tx, user) => {
    return user.view.state?.mergedInto ?? anonymize(context, tx, user, anonymousId)
  })
  return into === null ? key.user : makeAnonymous(context, { ...key, user: into }, anonymousId)
}

/** Puts an anonymous user in the place of a locked one. AGAIN: a newer game was stored meanwhile. */
function anonymize(
  context: Context,
  storage: StorageTransaction,
  { key, view, current, readLog }: LockedUser,
  anonymousId: string,
): Eventually<null | Again> {
  requireUser(view.state, key.user)
  return chain(toAnonymousSave(context, readLog, current, view), (save) => {
    if (save === null || !isWhole(save)) throw damagedLog(key.user)
    const replacement = { epoch: current.epoch, users: [{ user: anonymousId, version: 0, save }] }
    return chain(storage.removeUser(key, { version: view.version, replacement }), (outcome) =>
      outcome === 'changed' ? AGAIN : null,
    )
  })
}

async function deleteInTransaction(
  call: Call,
  tx: HostTransaction,
  id: unknown,
  request: unknown,
): Promise<DeletedUser> {
  const deleted = await deleteWithin(call, call.storage.joinTransaction(tx), id, request)
  // Removes the rows that a host's transaction leaves, because other writers must not wait for it. Leaves the rows of a
  // user who was created again since.
  tx.afterCommit(() => {
    call.storage
      .transaction((own) => own.removeUser({ tenant: call.tenant, user: deleted.id }, { version: 0 }))
      .catch((err: unknown) => {
        call.logger.warn({ err }, 'Positions of a deleted user stay until the next event on their leaderboards.')
      })
  })
  return deleted
}

/** The same within the host's own transaction. */
export function deleteWithin(
  call: Call,
  joined: JoinedTransaction,
  id: unknown,
  request: unknown = {},
): Eventually<DeletedUser> {
  const { key, anonymousId } = readDeletion(call, id, request)
  return chain(
    joined.savepoint(() => removeWithin(call, joined, key, anonymousId)),
    (user) => ({ id: user, anonymousId }),
  )
}

/** The user whose rows are removed: in place of a merged user the one into whom it was merged. */
function removeWithin(
  context: Context,
  joined: JoinedTransaction,
  key: UserKey,
  anonymousId: string | null,
): Eventually<string> {
  return chain(joined.lockUser(key), ({ state }) => {
    const into = state?.mergedInto ?? null
    if (into !== null) return removeWithin(context, joined, { ...key, user: into }, anonymousId)
    const removed = anonymousId === null ? remove(joined, key) : anonymizeWithin(context, joined, key, anonymousId)
    return chain(removed, () => key.user)
  })
}

function remove(joined: JoinedTransaction, key: UserKey): Eventually<void> {
  return chain(joined.removeUser(key), (outcome) => requireRemoved(outcome, key))
}

function anonymizeWithin(
  context: Context,
  joined: JoinedTransaction,
  key: UserKey,
  anonymousId: string,
): Eventually<void> {
  const gameOf = (epoch: number) => currentGame(context, joined, epoch)
  return chain(lockUser(joined, key, ALL_ROWS, gameOf, context.now()), (user) => {
    if (typeof user === 'symbol') return anonymizeWithin(context, joined, key, anonymousId)
    return chain(anonymize(context, joined, user, anonymousId), (done) => {
      if (done !== AGAIN) return
      throw new GamificationError('unavailable', 'A newer game was stored meanwhile: try once more.')
    })
  })
}
