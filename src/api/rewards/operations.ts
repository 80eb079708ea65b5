import type { DefinedGame, KeysOf, RewardKey } from '../../game/define-game.ts'
import type { Declared, NoRewards } from '../../game/definition-parts.ts'
import { gameKey } from '../../runtime/input.ts'
import type { RedeemResponse, Redemption, Reward } from '../../shapes/rewards.ts'
import { anyUser, listOf } from '../endpoint.ts'
import {
  type Answer,
  arg,
  defineOperation,
  type Mode,
  type OperationsOf,
  type Options,
  optionalArg,
  type ReadOptions,
} from '../operation.ts'
import * as requests from './requests.ts'
import * as rewards from './rewards.ts'

type Key<G extends DefinedGame> = Declared<RewardKey<G>, NoRewards>

/** The call with which users buy rewards. */
export interface RedeemApi<G extends DefinedGame, M extends Mode = 'later'> {
  /**
   * Buys a reward for a user: spends its price, takes one of its stock, and gives its gifts, all at once. Rejects with
   * `insufficient_points`, `reward_limit_reached`, `out_of_stock`, `unknown_reward` or `reward_inactive`. If a gift
   * cannot be given, it rejects with `streak_freezes_full`, `too_many_boosts` or `achievement_revoked`.
   */
  redeem(reward: Key<G>, request: requests.RedeemRequest, ...options: Options<M>): Answer<M, RedeemResponse<KeysOf<G>>>
}

/** The calls that write, also within a transaction. */
export interface RewardWritesApi<G extends DefinedGame, M extends Mode = 'later'> extends RedeemApi<G, M> {
  /**
   * Marks a redemption as delivered. Doing it again changes nothing. Rejects with `unknown_redemption`, and with
   * `redemption_closed` if it was cancelled.
   */
  fulfil(redemption: string, ...options: Options<M>): Answer<M, Redemption<KeysOf<G>>>
  /**
   * Cancels an open redemption: refunds what is left of its price, and gives its stock back. The user keeps gifts. Doing
   * it again changes nothing. Rejects with `unknown_redemption`, and with `redemption_closed` if it was fulfilled.
   */
  cancel(redemption: string, ...options: Options<M>): Answer<M, Redemption<KeysOf<G>>>
}

export interface RewardReadsApi<G extends DefinedGame, M extends Mode = 'later'> {
  /** Lists the rewards of the game, with how many are left. */
  list(...options: ReadOptions<M>): Promise<readonly Reward<KeysOf<G>>[]>
  /** Lists redemptions, the newest first. */
  redemptions(
    request?: requests.RedemptionsRequest,
    ...options: ReadOptions<M>
  ): Promise<readonly Redemption<KeysOf<G>>[]>
}

export interface RewardsApi<G extends DefinedGame> extends RewardReadsApi<G>, RewardWritesApi<G> {}

/** The rewards of the API, in its groups. */
export interface RewardCalls<G extends DefinedGame> {
  readonly rewards: RewardsApi<G>
}

const reward = arg('reward', gameKey, 'reward key')
const redemption = arg('redemption', requests.redemptionId, 'redemption id')

export const rewardOperations: OperationsOf<RewardCalls<DefinedGame>> = {
  rewards: {
    list: defineOperation({
      kind: 'read',
      takes: [],
      endpoint: {
        at: 'GET /rewards',
        tag: 'Rewards',
        summary: 'List all rewards with what is left',
        tool: { name: 'rewards' },
        applicationKeys: anyUser,
        answers: { 200: ['The rewards of the game.', listOf('Reward')] },
      },
      run: rewards.listRewards,
    }),
    redeem: defineOperation({
      kind: 'write',
      takes: [reward, arg('request', requests.redeemRequest, 'redemption')],
      endpoint: {
        at: 'POST /rewards/{key}/redeem',
        tag: 'Rewards',
        summary: 'Buy a reward for a user',
        bodySchema: requests.redeemBody,
        example: { user: '18' },
        takesIdempotencyKey: true,
        canConflict: true,
        applicationKeys: {
          may: 'its own user, as `user`',
          users: ({ read }) => [read.user],
          actions: ({ params }) => [{ type: 'reward', reward: params.key ?? '' }],
        },
        answers: { 201: ['The redemption, with the balance after it.', 'RedeemResponse'] },
      },
      run: rewards.redeemReward,
    }),
    redemptions: defineOperation({
      kind: 'read',
      takes: [optionalArg('request', requests.redemptionsRequest)],
      endpoint: {
        at: 'GET /rewards/redemptions',
        tag: 'Rewards',
        summary: 'List redemptions',
        tool: { name: 'redemptions' },
        canMiss: true,
        applicationKeys: {
          may: 'its own user, as `user`',
          users: ({ query }) => [typeof query.user === 'string' ? query.user : ''],
        },
        answers: { 200: ['The redemptions, the newest first.', listOf('Redemption')] },
      },
      run: rewards.listRedemptions,
    }),
    fulfil: defineOperation({
      kind: 'write',
      takes: [redemption],
      endpoint: {
        at: 'POST /rewards/redemptions/{id}/fulfil',
        tag: 'Rewards',
        api: 'admin',
        summary: 'Mark a redemption as delivered',
        canConflict: true,
        answers: { 200: ['The redemption.', 'Redemption'] },
      },
      run: rewards.fulfilRedemption,
    }),
    cancel: defineOperation({
      kind: 'write',
      takes: [redemption],
      endpoint: {
        at: 'POST /rewards/redemptions/{id}/cancel',
        tag: 'Rewards',
        api: 'admin',
        summary: 'Cancel a redemption, with a refund',
        canConflict: true,
        answers: { 200: ['The redemption.', 'Redemption'] },
      },
      run: rewards.cancelRedemption,
    }),
  },
}
