import type { DefinedGame } from '../game/define-game.ts'
import { type AchievementCalls, achievementOperations } from './achievements/operations.ts'
import { type BoostCalls, boostOperations } from './boosts/operations.ts'
import { type ConfigurationCalls, configurationOperations } from './configuration/operations.ts'
import { type EventCalls, eventOperations } from './events/operations.ts'
import { type ExplainCalls, explainOperations } from './explain/operations.ts'
import { type KeyCalls, keyOperations } from './keys/operations.ts'
import { type LeaderboardCalls, leaderboardOperations } from './leaderboards/operations.ts'
import { type OverviewCalls, overviewOperations } from './operate/operations.ts'
import type { OperationsOf } from './operation.ts'
import { type PointsCalls, pointsOperations } from './points/operations.ts'
import { type StreakCalls, streakOperations } from './streaks/operations.ts'
import { type UserCalls, userOperations } from './users/operations.ts'
import { type YearCalls, yearOperations } from './year/operations.ts'

/** The calls that are declared as operations, in the groups of the API. */
export interface DeclaredCalls<G extends DefinedGame> extends OverviewCalls, ExplainCalls<G> {
  readonly metrics: EventCalls<G>['metrics']
  readonly events: EventCalls<G>['events']
  readonly achievements: AchievementCalls<G>['achievements']
  readonly points: PointsCalls<G>['points'] & BoostCalls<G>['points']
  readonly leaderboards: LeaderboardCalls<G>['leaderboards']
  readonly users: UserCalls<G>['users'] &
    EventCalls<G>['users'] &
    AchievementCalls<G>['users'] &
    PointsCalls<G>['users'] &
    BoostCalls<G>['users'] &
    LeaderboardCalls<G>['users'] &
    StreakCalls<G>['users'] &
    YearCalls['users']
  readonly streaks: StreakCalls<G>['streaks']
  readonly admin: EventCalls<G>['admin'] &
    AchievementCalls<G>['admin'] &
    ConfigurationCalls['admin'] &
    KeyCalls<G>['admin'] &
    PointsCalls<G>['admin'] &
    BoostCalls<G>['admin'] &
    StreakCalls<G>['admin']
}

export const OPERATIONS: OperationsOf<DeclaredCalls<DefinedGame>> = {
  metrics: eventOperations.metrics,
  events: eventOperations.events,
  achievements: achievementOperations.achievements,
  points: { ...pointsOperations.points, ...boostOperations.points },
  leaderboards: leaderboardOperations.leaderboards,
  users: {
    ...userOperations.users,
    ...eventOperations.users,
    ...achievementOperations.users,
    ...pointsOperations.users,
    ...boostOperations.users,
    ...leaderboardOperations.users,
    ...streakOperations.users,
    ...yearOperations.users,
  },
  streaks: streakOperations.streaks,
  ...overviewOperations,
  ...explainOperations,
  admin: {
    ...achievementOperations.admin,
    ...configurationOperations.admin,
    ...keyOperations.admin,
    ...streakOperations.admin,
    metrics: { ...configurationOperations.admin.metrics, ...eventOperations.admin.metrics },
    points: {
      ...configurationOperations.admin.points,
      ...pointsOperations.admin.points,
      ...boostOperations.admin.points,
    },
  },
}
