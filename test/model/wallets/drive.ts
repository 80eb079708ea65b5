// The engine, asked the same as the model.

import { defineGame, isGamificationError } from '../../../src/index.ts'
import type { Engine } from '../../support/engine.ts'
import { together } from './books.ts'
import { definitionOf } from './definition.ts'
import type { Act, Answer, Call, Game, Look, Row } from './types.ts'

export interface Driven {
  engine: Engine
  game: Game
  /** The engine's ids of spends, captures and holds, by their names in the history. */
  readonly ids: Map<string, string>
}

export const textOf = (at: number): string => new Date(at).toISOString()

/** An id that nothing has. */
const NOTHING = '0195d0c8-0000-7000-8000-000000000000'

export async function drive(driven: Driven, call: Call): Promise<Answer> {
  try {
    const balance = await send(driven, call)
    return balance === undefined ? { code: 'done' } : { code: 'done', balance }
  } catch (error) {
    if (!isGamificationError(error) || error.code === 'internal') throw error
    return { code: error.code }
  }
}

/** Returns the balance afterwards, if the call is about points that are spent. */
async function send(driven: Driven, { user, act }: Call): Promise<number | undefined> {
  const { engine, ids } = driven
  switch (act.type) {
    case 'event': {
      const when = act.occurredAt === undefined ? {} : { occurredAt: new Date(act.occurredAt) }
      await engine.metrics.event('pages', { user: { id: user }, value: act.value, idempotencyKey: act.key, ...when })
      return undefined
    }
    case 'void':
      await engine.events.void({ user, metric: 'pages', idempotencyKey: act.key })
      return undefined
    case 'move':
      await engine.users.update(user, { tz: act.tz })
      return undefined
    case 'adjust': {
      const isFromEarned = act.fromEarned && driven.game.systems[act.system]?.spendable === true
      const from = isFromEarned ? { from: 'earned' as const } : {}
      const request = { userId: user, points: act.points, reason: 'Ticket', ...from }
      await engine.admin.points.adjust(act.system, request)
      return undefined
    }
    case 'merge':
      await engine.users.merge({ from: user, into: act.into })
      return undefined
    case 'delete':
      await engine.users.delete(user)
      return undefined
    case 'apply': {
      const definition = definitionOf(act.game)
      await engine.apply(defineGame(definition), { policy: act.policy })
      driven.engine = await engine.redefine(definition)
      driven.game = act.game
      return undefined
    }
    case 'release':
      return (await engine.points.release(ids.get(act.hold) ?? NOTHING)).balance
    case 'cancel':
      await engine.rewards.cancel(ids.get(act.redemption) ?? NOTHING)
      return undefined
    default:
      return twice(() => pay(driven, user, act))
  }
}

type Payment = Extract<Act, { type: 'spend' | 'hold' | 'capture' | 'refund' | 'redeem' }>

/** A call that is repeated with its key changes nothing, and gets the same answer. */
async function twice(call: () => Promise<number>): Promise<number> {
  const balance = await call()
  const again = await call()
  if (again !== balance) throw new Error(`The repeated call answers ${again}, and not ${balance}`)
  return balance
}

async function pay({ engine, ids }: Driven, user: string, act: Payment): Promise<number> {
  const idempotencyKey = act.name
  const part = 'amount' in act && act.amount !== undefined ? { amount: act.amount } : {}
  const { points } = engine
  if (act.type === 'refund') {
    return (await points.refund(ids.get(act.spend) ?? NOTHING, { ...part, idempotencyKey })).balance
  }
  const answer = await (async () => {
    switch (act.type) {
      case 'spend': {
        const { spendId, balance } = await points.spend(act.system, { user, amount: act.amount, idempotencyKey })
        return { id: spendId, balance }
      }
      case 'redeem':
        return engine.rewards.redeem('mug', { user, idempotencyKey })
      case 'hold': {
        const request = { user, amount: act.amount, expiresIn: { minutes: act.minutes }, idempotencyKey }
        const { holdId, balance } = await points.hold(act.system, request)
        return { id: holdId, balance }
      }
      case 'capture': {
        const answer = await points.capture(ids.get(act.hold) ?? NOTHING, { ...part, idempotencyKey })
        return { id: answer.spendId, balance: answer.balance }
      }
    }
  })()
  const known = ids.get(act.name)
  if (known !== undefined && known !== answer.id) throw new Error(`The repeated ${act.type} has the id ${answer.id}`)
  ids.set(act.name, answer.id)
  return answer.balance
}

export async function look({ engine, ids }: Driven, user: string, system: string): Promise<Look> {
  const found = await engine.points.balance(user, system)
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  const { total, balance, pending, held, spent, expired, lots, pendingLots, holds, nextExpiry } = found
  const byDate = new Map<string, number>()
  for (const { amount, available } of pendingLots) byDate.set(available, (byDate.get(available) ?? 0) + amount)
  return {
    total,
    balance,
    pending,
    held,
    spent,
    expired,
    lots: lots.map(({ amount, expires }) => ({ amount, expires })),
    pendingLots: [...byDate].map(([available, amount]) => ({ amount, available })),
    holds: holds.map(({ id, amount, expiresAt }) => ({
      name: names.get(id) ?? id,
      amount,
      until: Date.parse(expiresAt),
    })),
    nextExpiry: nextExpiry === null ? null : { date: nextExpiry.date, amount: nextExpiry.amount },
  }
}

/** The whole statement, oldest first. */
export async function statement({ engine }: Driven, user: string, system: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  let before: string | undefined
  do {
    const page = await engine.points.statement(user, { system, limit: 20, ...(before === undefined ? {} : { before }) })
    for (const { date, kind, points, amount, balance } of page.movements)
      rows.push({ at: Date.parse(date), kind, points, amount, balance })
    before = page.next ?? undefined
  } while (before !== undefined)
  return together(rows.reverse())
}
