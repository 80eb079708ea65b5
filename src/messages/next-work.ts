import { DAY, type Instant } from '../rules/calendar.ts'
import { scheduledByGames } from '../rules/scheduled-notices.ts'
import type { Context } from '../runtime/context.ts'
import { loadNextDue } from '../sql/messages.ts'
import { loadDocuments } from '../sql/outbox.ts'
import { isBehind } from './deliver-to-handler.ts'
import { hasNewWork } from './publish-scheduled.ts'
import { readSubscription, SUBSCRIPTION } from './stored-subscription.ts'

/**
 * When `workOnce` has something to do next, which may be in the past. At most a day from now, because old messages are
 * removed too. Returns `null` if there is no subscription and no webhook.
 */
export async function nextWorkAt(context: Context): Promise<Instant | null> {
  const { storage } = context
  const current = await context.games.current()
  const { messages, gamesFrom } = current
  if (messages === null) return null
  const now = context.now()
  if (await hasNewWork(context, current, messages)) return now
  const [scheduled] = scheduledByGames(gamesFrom, now, now + DAY)
  const retries: Instant[] = []
  for (const document of await loadDocuments(storage, SUBSCRIPTION)) {
    const stored = readSubscription(document)
    if (await isBehind(context, stored)) retries.push(stored.nextAt ?? now)
  }
  return Math.min(now + DAY, scheduled?.at ?? now + DAY, (await loadNextDue(storage)) ?? now + DAY, ...retries)
}
