export { type BadgesClient, BadgesElement, type BadgesLabels } from './badges.ts'
export {
  type ChallengeAct,
  type ChallengesClient,
  ChallengesElement,
  type ChallengesLabels,
} from './challenges.ts'
export { type Choices, type ChoicesClient, ChoicesElement, type ChoicesLabels } from './choices.ts'
export {
  type LeaderboardClient,
  LeaderboardElement,
  type LeaderboardLabels,
} from './leaderboard.ts'
export { type LevelClient, LevelElement, type LevelLabels } from './level.ts'
export type { ErrorDetail, LoadedDetail } from './parts/element.ts'
export type { Label } from './parts/formats.ts'
export { type RewardAct, type RewardsClient, RewardsElement, type RewardsLabels } from './rewards.ts'
export { type StreakClient, StreakElement, type StreakLabels } from './streak.ts'
export { type WalletClient, WalletElement, type WalletLabels } from './wallet.ts'
