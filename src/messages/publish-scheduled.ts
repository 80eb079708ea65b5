import { z } from 'zod'
import { toInstantText } from '../api/users/answer.ts'
import { messageId } from '../game/ids.ts'
import type { Instant } from '../rules/calendar.ts'
import { type ScheduledChange, scheduledByGames } from '../rules/scheduled-notices.ts'
import type { Context, CurrentGame } from '../runtime/context.ts'
import { readDocument, writeDocument } from '../runtime/database-clock.ts'
import type { OwnedMessage } from '../storage/outbox.ts'
import { toMessageBoost } from './drafts/of-time.ts'
import { readBoard } from './rank-messages.ts'
import type { MessageType } from './types.ts'

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

/**
 * Publishes that boosts of all users and runs of leaderboards began or ended since the last call. A type with a new
 * subscription is published from now on. Returns the number of messages; `null`: none.
 */
export async function publishScheduled(context: Context): Promise<number | null> {
  const current = await context.games.current()
  const { messages } = current
  const wanted = Object.values(TYPES).filter((type) => messages?.types.has(type) === true)
  const { stored, version } = await readDocument(context, TENANTS, publishedUntil)
  if (wanted.length === 0 && stored === null) return null
  const now = context.now()
  const from = (type: string): Instant => stored?.[type] ?? now
  const first = Math.min(now, ...wanted.map(from))
  const changes = scheduledByGames(current.gamesFrom, first, now).filter(({ at, notice }) => {
    const type = TYPES[notice.type]
    return wanted.includes(type) && at > from(type)
  })
  const isNoted =
    wanted.length === Object.keys(stored ?? {}).length && wanted.every((type) => stored?.[type] !== undefined)
  if (changes.length === 0 && isNoted) return null
  const next = Object.fromEntries(wanted.map((type) => [type, Math.max(now, from(type))]))
  const written = changes.length === 0 ? [] : await toMessages(context, current, changes)
  const isWritten = await writeDocument(context, TENANTS, version, next, (tx) => tx.putMessages(written))
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
  for (let page = await storage.tenants(); page.length > 0; ) {
    for (const { tenant } of page) yield tenant
    const last = page.at(-1)
    page = last === undefined ? [] : await storage.tenants({ after: last.tenant })
  }
}
