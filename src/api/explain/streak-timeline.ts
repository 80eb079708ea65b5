import { type Day, type Instant, isDateInZone, type Period, periodOf } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import { evolve } from '../../rules/evolve.ts'
import { gameOf } from '../../rules/fold.ts'
import type { Game, Games, StreakRule } from '../../rules/game.ts'
import { zoneOf } from '../../rules/profile.ts'
import type { Pause, UserState } from '../../rules/state.ts'
import { isAbout, ruleOf, type StreakKey, streakOf, streakRuleFor } from '../../rules/streak.ts'
import type { StreakNeeds } from './facts.ts'
import { type Span, spanOf, sumsOf, toNeeds } from './streak-needs.ts'

/** What became of the streak in a period, as it was judged at the time. */
export type PeriodOutcome = Span &
  (
    | ({
        readonly type: 'counted'
        readonly length: number
        readonly isHeld: boolean
        readonly entryId: string
        readonly at: Instant
      } & StreakNeeds)
    | { readonly type: 'frozen'; readonly length: number; readonly freezesLeft: number }
    | { readonly type: 'paused'; readonly length: number; readonly pause: Pause }
    | ({ readonly type: 'missed'; readonly length: number } & StreakNeeds)
    | { readonly type: 'restored'; readonly length: number; readonly at: Instant }
    | { readonly type: 'moved' }
  )

export type Missed = Extract<PeriodOutcome, { readonly type: 'missed' }>

/** Follows one date through a history. */
export interface StreakTimeline {
  see(before: UserState, changes: readonly Change[], entry: Entry | null): void
  /** Those of periods that hold the date, in the order in which they were judged: what is true now comes last. */
  ofDate(): readonly PeriodOutcome[]
  /** The last loss before the date's period. */
  lastLoss(): Missed | null
  /** The changes of metrics in the date's period. */
  sums(): ReadonlyMap<string, number> | undefined
}

export function followStreak(games: Games, date: Day, key: StreakKey): StreakTimeline {
  const outcomes: PeriodOutcome[] = []
  let loss: Missed | null = null
  let newestLoss: Missed | null = null
  let sums: { readonly calendar: string; readonly sums: ReadonlyMap<string, number> } | null = null

  function add(outcome: PeriodOutcome): void {
    if (outcome.type === 'missed') {
      newestLoss = outcome
      if (outcome.last < date) loss = outcome
    }
    if (outcome.first <= date && outcome.last >= date) outcomes.push(outcome)
  }

  function remember(game: Game, state: UserState): void {
    const rule = ruleOf(game, key)
    if (rule === null) return
    const period = periodOf(rule.frequency, game.weekStartsOn, date)
    const found = sumsOf(state, rule, period)
    const calendar = `${rule.frequency} ${game.weekStartsOn}`
    if (found !== undefined) sums = { calendar, sums: found }
    else if (sums?.calendar !== calendar) sums = null
  }

  return {
    see: (before, changes, entry) => {
      let state = before
      let game = gameOf(games, before.seq === 0 && entry !== null ? entry.epoch : before.epoch)
      for (const change of changes) {
        const known = { entry, sums: sums?.sums, restoredFrom: newestLoss }
        const rule = isAbout(change, key) ? streakRuleFor(ruleOf(game, key), state) : null
        for (const outcome of toOutcomes(game, rule, state, change, known)) add(outcome)
        state = evolve(state, change)
        if (change.type === 'gameAdopted') game = gameOf(games, change.epoch)
        const isSummed = change.type === 'periodSummed' || change.type === 'streakMoved'
        if (isSummed && isAbout(change, key)) remember(game, state)
      }
    },
    ofDate: () => outcomes,
    lastLoss: () => loss,
    sums: () => sums?.sums,
  }
}

interface Known {
  readonly entry: Entry | null
  readonly sums: ReadonlyMap<string, number> | undefined
  readonly restoredFrom: Missed | null
}

