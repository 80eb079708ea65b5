import { unchangedSave } from '../engine/accept/unchanged-save.ts'
import { tellTime, toldSoFar, toldUntil, wantsTime } from '../engine/accept/user-messages.ts'
import { writeDocument } from '../engine/clock-document.ts'
import { isReplaced } from '../engine/games.ts'
import { bringToNewestGame } from '../engine/record/locked-user.ts'
import { isAboutAll } from '../engine/record/record-batch.ts'
import { isPassed, isSamePass, newPass, readPass, SWEEP, type SweepPass } from '../engine/sweep-pass.ts'
import type { Context, CurrentGame, Wanted } from '../engine/types.ts'
import { userKeyText } from '../engine/user-key.ts'
import type { UserState } from '../rules/state.ts'
import type { Decide, LoadedUser, UserSave } from '../storage.ts'
import type { UserKey } from '../storage-rows.ts'

const MOST_USERS = 64
/**
 * How long after a game with other notices the pass begins: until then a host's transaction may be open that was
 * decided under the game before, and whose new users nobody sees.
 */
const PAUSE_MS = 60_000

/** Tells what time has brought to some users; null: nothing is due, or nobody wants to know. */
export async function sweep(context: Context): Promise<number | null> {
  const current = await context.games.current()
  const { messages } = current
  if (messages === null || !wantsTime(messages)) return null
  const due = await context.storage.dueUsers(context.now(), MOST_USERS)
  const { told, isOutdated } = await tellUsers(context, current, due)
  const passed = isOutdated ? null : await goOnWithPass(context, current, messages)
  if (told === null && passed === null) return null
  return (told ?? 0) + (passed ?? 0)
}

/** Reads the games again where another process has stored one that this process does not know. */
export async function refreshGame({ storage, games }: Context): Promise<void> {
  const current = await games.current()
  const { epoch } = await storage.readUser(NOBODY)
  if (epoch !== current.epoch) await games.refresh()
}

/** With any user, the newest epoch is answered. */
const NOBODY: UserKey = { tenant: '', user: '' }

/**
 * Goes on with the pass through all users. Users of whom nothing was told yet have no instant at which they are due,
 * and users without an entry since a newer game have one of an earlier game. null: the pass is done, or nothing more
 * can be done now.
 */
async function goOnWithPass(context: Context, current: CurrentGame, wanted: Wanted): Promise<number | null> {
  const { stored, version } = await readPass(context)
  const first = newPass(current, wanted)
  const known = isSamePass(stored, first) ? stored : first
  if (isPassed(known, first) || !isTimeFor(known, stored, context.now(), current)) return null
  const isForMissed = known.isDone || known.missed.length >= MOST_USERS
  const users = isForMissed
    ? known.missed.slice(0, MOST_USERS)
    : await context.storage.listUsers({ ...(known.after && { after: known.after }), limit: MOST_USERS })
  const { told, missed, isOutdated } = await tellUsers(context, current, users)
  if (isOutdated) return 0
  const rest = known.missed.slice(users.length)
  const next = isForMissed ? { ...known, missed: [...rest, ...missed] } : afterPage(known, users, missed)
  const isStuck = isForMissed && missed.length === users.length
  // If this is not written, another process went through the same users, and finds them told.
  if (!isStuck || rest.length > 0) await writeDocument(context, SWEEP, version, next)
  return isStuck || isPassed(next, first) ? told : (told ?? 0)
}

/** Not while a process that knows more games goes through users, and not too soon after a game. */
function isTimeFor(known: SweepPass, stored: SweepPass | null, now: number, { noticesFrom }: CurrentGame): boolean {
  if (known === stored || stored === null || known.since !== stored.since) return true
  return stored.notices < known.notices && now >= (noticesFrom.at(-1)?.from ?? now) + PAUSE_MS
}

/** Once it is done it names nobody any more: users may be deleted. */
function afterPage(known: SweepPass, users: readonly UserKey[], missed: readonly UserKey[]): SweepPass {
  const isDone = users.length < MOST_USERS
  const last = users.at(-1)
  const after = isDone || last === undefined ? null : { tenant: last.tenant, user: last.user }
  return { ...known, after, missed: [...known.missed, ...missed], isDone }
}

interface Told {
  /** How many messages were written; null: there was nothing to store of any of the users, or others were at it. */
  readonly told: number | null
  /** Whom somebody else held. */
  readonly missed: readonly UserKey[]
  /** Nothing was done: a newer game was stored, which is known now. */
  readonly isOutdated: boolean
}

/** A failure nobody foresaw splits the users until the one that cannot be told stands alone; the others are told. */
async function tellUsers(context: Context, current: CurrentGame, users: readonly UserKey[]): Promise<Told> {
  const [user, ...others] = users
  if (user === undefined) return { told: null, missed: [], isOutdated: false }
  try {
    return await tellTogether(context, current, users)
  } catch (err) {
    if (isAboutAll(err)) throw err
    if (others.length === 0) {
      context.logger.error({ ...user, err }, 'What time has brought to a user could not be told; it is tried again.')
      return { told: null, missed: users, isOutdated: false }
    }
    const half = Math.ceil(users.length / 2)
    const left = await tellUsers(context, current, users.slice(0, half))
    if (left.isOutdated) return left
    const right = await tellUsers(context, current, users.slice(half))
    const told = left.told === null && right.told === null ? null : (left.told ?? 0) + (right.told ?? 0)
    return { told, missed: [...left.missed, ...right.missed], isOutdated: right.isOutdated }
  }
}

async function tellTogether(context: Context, current: CurrentGame, users: readonly UserKey[]): Promise<Told> {
  const { storage, now } = context
  const at = now()
  const saves = new Map<string, UserSave>()
  const replaced: UserKey[] = []
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
      const save = toSweep(user, current, at)
      if (save !== null) saves.set(userKeyText(user), save)
      return save
    })
  const requests = users.map(({ tenant, user }) => ({ tenant, user, lookups: [] }))
  const { failures } = await storage.commit(requests, decide)
  if (isOutdated) {
    await context.games.refresh()
    return { told: 0, missed: [], isOutdated }
  }
  for (const failure of failures) saves.delete(userKeyText(failure))
  for (const key of replaced) await bringToNewestGame(context, key)
  const missed = failures.map(({ tenant, user }) => ({ tenant, user }))
  if (saves.size === 0 && replaced.length === 0) return { told: null, missed, isOutdated }
  const told = [...saves.values()].reduce((sum, { messages = [] }) => sum + messages.length, 0)
  return { told, missed, isOutdated }
}

/** null: there is nothing to tell by now, and it is known when there will be. */
function toSweep(user: LoadedUser, current: CurrentGame, now: number): UserSave | null {
  const { state, told } = user
  if (state === null) return null
  if (told !== null && (told.due ?? now + 1) > now && isKnown({ state, told }, current)) return null
  return { ...unchangedSave(state), ...tellTime(user, { state, told }, current, now) }
}

/**
 * Whether `told` is right under the games of now: one from before messages of time were wanted, or from before a game
 * with other notices, may not be.
 */
function isKnown(
  { state, told }: { readonly state: UserState; readonly told: NonNullable<LoadedUser['told']> },
  current: CurrentGame,
): boolean {
  const since = Math.max(current.messages?.since ?? 0, current.noticesFrom.at(-1)?.from ?? 0)
  const until = toldSoFar(told, state)
  return until >= since && toldUntil(current, state, until).due === told.due
}
