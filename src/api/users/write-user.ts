import { randomUUID } from 'node:crypto'
import { toPreferences, toSuspension, toUser } from '../../answers/users.ts'
import { GamificationError } from '../../errors.ts'
import { MOST_ALIASES, requireUser, tooManyAliases } from '../../record/accept/accept-command.ts'
import { lockUser } from '../../record/locked-user.ts'
import { toAnonymousSave } from '../../record/replay/anonymous-save.ts'
import { isWhole } from '../../record/replay/replay-save.ts'
import { ALL_ROWS } from '../../record/replay/replay-start.ts'
import { currentGame, stateAfter, submit } from '../../record/write-modes.ts'
import type { EntryBody, PersonalStreak } from '../../rules/entry.ts'
import { refusePersonalStreak } from '../../rules/refuse.ts'
import type { Call, Context, WriteCall } from '../../runtime/context.ts'
import { damagedLog } from '../../runtime/damaged-users.ts'
import { AGAIN, type Again, MOST_TRIES } from '../../runtime/newest-game.ts'
import type { DeletedUser, SuspendedUser, User, UserPreferences } from '../../shapes/users.ts'
import { lockAndLoadUser } from '../../sql/read-user.ts'
import type { UserKey } from '../../storage/rows.ts'
import { runSteps, type Steps, wait } from '../../storage/steps.ts'
import type { UserTransaction } from '../../storage/storage.ts'
import * as requests from './requests.ts'

export function createUser(call: WriteCall, { id, ...update }: requests.ParsedUpsert): Steps<User> {
  return saveUser(call, id, update, true)
}

export function identifyUser(call: WriteCall, id: string, update: requests.ParsedUpdate): Steps<User> {
  return saveUser(call, id, update, true)
}

export function updateUser(call: WriteCall, id: string, update: requests.ParsedUpdate): Steps<User> {
  return saveUser(call, id, update, false)
}

function* saveUser(call: WriteCall, user: string, update: requests.ParsedUpdate, createsUser: boolean): Steps<User> {
  const submission = { user, profile: requests.toPatch(update), body: { kind: 'userUpserted' }, createsUser } as const
  const outcome = yield* submit(call, submission)
  return toUser(outcome.game, { tenant: call.tenant, user: outcome.user }, stateAfter(outcome))
}

export function suspendUser(
  call: WriteCall,
  id: string,
  { from, reason }: requests.ParsedSuspension,
): Steps<SuspendedUser> {
  return record(call, id, { kind: 'userSuspended', from, reason: reason ?? null })
}

export function restoreUser(call: WriteCall, id: string): Steps<SuspendedUser> {
  return record(call, id, { kind: 'userRestored' })
}

function* record(call: WriteCall, user: string, body: EntryBody): Steps<SuspendedUser> {
  const outcome = yield* submit(call, { user, body })
  return { id: outcome.user, suspended: toSuspension(stateAfter(outcome).suspended) }
}

export function* updatePreferences(
  call: WriteCall,
  user: string,
  update: requests.ParsedPreferences,
): Steps<UserPreferences> {
  const body = requests.toPreferencesBody(update)
  const streak = body.kind === 'preferencesChanged' ? body.streak : null
  if (streak != null) yield* checkCustomization(call, streak)
  const outcome = yield* submit(call, { user, body })
  return toPreferences(outcome.game, stateAfter(outcome).preferences)
}

/** Throws if personal streaks are off, whether the user exists or not. */
function* checkCustomization({ mode }: WriteCall, streak: PersonalStreak): Steps<void> {
  const { game } = yield* wait(mode.current())
  const refusal = refusePersonalStreak(game, streak)
  if (refusal?.code === 'streak_customization_disabled') throw new GamificationError(refusal.code, refusal.message)
}

interface Deletion {
  readonly key: UserKey
  readonly anonymousId: string | null
}

/** Deletes the user in a transaction of its own, or in the host's. */
export function* deleteUser(
  call: WriteCall,
  user: string,
  { keep }: Required<requests.DeletionRequest>,
): Steps<DeletedUser> {
  const { storage, tenant, mode } = call
  const { joined } = mode
  const deletion: Deletion = { key: { tenant, user }, anonymousId: keep === 'anonymous' ? randomUUID() : null }
  const remove = (tx: UserTransaction) => removeFrom(call, tx, deletion)
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const done = yield* wait(joined ? joined.savepoint(() => runSteps(remove(joined))) : storage.transaction(remove))
    if (done === AGAIN) continue
    // A database that answers at once leaves no rows.
    if (joined && !joined.begin) mode.notify(() => removePositions(call, done.id))
    return done
  }
  const message = `The user ${JSON.stringify(user)} or the game changed ${MOST_TRIES} times while the user was deleted. Nothing was saved; try again.`
  throw new GamificationError('unavailable', message)
}

/**
 * Removes the rows that a host's transaction leaves, because other writers must not wait for it. Leaves the rows of a
 * user who was created again since.
 */
function removePositions({ storage, tenant, logger }: Call, user: string): void {
  storage
    .transaction((own) => wait(own.removeUser({ tenant, user }, { version: 0 })))
    .catch((err: unknown) => {
      logger.warn({ err }, 'Positions of a deleted user stay until the next event on their leaderboards.')
    })
}

/**
 * Deletes the user. For a merged user, it deletes the user into whom it was merged. Returns AGAIN if a newer game was
 * stored, or if the user's state came from a replaced game and has been updated.
 */
function* removeFrom(
  context: Context,
  tx: UserTransaction,
  { key, anonymousId }: Deletion,
): Steps<DeletedUser | Again> {
  const own = yield* lockNamed(tx, key)
  const done = anonymousId === null ? yield* remove(tx, own) : yield* anonymize(context, tx, own, anonymousId)
  return done === AGAIN ? done : { id: own.user, anonymousId }
}

/** Locks a user, or in place of a merged one the user into whom it was merged. Returns who is locked. */
function* lockNamed(tx: UserTransaction, { tenant, user: named }: UserKey): Steps<UserKey> {
  let user = named
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
    const { state } = yield* lockAndLoadUser(tx, { tenant, user }, { withNames: true })
    const into = state?.mergedInto ?? null
    if (into === null) return { tenant, user }
    user = into
  }
  throw tooManyAliases(named)
}

function* remove(tx: UserTransaction, key: UserKey): Steps<null> {
  const outcome = yield* wait(tx.removeUser(key))
  if (outcome === 'unknown') requireUser(null, key.user)
  return null
}

function* anonymize(context: Context, tx: UserTransaction, key: UserKey, anonymousId: string): Steps<Again | null> {
  const gameOf = (epoch: number) => runSteps(currentGame(context, tx, epoch))
  const user = yield* lockUser(tx, key, ALL_ROWS, gameOf, context.now())
  if (typeof user === 'symbol') return user
  const { storedUser, current, readLog } = user
  requireUser(storedUser.state, key.user)
  const save = yield* toAnonymousSave(context, readLog, current, storedUser, anonymousId)
  if (save === null || !isWhole(save)) throw damagedLog(key.user)
  const replacement = { epoch: current.epoch, users: [{ user: anonymousId, version: 0, save }] }
  const outcome = yield* wait(tx.removeUser(key, { version: storedUser.version, replacement }))
  return outcome === 'changed' ? AGAIN : null
}
