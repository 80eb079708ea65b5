import { toBalance, toMovement } from '../../answers/wallets.ts'
import { settled } from '../../rules/settle.ts'
import type { Call } from '../../runtime/context.ts'
import { readUser } from '../users/read-user.ts'
import { spendableSystem } from '../wallets/read-wallets.ts'
import type { BalanceFact, Finding } from './facts.ts'

/** How many movements an explanation lists. The statement has all of them. */
const NEWEST = 5

const LAST = Number.MAX_SAFE_INTEGER

/** Why a balance has its amount. It holds if the user can spend something. */
export async function explainBalance(call: Call, user: string, key: string): Promise<Finding<BalanceFact>> {
  const of = { system: key, before: { at: LAST, seq: LAST, ordinal: LAST } }
  const { game, state, storedUser, at } = await readUser(call, user, { movements: { of, limit: NEWEST } })
  const system = spendableSystem(game, key)
  const wallet = toBalance(system, settled(game, state, at))
  const { total, balance, pending, held, spent, expired, pendingLots, holds, nextExpiry } = wallet
  const facts: BalanceFact[] = [
    { type: 'balance_sum', system: key, total, spent, expired, held, pending, balance },
    ...(balance < 0 ? [{ type: 'balance_debt', amount: -balance } as const] : []),
    ...holds.map((hold) => ({ type: 'balance_held', ...hold }) as const),
    ...pendingLots.map(({ amount, available }) => ({ type: 'balance_pending', amount, available }) as const),
    ...(nextExpiry === null ? [] : [{ type: 'balance_expiring', ...nextExpiry } as const]),
    ...storedUser.movements.map((each) => {
      const { kind, points, amount, balance, date, entryId } = toMovement(each, each.entryId)
      return { type: 'balance_movement', kind, points, amount, balance, date, entryId: entryId ?? '' } as const
    }),
  ]
  return { holds: balance > 0, facts }
}
