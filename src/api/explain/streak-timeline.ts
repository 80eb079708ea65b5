import { type Day, type Instant, type Period, periodOf, toDateText } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import { evolve } from '../../rules/evolve.ts'
import { gameOf } from '../../rules/fold.ts'
import type { Game, Games, StreakRule } from '../../rules/game.ts'
import { zoneOf } from '../../rules/profile.ts'
import type { UserState } from '../../rules/state.ts'
import { canMiss, isAbout, ruleOf, type StreakName, streakOf, streakRuleFor } from '../../rules/streak.ts'
import { toInstantText } from '../users/answer.ts'
import type { StreakFact } from './facts.ts'
import { factsOf, type PeriodFacts, type Span, spanOf, toNeeds, toPeriodDates } from './rules.ts'

type FactOf<Type extends StreakFact['type']> = Extract<StreakFact, { readonly type: Type }>
type MissedFact = FactOf<'streak_missed'>

/** What happened to the streak in a period, or in the periods that a restoration or a move covers. */
export interface PeriodOutcome<Fact extends StreakFact = StreakFact> extends Span {
  readonly fact: Fact
}

/** Follows one date through a history. */
export interface StreakTimeline {
  see(before: UserState, changes: readonly Change[], entry: Entry | null): void
  /** The outcomes of periods that contain the date, in the order of the decisions. The last one holds now. */
  ofDate(): readonly PeriodOutcome[]
  /** The last loss before the date's period. */
  lastLoss(): MissedFact | null
  /** The changes of metrics in the date's period. */
  sums(): PeriodFacts | undefined
}

export function startStreakTimeline(games: Games, date: Day, key: StreakName): StreakTimeline {
  const outcomes: PeriodOutcome[] = []
  let loss: MissedFact | null = null
  let newestLoss: PeriodOutcome | null = null
  let sums: { readonly calendar: string; readonly sums: PeriodFacts } | null = null

  function add(outcome: PeriodOutcome): void {
    const { fact, first, last } = outcome
    if (fact.type === 'streak_missed') {
      newestLoss = outcome
      if (last < date) loss = fact
    }
    if (first <= date && last >= date) outcomes.push(outcome)
  }

  function remember(game: Game, state: UserState): void {
    const rule = ruleOf(game, key)
    if (rule === null) return
    const found = factsOf(game, state, rule, periodOf(rule.frequency, game.weekStartsOn, date))
    const calendar = `${rule.frequency} ${game.weekStartsOn}`
    if (found !== undefined) sums = { calendar, sums: found }
    else if (sums?.calendar !== calendar) sums = null
  }

  return {
    see: (before, changes, entry) => {
      let state = before
      let game = gameOf(games, before.seq === 0 && entry !== null ? entry.epoch : before.epoch)
      for (const change of changes) {
        const rule = isAbout(change, key) ? streakRuleFor(ruleOf(game, key), state) : null
        if (rule !== null) {
          const moment = { game, rule, state, entry, sums: sums?.sums, restoredFrom: newestLoss }
          for (const outcome of outcomesOf(change, moment)) add(outcome)
        }
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

/** The situation in which a change of the streak was decided. */
interface Moment {
  readonly game: Game
  readonly rule: StreakRule
  readonly state: UserState
  readonly entry: Entry | null
  readonly sums: PeriodFacts | undefined
  readonly restoredFrom: Span | null
}

function outcomesOf(change: Change, moment: Moment): readonly PeriodOutcome[] {
  const { game, rule, state, entry } = moment
  switch (change.type) {
    case 'streakStarted':
    case 'streakExtended':
    case 'streakHeld': {
      const { period, length, type } = change
      const { id: eventId, at } = entry ?? { id: '', at: 0 }
      const isHeld = type === 'streakHeld'
      const needs = toNeeds(game, rule, factsOf(game, state, rule, period))
      return outcome(spanOf(rule, game, period), (dates) => {
        return { type: 'streak_counted', length, isHeld, eventId, at: toInstantText(at), ...dates, ...needs }
      })
    }
    case 'streakFrozen': {
      const { period, length, freezes } = change
      return outcome(spanOf(rule, game, period), (dates) => {
        return { type: 'streak_frozen', length, freezesLeft: freezes.count, ...dates }
      })
    }
    case 'streakPaused': {
      const span = spanOf(rule, game, change.period)
      const fact = pausedFact(state, span, change.length)
      return fact === null ? [] : [{ ...span, fact }]
    }
    case 'streakLost':
      return missed(change.length, moment)
    case 'streakRestored':
      return restored(change, moment)
    case 'streakMoved':
      return moved(change.streak.kept, moment)
    default:
      return []
  }
}

function outcome(
  span: Span,
  toFact: (dates: ReturnType<typeof toPeriodDates>) => StreakFact,
): readonly [PeriodOutcome] {
  return [{ ...span, fact: toFact(toPeriodDates(span)) }]
}

/** Returns `null` if no pause keeps the period from being missed. */
export function pausedFact({ pauses }: UserState, span: Span, length: number): FactOf<'streak_paused'> | null {
  const found = pauses.find(({ start, end }) => start <= span.last && end >= span.first)
  if (found === undefined) return null
  const pause = { id: found.id, start: toDateText(found.start), end: toDateText(found.end) }
  return { type: 'streak_paused', length, pause, ...toPeriodDates(span) }
}

/** A streak is lost in the first period after the kept ones that exists in the zone. */
function missed(length: number, { game, rule, state, sums }: Moment): readonly PeriodOutcome[] {
  const { kept } = streakOf(state, rule.key)
  if (kept === null) return []
  let period: Period = kept + 1
  while (!canMiss(rule, zoneOf(state.profile), state.preferences, period)) period += 1
  const span = spanOf(rule, game, period)
  const needs = toNeeds(game, rule, factsOf(game, state, rule, period) ?? sums)
  return outcome(span, (dates) => {
    return { type: 'streak_missed', length, lostOn: toDateText(span.last + 1), ...dates, ...needs }
  })
}

/**
 * A restoration covers the periods from the one that lost the streak to the one before the entry's period. If the
 * current period had counted already, it has the restored length too.
 */
function restored(
  { streak: { length }, date }: Extract<Change, { readonly type: 'streakRestored' }>,
  { game, rule, entry, restoredFrom }: Moment,
): readonly PeriodOutcome[] {
  if (entry === null) return []
  const at: Instant = entry.at
  const over = (span: Span): readonly [PeriodOutcome] =>
    outcome(span, (dates) => ({ type: 'streak_restored', at: toInstantText(at), length, ...dates }))
  const { frequency } = rule
  const { last } = spanOf(rule, game, periodOf(frequency, game.weekStartsOn, entry.dating.date) - 1)
  const gap = restoredFrom === null ? [] : over({ first: restoredFrom.first, last })
  if (date === null) return gap
  return [...gap, ...over(spanOf(rule, game, periodOf(frequency, game.weekStartsOn, date)))]
}

/** A change of zone skips dates or goes back over some: the streak reaches from one side of them to the other. */
function moved(kept: Period | null, { game, rule, state }: Moment): readonly PeriodOutcome[] {
  const streak = streakOf(state, rule.key)
  if (streak.kept === null || kept === null || kept === streak.kept) return []
  const { first } = spanOf(rule, game, Math.min(streak.kept + 1, kept))
  const { last } = spanOf(rule, game, Math.max(streak.kept, kept))
  return outcome({ first, last }, (dates) => ({ type: 'streak_moved', ...dates }))
}