function toOutcomes(
  game: Game,
  rule: StreakRule | null,
  state: UserState,
  change: Change,
  known: Known,
): readonly PeriodOutcome[] {
  if (rule === null) return []
  if (change.type === 'streakRestored') return toRestored(game, rule, change, known)
  const outcome = toOutcome(game, rule, state, change, known)
  return outcome === null ? [] : [outcome]
}

function toOutcome(game: Game, rule: StreakRule, state: UserState, change: Change, known: Known): PeriodOutcome | null {
  switch (change.type) {
    case 'streakStarted':
    case 'streakExtended':
    case 'streakHeld': {
      const { period, length, type } = change
      const { id: entryId, at } = known.entry ?? { id: '', at: 0 }
      const needs = toNeeds(rule, sumsOf(state, rule, period))
      return {
        type: 'counted',
        ...spanOf(rule, game, period),
        length,
        isHeld: type === 'streakHeld',
        entryId,
        at,
        ...needs,
      }
    }
    case 'streakFrozen': {
      const { period, length, freezes } = change
      return { type: 'frozen', ...spanOf(rule, game, period), length, freezesLeft: freezes.count }
    }
    case 'streakPaused': {
      const span = spanOf(rule, game, change.period)
      const pause = pauseOver(state, span)
      return pause === null ? null : { type: 'paused', ...span, length: change.length, pause }
    }
    case 'streakLost':
      return toMissed(game, rule, state, change.length, known.sums)
    case 'streakMoved':
      return toMoved(game, rule, state, change.streak.kept)
    default:
      return null
  }
}

/** The pause because of which a period could not be missed; null: there is none. */
export function pauseOver({ pauses }: UserState, { first, last }: Span): Pause | null {
  return pauses.find(({ start, end }) => start <= last && end >= first) ?? null
}

/** A streak is lost in the first period after the kept ones that exists in the zone. */
function toMissed(
  game: Game,
  rule: StreakRule,
  state: UserState,
  length: number,
  remembered: ReadonlyMap<string, number> | undefined,
): Missed | null {
  const { kept } = streakOf(state, rule.key)
  if (kept === null) return null
  let period: Period = kept + 1
  while (rule.frequency === 'daily' && !isDateInZone(zoneOf(state.profile), period)) period += 1
  return {
    type: 'missed',
    ...spanOf(rule, game, period),
    length,
    ...toNeeds(rule, sumsOf(state, rule, period) ?? remembered),
  }
}

/**
 * The periods that a restoration covers: from the one that lost the streak until the one before that of the entry; and
 * the current one where it counted already, which then has the restored length.
 */
function toRestored(
  game: Game,
  rule: StreakRule,
  { streak: { length }, date }: Extract<Change, { readonly type: 'streakRestored' }>,
  { entry, restoredFrom }: Known,
): readonly PeriodOutcome[] {
  if (entry === null) return []
  const restored = { type: 'restored', length, at: entry.at } as const
  const current = periodOf(rule.frequency, game.weekStartsOn, entry.dating.date)
  const { last } = spanOf(rule, game, current - 1)
  const gap: readonly PeriodOutcome[] = restoredFrom === null ? [] : [{ ...restored, first: restoredFrom.first, last }]
  if (date === null) return gap
  return [...gap, { ...restored, ...spanOf(rule, game, periodOf(rule.frequency, game.weekStartsOn, date)) }]
}

/**
 * A change of zone passes dates over, or goes back over some: the streak reaches from one side of them to the other.
 */
function toMoved(game: Game, rule: StreakRule, state: UserState, kept: Period | null): PeriodOutcome | null {
  const streak = streakOf(state, rule.key)
  if (streak.kept === null || kept === null || kept === streak.kept) return null
  const { first } = spanOf(rule, game, Math.min(streak.kept + 1, kept))
  const { last } = spanOf(rule, game, Math.max(streak.kept, kept))
  return { type: 'moved', first, last }
}
