import { toMessage } from '../answers/message-draft.ts'
import { historyMarkId } from '../game/ids.ts'
import { isOfTime } from '../game/stored-game.ts'
import { unchangedSave } from '../record/accept/accept-command.ts'
import { noticeCursorAt, noticesSentUntil } from '../record/accept/user-messages.ts'
import { withLockedUser } from '../record/locked-user.ts'
import { startLogMessages } from '../record/replay/log-messages.ts'
import { replay } from '../record/replay/replay.ts'
import { compareCodePoints } from '../rules/position.ts'
import type { Context } from '../runtime/context.ts'
import { damagedLog } from '../runtime/damaged-users.ts'
import { AGAIN, type Again } from '../runtime/newest-game.ts'
import { loadUserKeys } from '../sql/user-lists.ts'
import type { PlacedMessage } from '../storage/outbox.ts'
import type { UserKey } from '../storage/rows.ts'
import { type Steps, wait } from '../storage/steps.ts'
import { assignAllPositions, type PastProgress, type StoredSubscription } from './stored-subscription.ts'

/*
 * A subscription `from: 'start'` first gets the messages of its past, which are made from the logs again. The worker
 * takes one page of users after the other. For each user it writes the messages of the past, for this subscription
 * only, and a mark behind them: in one commit, under the user's version. So each user has one position that divides the
 * past from later messages, and no message is lost or delivered twice. The next page is listed only after the page
 * before was delivered. A user who is missing on the page was created after it was listed, so all messages about that
 * user have later positions.
 */

const MOST_USERS = 20

/** The stored type of a history message, or of a user's end mark if `type` is empty. */
function historyType(name: string, type = ''): string {
  return `history ${name} ${type}`
}

/** The types to read. While a history is being delivered, these include its messages and marks. */
export function typesToRead({ name, types, history }: StoredSubscription): readonly string[] {
  return history === null ? types : [...types, historyType(name), ...types.map((type) => historyType(name, type))]
}

/** Writes the history of the next users. Returns the progress of the subscription's history after that. */
export async function writePage(
  context: Context,
  { name, types }: StoredSubscription,
  { listed }: PastProgress,
): Promise<PastProgress> {
  const { storage } = context
  const page = await loadUserKeys(storage, { ...(listed && { after: listed }), limit: MOST_USERS })
  for (const key of page) await writeUser(context, key, { name, types })
  return {
    listed: page.at(-1) ?? listed,
    page: page.map(({ tenant, user }) => ({ tenant, user })),
    ends: await assignAllPositions(storage),
    isLast: page.length < MOST_USERS,
  }
}

/** Decides about a message while a history is delivered: `null` if the history has it or will have it. */
export function filterMessage(
  history: PastProgress,
  name: string,
  message: PlacedMessage,
): { readonly history: PastProgress; readonly message: PlacedMessage | null } {
  const { tenant, user, type, position } = message
  if (user === null) return { history, message }
  const key = { tenant, user }
  const prefix = historyType(name)
  const isOnPage = position <= (history.ends ?? 0) && history.page.some((each) => compareKeys(each, key) === 0)
  const isOfHistory = type.startsWith(prefix)
  if (!isOfHistory) return { history, message: isOnPage || isListedLater(history, key) ? null : message }
  if (!isOnPage) return { history, message: null }
  if (type !== prefix) return { history, message: { ...message, type: type.slice(prefix.length) } }
  return { history: { ...history, page: history.page.filter((each) => compareKeys(each, key) !== 0) }, message: null }
}

/** The history after everything up to a position was read. Returns `null` if all of it was delivered. */
export function afterReading(history: PastProgress, position: number): PastProgress | null {
  if (history.page.length > 0 && position < (history.ends ?? 0)) return history
  return history.isLast ? null : { ...history, page: [], ends: null }
}

/** True if a later page will list the user, if the user exists. */
function isListedLater({ listed, isLast }: PastProgress, key: UserKey): boolean {
  return !isLast && (listed === null || compareKeys(key, listed) > 0)
}

/** The order in which storages list users: by the bytes of tenant and id. */
function compareKeys(left: UserKey, right: UserKey): number {
  return compareCodePoints(left.tenant, right.tenant) || compareCodePoints(left.user, right.user)
}

/** Before every instant. */
const EVER = Number.MIN_SAFE_INTEGER

async function writeUser(
  context: Context,
  key: UserKey,
  { name, types }: Pick<StoredSubscription, 'name' | 'types'>,
): Promise<void> {
  const wanted = { types: new Set(types), since: EVER, withTime: types.some(isOfTime) }
  await withLockedUser(context, key, {}, function* (tx, { storedUser, current, readLog }): Steps<null | Again> {
    const { state } = storedUser
    if (state === null) return null
    const watch = () => startLogMessages({ key, current, wanted, keeps: ({ due }) => due === null })
    const replayed = yield* replay(readLog, current, [], { user: key.user, watch })
    if (replayed?.state == null || replayed.messages === null) throw damagedLog(key.user)
    const { messages: inForce } = current
    const until = Math.max(noticesSentUntil(storedUser.notices, state), inForce?.since ?? 0)
    replayed.messages.end(replayed.state, until)
    const drafts = replayed.messages.drafts.filter(
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
    const notices = inForce?.withTime ? { notices: noticeCursorAt(current, state, until) } : {}
    const save = { ...unchangedSave(state), messages: [...own, mark], ...notices }
    const ranks = yield* wait(tx.save(key, storedUser, save))
    return ranks === null ? AGAIN : null
  })
}
