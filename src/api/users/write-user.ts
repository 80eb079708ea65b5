import { randomUUID } from 'node:crypto'
import { toPreferences, toSuspension, toUser } from '../../answers/users.ts'
import { GamificationError } from '../../errors.ts'
import { MOST_ALIASES, requireUser, tooManyAliases } from '../../record/accept/accept-command.ts'
import { lockUser } from '../../record/locked-user.ts'
import { toAnonymousSave } from '../../record/replay/anonymous-save.ts'
import { ALL_ROWS } from '../../record/replay/fold-start.ts'
import { isWhole } from '../../record/replay/replay-save.ts'
import { currentGame, stateAfter, submit } from '../../record/write-modes.ts'
import type { EntryBody, PersonalStreak } from '../../rules/entry.ts'
import { refusePersonalStreak } from '../../rules/refuse.ts'
import type { Call, Context, WriteCall } from '../../runtime/context.ts'
import { damagedLog } from '../../runtime/damaged-users.ts'
import { parse } from '../../runtime/input.ts'
import { AGAIN, type Again, MOST_TRIES } from '../../runtime/newest-game.ts'
import type { DeletedUser, SuspendedUser, User, UserPreferences } from '../../shapes/users.ts'
import type { UserKey } from '../../storage/rows.ts'
import { runSteps, type Steps, wait } from '../../storage/steps.ts'
import type { HostTransaction, JoinedTransaction, StorageTransaction } from '../../storage/storage.ts'
import * as requests from './requests.ts'

export function createUser(call: WriteCall, request: unknown): Steps<User> {
  const { id, ...update } = parse(requests.userUpsert, request, 'user')
  return saveUser(call, id, update, true)
}

export function identifyUser(call: WriteCall, id: unknown, request: unknown): Steps<User> {
  return saveUser(call, requests.parseUserId(id), parse(requests.userUpdate, request, 'user'), true)
}

export function updateUser(call: WriteCall, id: unknown, request: unknown): Steps<User> {
  return saveUser(call, requests.parseUserId(id), parse(requests.userUpdate, request, 'user'), false)
}

function* saveUser(call: WriteCall, user: string, update: requests.ParsedUpdate, createsUser: boolean): Steps<User> {
  const submission = { user, profile: requests.toPatch(update), body: { kind: 'userUpserted' }, createsUser } as const
  const outcome = yield* submit(call, submission)
  return toUser(outcome.game, { tenant: call.tenant, user: outcome.user }, stateAfter(outcome))
}

export function suspendUser(call: WriteCall, id: unknown, request: unknown = {}): Steps<SuspendedUser> {
  const { from, reason = null } = parse(requests.suspensionRequest, request, 'request')
  return record(call, id, { kind: 'userSuspended', from, reason })
}

export function restoreUser(call: WriteCall, id: unknown): Steps<SuspendedUser> {
  return record(call, id, { kind: 'userRestored' })
}

function* record(call: WriteCall, id: unknown, body: EntryBody): Steps<SuspendedUser> {
  const outcome = yield* submit(call, { user: requests.parseUserId(id), body })
  return { id: outcome.user, suspended: toSuspension(stateAfter(outcome).suspended) }
}

export function* updatePreferences(call: WriteCall, id: unknown, request: unknown): Steps<UserPreferences> {
  const user = requests.parseUserId(id)
  const body = requests.toPreferencesBody(request)
  const streak = body.kind === 'preferencesChanged' ? body.streak : null
  if (streak != null) yield* checkCustomization(call, streak)
  const outcome = yield* submit(call, { user, body })
  return toPreferences(stateAfter(outcome).preferences)
}

/** Throws if personal streaks are off, whether the user exists or not. */
function* checkCustomization({ mode }: WriteCall, streak: PersonalStreak): Steps<void> {
  const { game } = yield* wait(mode.current())
  const refusal = refusePersonalStreak(game, streak)
  if (refusal?.code === 'streak_customization_disabled') throw new GamificationError(refusal.code, refusal.message)
}

type Deletion = { readonly key: UserKey; readonly anonymousId: string | null }

