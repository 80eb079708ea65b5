import { type Day, endOfDate, isDateInZone, localDate, periodOf, toDateText } from '../../rules/calendar.ts'
import type { Game, StreakRule } from '../../rules/game.ts'
import { zoneOf } from '../../rules/profile.ts'
import type { UserState } from '../../rules/state.ts'
import { freezesOf, isNeutral, ruleOf, streakOf, streakRuleFor } from '../../rules/streak.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import { checkStreakName } from '../known.ts'
import { toInstantText } from '../users/answer.ts'
import type { Finding, StreakFact } from './facts.ts'
import type { HistoryReader, Present } from './history.ts'
import { type Span, spanOf, toNeeds, toPeriodDates } from './rules.ts'
import { type PeriodOutcome, pausedFact, type StreakTimeline, startStreakTimeline } from './streak-timeline.ts'

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
