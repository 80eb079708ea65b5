// The shapes of the answers that the pages show: types only, declared by the API.

export type { Explanation, Reason } from '../../../src/api/explain/facts.ts'
export type {
  StoredAchievement,
  StoredCriterion,
  StoredDefinition,
  StoredEvery,
  StoredLeaderboard,
  StoredTrigger,
} from '../../../src/game/stored-definition.ts'
export type * from '../../../src/shapes/index.ts'
