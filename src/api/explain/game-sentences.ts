import { toClock } from '../../answers/leaderboards.ts'
import { toDateText } from '../../rules/calendar.ts'
import type * as Rules from '../../rules/game.ts'
import { aggregationOf, repeats } from '../../rules/game.ts'
import { ruleOf } from '../../rules/streak-names.ts'
import type { GameSentences } from '../../shapes/operate.ts'
import { joined, NOUNS, quantity, quoteAll, quoteKey, theStreak } from './phrases.ts'

export function toGameSentences(game: Rules.Game): GameSentences {
  const streaks = [...(game.streak === null ? [] : [game.streak]), ...game.streaks.values()]
  const systems = [...game.points.values()]
  const limited = [...game.metrics.values()].filter(({ limits }) => limits.length > 0)
  const bounded = systems.filter(({ cap, maxPoints }) => cap !== null || maxPoints !== null)
  const boosted = systems.filter(({ boosts }) => boosts.length > 0)
  return {
    achievements: byKey(game.achievements.values(), (one) => achievementSentence(game, one)),
    points: byKey(systems, ({ key, triggers }) => byKey(triggers, (one) => triggerSentence(game, key, one))),
    metrics: byKey(limited, limitsSentence),
    systems: byKey(bounded, systemSentence),
    boosts: byKey(boosted, ({ name, boosts }) => byKey(boosts, (one) => boostSentence(name, one))),
    streaks: byKey(streaks, (rule) => streakSentence(game, rule)),
    leaderboards: byKey(game.leaderboards.values(), (one) => leaderboardSentence(game, one)),
    challenges: byKey(game.challenges.values(), ({ quests }) => byKey(quests, (one) => questSentence(game, one))),
  }
}

/**
 * Maps parts by key, or by id if they have no key. The game's `streak` is `streak`. A key `__proto__` is an ordinary
 * one here.
 */
function byKey<Part extends { readonly key: string | null } | { readonly id: string }, Value>(
  parts: Iterable<Part>,
  toValue: (part: Part) => Value,
): { readonly [key: string]: Value } {
  const keyOf = (part: Part): string => ('key' in part ? (part.key ?? 'streak') : part.id)
  return Object.fromEntries([...parts].map((part) => [keyOf(part), toValue(part)]))
}

function nameIn(parts: ReadonlyMap<string, { readonly name: string }>, key: string): string {
  return quoteKey(parts.get(key)?.name ?? key)
}

const PER = { day: 'a day', week: 'a week', month: 'a month', ever: 'in total' } as const

function limitsSentence({ name, limits }: Rules.Metric): string {
  const parts = limits.map(({ value, days, holds }) => {
    const period = days === 1 ? 'a day' : `in any ${days} days`
    return `at most ${value} of ${quoteKey(name)} ${period} (more is ${holds ? 'held for approval' : 'refused'})`
  })
  return `A user can add ${joined(parts, 'and')}.`
}

function systemSentence({ name, cap, maxPoints }: Rules.PointsSystem): string {
  const parts = [
    ...(cap === null ? [] : [`earn at most ${cap.points} ${quoteKey(name)} ${PER[cap.per]}`]),
    ...(maxPoints === null ? [] : [`have at most ${maxPoints} ${quoteKey(name)}`]),
  ]
  return `A user can ${joined(parts, 'and')}.`
}

function boostSentence(system: string, { name, multiplier, start, end, userAttributes }: Rules.Boost): string {
  const dates = end === null ? `from ${toDateText(start)} on` : `from ${toDateText(start)} to ${toDateText(end)}`
  const what = `${quoteKey(name)} multiplies the ${quoteKey(system)} that users earn by ${multiplier}, ${dates}`
  return `${what}${withFilters(userAttributes, 'users')}.`
}

function withFilters(filters: Rules.Filters, whose: 'users' | 'events' | 'matching'): string {
  if (filters.length === 0) return ''
  const pairs = filters.map(([attribute, value]) => `${quoteKey(attribute)} ${quoteKey(value)}`)
  return `${{ users: ', of users', events: ' in events', matching: '' }[whose]} with ${joined(pairs, 'and')}`
}

function achievementSentence(game: Rules.Game, achievement: Rules.AchievementRule): string {
  const { most, status, secret, userAttributes, until, validDays } = achievement
  const often = repeats(achievement) && most !== Number.MAX_SAFE_INTEGER ? `, at most ${quantity(most, 'time')}` : ''
  const notes = [
    ...(secret === null ? [] : ['a secret until the user has it']),
    ...(until === null ? [] : [`until ${toDateText(until)}`]),
    ...(validDays === null ? [] : [`expires after ${quantity(validDays, 'day')}, and can be completed again`]),
    ...(status === 'inactive' ? ['inactive: it cannot be completed, and it is not shown'] : []),
    ...(status === 'locked' ? ['locked: it can no longer be completed'] : []),
  ]
  const what = `Completed ${completedBy(game, achievement)}${withFilters(userAttributes, 'users')}${often}`
  return `${[what, ...notes].join('; ')}.`
}

