import { toInstantText } from '../../answers/users.ts'
import {
  type Day,
  endOfDate,
  isDateInZone,
  localDate,
  type Period,
  periodOf,
  toDateText,
} from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import { applyTo, draftOf } from '../../rules/evolve.ts'
import { gameOf } from '../../rules/fold.ts'
import type { Game, Games, StreakRule } from '../../rules/game.ts'
import { type UserState, zoneOf } from '../../rules/state.ts'
import { streakRuleOn } from '../../rules/streak.ts'
import { canMiss, isNeutral } from '../../rules/streak-days.ts'
import { freezesOf, isAbout, ruleOf, type StreakName, streakOf } from '../../rules/streak-names.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import { checkStreakName } from '../named-parts.ts'
import type { Finding, PeriodDates, StreakFact } from './facts.ts'
import type { HistoryReader, Present } from './read-history.ts'
import { type PeriodFacts, periodFactsOf, type Span, spanOf, toNeeds, toPeriodDates } from './rules.ts'

/** A fact about the streak in a period, or in the periods that a restoration or a move covers. */
type PeriodFact = Extract<StreakFact, PeriodDates>
type FactOf<Type extends StreakFact['type']> = Extract<StreakFact, { readonly type: Type }>

/** The end of a streak: by time, or by support. */
type Loss = FactOf<'streak_missed' | 'streak_reset'>

interface Timeline {
  readonly date: Day
  readonly key: StreakName
  /** About the periods that contain the date, in the order of the decisions. The last one holds now. */
  readonly facts: PeriodFact[]
  newestLoss?: Loss
  /** The last loss before the date's period. */
  lossBefore?: Loss
  /** The totals of the date's period, as this calendar divides time. */
  sums?: PeriodFacts | undefined
  calendar?: string
}

interface StreakContext<C = Change> {
  readonly change: C
  readonly game: Game
  readonly rule: StreakRule
  readonly state: UserState
  readonly entry: Entry | null
  readonly timeline: Timeline
}

export function explainStreak(
  { game, games }: CurrentGame,
  date: Day,
  key: string | null,
): HistoryReader<Finding<StreakFact>> {
  checkStreakName(game, key)
  const timeline: Timeline = { date, key, facts: [] }
  let first: Day | null = null
  return {
    see: ({ entry, before, decided }) => {
      first = Math.min(first ?? entry.dating.date, entry.dating.date)
      follow(games, timeline, before, decided.changes, entry)
    },
    end: (present) => {
      follow(games, timeline, present.before, present.changes, null)
      const rule = streakRuleOn(ruleOf(game, key), present.state, localDate(zoneOf(present.state.profile), present.at))
      if (rule === null) return { holds: false, facts: [{ type: 'streak_disabled' }] }
      return findOn({ game, rule, first: first ?? date, timeline, present })
    },
  }
}

function follow(
  games: Games,
  timeline: Timeline,
  before: UserState,
  changes: readonly Change[],
  entry: Entry | null,
): void {
  const { key } = timeline
  const date = toDateText(timeline.date)
  const draft = draftOf(before)
  const { state } = draft
  let game = gameOf(games, before.seq === 0 && entry !== null ? entry.epoch : before.epoch)
  for (const change of changes) {
    const isOwn = isAbout(change, key)
    const rule = isOwn ? streakRuleOn(ruleOf(game, key), state, entry?.dating.date ?? timeline.date) : null
    if (rule !== null) {
      for (const fact of factsOf({ change, game, rule, state, entry, timeline })) {
        if (isLoss(fact)) {
          timeline.newestLoss = fact
          if (fact.periodEnd < date) timeline.lossBefore = fact
        }
        if (fact.periodStart <= date && fact.periodEnd >= date) timeline.facts.push(fact)
      }
    }
    applyTo(draft, change)
    if (change.type === 'gameAdopted') game = gameOf(games, change.epoch)
    if (isOwn && (change.type === 'periodSummed' || change.type === 'streakMoved')) remember(timeline, game, state)
  }
}

function remember(timeline: Timeline, game: Game, state: UserState): void {
  const rule = ruleOf(game, timeline.key)
  if (rule === null) return
  const found = periodFactsOf(game, state, rule, periodOf(rule.frequency, game.weekStartsOn, timeline.date))
  const calendar = `${rule.frequency} ${game.weekStartsOn}`
  if (found === undefined && timeline.calendar === calendar) return
  timeline.sums = found
  timeline.calendar = calendar
}

