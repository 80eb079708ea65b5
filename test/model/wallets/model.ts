// Logs of users beside the naive walk: what a call is refused for, and what a void, a merge or a newer game does to a log.

import { amountIn, type Books, faultsOf, rowsOf, sumOf } from './books.ts'
import type { Act, Answer, Call, Deployed, Entry, Game, Logged, Look, Policy, Row } from './types.ts'
import { adopt, fold, inOrder, type Life, live, purseOf, systemOfHold, systemOfSpend } from './walk.ts'

const MOST_HOLDS = 20
const DONE: Answer = { code: 'done' }

export interface Model {
  call(call: Call): Answer
  /** Null if there is no such user, or if the points are not spendable. */
  look(user: string, system: string, now: number): Look | null
  statement(user: string, system: string, now: number): readonly Row[]
  /** The sentences that are not true of some books. */
  faults(now: number): readonly string[]
  /** True if the calls to this id are about a user. */
  has(user: string): boolean
  /** The user's log in its order. */
  log(user: string): readonly Entry[]
  game(): Game
}

export function createModel(first: Game): Model {
  const games: Deployed[] = [{ game: first, since: Number.NEGATIVE_INFINITY }]
  const logs = new Map<string, readonly Entry[]>()
  const aliases = new Map<string, string>()
  const idOf = (id: string): string => aliases.get(id) ?? id
  const newestEpoch = (): number => games.length - 1
  const game = (): Game => (games.at(-1) as Deployed).game
  const newest = (log: readonly Entry[]): number => Math.max(Number.NEGATIVE_INFINITY, ...log.map(({ at }) => at))

  function call({ at: now, user, act }: Call): Answer {
    if (act.type === 'apply') return apply(act.game, act.policy, now)
    if (act.type === 'merge') return merge(idOf(user), idOf(act.into))
    if (act.type === 'delete') return remove(idOf(user))
    if (act.type === 'capture' || act.type === 'release') return decideHold(act, now)
    if (act.type === 'refund') return decideRefund(act, now)
    if (act.type === 'cancel') return cancel(act, now)
    const id = idOf(user)
    const log = logs.get(id)
    if (act.type === 'event') return record(id, log ?? [], act, now)
    if (log === undefined) return { code: act.type === 'void' ? 'unknown_event' : 'unknown_user' }
    if (act.type === 'void') return voidEvent(id, log, act.key, now)
    if (act.type === 'spend' || act.type === 'hold') return decideSpend(id, log, act, now)
    if (act.type === 'redeem') return redeem(id, log, act.name, now)
    append(id, log, act, now)
    return DONE
  }

  function append(id: string, log: readonly Entry[], act: Logged, now: number): void {
    logs.set(id, [...log, { at: Math.max(now, newest(log)), arrival: log.length, epoch: newestEpoch(), act }])
  }

  function record(id: string, log: readonly Entry[], act: Extract<Act, { type: 'event' }>, now: number): Answer {
    if (log.some((entry) => entry.act.type === 'event' && entry.act.key === act.key)) return DONE
    const at = act.occurredAt ?? Math.max(now, newest(log))
    logs.set(id, [...log, { at, arrival: log.length, epoch: epochOf(log, at, act.occurredAt), act }])
    return DONE
  }

  /** The game in force at the instant decides, but epochs only go up along a log. */
  function epochOf(log: readonly Entry[], at: number, occurredAt: number | undefined): number {
    if (occurredAt === undefined) return newestEpoch()
    const sorted = inOrder(log).filter(({ act }) => act.type !== 'void')
    const next = sorted.findIndex((entry) => entry.at > at)
    const past = sorted.slice(0, next === -1 ? sorted.length : next).filter((each, i) => i === 0 || !each.isVoid)
    const after = sorted[next]?.epoch ?? newestEpoch()
    const inForce = games.findLastIndex(({ since }) => since <= at)
    return Math.max(past.at(-1)?.epoch ?? 0, Math.min(inForce, after))
  }

  function voidEvent(id: string, log: readonly Entry[], key: string, now: number): Answer {
    const found = log.find((entry) => entry.act.type === 'event' && entry.act.key === key)
    if (found === undefined) return { code: 'unknown_event' }
    if (found.isVoid) return DONE
    const others = log.map((entry) => (entry === found ? { ...entry, isVoid: true as const } : entry))
    append(id, others, { type: 'void', key }, now)
    return DONE
  }

  /** The user as of now, under the newest game. */
  function lifeOf(id: string, now: number): Life {
    const log = logs.get(id) ?? []
    const life = fold(games, log)
    live(life, Math.max(now, newest(log)))
    adopt(life, game())
    // After a move, more dates may have begun.
    live(life, life.at)
    return life
  }

  const balanceIn = (life: Life, system: string): number => {
    const { books } = purseOf(life, system)
    return books === null ? 0 : amountIn(books, 'available')
  }

  function decideSpend(
    id: string,
    log: readonly Entry[],
    act: Extract<Act, { type: 'spend' | 'hold' }>,
    now: number,
  ): Answer {
    const { system, amount } = act
    if (game().systems[system]?.spendable !== true) return { code: 'not_spendable' }
    const life = lifeOf(id, now)
    const isFull = (purseOf(life, system).books?.holds.size ?? 0) >= MOST_HOLDS
    if (act.type === 'hold' && isFull) return { code: 'too_many_holds' }
    if (balanceIn(life, system) < amount) return { code: 'insufficient_points' }
    append(id, log, act, now)
    return { code: 'done', balance: balanceIn(lifeOf(id, now), system) }
  }

  /** The user whose log names the hold or the spend. */
  function ownerOf(name: string): string | null {
    const isMeant = ({ act }: Entry): boolean => 'name' in act && act.type !== 'refund' && act.name === name
    return [...logs].find(([, log]) => log.some(isMeant))?.[0] ?? null
  }

  function decideHold(act: Extract<Act, { type: 'capture' | 'release' }>, now: number): Answer {
    const id = ownerOf(act.hold)
    const isHold = logs.get(id ?? '')?.some((entry) => entry.act.type === 'hold' && entry.act.name === act.hold)
    if (id === null || isHold !== true) return { code: 'unknown_hold' }
    const life = lifeOf(id, now)
    const system = systemOfHold(life, act.hold)
    if (system === null) return act.type === 'capture' ? { code: 'unknown_hold' } : DONE
    if (game().systems[system]?.spendable !== true) return { code: 'not_spendable' }
    const held = sumOf(purseOf(life, system).books?.holds.get(act.hold)?.parts ?? [])
    if (act.type === 'capture' && (act.amount ?? 0) > held) return { code: 'capture_too_large' }
    append(id, logs.get(id) ?? [], act, now)
    return { code: 'done', balance: balanceIn(lifeOf(id, now), system) }
  }

  function decideRefund(act: Extract<Act, { type: 'refund' }>, now: number): Answer {
    const id = ownerOf(act.spend)
    const life = id === null ? null : lifeOf(id, now)
    const system = life === null ? null : systemOfSpend(life, act.spend)
    if (id === null || life === null || system === null) return { code: 'unknown_spend' }
    if (game().systems[system]?.spendable !== true) return { code: 'not_spendable' }
    const left = sumOf(purseOf(life, system).books?.spends.get(act.spend) ?? [])
    const amount = act.amount ?? left
    if (left === 0 || amount > left) return { code: 'refund_too_large' }
    append(id, logs.get(id) ?? [], { ...act, amount }, now)
    return { code: 'done', balance: balanceIn(lifeOf(id, now), system) }
  }

  /** The price of now stays in the log. */
  function redeem(id: string, log: readonly Entry[], name: string, now: number): Answer {
    const { spendable = false, price = 1 } = game().systems.coins ?? {}
    if (!spendable) return { code: 'unknown_reward' }
    if (balanceIn(lifeOf(id, now), 'coins') < price) return { code: 'insufficient_points' }
    append(id, log, { type: 'redeem', name, amount: price }, now)
    return { code: 'done', balance: balanceIn(lifeOf(id, now), 'coins') }
  }

  function cancel(act: Extract<Act, { type: 'cancel' }>, now: number): Answer {
    const isRedeemed = ({ act: { type }, act: each }: Entry): boolean => {
      return type === 'redeem' && 'name' in each && each.name === act.redemption
    }
    const found = [...logs].find(([, log]) => log.some(isRedeemed))
    if (found === undefined) return { code: 'unknown_redemption' }
    const [id, log] = found
    const isDone = log.some((entry) => entry.act.type === 'cancel' && entry.act.redemption === act.redemption)
    if (!isDone) append(id, log, act, now)
    return DONE
  }

  function merge(from: string, into: string): Answer {
    const [own, theirs] = [logs.get(into), logs.get(from)]
    if (own === undefined || theirs === undefined) return { code: 'unknown_user' }
    if (from === into) return DONE
    let epoch = 0
    const moved = theirs.map((entry) => ({ ...entry, arrival: entry.arrival + own.length }))
    const both = inOrder([...own, ...moved]).map((entry): Entry => {
      epoch = Math.max(epoch, entry.epoch)
      return { ...entry, epoch }
    })
    logs.set(into, both)
    logs.delete(from)
    for (const [alias, id] of aliases) if (id === from) aliases.set(alias, into)
    aliases.set(from, into)
    return DONE
  }

  function remove(id: string): Answer {
    if (!logs.delete(id)) return { code: 'unknown_user' }
    for (const [alias, target] of aliases) if (target === id) aliases.delete(alias)
    return DONE
  }

  function apply(next: Game, policy: Policy, now: number): Answer {
    if (policy === 'recompute')
      for (const [index, each] of games.entries()) games[index] = { ...each, since: Number.POSITIVE_INFINITY }
    games.push({ game: next, since: policy === 'recompute' ? Number.NEGATIVE_INFINITY : now })
    const epoch = newestEpoch()
    for (const [id, log] of logs) {
      // Earlier grants are gone, but for their instants.
      const own = log.map((entry): Entry => {
        return entry.act.type === 'grant' ? { ...entry, epoch, act: { type: 'nothing' } } : { ...entry, epoch }
      })
      if (policy === 'recompute') logs.set(id, own)
      if (policy === 'grant') grant(id, log, own, now)
    }
    return DONE
  }

  /** Pays the points that the newest game would have paid if it had always been in force. */
  function grant(id: string, log: readonly Entry[], own: readonly Entry[], now: number): void {
    const [is, would] = [fold(games, log), fold(games, own)]
    const points = Object.keys(game().systems).map((key): [string, number] => [
      key,
      Math.max(0, purseOf(would, key).total - purseOf(is, key).total),
    ])
    if (points.some(([, added]) => added > 0))
      append(id, log, { type: 'grant', points: Object.fromEntries(points) }, now)
  }

  function look(user: string, system: string, now: number): Look | null {
    const id = idOf(user)
    if (!logs.has(id) || game().systems[system]?.spendable !== true) return null
    const { total, books } = purseOf(lifeOf(id, now), system)
    return books === null ? null : lookAt(total, books)
  }

  function statement(user: string, system: string, now: number): readonly Row[] {
    const { books } = purseOf(lifeOf(idOf(user), now), system)
    return books === null ? [] : rowsOf(books)
  }

  function faults(now: number): readonly string[] {
    return [...logs.keys()].flatMap((id) => {
      const life = lifeOf(id, now)
      return [...life.purses].flatMap(([system, { total, books }]) => {
        if (books === null || game().systems[system]?.spendable !== true) return []
        const isWhole = total === -amountIn(books, 'earned')
        return [...faultsOf(books), ...(isWhole ? [] : ['the total is what was earned'])].map(
          (fault) => `${id} ${system}: ${fault}`,
        )
      })
    })
  }

  return {
    call,
    look,
    statement,
    faults,
    has: (user) => logs.has(idOf(user)),
    log: (user) => inOrder(logs.get(idOf(user)) ?? []),
    game,
  }
}

function lookAt(total: number, books: Books): Look {
  const available = new Map<string, number>()
  for (const { available: date, amount } of books.pending) available.set(date, (available.get(date) ?? 0) + amount)
  const first = books.lots.find(({ expires }) => expires !== null)
  return {
    total,
    balance: amountIn(books, 'available'),
    pending: amountIn(books, 'pending'),
    held: amountIn(books, 'held'),
    spent: amountIn(books, 'spent') + amountIn(books, 'adjusted'),
    expired: amountIn(books, 'expired'),
    lots: books.lots.map(({ amount, expires }) => ({ amount, expires })),
    pendingLots: [...available]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, amount]) => ({ amount, available: date })),
    holds: [...books.holds].map(([name, { until, parts }]) => ({ name, amount: sumOf(parts), until })),
    nextExpiry: first === undefined || first.expires === null ? null : { date: first.expires, amount: first.amount },
  }
}
