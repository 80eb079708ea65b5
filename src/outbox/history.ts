import { toldUntil, wantsTime } from '../engine/accept/telling.ts'
import { unchangedSave } from '../engine/accept/unchanged-save.ts'
import { toMessage } from '../engine/answers/messages/draft.ts'
import { isReplaced } from '../engine/games.ts'
import { CHANGED, OUTDATED, onNewestGame } from '../engine/on-newest-game.ts'
import { toReplacement } from '../engine/record/accept-late.ts'
import { storeIfUnchanged } from '../engine/record/record-late.ts'
import { startLogTelling } from '../engine/replay/log-telling.ts'
import { readInTurns } from '../engine/replay/read-log.ts'
import { replay } from '../engine/replay/replay.ts'
import type { Context } from '../engine/types.ts'
import { historyMarkId } from '../game/ids.ts'
import type { PlacedMessage } from '../storage-outbox.ts'
import type { UserKey } from '../storage-rows.ts'
import { placeAll } from './positions.ts'
import type { History, StoredSubscription } from './stored-subscription.ts'

/*
 * What was before a subscription is made again from the logs, user by user, and written as messages of this subscription
 * alone, each user's in one commit under the user's version, with a mark behind it. So for each user there is one place among
 * all positions before which everything is in the history, and behind which nothing is: no message is lost or comes twice.
 */

const MOST_USERS = 20

/** Under which type messages of a history are kept; without a type that of the mark. */
export function historyType(name: string, type = ''): string {
  return `history ${name} ${type}`
}

/** Which types are read where a history is handed over too. */
export function typesToRead({ name, types, history }: StoredSubscription): readonly string[] {
  return history === null ? types : [...types, historyType(name), ...types.map((type) => historyType(name, type))]
}

/** Writes the history of some users more; answers how the subscription's stands then. */
export async function writeHistory(
  context: Context,
  { name, types }: StoredSubscription,
  history: History,
): Promise<History> {
  const { storage } = context
  const after = history.written === null ? {} : { after: history.written }
  const users = await storage.listUsers({ ...after, limit: MOST_USERS })
  for (const key of users) await writeUser(context, key, { name, types })
  const written = users.at(-1) ?? history.written
  if (users.length === MOST_USERS) return { ...history, written }
  return { ...history, written, ends: await placeAll(storage) }
}

/** What a message is to somebody who reads in order: to be handed over as it stands here, or null. */
export function sift(
  history: History,
  name: string,
  message: PlacedMessage,
): { readonly history: History; readonly message: PlacedMessage | null } {
  const { tenant, user, type } = message
  if (user === null) return { history, message }
  const isHanded = history.handed !== null && compareKeys({ tenant, user }, history.handed) <= 0
  const prefix = historyType(name)
  if (!type.startsWith(prefix)) return { history, message: isHanded ? message : null }
  if (type !== prefix) return { history, message: isHanded ? null : { ...message, type: type.slice(prefix.length) } }
  return { history: isHanded ? history : { ...history, handed: { tenant, user } }, message: null }
}

/** In the order in which storages list users. */
export function compareKeys(left: UserKey, right: UserKey): number {
  return compareText(left.tenant, right.tenant) || compareText(left.user, right.user)
}

function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

/** From the beginning of time. */
const EVER = Number.MIN_SAFE_INTEGER

async function writeUser(
  context: Context,
  key: UserKey,
  { name, types }: Pick<StoredSubscription, 'name' | 'types'>,
): Promise<void> {
  const { storage, now } = context
  const everything = { awards: {}, periods: {}, leaderboards: {} }
  await onNewestGame<null>(context, key, everything, 'its history was told', async (view, current) => {
    const { state } = view
    if (state === null) return null
    const readLog = readInTurns(storage, key, state.seq)
    if (isReplaced(state, current)) {
      const replaced = await toReplacement({ key, readLog, current, view, now: now() })
      if (replaced === null) return OUTDATED
      await storeIfUnchanged(storage, key, { view, current }, replaced)
      return CHANGED
    }
    const wanted = { types: new Set(types), since: EVER }
    const watch = () => startLogTelling({ key, current, wanted, keeps: ({ due }) => due === null })
    const fold = await replay(readLog, current, [], { watch })
    if (fold === null) return OUTDATED
    if (fold.state === null || fold.telling === null) return CHANGED
    const { messages: inForce } = current
    const until = Math.max(view.told?.until ?? state.at, inForce?.since ?? 0)
    fold.telling.end(fold.state, until)
    const drafts = fold.telling.drafts.filter(
      ({ type, staleAfter }) => wanted.types.has(type) && staleAfter === undefined,
    )
    const own = drafts.map((each) => ({ ...toMessage(each), type: historyType(name, each.type) }))
    const mark = {
      id: historyMarkId(key.tenant, key.user, name),
      type: historyType(name),
      at: until,
      data: '{}',
      due: null,
    }
    const told = inForce !== null && wantsTime(inForce) ? { told: toldUntil(current, state, until) } : {}
    const save = { ...unchangedSave(state), messages: [...own, mark], ...told }
    return (await storeIfUnchanged(storage, key, { view, current }, save)) === null ? CHANGED : null
  })
}
