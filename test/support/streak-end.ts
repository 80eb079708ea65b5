import type { Game, StreakRule } from '../../src/rules/game.ts'
import type { UserState } from '../../src/rules/state.ts'
import { endsOfPool } from '../../src/rules/streak-ends.ts'

/** The instant from which a streak is lost, or `null` if never. */
export function aliveUntil(game: Game, state: UserState, rule: StreakRule | null = game.streak): number | null {
  const pool = game.freezePools.find((each) => each.some(({ key }) => key === rule?.key))
  return rule === null || pool === undefined ? null : (endsOfPool(game, pool, state).get(rule.key) ?? null)
}
