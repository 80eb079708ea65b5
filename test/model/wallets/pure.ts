// The rules alone, without a storage: a log of the model as the rules read it.

import { defineGame } from '../../../src/game/define-game.ts'
import type { Change, Movement } from '../../../src/rules/change.ts'
import type { Entry as Line, Spend } from '../../../src/rules/entry.ts'
import { startFold, underGame } from '../../../src/rules/fold.ts'
import type { Game as Rules } from '../../../src/rules/game.ts'
import { settle, settled } from '../../../src/rules/settle.ts'
import type { UserState } from '../../../src/rules/state.ts'
import { together } from './books.ts'
import { definitionOf } from './definition.ts'
import type { Entry, Game, Logged, Look, Row } from './types.ts'

const rules = new WeakMap<Game, Rules>()

export function rulesOf(game: Game): Rules {
  const known = rules.get(game) ?? defineGame(JSON.parse(JSON.stringify(definitionOf(game)))).rules
  rules.set(game, known)
  return known
}

type Body = Pick<Line, 'kind'> & Record<string, unknown>

function bodyOf(
  { at, act, isVoid }: { at: number; act: Logged; isVoid?: true },
  spends: ReadonlyMap<string, Spend>,
): Body {
  switch (act.type) {
    case 'event':
      return {
        kind: 'eventRecorded',
        metric: 'pages',
        value: act.value,
        attributes: new Map(),
        idempotencyKey: act.key,
        ...(isVoid === true ? { voidedBy: 'another' } : {}),
      }
    case 'void':
      return { kind: 'eventVoided' }
    case 'move':
    case 'nothing':
      return { kind: 'userUpserted' }
    case 'adjust':
      return {
        kind: 'pointsAdjusted',
        system: act.system,
        amount: act.points,
        reason: null,
        ...(act.fromEarned ? { fromEarned: true } : {}),
      }
    case 'grant':
      return {
        kind: 'granted',
        achievements: [],
        points: Object.entries(act.points)
          .filter(([, points]) => points > 0)
          .map(([system, points]) => ({ system, trigger: 'pages', points })),
      }
    case 'spend':
      return { kind: 'pointsSpent', system: act.system, amount: act.amount }
    case 'hold':
      return { kind: 'pointsHeld', system: act.system, amount: act.amount, until: at + act.minutes * 60_000 }
    case 'redeem':
      return { kind: 'pointsSpent', system: 'coins', amount: act.amount }
    case 'cancel': {
      const { amount = 0, refunded = 0 } = spends.get(act.redemption) ?? {}
      if (amount === refunded) return { kind: 'userUpserted' }
      return {
        kind: 'pointsRefunded',
        spend: act.redemption,
        amount: amount - refunded,
        of: spends.get(act.redemption),
      }
    }
    case 'capture':
      return { kind: 'holdCaptured', hold: act.hold, ...(act.amount === undefined ? {} : { amount: act.amount }) }
    case 'release':
      return { kind: 'holdReleased', hold: act.hold }
    case 'refund':
      return { kind: 'pointsRefunded', spend: act.spend, amount: act.amount ?? 0, of: spends.get(act.spend) }
  }
}

export interface PureLife {
  readonly look: (system: string) => Look
  readonly statement: (system: string) => readonly Row[]
}

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** The user as of now, under the newest game. */
export function liveByRules(games: readonly Game[], log: readonly Entry[], now: number): PureLife {
  const byEpoch = new Map(games.map((game, index) => [index + 1, rulesOf(game)]))
  const fold = startFold(byEpoch)
  const spends = new Map<string, Spend>()
  const moved: Movement[] = []
  const note = (changes: readonly Change[]): void => {
    for (const change of changes) {
      if (change.type !== 'pointsMoved') continue
      moved.push(change)
      const { kind, spend = '', system, points, lots = [] } = change
      if (kind === 'spent' || kind === 'captured') spends.set(spend, { system, amount: points, lots, refunded: 0 })
      const known = spends.get(spend)
      if (kind === 'refunded' && known !== undefined) spends.set(spend, { ...known, refunded: known.refunded + points })
    }
  }
  for (const [index, entry] of log.entries()) {
    const { act, at, epoch } = entry
    const line = {
      id: 'name' in act ? act.name : `entry-${index}`,
      seq: index + 1,
      at,
      recordedAt: at,
      epoch: epoch + 1,
      dating: { zone: '', date: 0, time: 0 },
      profile: act.type === 'move' ? { tz: act.tz } : null,
      ...bodyOf(entry, spends),
    }
    note(fold.next(line as unknown as Line).decided.changes)
  }
  if (fold.state === null) throw new RangeError('Nothing happened')
  const at = Math.max(now, log.at(-1)?.at ?? now)
  const adopted = underGame(byEpoch, fold.state, games.length, at)
  note(adopted.changes)
  const newest = byEpoch.get(games.length) as Rules
  note(settle(newest, adopted.state, at))
  const state = settled(newest, adopted.state, at)
  return {
    look: (system) => lookAt(state, system),
    statement: (system) =>
      together(
        moved
          .filter((each) => each.system === system)
          .map(({ at, kind, points, amount, balance }) => ({ at, kind, points, amount, balance })),
      ),
  }
}

function lookAt(state: UserState, system: string): Look {
  const wallet = state.wallets.get(system)
  const { balance = 0, lots = [], pending = [], holds = [], spent = 0, expired = 0 } = wallet ?? {}
  const available = new Map<string, number>()
  for (const { available: day, amount } of pending) {
    const date = dateOf(day)
    available.set(date, (available.get(date) ?? 0) + amount)
  }
  const first = lots.find(({ expires }) => expires !== null)
  return {
    total: totalOf(state, system),
    balance,
    pending: pending.reduce((sum, { amount }) => sum + amount, 0),
    held: holds.reduce((sum, { amount }) => sum + amount, 0),
    spent,
    expired,
    lots: lots.map(({ amount, expires }) => ({ amount, expires: expires === null ? null : dateOf(expires) })),
    pendingLots: [...available].map(([date, amount]) => ({ amount, available: date })),
    holds: holds.map(({ id, amount, until }) => ({ name: id, amount, until })),
    nextExpiry:
      first === undefined || first.expires === null ? null : { date: dateOf(first.expires), amount: first.amount },
  }
}

const totalOf = ({ points }: UserState, system: string): number => points.get(system)?.total ?? 0
