import { boostDue, boostsFor, type Multiplier, multiplierOf } from './boost.ts'
import { applyCaps, countPayment, paysAgainAt } from './cap.ts'
import type { Change } from './change.ts'
import type { Entry, GrantedPoints, PointsAdjusted } from './entry.ts'
import { applyTo, type Draft, draftOf } from './evolve.ts'
import { type Boost, type Game, isSpendable, type Level, matches, type PointsSystem, type Trigger } from './game.ts'
import type { UserState } from './state.ts'
import { streakOf } from './streak-names.ts'
import { runningOf } from './tally.ts'
import { newMultiples } from './total.ts'
import { walletIn } from './wallet.ts'
import { adjustWallet, clipEarned, earn, earned } from './wallet-changes.ts'

export function levelFor(system: PointsSystem, total: number): Level | null {
  let reached: Level | null = null
  for (const level of system.levels) {
    if (level.points > total) break
    reached = level
  }
  return reached
}

export interface TriggerInput {
  readonly isNewUser: boolean
  readonly metric: string | null
  /** By achievement: how often it was newly completed. */
  readonly completed: ReadonlyMap<string, number>
  /** The keys of the streaks that it made longer; `null` is the game's `streak`. */
  readonly grown: ReadonlySet<string | null>
}

function timesDue(trigger: Trigger, before: UserState, after: UserState, triggerInput: TriggerInput): number {
  if (trigger.status === 'inactive') return 0
  switch (trigger.type) {
    case 'metric': {
      if (trigger.metric !== triggerInput.metric) return 0
      const marked = runningOf(trigger, before)?.highest ?? 0
      const reached = runningOf(trigger, after)?.highest ?? 0
      return reached === marked ? 0 : newMultiples(marked, reached, trigger.threshold)
    }
    case 'achievement':
      return isForUser(trigger, after) ? (triggerInput.completed.get(trigger.achievement) ?? 0) : 0
    case 'streak':
      return triggerInput.grown.has(trigger.streak) &&
        streakOf(after, trigger.streak).length % trigger.length === 0 &&
        isForUser(trigger, after)
        ? 1
        : 0
    case 'user_creation':
      return triggerInput.isNewUser && isForUser(trigger, after) ? 1 : 0
    // `payTimers` pays it.
    case 'time':
      return 0
    default:
      return trigger satisfies never
  }
}

function isForUser(trigger: Trigger, state: UserState): boolean {
  return matches(trigger.userAttributes, state.profile.attributes)
}

/** Keeps a system's total between 0 and `maxPoints`; points beyond that are lost. */
function clip(system: PointsSystem, total: number, due: number): number {
  const greatest = system.maxPoints ?? Number.MAX_SAFE_INTEGER
  if (due > 0) return Math.min(due, Math.max(0, greatest - total))
  return Math.max(due, -total)
}

/** Awards the points of the triggers, in the game's order, and changes the levels. */
export function awardPoints(
  game: Game,
  before: UserState,
  after: UserState,
  triggerInput: TriggerInput,
  entry: Entry,
): readonly Change[] {
  const { weekStartsOn } = game
  const changes: Change[] = []
  for (const system of game.points.values()) {
    const balance = after.points.get(system.key)
    const previous = balance?.total ?? 0
    let total = previous
    const wallet = isSpendable(system) ? walletIn(after.wallets, system.key) : null
    let filled = wallet
    let used: Draft | null = null
    let boosts: Boosts | null = null
    for (const trigger of system.triggers) {
      const times = timesDue(trigger, before, after, triggerInput)
      if (times === 0 || trigger.points === 0) continue
      const capInput = { weekStartsOn, system, trigger, entry }
      if (trigger.points > 0) boosts ??= findBoosts(system, after, entry)
      const payment = boosted(trigger, times, boosts)
      const taken = applyCaps(capInput, used?.state ?? after, payment.due)
      const due = taken?.left ?? payment.due
      const awarded = filled === null ? clip(system, total, due) : clipEarned(system, filled, total, due)
      const counted = countPayment(capInput, used?.state ?? after, awarded)
      if (counted.length > 0) used ??= draftOf(after)
      for (const change of counted) if (used !== null) applyTo(used, change)
      const resetsAt = taken === null ? null : paysAgainAt(capInput, used?.state ?? after, taken)
      const reduction = taken === null ? {} : { reduction: { ...taken, resetsAt } }
      const named = { system: system.key, trigger: trigger.id, ...payment, ...reduction }
      if (awarded === 0) {
        changes.push({ type: 'pointsClipped', ...named })
        continue
      }
      total += awarded
      if (filled !== null && isSpendable(system)) filled = earn(filled, system, awarded, entry.dating.date)
      changes.push({ type: 'pointsAwarded', ...named, awarded, total, at: entry.at, entryId: entry.id }, ...counted)
    }
    if (wallet !== null && filled !== null && isSpendable(system))
      changes.push(...earned(system, wallet, filled, entry))
    if (total !== previous || triggerInput.isNewUser) pushLevel(changes, system, balance?.level ?? null, total)
  }
  return changes
}

interface Boosts {
  readonly boosts: readonly Boost[]
  readonly multiplier: Multiplier
}

function findBoosts(system: PointsSystem, state: UserState, { dating }: Entry): Boosts {
  const boosts = boostsFor(system, state, dating.date)
  return boosts.length === 0 ? NO_BOOSTS : { boosts, multiplier: multiplierOf(boosts) }
}

