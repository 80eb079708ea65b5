import type {
  AchievementKey,
  ChallengeKey,
  DefinedGame,
  LeaderboardKey,
  MetricKey,
  PointsKey,
  StreakKey,
} from '../../game/define-game.ts'
import type { Declared, NoChallenges, NoLeaderboards, NoStreaks, NoSystems } from '../../game/definition-parts.ts'
import { arg, defineOperation, type OperationsOf, userArg } from '../operation.ts'
import { explain } from './explain.ts'
import type {
  AchievementReason,
  BalanceReason,
  ChallengeReason,
  EventReason,
  Explanation,
  LeaderboardReason,
  StreakReason,
} from './facts.ts'
import * as requests from './requests.ts'

/** `explain` of one tenant, for the keys of a game. */
export interface Explain<
  Metric extends string = string,
  Achievement extends string = string,
  Streak extends string = string,
  Leaderboard extends string = string,
  Challenge extends string = string,
  System extends string = string,
> {
  /** Rejects with `unknown_achievement`. */
  (id: string, subject: requests.ExplainAchievement<Achievement>): Promise<Explanation<AchievementReason>>
  /** Rejects with `unknown_event`. */
  (id: string, subject: requests.ExplainEvent<Metric>): Promise<Explanation<EventReason>>
  (id: string, subject: requests.ExplainStreak<Streak>): Promise<Explanation<StreakReason>>
  /** Rejects with `unknown_leaderboard`. */
  (id: string, subject: requests.ExplainLeaderboard<Leaderboard>): Promise<Explanation<LeaderboardReason>>
  /** Rejects with `unknown_challenge`. */
  (id: string, subject: requests.ExplainChallenge<Challenge>): Promise<Explanation<ChallengeReason>>
  /** Rejects with `unknown_points_system` and `not_spendable`. */
  (id: string, subject: requests.ExplainBalance<System>): Promise<Explanation<BalanceReason>>
  (
    id: string,
    subject: requests.ExplainRequest<Metric, Achievement, Streak, Leaderboard, Challenge, System>,
  ): Promise<Explanation>
}

export interface ExplainCalls<G extends DefinedGame> {
  /**
   * Explains why a user has or lacks an achievement, what an event changed, what happened to the streak on a date, or why
   * a user is on a leaderboard or not. For a challenge, it explains the user's quests, and for points the balance. Each reason is data with a
   * sentence. Reads the user's log and writes nothing.
   * Rejects with `unknown_user`.
   */
  readonly explain: Explain<
    MetricKey<G>,
    AchievementKey<G>,
    Declared<StreakKey<G>, NoStreaks>,
    Declared<LeaderboardKey<G>, NoLeaderboards>,
    Declared<ChallengeKey<G>, NoChallenges>,
    Declared<PointsKey<G>, NoSystems>
  >
}

export const explainOperations: OperationsOf<ExplainCalls<DefinedGame>> = {
  explain: defineOperation({
    kind: 'read',
    takes: [userArg, arg('subject', requests.explainRequest)],
    endpoint: {
      at: 'GET /users/{id}/explain',
      tag: 'Users',
      api: 'admin',
      operationId: 'users_explain',
      summary: 'Explain an achievement, event, streak, place, challenge or balance of a user',
      tool: { name: 'explain' },
      querySchema: requests.explainQuery,
      toArguments: ({ params, query }) => [params.id, requests.toExplainRequest(query)],
      answers: { 200: ['Reasons, each with a sentence.', 'Explanation'] },
    },
    run: explain,
  }),
}
