import type { PointsDefinition } from '../../src/game/definition.ts'
import { parseDate, toDateText } from '../../src/rules/calendar.ts'
import type { Change } from '../../src/rules/change.ts'
import type { Entry, EntryBody } from '../../src/rules/entry.ts'
import { evolveAll } from '../../src/rules/evolve.ts'
import { foldLog } from '../../src/rules/fold.ts'
import type { Game, Games } from '../../src/rules/game.ts'
import { settle } from '../../src/rules/settle.ts'
import type { UserState } from '../../src/rules/state.ts'
import { checkWallet, figuresOf, type Lot, type Wallet, walletIn } from '../../src/rules/wallet.ts'
import { rules } from './given.ts'

/** An entry of a history. Its id is the name of a spend, a hold or a capture. */
export interface Act {
  /** ISO 8601. A date alone is its noon in UTC. */
  readonly at: string
  readonly id?: string
  readonly tz?: string
  readonly epoch?: number
  readonly body: EntryBody
}

export const earn = (at: string, value: number): Act => ({
  at,
  body: { kind: 'eventRecorded', metric: 'words', value, attributes: new Map(), idempotencyKey: null },
})
export const spend = (at: string, id: string, amount: number): Act => ({
  at,
  id,
  body: { kind: 'pointsSpent', system: 'coins', amount },
})
export const hold = (at: string, id: string, amount: number, until: string): Act => ({
  at,
  id,
  body: { kind: 'pointsHeld', system: 'coins', amount, until: Date.parse(until) },
})
export const capture = (at: string, id: string, of: string, amount?: number): Act => ({
  at,
  id,
  body: { kind: 'holdCaptured', hold: of, ...(amount === undefined ? {} : { amount }) },
})
export const release = (at: string, of: string): Act => ({ at, body: { kind: 'holdReleased', hold: of } })
export const refund = (at: string, of: string, amount: number): Act => ({
  at,
  body: { kind: 'pointsRefunded', spend: of, amount },
})
export const adjust = (at: string, amount: number, fromEarned = false): Act => ({
  at,
  body: { kind: 'pointsAdjusted', system: 'coins', amount, reason: null, ...(fromEarned ? { fromEarned } : {}) },
})
export const visit = (at: string, tz?: string): Act => ({
  at,
  body: { kind: 'userUpserted' },
  ...(tz === undefined ? {} : { tz }),
})

/** A game with coins: one for each word. */
export function coins(system: Partial<PointsDefinition> = {}): Game {
  const trigger = { type: 'metric', metric: 'words', threshold: 1, points: 1 } as const
  return rules({ points: { coins: { name: 'Coins', spendable: true, triggers: [trigger], ...system } } })
}

function instantOf(at: string): number {
  return Date.parse(at.length === 10 ? `${at}T12:00:00Z` : at)
}

export interface Played {
  readonly state: UserState
  readonly changes: readonly Change[]
  readonly wallet: Wallet
  /** The lots, as `2026-05-01 30`, or `never 30`. */
  readonly lots: readonly string[]
}

/** Folds acts in the order of their instants. The wallet is the one of `coins`, after the last act or at `until`. */
export function play(games: Game | readonly Game[], acts: readonly Act[], until?: string): Played {
  const list = 'metrics' in games ? [games] : games
  const byEpoch = new Map(list.map((game, index) => [index + 1, game]))
  const inOrder = acts
    .map((act, index) => ({ act, at: instantOf(act.at), seq: index + 1 }))
    .sort((left, right) => left.at - right.at)
  const entries = inOrder.map(({ act, at, seq }): Entry => {
    const base = { id: act.id ?? `entry-${seq}`, seq, at, recordedAt: at, epoch: act.epoch ?? 1 }
    const profile = act.tz === undefined ? null : { tz: act.tz }
    return { ...base, dating: { zone: '', date: 0, time: 0 }, profile, ...act.body }
  })
  const changes: Change[] = []
  const folded = foldLog(byEpoch, entries, (_, step) => {
    changes.push(...step.changes)
    checkBooks(byEpoch, step.state)
  })
  if (folded === null) throw new RangeError('Nothing happened')
  const game = byEpoch.get(folded.epoch)
  if (game === undefined) throw new RangeError('There is no such game')
  const rest = until === undefined ? [] : settle(game, folded, instantOf(until))
  const state = evolveAll(folded, rest)
  checkBooks(byEpoch, state)
  const wallet = walletIn(state.wallets, 'coins')
  return { state, changes: [...changes, ...rest], wallet, lots: textsOf(wallet.lots) }
}

/** Throws if an equation of a wallet does not hold. */
function checkBooks(games: Games, { epoch, wallets, points }: UserState): void {
  for (const { key } of games.get(epoch)?.spendableSystems ?? []) {
    const wrong = checkWallet(walletIn(wallets, key), points.get(key)?.total ?? 0)
    if (wrong.length > 0) throw new Error(`${key}: ${wrong.join('; ')}`)
  }
}

export function textsOf(lots: readonly Lot[]): readonly string[] {
  return lots.map(({ expires, amount }) => `${expires === null ? 'never' : toDateText(expires)} ${amount}`)
}

/** The figures in one line: `balance 180, pending 0, held 0, spent 80, expired 30`. */
export function figures(wallet: Wallet): string {
  const { balance, pending, held, spent, expired } = figuresOf(wallet)
  return `balance ${balance}, pending ${pending}, held ${held}, spent ${spent}, expired ${expired}`
}

/** The movements in one line each: `expired -30 to 150 at 2026-05-01T00:00`. */
export function movements(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((change) => {
    if (change.type !== 'pointsMoved') return []
    const { kind, amount, balance, at } = change
    return [`${kind} ${amount > 0 ? '+' : ''}${amount} to ${balance} at ${new Date(at).toISOString().slice(0, 16)}`]
  })
}

export function day(text: string): number {
  const date = parseDate(text)
  if (date === null) throw new RangeError(text)
  return date
}
