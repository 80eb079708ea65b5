import type { Change } from './change.ts'
import type { Entry, EntryBody, EntryOf, Redeemed } from './entry.ts'
import type { Game, RewardRule } from './game.ts'
import { quoteName, unknownName } from './names.ts'
import type { Redemption } from './redemption.ts'
import { refuseSpend } from './refuse-wallet.ts'
import type { UserState } from './state.ts'
import { refundPoints, spendPoints } from './wallet-changes.ts'

/** A request for a reward, before a game has named the price. */
export function requestReward(reward: string, idempotencyKey: string | null): EntryBody & { kind: 'rewardRedeemed' } {
  const gives = { achievement: null, freezes: 0, boost: null }
  const keyed = idempotencyKey === null ? {} : { idempotencyKey }
  return { kind: 'rewardRedeemed', reward, system: '', amount: 0, gives, ...keyed }
}

/** The body of an entry with the price and the gifts that a game has. Later games do not change them. */
export function withPrice({ rewards }: Game, body: EntryBody): EntryBody {
  const rule = body.kind === 'rewardRedeemed' ? rewards.get(body.reward) : undefined
  if (rule === undefined) return body
  const { system, amount, stock, gives } = rule
  const { points: _, ...gifts } = gives
  return { ...body, system, amount, gives: gifts, ...(stock === null ? {} : { stocked: true }) } as EntryBody
}

/** Buys a reward. The gifts are changes of their own. */
export function redeemReward(game: Game, state: UserState, entry: EntryOf<'rewardRedeemed'>): readonly Change[] {
  const { id, reward, system, amount, at, stocked } = entry
  const redeemed = { reward, system, amount, at, ...(stocked === undefined ? {} : { stocked }) }
  const redemption: Redemption = { ...redemptionOf(id, redeemed), status: 'open', settledAt: null }
  return [...spendPoints(game, state, entry, { system, amount }), { type: 'rewardRedeemed', redemption }]
}

/** Fulfils a redemption, or cancels it and refunds what is left of its spend. */
export function settleRedemption(
  game: Game,
  state: UserState,
  entry: EntryOf<'redemptionFulfilled' | 'redemptionCancelled'>,
): readonly Change[] {
  const settled = { ...redemptionOf(entry.redemption, entry.redeemed), settledAt: entry.at }
  if (entry.kind === 'redemptionFulfilled') {
    return [{ type: 'redemptionFulfilled', redemption: { ...settled, status: 'fulfilled' } }]
  }
  const { redemption, of: spend } = entry
  const refunded = refundPoints(game, state, entry, redemption, spend, spend?.amount ?? 0)
  return [...refunded, { type: 'redemptionCancelled', redemption: { ...settled, status: 'cancelled' } }]
}

function redemptionOf(id: string, redeemed: Redeemed): Omit<Redemption, 'status' | 'settledAt'> {
  const { reward, at, system, amount, stocked = false } = redeemed
  return { id, reward, at, system, amount, isStocked: stocked }
}

/** The members of a redemption that never change. */
export function toRedeemed({ reward, system, amount, at, isStocked }: Redemption): Redeemed {
  return { reward, system, amount, at, ...(isStocked ? { stocked: true } : {}) }
}

interface Refusal {
  readonly code:
    | 'unknown_reward'
    | 'reward_inactive'
    | 'reward_limit_reached'
    | NonNullable<ReturnType<typeof refuseSpend>>['code']
  readonly message: string
}

/** Why a reward cannot be bought, or `null` if it can. The state must be settled. */
export function refuseReward(game: Game, state: UserState, entry: Entry & { readonly reward: string }): Refusal | null {
  const { reward: key } = entry
  const rule = game.rewards.get(key)
  if (rule === undefined) {
    return { code: 'unknown_reward', message: unknownName('reward', key, game.rewards.keys()) }
  }
  return refuseRule(state, rule) ?? refuseSpend(game, state, rule)
}

function refuseRule({ redeemed }: UserState, { key, isActive, perUser }: RewardRule): Refusal | null {
  if (!isActive) {
    return { code: 'reward_inactive', message: `The reward ${quoteName(key)} is inactive. Nothing was saved.` }
  }
  const count = redeemed.get(key) ?? 0
  if (perUser === null || count < perUser) return null
  const message = `The user has ${count} of the reward ${quoteName(key)}, and each user can have ${perUser}. Nothing was saved.`
  return { code: 'reward_limit_reached', message }
}
