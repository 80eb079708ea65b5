import { parse } from '../../../requests/input.ts'
import { metricKey } from '../../../requests/metric-event.ts'
import { parseUserId } from '../../../requests/user.ts'
import type { Game, Metric } from '../../../rules/game.ts'
import type { UserState } from '../../../rules/state.ts'
import { toUserAchievement } from '../../answers/achievement.ts'
import { activeMetric } from '../../answers/known-names.ts'
import { gameFor, visibleAchievements } from '../../answers/visible-achievements.ts'
import type { MetricResponse } from '../../answers/wire/metric.ts'
import type { Context } from '../../types.ts'
import { readUser } from './read-user.ts'

/** Every active metric, with a user's totals. */
export async function listUserMetrics(
  context: Context,
  tenant: string,
  id: unknown,
): Promise<readonly MetricResponse[]> {
  const { game: current, state } = await readUser(context, tenant, parseUserId(id))
  const game = gameFor(context, current, state)
  return [...game.metrics.values()]
    .filter(({ status }) => status === 'active')
    .map((metric) => toMetric(game, metric, state))
}

/** One metric, with a user's total. */
export async function readUserMetric(
  context: Context,
  tenant: string,
  id: unknown,
  metric: unknown,
): Promise<MetricResponse> {
  const user = parseUserId(id)
  const key = parse(metricKey, metric, 'metric key')
  const { game: current, state } = await readUser(context, tenant, user)
  const game = gameFor(context, current, state)
  return toMetric(game, activeMetric(game, key), state)
}

function toMetric(game: Game, metric: Metric, state: UserState): MetricResponse {
  const { id, key, name, status } = metric
  const achievements = visibleAchievements(game, state)
    // The metric of a hidden achievement is hidden too.
    .filter(({ isHidden }) => isHidden !== true)
    .filter((achievement) => achievement.trigger === 'metric' && achievement.metric === key)
    .map((achievement) => toUserAchievement(game, achievement, state))
  return { id, key, name, status, current: state.totals.get(key)?.total ?? 0, achievements }
}
