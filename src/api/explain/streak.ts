import {
  type Day,
  endOfDate,
  type Instant,
  isDateInZone,
  localDate,
  type Period,
  periodOf,
  toDateText,
} from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import { evolve } from '../../rules/evolve.ts'
import { gameOf } from '../../rules/fold.ts'
import type { Game, Games, StreakRule } from '../../rules/game.ts'
import { zoneOf } from '../../rules/profile.ts'
import type { UserState } from '../../rules/state.ts'
import {
  canMiss,
  freezesOf,
  isAbout,
  isNeutral,
  ruleOf,
  type StreakName,
  streakOf,
  streakRuleFor,
} from '../../rules/streak.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import { checkStreakName } from '../known.ts'
import { toInstantText } from '../users/answer.ts'
import type { Finding, StreakFact } from './facts.ts'
import type { HistoryReader, Present } from './history.ts'
import { type PeriodFacts, periodFactsOf, type Span, spanOf, toNeeds, toPeriodDates } from './rules.ts'

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
    const found = periodFactsOf(game, state, rule, periodOf(rule.frequency, game.weekStartsOn, date))
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
      const needs = toNeeds(game, rule, periodFactsOf(game, state, rule, period))
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
  const needs = toNeeds(game, rule, periodFactsOf(game, state, rule, period) ?? sums)
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

export function explainStreak(
  { game, games }: CurrentGame,
  date: Day,
  key: string | null,
): HistoryReader<Finding<StreakFact>> {
  checkStreakName(game, key)
  const timeline = startStreakTimeline(games, date, key)
  let first: Day | null = null
  return {
    see: ({ entry, before, step }) => {
      first = Math.min(first ?? entry.dating.date, entry.dating.date)
      timeline.see(before, step.changes, entry)
    },
    end: (present) => {
      timeline.see(present.before, present.changes, null)
      const rule = streakRuleFor(ruleOf(game, key), present.state)
      if (rule === null) return { holds: false, facts: [{ type: 'streak_disabled' }] }
      return findOn({ game, rule, date, first: first ?? date, timeline, present })
    },
  }
}

interface Question {
  readonly game: Game
  readonly rule: StreakRule
  readonly date: Day
  /** The user's first local date. */
  readonly first: Day
  readonly timeline: StreakTimeline
  readonly present: Present
}

function findOn(question: Question): Finding<StreakFact> {
  const { game, rule, date, first, timeline, present } = question
  const { state, at } = present
  const zone = zoneOf(state.profile)
  const today = localDate(zone, at)
  const period = periodOf(rule.frequency, game.weekStartsOn, date)
  const current = periodOf(rule.frequency, game.weekStartsOn, today)
  const span = spanOf(rule, game, period)
  const { last } = streakOf(state, rule.key)
  const hasCounted = last !== null && period <= last
  if (period > current && !hasCounted) return findAhead(rule, state, span, today)
  if (period === current && !hasCounted) return findOpen(question, span)

  const facts = latestOf(timeline.ofDate()).map(({ fact }) => fact)
  if (facts.length > 0) return { holds: facts.at(-1)?.type !== 'streak_missed', facts }
  if (span.last < first) return { holds: false, facts: [{ type: 'date_before_first', first: toDateText(first) }] }
  if (rule.frequency === 'daily' && !isDateInZone(zone, date)) {
    return { holds: false, facts: [{ type: 'date_not_in_zone', zone }] }
  }
  if (isNeutral(rule, state.preferences, period)) {
    return { holds: false, facts: [{ type: 'date_neutral', date: toDateText(date) }] }
  }
  return findNone(question, span)
}

/**
 * The outcomes that explain what holds now, the decisive one last. The own result of a period says more than that the
 * period was moved or restored. A change of zone can make a period missed after it counted: then both are included.
 */
function latestOf(outcomes: readonly PeriodOutcome[]): readonly PeriodOutcome[] {
  const newest = outcomes.at(-1)
  if (newest === undefined) return []
  const earlier = latestOf(outcomes.slice(0, -1))
  const before = earlier.at(-1)
  const wasMissed = before?.fact.type === 'streak_missed'
  switch (newest.fact.type) {
    case 'streak_missed':
      return wasMissed ? [newest] : [...earlier, newest]
    case 'streak_restored': {
      // If the current period had counted, it has the restored length.
      const isSame = before?.first === newest.first && before.last === newest.last
      return wasMissed || isSame || before === undefined ? [...earlier, newest] : earlier
    }
    case 'streak_moved':
      return wasMissed || before === undefined ? [newest] : earlier
    default:
      return [newest]
  }
}

function findNone({ game, rule, timeline }: Question, span: Span): Finding<StreakFact> {
  const loss = timeline.lastLoss()
  const lost = loss === null ? null : { length: loss.length, lostOn: loss.lostOn }
  const needs = toNeeds(game, rule, timeline.sums())
  return {
    holds: false,
    facts: [
      { type: 'streak_not_running', lost },
      { type: 'streak_not_reached', ...toPeriodDates(span), ...needs },
    ],
  }
}

function findAhead(rule: StreakRule, state: UserState, span: Span, today: Day): Finding<StreakFact> {
  return {
    holds: false,
    facts: [{ type: 'date_in_future', today: toDateText(today) }, ...pauseFacts(rule, state, span)],
  }
}

function findOpen({ game, rule, timeline, present: { state } }: Question, span: Span): Finding<StreakFact> {
  const paused = pauseFacts(rule, state, span)
  const { length } = streakOf(state, rule.key)
  const open: StreakFact = {
    type: 'streak_open',
    length,
    until: toInstantText(endOfDate(zoneOf(state.profile), span.last)),
    freezes: rule.freezes === null ? 0 : (freezesOf(state, rule)?.count ?? 0),
    ...toPeriodDates(span),
    ...toNeeds(game, rule, timeline.sums()),
  }
  return { holds: paused.length > 0 && length > 0, facts: [open, ...paused] }
}

function pauseFacts(rule: StreakRule, state: UserState, span: Span): readonly StreakFact[] {
  const fact = pausedFact(state, span, streakOf(state, rule.key).length)
  return fact === null ? [] : [fact]
}