function factsOf(streakContext: StreakContext): readonly PeriodFact[] {
  const { change, game, rule, state, entry } = streakContext
  switch (change.type) {
    case 'streakStarted':
    case 'streakExtended':
    case 'streakHeld': {
      const { period, length, type } = change
      const by = { eventId: entry?.id ?? '', at: toInstantText(entry?.at ?? 0) }
      const needs = toNeeds(game, rule, periodFactsOf(game, state, rule, period))
      const isHeld = type === 'streakHeld'
      return [{ type: 'streak_counted', length, isHeld, ...by, ...datesOf(rule, game, period), ...needs }]
    }
    case 'streakFrozen': {
      const { period, length, freezes } = change
      return [{ type: 'streak_frozen', length, freezesLeft: freezes.count, ...datesOf(rule, game, period) }]
    }
    case 'streakPaused':
      return pauseFacts(state, spanOf(rule, game, change.period), change.length)
    case 'streakLost':
      return missed(change.length, streakContext)
    case 'streakReset': {
      const { missed: period } = change.lost
      if (entry === null || period === null) return []
      const when = { at: toInstantText(entry.at), date: toDateText(entry.dating.date) }
      return [{ type: 'streak_reset', length: change.length, ...when, ...datesOf(rule, game, period) }]
    }
    case 'streakRestored':
      return restored({ ...streakContext, change })
    case 'streakMoved':
      return moved(change.streak.kept, streakContext)
    default:
      return []
  }
}

function isLoss(fact: PeriodFact | undefined): fact is Loss {
  return fact?.type === 'streak_missed' || fact?.type === 'streak_reset'
}

function datesOf(rule: StreakRule, game: Game, period: Period): PeriodDates {
  return toPeriodDates(spanOf(rule, game, period))
}

/** Empty if no pause keeps the period from being missed. */
function pauseFacts({ pauses }: UserState, span: Span, length: number): readonly FactOf<'streak_paused'>[] {
  const found = pauses.find(({ start, end }) => start <= span.last && end >= span.first)
  if (found === undefined) return []
  const pause = { id: found.id, start: toDateText(found.start), end: toDateText(found.end) }
  return [{ type: 'streak_paused', length, pause, ...toPeriodDates(span) }]
}

/** A streak is lost in the first period after the kept ones that exists in the zone. */
function missed(length: number, { game, rule, state, timeline }: StreakContext): readonly PeriodFact[] {
  const { kept } = streakOf(state, rule.key)
  if (kept === null) return []
  let period: Period = kept + 1
  while (!canMiss(rule, state, period)) period += 1
  const span = spanOf(rule, game, period)
  const needs = toNeeds(game, rule, periodFactsOf(game, state, rule, period) ?? timeline.sums)
  return [{ type: 'streak_missed', length, lostOn: toDateText(span.last + 1), ...toPeriodDates(span), ...needs }]
}

/**
 * A restoration covers the periods from the one that lost the streak to the one before the entry's period. If the
 * current period had counted already, it has the restored length too.
 */
function restored({
  change: { streak, date },
  game,
  rule,
  entry,
  timeline: { newestLoss },
}: StreakContext<Extract<Change, { readonly type: 'streakRestored' }>>): readonly PeriodFact[] {
  if (entry === null) return []
  const { frequency } = rule
  const over = (dates: PeriodDates): PeriodFact => {
    return { type: 'streak_restored', at: toInstantText(entry.at), length: streak.length, ...dates }
  }
  const current = datesOf(rule, game, periodOf(frequency, game.weekStartsOn, entry.dating.date) - 1)
  const gap = newestLoss === undefined ? [] : [over({ ...current, periodStart: newestLoss.periodStart })]
  if (date === null) return gap
  return [...gap, over(datesOf(rule, game, periodOf(frequency, game.weekStartsOn, date)))]
}

/** A change of zone skips dates or goes back over some: the streak reaches from one side of them to the other. */
function moved(kept: Period | null, { game, rule, state }: StreakContext): readonly PeriodFact[] {
  const streak = streakOf(state, rule.key)
  if (streak.kept === null || kept === null || kept === streak.kept) return []
  const { periodStart } = datesOf(rule, game, Math.min(streak.kept + 1, kept))
  const { periodEnd } = datesOf(rule, game, Math.max(streak.kept, kept))
  return [{ type: 'streak_moved', periodStart, periodEnd }]
}

interface Question {
  readonly game: Game
  readonly rule: StreakRule
  readonly first: Day
  readonly timeline: Timeline
  readonly present: Present
}

