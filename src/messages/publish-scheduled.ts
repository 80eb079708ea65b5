import { z } from 'zod'
import { toMessageBoost } from '../answers/messages-of-time.ts'
import { toInstantText } from '../answers/users.ts'
import { isAboutAll, isGamificationError } from '../errors.ts'
import { messageId } from '../game/ids.ts'
import { unchangedSave } from '../record/accept/accept-command.ts'
import { messagesOfTime, noticeCursorAt, noticesSentUntil } from '../record/accept/user-messages.ts'
import { bringToNewestGame } from '../record/locked-user.ts'
import { submit } from '../record/write-modes.ts'
import type { Instant } from '../rules/calendar.ts'
import { hasReachedMembership } from '../rules/criteria.ts'
import { type ScheduledChange, scheduledByGames } from '../rules/scheduled-notices.ts'
import type { UserState } from '../rules/state.ts'
import type { Context, CurrentGame, Wanted } from '../runtime/context.ts'
import { readDocument, writeDocument } from '../runtime/documents.ts'
import { isReplaced } from '../runtime/game-registry.ts'
import { startCall } from '../runtime/start-call.ts'
import { isPassed, isSamePass, newPass, readPass, SWEEP, type SweepPass } from '../runtime/sweep-pass.ts'
import type { MessageType } from '../shapes/messages.ts'
import { loadDueUsers, putMessages } from '../sql/messages.ts'
import { loadUser } from '../sql/read-user.ts'
import { loadTenants, loadUserKeys } from '../sql/user-lists.ts'
import type { OwnedMessage } from '../storage/outbox.ts'
import { type UserKey, userKeyText } from '../storage/rows.ts'
import { runSteps } from '../storage/steps.ts'
import type { Decide, LoadedUser, UserSave } from '../storage/storage.ts'
import { readBoard } from './rank-messages.ts'

const MOST_USERS = 64
/**
 * For this long, a transaction of the host that was decided under the previous game may hold users that are not seen
 * yet.
 */
const PAUSE_MS = 60_000

/** Publishes messages that time causes for the next users. Returns `null` if nothing is due or wanted. */
export async function publishTimeMessages(context: Context): Promise<number | null> {
  const current = await context.games.current()
  const { messages } = current
  if (messages === null || !messages.withTime) return null
  try {
    const due = await loadDueUsers(context.storage, context.now(), MOST_USERS)
    const { written } = await publishFor(context, current, due)
    return sum(written, await continuePass(context, current, messages))
  } catch (error) {
    if (!(error instanceof Outdated)) throw error
    await context.games.refresh()
    return 0
  }
}

/** A newer game was stored, which this process must read first. */
class Outdated extends Error {}

function sum(left: number | null, right: number | null): number | null {
  return left === null && right === null ? null : (left ?? 0) + (right ?? 0)
}

/** Reads the games again if another process stored one that this process does not know. */
export async function refreshGame({ storage, games }: Context): Promise<void> {
  const current = await games.current()
  const { epoch } = await loadUser(storage, ANY_USER)
  if (epoch !== current.epoch) await games.refresh()
}

/** The answer about any user, even an unknown one, has the newest epoch. */
const ANY_USER: UserKey = { tenant: '', user: '' }

/**
 * Continues the pass through all users. Users without a message so far have no due instant, and others may have one
 * from an earlier game. Returns `null` if the pass is done or must wait.
 */
async function continuePass(context: Context, current: CurrentGame, wanted: Wanted): Promise<number | null> {
  const { stored, version } = await readPass(context)
  const first = newPass(current, wanted)
  const known = isSamePass(stored, first) ? stored : first
  if (isPassed(known, first) || !isTimeFor(known, stored, context.now(), current)) return null
  const isForMissed = known.isDone || known.missed.length >= MOST_USERS
  const users = isForMissed
    ? known.missed.slice(0, MOST_USERS)
    : await loadUserKeys(context.storage, { ...(known.after && { after: known.after }), limit: MOST_USERS })
  const { written, missed } = await publishFor(context, current, users)
  const rest = known.missed.slice(users.length)
  const next = isForMissed ? { ...known, missed: [...rest, ...missed] } : afterPage(known, users, missed)
  const isStuck = isForMissed && missed.length === users.length
  // If this write fails, another process went through the same users and found nothing to publish.
  if (!isStuck || rest.length > 0) await writeDocument(context, SWEEP, version, next)
  return isStuck || isPassed(next, first) ? written : (written ?? 0)
}

/** False while a process that knows more games runs the pass, and too soon after a new game. */
function isTimeFor(known: SweepPass, stored: SweepPass | null, now: number, { noticesFrom }: CurrentGame): boolean {
  if (known === stored || stored === null || known.since !== stored.since) return true
  return stored.notices < known.notices && now >= (noticesFrom.at(-1)?.from ?? now) + PAUSE_MS
}