function completedBy(game: Rules.Game, achievement: Rules.AchievementRule): string {
  switch (achievement.trigger) {
    case 'metric':
      return `at ${repeats(achievement) ? 'every ' : ''}${amountOf(game, achievement.value, achievement)}`
    case 'api':
      return `by a call of the backend${repeats(achievement) ? ', once for each idempotency key' : ''}`
    case 'streak': {
      const length = lengthOf(game, achievement.length, achievement.streak)
      const streak = named(achievement.streak)
      return repeats(achievement) ? `each time that ${streak} comes to ${length}` : `at ${length} of ${streak}`
    }
    case 'achievement':
      return `with ${joined(
        achievement.achievements.map((key) => nameIn(game.achievements, key)),
        'and',
      )}`
    case 'criteria':
      return byCriteria(game, achievement)
    case 'anniversary':
      return `${joined(
        achievement.criteria.map((criterion) => describeCriterion(game, criterion)),
        'and',
      )}`
    default:
      return achievement satisfies never
  }
}

function byCriteria(
  game: Rules.Game,
  { atLeast, criteria }: Pick<Rules.CriteriaAchievement, 'atLeast' | 'criteria'>,
): string {
  const all = criteria.map((criterion) => describeCriterion(game, criterion))
  if (atLeast === criteria.length) return `with ${joined(all, 'and')}`
  return `with ${atLeast === 1 ? 'any' : `any ${atLeast}`} of: ${joined(all, 'or')}`
}

function questSentence(game: Rules.Game, quest: Rules.Quest): string {
  const { points, achievement, freezes, boost } = quest.reward
  const gives = [
    ...points.map(({ system, points }) => `${points} ${nameIn(game.points, system)}`),
    ...(achievement === null ? [] : [`the achievement ${nameIn(game.achievements, achievement)}`]),
    ...(freezes === 0 ? [] : [quantity(freezes, 'freeze')]),
    ...(boost === null
      ? []
      : [`${boost.multiplier} times the ${nameIn(game.points, boost.system)} for ${quantity(boost.days, 'day')}`]),
  ]
  const order = quest.inOrder ? ', in this order' : ''
  return `Completed ${byCriteria(game, quest)}${order}${gives.length === 0 ? '' : `; gives ${joined(gives, 'and')}`}.`
}

export function describeCriterion(game: Rules.Game, criterion: Rules.Criterion): string {
  const { target } = criterion
  switch (criterion.type) {
    case 'metric':
      return amountOf(game, target, criterion)
    case 'events': {
      const { metric, eventAttributes, within } = criterion
      const events = `${quantity(target, 'event')} of ${nameIn(game.metrics, metric)}`
      return `${events}${withFilters(eventAttributes, 'matching')}${withinDays(within)}`
    }
    case 'streak':
      return `${lengthOf(game, target, criterion.streak)} of ${named(criterion.streak)}`
    case 'points': {
      const system = game.points.get(criterion.system)
      const level = system?.levels.find(({ key }) => key === criterion.level)
      if (level !== undefined) return `the level ${quoteKey(level.name)}`
      return `${target} ${nameIn(game.points, criterion.system)}`
    }
    case 'achievement':
      return `the achievement ${nameIn(game.achievements, criterion.achievement)}`
    case 'membership':
      return `${quantity(target, criterion.unit)} since the user ${criterion.since === 'creation' ? 'was created' : 'signed up'}`
    default:
      return criterion satisfies never
  }
}

function amountOf(
  game: Rules.Game,
  amount: number,
  rule: Pick<Rules.MetricAchievement, 'metric' | 'isLowest' | 'eventAttributes' | 'within'>,
): string {
  const goal = `${amount} of ${nameIn(game.metrics, rule.metric)}${rule.isLowest ? ' or less' : ''}`
  return `${goal}${withFilters(rule.eventAttributes, 'events')}${withinDays(rule.within)}`
}

function withinDays(days: number | null): string {
  return days === null ? '' : ` in any ${quantity(days, 'day')}`
}

function named(streak: string | null): string {
  return theStreak(streak === null ? {} : { key: streak })
}

/** `7 days`; of a streak that the game does not have, which only a stored one could name, `7 periods`. */
function lengthOf(game: Rules.Game, length: number, streak: string | null): string {
  const rule = ruleOf(game, streak)
  return rule === null ? quantity(length, 'period') : quantity(length, NOUNS[rule.frequency])
}

function triggerSentence(game: Rules.Game, system: string, trigger: Rules.Trigger): string {
  const { points, userAttributes, cap, cooldown, exempt, blockIfOutOfPoints, status } = trigger
  const what = `${points < 0 ? 'Takes' : 'Pays'} ${Math.abs(points)} ${nameIn(game.points, system)} ${paidFor(game, trigger)}`
  const restraints = [
    ...(cap === null ? [] : [`at most ${cap.points} ${PER[cap.per]}`]),
    ...(cooldown === null ? [] : [`and then nothing for ${quantity(cooldown, 'minute')}`]),
    ...(exempt ? ['not counted in the cap of the points system'] : []),
  ]
  const notes = [
    ...(blockIfOutOfPoints ? ['an event that the user cannot pay for is refused'] : []),
    ...(status === 'inactive' ? ['inactive: it pays nothing'] : []),
  ]
  const whole = [`${what}${withFilters(userAttributes, 'users')}`, ...restraints].join(', ')
  return `${[whole, ...notes].join('; ')}.`
}

