import { eventSummaryRequest } from '../../../requests/event-summary.ts'
import { parse } from '../../../requests/input.ts'
import { systemKey } from '../../../requests/reads.ts'
import { parseUserId } from '../../../requests/user.ts'
import { knownSystem } from '../../answers/known-names.ts'
import type { EventSummaryItem } from '../../answers/wire/metric.ts'
import { readAwardedOf } from '../../replay/read-log.ts'
import type { Context } from '../../types.ts'
import { readUser } from './read-user.ts'
import { readBefore, toSummary } from './summarize-events.ts'

/** A user's points of one system over time, with awards on the dates of what they followed from. */
export async function summarizeAwards(
  context: Context,
  tenant: string,
  id: unknown,
  system: unknown,
  request: unknown,
): Promise<readonly EventSummaryItem[]> {
  const named = parseUserId(id)
  const key = parse(systemKey, system, 'points system key')
  const summary = parse(eventSummaryRequest, request, 'summary request')
  const read = await readUser(context, tenant, named)
  knownSystem(read.game, key)
  const user = { tenant, user: read.user }
  const { before, stretch } = await readBefore(context, user, read, summary)
  const values = await readAwardedOf(context.storage, user, key, stretch)
  return toSummary(summary, read.game.weekStartsOn, { total: before?.points.get(key)?.total ?? 0, values, plus })
}

/** Points are whole numbers, and never more than can be counted. */
function plus(total: number, awarded: number): number {
  return total + awarded
}