function readDeletion({ tenant }: Call, id: unknown, request: unknown): Deletion {
  const key = { tenant, user: requests.parseUserId(id) }
  const { keep } = parse(requests.deletionRequest, request, 'options')
  return { key, anonymousId: keep === 'anonymous' ? randomUUID() : null }
}

function changedOften({ key }: Deletion): GamificationError {
  const message = `The user ${JSON.stringify(key.user)} or the game changed ${MOST_TRIES} times while the user was deleted. Nothing was saved; try again.`
  return new GamificationError('unavailable', message)
}

export async function deleteUser(
  call: Call,
  id: unknown,
  request: unknown = {},
  tx?: HostTransaction,
): Promise<DeletedUser> {
  const { storage, tenant, logger } = call
  if (tx === undefined) {
    const deletion = readDeletion(call, id, request)
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const done = await storage.transaction((own) => runSteps(removeFrom(call, own, deletion)))
      if (done !== AGAIN) return done
    }
    throw changedOften(deletion)
  }
  const deleted = await runSteps(deleteWithin(call, storage.joinTransaction(tx), id, request))
  // Removes the rows that a host's transaction leaves, because other writers must not wait for it. Leaves the rows of a
  // user who was created again since.
  tx.afterCommit(() => {
    const removed = storage.transaction((own) => own.removeUser({ tenant, user: deleted.id }, { version: 0 }))
    removed.catch((err: unknown) => {
      logger.warn({ err }, 'Positions of a deleted user stay until the next event on their leaderboards.')
    })
  })
  return deleted
}

export function* deleteWithin(
  call: Call,
  joined: JoinedTransaction,
  id: unknown,
  request: unknown = {},
): Steps<DeletedUser> {
  const deletion = readDeletion(call, id, request)
  function* removeWithin(): Steps<DeletedUser> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const done = yield* removeFrom(call, joined, deletion)
      if (done !== AGAIN) return done
    }
    throw changedOften(deletion)
  }
  return yield* wait(joined.savepoint(() => runSteps(removeWithin())))
}

/**
 * Deletes the user. For a merged user, it deletes the user into whom it was merged. Returns AGAIN if a newer game was
 * stored, or if the user's state came from a replaced game and has been updated.
 */
function* removeFrom(
  context: Context,
  tx: StorageTransaction,
  { key, anonymousId }: Deletion,
): Steps<DeletedUser | Again> {
  const own = yield* lockNamed(tx, key)
  const done = anonymousId === null ? yield* remove(tx, own) : yield* anonymize(context, tx, own, anonymousId)
  return done === AGAIN ? done : { id: own.user, anonymousId }
}

/** Locks a user, or in place of a merged one the user into whom it was merged. Returns who is locked. */
function* lockNamed(tx: StorageTransaction, { tenant, user: named }: UserKey): Steps<UserKey> {
  let user = named
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
    const { state } = yield* wait(tx.lockUser({ tenant, user }, { withNames: true }))
    const into = state?.mergedInto ?? null
    if (into === null) return { tenant, user }
    user = into
  }
  throw tooManyAliases(named)
}

function* remove(tx: StorageTransaction, key: UserKey): Steps<null> {
  const outcome = yield* wait(tx.removeUser(key))
  if (outcome === 'unknown') requireUser(null, key.user)
  return null
}

function* anonymize(context: Context, tx: StorageTransaction, key: UserKey, anonymousId: string): Steps<Again | null> {
  const gameOf = (epoch: number) => runSteps(currentGame(context, tx, epoch))
  const user = yield* lockUser(tx, key, ALL_ROWS, gameOf, context.now())
  if (typeof user === 'symbol') return user
  const { view, current, readLog } = user
  requireUser(view.state, key.user)
  const save = yield* toAnonymousSave(context, readLog, current, view)
  if (save === null || !isWhole(save)) throw damagedLog(key.user)
  const replacement = { epoch: current.epoch, users: [{ user: anonymousId, version: 0, save }] }
  const outcome = yield* wait(tx.removeUser(key, { version: view.version, replacement }))
  return outcome === 'changed' ? AGAIN : null
}
