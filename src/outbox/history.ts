import { chain } from '../engine/accept/chain.ts'
import { unchangedSave } from '../engine/accept/unchanged-save.ts'
import { toldSoFar, toldUntil, wantsTime } from '../engine/accept/user-messages.ts'
import { toMessage } from '../engine/answers/messages/draft.ts'
import { damagedLog } from '../engine/damage.ts'
import { CHANGED } from '../engine/on-newest-game.ts'
import { holdUser } from '../engine/record/locked-user.ts'
import { startLogMessages } from '../engine/replay/log-messages.ts'
import { replay } from '../engine/replay/replay.ts'
import type { Context, Eventually } from '../engine/types.ts'
import { historyMarkId } from '../game/ids.ts'
import type { PlacedMessage } from '../storage-outbox.ts'
import type { UserKey } from '../storage-rows.ts'
import { placeAll } from './messages.ts'
import type { History, StoredSubscription } from './stored-subscription.ts'

/*
 * What was before a subscription is made again from the logs, a page of users after the other, and written as messages
 * for this subscription alone: each user's in one commit under the user's version, with a mark behind them. So for each
 * user there is one position before which everything is in the history, and behind which nothing is: no message is lost
 * or comes twice. A page is handed over before the next one is listed: a user who could have been on it and was not was
 * created since, and all messages about that user lie behind what was read until then.
 */

const MOST_USERS = 20

/** The type under which messages of a history are stored; without `type`, that of the mark. */
export function historyType(name: string, type = ''): string {
  return `history ${name} ${type}`
}

/** Which types are read where a history is handed over too. */
export function typesToRead({ name, types, history }: StoredSubscription): readonly string[] {
  return history === null ? types : [...types, historyType(name), ...types.map((type) => historyType(name, type))]
}

/** Writes the history of the next users; answers how the subscription's stands then. */
export async function writePage(
  context: Context,
  { name, types }: StoredSubscription,
  { listed }: History,
): Promise<History> {
  const { storage } = context
  const page = await storage.listUsers({ ...(listed && { after: listed }), limit: MOST_USERS })
  for (const key of page) await writeUser(context, key, { name, types })
  return {
    listed: page.at(-1) ?? listed,
    page: page.map(({ tenant, user }) => ({ tenant, user })),
    ends: await placeAll(storage),
    isLast: page.length < MOST_USERS,
  }
}

/**
 * Sifts a message that is read in order while a history is handed over: the message as it is to be handed over, or
 * null.
 */
export function sift(
  history: History,
  name: string,
  message: PlacedMessage,
): { readonly history: History; readonly message: PlacedMessage | null } {
  const { tenant, user, type, position } = message
  if (user === null) return { history, message }
  const key = { tenant, user }
  const prefix = historyType(name)
  const isOnPage = position <= (history.ends ?? 0) && history.page.some((each) => compareKeys(each, key) === 0)
  const isOfHistory = type.startsWith(prefix)
  if (!isOfHistory) return { history, message: isOnPage || isToCome(history, key) ? null : message }
  if (!isOnPage) return { history, message: null }
  if (type !== prefix) return { history, message: { ...message, type: type.slice(prefix.length) } }
  return { history: { ...history, page: history.page.filter((each) => compareKeys(each, key) !== 0) }, message: null }
}

/** The history once everything up to a position was read; null: all of it was handed over. */
export function afterReading(history: History, position: number): History | null {
  if (history.page.length > 0 && position < (history.ends ?? 0)) return history
  return history.isLast ? null : { ...history, page: [], ends: null }
}

/** Whether a user is listed later, if at all. */
function isToCome({ listed, isLast }: History, key: UserKey): boolean {
  return !isLast && (listed === null || compareKeys(key, listed) > 0)
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
  const wanted = { types: new Set(types), since: EVER }
  await holdUser(context, key, {}, (held, { view, current, readLog }): Eventually<null | typeof CHANGED> => {
    const { state } = view
    if (state === null) return null
    const watch = () => startLogMessages({ key, current, wanted, keeps: ({ due }) => due === null })
    return chain(replay(readLog, current, [], { watch }), (fold) => {
      if (fold?.state == null || fold.messages === null) throw damagedLog(key.user)
      const { messages: inForce } = current
      const until = Math.max(toldSoFar(view.told, state), inForce?.since ?? 0)
      fold.messages.end(fold.state, until)
      const drafts = fold.messages.drafts.filter(
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
      return chain(held.save(key, view, save), (ranks) => (ranks === null ? CHANGED : null))
    })
  })
}