function paidFor(game: Rules.Game, trigger: Rules.Trigger): string {
  switch (trigger.type) {
    case 'metric':
      return `for every ${trigger.threshold} of ${nameIn(game.metrics, trigger.metric)}${withFilters(trigger.eventAttributes, 'events')}`
    case 'achievement':
      return `for the achievement ${nameIn(game.achievements, trigger.achievement)}`
    case 'streak':
      return `for every ${lengthOf(game, trigger.length, trigger.streak)} of ${named(trigger.streak)}`
    case 'user_creation':
      return 'for a new user'
    case 'time': {
      const { unit, count: number } = trigger.every
      return `every ${number === 1 ? unit : quantity(number, unit)}`
    }
    default:
      return trigger satisfies never
  }
}

function streakSentence(
  game: Rules.Game,
  { frequency, on, days, evaluationMode, metrics, freezes, sharesFreezes }: Rules.StreakRule,
): string {
  const needs = [...metrics].map(([metric, threshold]) => {
    const aggregation = aggregationOf(game, metric)
    const name = nameIn(game.metrics, metric)
    if (threshold === null) return aggregation === 'sum' ? `more than 0 of ${name}` : `an event of ${name}`
    return `at ${aggregation === 'min' ? 'most' : 'least'} ${threshold} of ${name}`
  })
  const needed = joined(needs, evaluationMode === 'OR' ? 'or' : 'and')
  const dates = days === null ? '' : ` on ${days} or more dates`
  const weekdays = on === null ? '' : `, on ${joined(on, 'and')}`
  const what = `Continues with every ${NOUNS[frequency]} that has ${needed}${dates}${weekdays}`
  if (sharesFreezes) return `${what}; it uses the freezes of the streak.`
  if (freezes === null) return `${what}; a missed ${NOUNS[frequency]} ends it.`
  const { initial, max, autoEarn } = freezes
  const earned = autoEarn === null ? '' : `, gets ${autoEarn.amount} more every ${quantity(autoEarn.interval, 'day')}`
  return `${what}; for missed ones a user begins with ${quantity(initial, 'freeze')}${earned} and keeps at most ${max}.`
}

function leaderboardSentence(game: Rules.Game, leaderboard: Rules.Leaderboard): string {
  const { start, end, breakdown, maxParticipants, startTime, endTime } = leaderboard
  const who = maxParticipants === null ? 'all users' : `the first ${quantity(maxParticipants, 'user')}`
  const dates = end === null ? `from ${toDateText(start)} on` : `from ${toDateText(start)} to ${toDateText(end)}`
  const window = [
    ...(startTime === null ? [] : [`from ${toClock(startTime)}`]),
    ...(endTime === null ? [] : [`until ${toClock(endTime)}`]),
  ].join(' ')
  const parts = [
    `Ranks ${who} by ${rankedBy(game, leaderboard)}${eachRun(leaderboard)}, ${dates}`,
    ...(window === '' ? [] : [`every day ${window}`]),
    ...(leaderboard.isLowest ? ['the lowest first'] : []),
    ...(leaderboard.isShared ? ['equal ones on one rank'] : []),
    ...(breakdown.length === 0 ? [] : [`in groups by ${quoteAll(breakdown)}`]),
  ]
  const { consent, smallestGroup } = leaderboard
  const rights = [
    ...(consent ? ['only users who chose to be on it'] : []),
    ...(smallestGroup > 1 ? [`clients see groups from ${smallestGroup} participants on`] : []),
    ...(leaderboard.private ? ['private: clients do not see it'] : []),
  ]
  return `${[parts.join(', '), ...rights].join('; ')}.`
}

const SCORES: Record<Rules.Aggregation, string> = {
  sum: 'how much they add to',
  max: 'their highest value of',
  min: 'their lowest value of',
  last: 'their newest value of',
  distinct: 'the number of new values of',
}

function rankedBy(game: Rules.Game, { rankBy, metric, aggregation, system, streak }: Rules.Leaderboard): string {
  switch (rankBy) {
    case 'metric':
      return `${SCORES[aggregation]} ${nameIn(game.metrics, metric ?? '')}`
    case 'points':
      return `the ${nameIn(game.points, system ?? '')} that they earn`
    case 'streak':
      return `the length of ${named(streak)}`
    default:
      return rankBy satisfies never
  }
}

function eachRun({ run }: Rules.Leaderboard): string {
  if (run === null) return ''
  const { unit, interval } = run
  return ` in each ${interval === 1 ? unit : `run of ${quantity(interval, unit)}`}`
}