/** A finished pass has no user id in it, because users may be deleted. */
function afterPage(known: SweepPass, users: readonly UserKey[], missed: readonly UserKey[]): SweepPass {
  const isDone = users.length < MOST_USERS
  const last = users.at(-1)
  const after = isDone || last === undefined ? null : { tenant: last.tenant, user: last.user }
  return { ...known, after, missed: [...known.missed, ...missed], isDone }
}

interface Published {
  /** How many messages were written, or `null` if no user had anything to save. */
  readonly written: number | null
  /** Users who could not be saved, for instance because another transaction has locked them. */
  readonly missed: readonly UserKey[]
}

/** An unexpected error splits the users until the one who causes it is alone, so that all others get their messages. */
async function publishFor(context: Context, current: CurrentGame, users: readonly UserKey[]): Promise<Published> {
  const [user, ...others] = users
  if (user === undefined) return { written: null, missed: [] }
  try {
    return await publishTogether(context, current, users)
  } catch (err) {
    if (err instanceof Outdated || isAboutAll(err)) throw err
    if (others.length === 0) {
      context.logger.error(
        { ...user, err },
        'The scheduled messages of a user could not be published. The next round tries again.',
      )
      return { written: null, missed: users }
    }
    const half = Math.ceil(users.length / 2)
    const left = await publishFor(context, current, users.slice(0, half))
    const right = await publishFor(context, current, users.slice(half))
    return { written: sum(left.written, right.written), missed: [...left.missed, ...right.missed] }
  }
}

async function publishTogether(context: Context, current: CurrentGame, users: readonly UserKey[]): Promise<Published> {
  const { storage, now } = context
  const at = now()
  const saves = new Map<string, UserSave>()
  const replaced: UserKey[] = []
  const members: UserKey[] = []
  let isOutdated = false
  const decide: Decide = (loaded, epoch) =>
    loaded.map((user) => {
      const { tenant, user: id } = user
      saves.delete(userKeyText(user))
      isOutdated ||= epoch !== current.epoch
      if (isOutdated) return null
      if (isReplaced(user.state, current) && user.state?.mergedInto === null) {
        replaced.push({ tenant, user: id })
        return null
      }
      // The save of an entry that marks a membership publishes the due messages.
      if (user.state !== null && hasReachedMembership(current.game, user.state, at)) {
        members.push({ tenant, user: id })
        return null
      }
      const save = toSave(user, current, at)
      if (save !== null) saves.set(userKeyText(user), save)
      return save
    })
  const requests = users.map(({ tenant, user }) => ({ tenant, user, lookups: [] }))
  const { failures } = await storage.commit(requests, decide)
  if (isOutdated) throw new Outdated()
  for (const failure of failures) saves.delete(userKeyText(failure))
  for (const key of replaced) await bringToNewestGame(context, key)
  for (const key of members) await recordMembership(context, key)
  const missed = failures.map(({ tenant, user }) => ({ tenant, user }))
  if (saves.size + replaced.length + members.length === 0) return { written: null, missed }
  const written = [...saves.values()].reduce((count, { messages = [] }) => count + messages.length, 0)
  if (written > 0) context.messageSignal.notify()
  return { written, missed }
}

/** Does nothing if the user was deleted in the meantime. */
async function recordMembership(context: Context, { tenant, user }: UserKey): Promise<void> {
  try {
    const call = { ...startCall(context), tenant, mode: context.queued }
    await runSteps(submit(call, { user, body: { kind: 'userUpserted' } }))
  } catch (error) {
    if (!isGamificationError(error) || error.code !== 'unknown_user') throw error
  }
}

/** Returns `null` if nothing is due and the next due instant is stored. */
function toSave(user: LoadedUser, current: CurrentGame, now: number): UserSave | null {
  const { state, notices } = user
  if (state === null) return null
  if (notices !== null && (notices.due ?? now + 1) > now && isKnown({ state, notices }, current)) return null
  return { ...unchangedSave(state), ...messagesOfTime(user, { state, notices }, current, now) }
}

/** False if `notices` is older than the first subscription to such messages, or than a game with other notices. */
function isKnown(
  { state, notices }: { readonly state: UserState; readonly notices: NonNullable<LoadedUser['notices']> },
  current: CurrentGame,
): boolean {
  const since = Math.max(current.messages?.since ?? 0, current.noticesFrom.at(-1)?.from ?? 0)
  const until = noticesSentUntil(notices, state)
  return until >= since && noticeCursorAt(current, state, until).due === notices.due
}

