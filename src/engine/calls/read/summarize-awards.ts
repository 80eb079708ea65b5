import { eventSummaryRequest } from '../../../requests/event-summary.ts'
import { parse } from '../../../requests/input.ts'
import { systemKey } from '../../../requests/reads.ts'
import { parseUserId } from '../../../requests/user.ts'
import type { LoggedValue } from '../../../storage.ts'
import type { EventSummaryItem } from '../../answers/wire/metric.ts'
import { readAllAwarded } from '../../replay/read-log.ts'
import type { Context } from '../../types.ts'
import { knownSystem } from './read-points.ts'
import { readUser } from './read-user.ts'
import { toSummary } from './summarize-events.ts'

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
  const { user, game } = await readUser(context, tenant, named)
  knownSystem(game, key)
  const awarded: LoggedValue[] = []
  await readAllAwarded(context.storage, { tenant, user }, key, (values) => awarded.push(...values))
  return toSummary(summary, game.weekStartsOn, awarded)
}
