import type { Game, RewardRule } from '../rules/game.ts'
import type { OwnedRedemption } from '../rules/redemption.ts'
import type * as Types from '../shapes/rewards.ts'
import { toReward } from './challenges.ts'
import { toInstantText } from './users.ts'

/** `taken`: how many all users together have. */
export function toCatalogueReward(game: Game, rule: RewardRule, taken: number): Types.Reward {
  const { id, key, name, description, system, amount, stock, perUser, isActive } = rule
  return {
    ...{ id, key, name, description, system, systemName: game.points.get(system)?.name ?? system, amount, stock },
    left: stock === null ? null : Math.max(0, stock - taken),
    perUser,
    status: isActive ? 'active' : 'inactive',
    gives: toReward(game, rule.gives),
  }
}

export function toRedemption({ user, id, reward, status, at, system, amount, settledAt }: Owned): Types.Redemption {
  return {
    ...{ id, userId: user, reward, status, redeemedAt: toInstantText(at), system, amount },
    settledAt: settledAt === null ? null : toInstantText(settledAt),
  }
}

type Owned = Omit<OwnedRedemption, 'isStocked'>