function findOn(question: Question): Finding<StreakFact> {
  const { game, rule, first, timeline, present } = question
  const { date } = timeline
  const { state, at } = present
  const remaining = withoutUndone(timeline.facts, state, rule)
  const resets = remaining.filter(({ type }) => type === 'streak_reset')
  const zone = zoneOf(state.profile)
  const today = localDate(zone, at)
  const period = periodOf(rule.frequency, game.weekStartsOn, date)
  const current = periodOf(rule.frequency, game.weekStartsOn, today)
  const span = spanOf(rule, game, period)
  const { last, length } = streakOf(state, rule.key)
  const hasCounted = last !== null && period <= last
  if (period > current && !hasCounted) {
    const ahead = { type: 'date_in_future', today: toDateText(today) } as const
    return { holds: false, facts: [ahead, ...pauseFacts(state, span, length)] }
  }
  if (period === current && !hasCounted && isNeutral(rule, state, period)) {
    return { holds: length > 0, facts: [...resets, { type: 'date_neutral', date: toDateText(date) }] }
  }
  if (period === current && !hasCounted) {
    const { holds, facts } = findOpen(question, span)
    return { holds, facts: [...resets, ...facts] }
  }

  const facts = latestOf(remaining)
  if (facts.length > 0) return { holds: !isLoss(facts.at(-1)), facts }
  if (span.last < first) return { holds: false, facts: [{ type: 'date_before_first', first: toDateText(first) }] }
  if (rule.frequency === 'daily' && !isDateInZone(zone, date)) {
    return { holds: false, facts: [{ type: 'date_not_in_zone', zone }] }
  }
  if (isNeutral(rule, state, period)) {
    return { holds: false, facts: [{ type: 'date_neutral', date: toDateText(date) }] }
  }
  const { lossBefore, sums } = timeline
  const lost = lossBefore === undefined ? null : toLost(lossBefore)
  const notReached = { type: 'streak_not_reached', ...toPeriodDates(span), ...toNeeds(game, rule, sums) } as const
  return { holds: false, facts: [{ type: 'streak_not_running', lost }, notReached] }
}

/** A reset that support undid says nothing about its period. */
function withoutUndone(
  facts: readonly PeriodFact[],
  { resets }: UserState,
  { key }: StreakRule,
): readonly PeriodFact[] {
  const instants = (resets.get(key ?? '') ?? []).map(({ at }) => toInstantText(at))
  return facts.filter((fact) => fact.type !== 'streak_reset' || instants.includes(fact.at))
}

function toLost(loss: Loss): FactOf<'streak_not_running'>['lost'] {
  const { length } = loss
  return loss.type === 'streak_missed' ? { length, lostOn: loss.lostOn } : { length, lostOn: loss.date, isReset: true }
}

/**
 * The facts that explain what holds now, the decisive one last. The own result of a period says more than that the
 * period was moved or restored. A change of zone can make a period missed after it counted: then both are included.
 */
function latestOf(facts: readonly PeriodFact[]): readonly PeriodFact[] {
  const newest = facts.at(-1)
  if (newest === undefined) return []
  const earlier = latestOf(facts.slice(0, -1))
  const before = earlier.at(-1)
  const wasMissed = isLoss(before)
  switch (newest.type) {
    case 'streak_reset':
      return [...earlier, newest]
    case 'streak_missed':
      return wasMissed ? [newest] : [...earlier, newest]
    case 'streak_restored': {
      // If the current period had counted, it has the restored length.
      const isSame = before?.periodStart === newest.periodStart && before.periodEnd === newest.periodEnd
      return wasMissed || isSame || before === undefined ? [...earlier, newest] : earlier
    }
    case 'streak_moved':
      return wasMissed || before === undefined ? [newest] : earlier
    default:
      return [...earlier.filter(({ type }) => type === 'streak_reset'), newest]
  }
}

function findOpen({ game, rule, timeline, present: { state } }: Question, span: Span): Finding<StreakFact> {
  const { length } = streakOf(state, rule.key)
  const paused = pauseFacts(state, span, length)
  const open: StreakFact = {
    type: 'streak_open',
    length,
    until: toInstantText(endOfDate(zoneOf(state.profile), span.last)),
    freezes: rule.freezes === null ? 0 : (freezesOf(state, rule)?.count ?? 0),
    ...toPeriodDates(span),
    ...toNeeds(game, rule, timeline.sums),
  }
  return { holds: paused.length > 0 && length > 0, facts: [open, ...paused] }
}
