import type { DefinedGame } from '../game/define-game.ts'
import { type EventCalls, eventOperations } from './events/operations.ts'
import { type LeaderboardCalls, leaderboardOperations } from './leaderboards/operations.ts'
import type { OperationsOf } from './operation.ts'

/** The calls that are declared as operations, in the groups of the API. */
export interface DeclaredCalls<G extends DefinedGame> {
  readonly metrics: EventCalls<G>['metrics']
  readonly leaderboards: LeaderboardCalls<G>['leaderboards']
  readonly users: LeaderboardCalls<G>['users']
}

export const OPERATIONS: OperationsOf<DeclaredCalls<DefinedGame>> = {
  metrics: eventOperations.metrics,
  leaderboards: leaderboardOperations.leaderboards,
  users: { ...leaderboardOperations.users },
}
