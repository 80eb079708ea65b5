// The shapes of the answers that the pages show: types only, declared by the API.

export type { Explanation, Reason } from '../../../src/api/explain/facts.ts'
export type {
  StoredAchievement,
  StoredChallenge,
  StoredCriterion,
  StoredDefinition,
  StoredEvery,
  StoredLeaderboard,
  StoredQuest,
  StoredReward,
  StoredTrigger,
} from '../../../src/game/stored-definition.ts'
export type * from '../../../src/shapes/index.ts'