const NO_BOOSTS: Boosts = { boosts: [], multiplier: multiplierOf([]) }

function boosted(
  { points }: Trigger,
  times: number,
  found: Boosts | null,
): { readonly due: number; readonly boosts?: readonly Boost[] } {
  if (points <= 0 || found === null || found.boosts.length === 0) return { due: payFor(times, points) }
  return { due: boostDue(times, points, found.multiplier), boosts: found.boosts }
}

/** The product, within safe integers: no total can be larger, so nothing is lost. */
export function payFor(times: number, points: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(times * points, Number.MAX_SAFE_INTEGER))
}

/** Awards granted points, for the systems that the game has, and changes the levels. */
export function grantPoints(
  game: Game,
  state: UserState,
  grants: readonly GrantedPoints[],
  entry: Entry,
): readonly Change[] {
  const changes: Change[] = []
  for (const system of game.points.values()) {
    const balance = state.points.get(system.key)
    const wallet = isSpendable(system) ? walletIn(state.wallets, system.key) : null
    let filled = wallet
    let total = balance?.total ?? 0
    for (const { system: key, trigger, points: due } of grants) {
      if (key !== system.key) continue
      const awarded = filled === null ? clip(system, total, due) : clipEarned(system, filled, total, due)
      if (awarded === 0) continue
      total += awarded
      if (filled !== null && isSpendable(system)) filled = earn(filled, system, awarded, entry.dating.date)
      const { at, id: entryId } = entry
      changes.push({ type: 'pointsAwarded', system: system.key, trigger, due, awarded, total, at, entryId })
    }
    if (total === (balance?.total ?? 0)) continue
    pushLevel(changes, system, balance?.level ?? null, total)
    if (wallet !== null && filled !== null && isSpendable(system))
      changes.push(...earned(system, wallet, filled, entry))
  }
  return changes
}

/**
 * Adds the points that support gives or takes: the trigger has the id of the points system. Does nothing if the game
 * lacks the system. If it is spendable, points are taken from the balance, and from the total only if the entry says so.
 */
export function adjustPoints(game: Game, state: UserState, entry: Entry & PointsAdjusted): readonly Change[] {
  const { system: key, amount: points } = entry
  const system = game.points.get(key)
  if (system === undefined) return []
  if (!isSpendable(system)) return grantPoints(game, state, [{ system: key, trigger: system.id, points }], entry)
  const balance = state.points.get(key)
  const total = balance?.total ?? 0
  const wallet = walletIn(state.wallets, key)
  if (points < 0 && entry.fromEarned !== true) {
    const taken = Math.max(points, Math.min(0, -wallet.balance))
    return adjustWallet(system, { ...wallet, spent: wallet.spent - taken }, taken, entry)
  }
  const awarded = points < 0 ? Math.max(points, -total) : clipEarned(system, wallet, total, points)
  if (awarded === 0) return []
  const changes: Change[] = []
  const { at, id: entryId } = entry
  const award = { system: key, trigger: system.id, due: points, awarded, total: total + awarded, at, entryId }
  changes.push({ type: 'pointsAwarded', ...award })
  pushLevel(changes, system, balance?.level ?? null, total + awarded)
  changes.push(...adjustWallet(system, wallet, awarded, entry))
  return changes
}

/** Adds the change of the level, if the level of the total differs from `level`. */
export function pushLevel(changes: Change[], system: PointsSystem, level: string | null, total: number): void {
  const reached = levelFor(system, total)?.key ?? null
  if (reached !== level) changes.push({ type: 'levelChanged', system: system.key, level: reached })
}

/** A points system that refuses an event, with the user's points at the event and the points that would remain. */
export interface Overdraft {
  readonly system: PointsSystem
  readonly total: number
  readonly left: number
}

/**
 * The first system that refuses an event, or `null` if none does. A system refuses if its triggers would take the total
 * below 0, and one of them has `blockIfOutOfPoints`. Points for the user's creation and from time triggers count as
 * paid before.
 *
 * Nothing is clipped here, so caps and cooldowns are counted separately: clipped points use neither.
 */
export function findOverdraft(
  game: Game,
  before: UserState,
  changes: readonly Change[],
  entry: Pick<Entry, 'at' | 'dating'>,
): Overdraft | null {
  for (const system of game.points.values()) {
    const triggers = new Map(system.triggers.map((trigger) => [trigger.id, trigger]))
    let total = before.points.get(system.key)?.total ?? 0
    const used = draftOf(before)
    let due = 0
    let blocks = false
    for (const change of changes) {
      if (change.type !== 'pointsAwarded' && change.type !== 'pointsClipped') continue
      const trigger = change.system === system.key ? triggers.get(change.trigger) : undefined
      if (trigger === undefined) continue
      const capInput = { weekStartsOn: game.weekStartsOn, system, trigger, entry }
      const isBefore = trigger.type === 'user_creation' || trigger.type === 'time'
      const awarded = change.type === 'pointsAwarded' ? change.awarded : 0
      const paid = isBefore ? awarded : (applyCaps(capInput, used.state, change.due)?.left ?? change.due)
      if (isBefore) total += paid
      else due += paid
      blocks ||= !isBefore && trigger.blockIfOutOfPoints
      if (trigger.type === 'time') continue
      for (const counted of countPayment(capInput, used.state, paid)) applyTo(used, counted)
    }
    if (blocks && total + due < 0) return { system, total, left: total + due }
  }
  return null
}
