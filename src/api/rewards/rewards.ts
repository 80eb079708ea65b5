import { gameFor } from '../../answers/achievements.ts'
import { toCatalogueReward, toRedemption } from '../../answers/rewards.ts'
import { GamificationError } from '../../errors.ts'
import { type Accepted, stateAfter, submit } from '../../record/write-modes.ts'
import { quoteName } from '../../rules/names.ts'
import type { OwnedRedemption } from '../../rules/redemption.ts'
import { requestReward, toRedeemed } from '../../rules/rewards.ts'
import { settled } from '../../rules/settle.ts'
import { walletIn } from '../../rules/wallet.ts'
import type { Call, WriteCall } from '../../runtime/context.ts'
import { withoutUndefined } from '../../runtime/input.ts'
import type * as Types from '../../shapes/rewards.ts'
import { FIND_REDEMPTION, fromFound, loadRedemptions } from '../../sql/redemptions.ts'
import { loadTaken } from '../../sql/stock.ts'
import { type Steps, wait } from '../../storage/steps.ts'
import { readIdempotencyKey } from '../events/requests.ts'
import { knownReward } from '../named-parts.ts'
import { followMerges } from '../users/read-user.ts'
import type * as requests from './requests.ts'

export async function listRewards(call: Call): Promise<readonly Types.Reward[]> {
  const { game: current } = await call.games.current(call.storage)
  const game = gameFor(call, current, null)
  const hasStock = [...game.rewards.values()].some(({ stock }) => stock !== null)
  const taken = hasStock ? await loadTaken(call.storage, call.tenant) : new Map<string, number>()
  return [...game.rewards.values()].map((rule) => toCatalogueReward(game, rule, taken.get(rule.key) ?? 0))
}

export async function listRedemptions(
  call: Call,
  { user: named, after, limit, ...filters }: requests.ParsedRedemptions,
): Promise<readonly Types.Redemption[]> {
  const { tenant, storage } = call
  const user = named === undefined ? named : (await followMerges(call, { tenant, user: named })).key.user
  const [last] = after === undefined ? [] : await storage.all(FIND_REDEMPTION, { tenant, id: after })
  if (after !== undefined && last === undefined) throw unknownRedemption(after)
  const page = { limit, after: last && fromFound(last) }
  const found = await loadRedemptions(storage, tenant, withoutUndefined({ ...filters, user }), page)
  return found.map(toRedemption)
}

export function* redeemReward(
  call: WriteCall,
  key: string,
  { user, idempotencyKey: sent }: requests.ParsedRedeem,
): Steps<Types.RedeemResponse> {
  const idempotencyKey = readIdempotencyKey(sent)
  const outcome = yield* submit(call, { user, body: requestReward(key, idempotencyKey) })
  const isReplayed = outcome.type === 'unchanged'
  const id = outcome.entryId ?? ''
  const redemption = isReplayed ? yield* requireRedemption(call, id) : madeBy(outcome.user, id, key, outcome)
  if (redemption.reward !== key) {
    const message = `The idempotency key ${JSON.stringify(idempotencyKey)} was used for the reward ${quoteName(redemption.reward)}, and nothing was saved: send a new key.`
    throw new GamificationError('idempotency_key_reused', message)
  }
  const { wallets } = settled(outcome.game, stateAfter(outcome), outcome.at)
  const { balance } = walletIn(wallets, redemption.system)
  return {
    ...toRedemption(redemption),
    balance,
    ...(idempotencyKey === null ? {} : { idempotentReplayed: isReplayed }),
  }
}

/** The redemption as its entry made it: the price is that of the game which decided it. */
function madeBy(user: string, id: string, reward: string, { game, at }: Accepted): Omit<OwnedRedemption, 'isStocked'> {
  const { system, amount } = knownReward(game, reward)
  return { user, id, reward, system, amount, at, status: 'open', settledAt: null }
}

export function fulfilRedemption(call: WriteCall, id: string): Steps<Types.Redemption> {
  return settle(call, id, 'redemptionFulfilled', 'fulfilled')
}

export function cancelRedemption(call: WriteCall, id: string): Steps<Types.Redemption> {
  return settle(call, id, 'redemptionCancelled', 'cancelled')
}

/** Fulfils or cancels a redemption, once. Only the first of several calls at once records anything. */
function* settle(
  call: WriteCall,
  id: string,
  kind: 'redemptionFulfilled' | 'redemptionCancelled',
  status: 'fulfilled' | 'cancelled',
): Steps<Types.Redemption> {
  const known = yield* requireRedemption(call, id)
  if (known.status !== 'open') return settledAs(known, status)
  const body = { kind, redemption: id, redeemed: toRedeemed(known) }
  const outcome = yield* submit(call, { user: known.user, body })
  if (outcome.type === 'unchanged') return settledAs(yield* requireRedemption(call, id), status)
  return toRedemption({ ...known, user: outcome.user, status, settledAt: outcome.at })
}

function settledAs(redemption: OwnedRedemption, status: 'fulfilled' | 'cancelled'): Types.Redemption {
  if (redemption.status === status) return toRedemption(redemption)
  const what = `The redemption ${JSON.stringify(redemption.id)} was ${redemption.status} before`
  const help = status === 'cancelled' ? 'Refund its points with `points.refund`.' : 'Nothing was saved.'
  throw new GamificationError('redemption_closed', `${what}. ${help}`)
}

function* requireRedemption(call: WriteCall, id: string): Steps<OwnedRedemption> {
  const reader = call.mode.joined ?? call.storage
  const [found] = yield* wait(reader.all(FIND_REDEMPTION, { tenant: call.tenant, id }))
  if (found === undefined) throw unknownRedemption(id)
  return fromFound(found)
}

function unknownRedemption(id: string): GamificationError {
  const message = `There is no redemption ${JSON.stringify(id)}: name the id that rewards.redeem answered.`
  return new GamificationError('unknown_redemption', message)
}
