import { z } from 'zod'
import { tellTime, wantsTime } from '../engine/accept/telling.ts'
import { unchangedSave } from '../engine/accept/unchanged-save.ts'
import { isReplaced } from '../engine/games.ts'
import { onNewestGame } from '../engine/on-newest-game.ts'
import { storeReplacement } from '../engine/record/record-late.ts'
import type { Context, CurrentGame } from '../engine/types.ts'
import { userKeyText } from '../engine/user-key.ts'
import type { Decide, LoadedUser, UserSave } from '../storage.ts'
import type { UserKey } from '../storage-rows.ts'
import { readDocument, writeDocument } from './clock-document.ts'

const MOST_USERS = 64

/** How far all users have been gone through once, since what time brings is to be told of them. */
const pass = z.object({
  since: z.number(),
  after: z.object({ tenant: z.string(), user: z.string() }).nullable(),
  isDone: z.boolean(),
})
const SWEEP = 'sweep'

/** Tells what time has brought to some users; null: nothing is due, or nobody wants to know. */
export async function sweep(context: Context): Promise<number | null> {
  const current = await context.games.current()
  const { messages } = current
  if (messages === null || !wantsTime(messages)) return null
  const due = await context.storage.dueUsers(context.now(), MOST_USERS)
  const told = await tellUsers(context, current, due)
  const passed = await goOnWithPass(context, current, messages.since)
  if (told === null && passed === null) return null
  return (told ?? 0) + (passed ?? 0)
}

/** Another process may have stored a game that this has not met yet. */
export async function refreshGame({ storage, games }: Context): Promise<void> {
  const current = await games.current()
  const { epoch } = await storage.readUser(NOBODY)
  if (epoch !== current.epoch) await games.refresh()
}

/** With any user, the newest epoch is answered. */
const NOBODY: UserKey = { tenant: '', user: '' }

/** Users of whom nothing was told yet have no time at which they are due: all are gone through once. null: that is done. */
async function goOnWithPass(context: Context, current: CurrentGame, since: number): Promise<number | null> {
  const { stored, version } = await readDocument(context, SWEEP, pass)
  const known = stored?.since === since ? stored : { since, after: null, isDone: false }
  if (known.isDone) return null
  const options = known.after === null ? {} : { after: known.after }
  const users = await context.storage.listUsers({ ...options, limit: MOST_USERS })
  const told = await tellUsers(context, current, users)
  const isDone = users.length < MOST_USERS
  // Whoever goes through the same users meanwhile finds them told.
  await writeDocument(context, SWEEP, version, { since, after: users.at(-1) ?? known.after, isDone })
  return isDone ? told : (told ?? 0)
}

/** null: of none of them there was anything to tell, or others were at it. */
async function tellUsers(context: Context, current: CurrentGame, users: readonly UserKey[]): Promise<number | null> {
  if (users.length === 0) return null
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
    return 0
  }
  for (const failure of failures) saves.delete(userKeyText(failure))
  for (const key of replaced) await replaceUser(context, key)
  if (saves.size === 0 && replaced.length === 0) return null
  return [...saves.values()].reduce((sum, { messages = [] }) => sum + messages.length, 0)
}

/** null: there is nothing to tell by now. */
function toSweep(user: LoadedUser, current: CurrentGame, now: number): UserSave | null {
  const { state, told } = user
  if (state === null) return null
  // What was told before anybody wanted to know it may be of an older state.
  const isTold = told !== null && told.until >= (current.messages?.since ?? 0)
  if (isTold && (told.due === null || told.due > now)) return null
  return { ...unchangedSave(state), ...tellTime(user, { state, told }, current, now) }
}

/** Has the user stand on the game that replaced the earlier ones, as the next call would. */
async function replaceUser(context: Context, key: UserKey): Promise<void> {
  const { storage, now } = context
  const everything = { awards: {}, periods: {}, leaderboards: {} }
  await onNewestGame<null>(context, key, everything, 'it was swept', async (view, current) =>
    isReplaced(view.state, current) ? storeReplacement(storage, key, { view, current }, now()) : null,
  )
}