const TYPES: { readonly [Type in ScheduledChange['notice']['type']]: MessageType } = {
  boostStarted: 'points.boost_started',
  boostFinished: 'points.boost_finished',
  runStarted: 'leaderboard.started',
  runFinished: 'leaderboard.finished',
}

/** A change, with the game in force at that instant. */
type Change = ReturnType<typeof scheduledByGames>[number]

/** By message type, the instant up to which changes are published. */
const publishedUntil = z.record(z.string(), z.number())
const TENANTS = 'tenants'

/** Returns whether `workOnce` has work that no instant tells: after a new subscription, or a new game. */
export async function hasNewWork(context: Context, current: CurrentGame, wanted: Wanted): Promise<boolean> {
  const { isNoted } = await readScheduled(context, current)
  if (!isNoted || !wanted.withTime) return !isNoted
  const { stored } = await readPass(context)
  return !isPassed(stored, newPass(current, wanted))
}

async function readScheduled(context: Context, { messages }: CurrentGame) {
  const wanted = Object.values(TYPES).filter((type) => messages?.types.has(type) === true)
  const { stored, version } = await readDocument(context, TENANTS, publishedUntil)
  const isNoted =
    wanted.length === Object.keys(stored ?? {}).length && wanted.every((type) => stored?.[type] !== undefined)
  return { wanted, stored, version, isNoted }
}

/** Publishes that boosts of all users and runs began or ended since the last call. Returns `null` if none did. */
export async function publishScheduled(context: Context): Promise<number | null> {
  const current = await context.games.current()
  const { wanted, stored, version, isNoted } = await readScheduled(context, current)
  if (wanted.length === 0 && stored === null) return null
  const now = context.now()
  const from = (type: string): Instant => stored?.[type] ?? now
  const first = Math.min(now, ...wanted.map(from))
  const changes = scheduledByGames(current.gamesFrom, first, now).filter(({ at, notice }) => {
    const type = TYPES[notice.type]
    return wanted.includes(type) && at > from(type)
  })
  if (changes.length === 0 && isNoted) return null
  const next = Object.fromEntries(wanted.map((type) => [type, Math.max(now, from(type))]))
  const written = changes.length === 0 ? [] : await toMessages(context, current, changes)
  const isWritten = await writeDocument(context, TENANTS, version, next, (tx) => putMessages(tx, written))
  if (!isWritten || written.length === 0) return null
  context.messageSignal.notify()
  return written.length
}

async function toMessages(
  context: Context,
  current: CurrentGame,
  changes: readonly Change[],
): Promise<readonly OwnedMessage[]> {
  const messages: OwnedMessage[] = []
  for (const change of changes) {
    const { notice } = change
    if ('boost' in notice) {
      messages.push(toBoostMessage(change, notice))
    } else {
      for await (const tenant of tenantsOf(context, current.game.multiTenant)) {
        const message = await toRunMessage(context, tenant, change, notice)
        if (message !== null) messages.push(message)
      }
    }
  }
  return messages
}

function toBoostMessage(
  { at, game }: Change,
  notice: Extract<ScheduledChange['notice'], { type: 'boostStarted' | 'boostFinished' }>,
): OwnedMessage {
  const { system, boost } = notice
  const type = TYPES[notice.type]
  const status = notice.type === 'boostStarted' ? 'active' : 'finished'
  const date = notice.type === 'boostStarted' ? boost.start : (boost.end ?? '')
  const data = { timestamp: toInstantText(at), boost: toMessageBoost(game, system, boost, { status, userId: null }) }
  const id = messageId('', '', type, boost.id, date)
  return { id, type, at, due: null, tenant: '', user: null, data: JSON.stringify(data) }
}

async function toRunMessage(
  context: Context,
  tenant: string,
  { at, game }: Change,
  notice: Extract<ScheduledChange['notice'], { type: 'runStarted' | 'runFinished' }>,
): Promise<OwnedMessage | null> {
  const leaderboard = game.leaderboards.get(notice.leaderboard)
  if (leaderboard === undefined) return null
  const { run } = notice
  const type = TYPES[notice.type]
  const board = await readBoard(context, tenant, { game, leaderboard, run }, '', at)
  const id = messageId(tenant, '', type, leaderboard.key, run.id)
  return { id, type, at, due: null, tenant, user: null, data: JSON.stringify({ leaderboard: board }) }
}

/** The tenants that have users. A game without tenants has one, the empty text. */
async function* tenantsOf({ storage }: Context, isMultiTenant: boolean): AsyncGenerator<string> {
  if (!isMultiTenant) {
    yield ''
    return
  }
  for (let page = await loadTenants(storage); page.length > 0; ) {
    for (const { tenant } of page) yield tenant
    const last = page.at(-1)
    page = last === undefined ? [] : await loadTenants(storage, { after: last.tenant })
  }
}
