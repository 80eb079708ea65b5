import type { Game } from '../../rules/game.ts'
import type { Context } from '../../runtime/context.ts'
import { countMetricUsers, type MetricUsers } from '../../sql/overview.ts'
import type { Storage } from '../../storage/storage.ts'

/** Metrics of earlier games that a game does not have, with the number of users who have totals of them. */
export async function readRemovedMetrics(
  storage: Storage,
  earlier: Iterable<Game>,
  game: Game,
): Promise<readonly MetricUsers[]> {
  const keys = new Set([...earlier].flatMap(({ metrics }) => [...metrics.keys()]))
  const removed = [...keys].filter((key) => !game.metrics.has(key))
  return removed.length === 0 ? [] : countMetricUsers(storage, removed)
}

export function toRemovedText({ metric, users }: MetricUsers): string {
  const have = users === 1 ? '1 user has a total' : `${users} users have totals`
  return `The metric ${JSON.stringify(metric)} is gone: ${have}. If you renamed it, give it its old key again.`
}

/** Metrics that this process removed by putting its game in force. Logs each of them, or why they are not known. */
export async function removedByDeploy({ storage, games, logger }: Context): Promise<readonly MetricUsers[]> {
  const [before, after] = [games.replaced(), games.known()]
  if (before === null || after === null) return []
  const removed = await readRemovedMetrics(storage, [before.game], after.game).catch((err: unknown) => {
    logger.warn({ err }, 'It could not be read which metrics the deploy removed.')
    return []
  })
  for (const each of removed) logger.warn({ ...each }, toRemovedText(each))
  return removed
}
