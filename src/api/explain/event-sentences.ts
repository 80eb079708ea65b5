import type { EventFact, ExplainedBoost, StreakStepFact } from './facts.ts'
import { ruleSentence } from './rules.ts'
import {
  because,
  dates,
  describeMissing,
  describeNeeds,
  describeTimes,
  joined,
  nameRule,
  nameTrigger,
  quoteAll,
  quoteKey,
  theStreak,
} from './words.ts'

export function eventSentence(fact: EventFact): string {
  switch (fact.type) {
    case 'recorded': {
      const whose = fact.by === undefined ? '' : `, written by the API key ${fact.by},`
      return `The event of ${fact.value} of ${quoteKey(fact.metric)} at ${fact.at}${whose} counts on ${fact.date} at ${fact.time} in ${fact.zone}.`
    }
    case 'recorded_late':
      return `It was recorded late, at ${fact.recordedAt}, and put in its place.`
    case 'replayed':
      return `Later sends of the key ${quoteKey(fact.idempotencyKey)} are replays of the event ${fact.eventId}: they change nothing.`
    case 'held': {
      const { metric, limit } = fact
      if (limit === null) return `A limit of ${quoteKey(metric)} held it back.`
      const { value, days } = limit
      return `A limit of ${quoteKey(metric)} held it back: at most ${value} ${days === 1 ? 'per day' : `in any ${days} days`}.`
    }
    case 'approved':
      return `It counts since ${fact.approvalId} approved it at ${fact.at}.`
    case 'voided': {
      const when = fact.at === null ? '' : ` at ${fact.at}`
      const why = fact.reason === null ? '' : `: ${fact.reason}`
      return `It does nothing any more: voided by ${fact.voidId}${when}${why}.`
    }
    case 'total_changed':
      return `It took the total of ${quoteKey(fact.metric)} from ${fact.before} to ${fact.after}.`
    case 'achievement_completed':
      return `It completed the achievement ${quoteKey(fact.achievement)}${describeTimes(fact.count)}.`
    case 'points_awarded': {
      const { rule, due, awarded, total } = fact
      const clipped = due === awarded ? '' : `, of ${due} due`
      return `It gave ${awarded}${clipped} by the trigger of ${nameTrigger(rule)}${describeBoosts(fact)}: the total became ${total}.`
    }
    case 'points_clipped': {
      const trigger = `the trigger of ${nameTrigger(fact.rule)}${describeBoosts(fact)}`
      return fact.due === 0
        ? `Nothing was due by ${trigger}: it came to less than a whole point.`
        : `Nothing of the ${fact.due} due was left by ${trigger}: the total was at its bound.`
    }
    case 'points_held_back':
      return heldBackSentence(fact)
    case 'points_by_time': {
      const { rule, due, awarded, total } = fact
      const clipped = due === awarded ? '' : `, of ${due} due`
      const what = awarded > 0 ? `given ${awarded}` : `taken ${-awarded}`
      return `Until then time had ${what}${clipped} by the trigger of ${nameTrigger(rule)}: the total became ${total}.`
    }
    case 'points_adjusted': {
      const { system, at, amount, awarded, total } = fact
      const clipped = amount === awarded ? '' : `, of ${Math.abs(amount)} asked for`
      const did = amount > 0 ? 'gave' : 'took'
      return `Support ${did} ${Math.abs(awarded)} of ${quoteKey(system)} at ${at}${clipped}${because(fact)}: the total became ${total}.`
    }
    case 'inactive':
    case 'locked':
    case 'ended':
    case 'attribute_differs':
      return ruleSentence(fact)
    case 'completed_before':
      return `The user had the achievement ${quoteKey(fact.achievement)} already, since ${fact.achievedAt}.`
    case 'not_reached': {
      const { rule, metric, total, threshold, missing } = fact
      if (missing === null) return `${nameRule(rule)} takes ${threshold}, and ${quoteKey(metric)} was at ${total}.`
      return `${nameRule(rule)} was ${missing} short: ${total} of ${quoteKey(metric)}, and it took ${threshold}.`
    }
    default:
      return stepSentence(fact)
  }
}

const HOLDERS = {
  cooldown: 'its cooldown',
  trigger_cap: 'its cap',
  system_cap: 'the cap of the points system',
} as const

function heldBackSentence(fact: Extract<EventFact, { readonly type: 'points_held_back' }>): string {
  const { rule, due, left, by, resetsAt } = fact
  const holders = joined(
    by.map((what) => HOLDERS[what]),
    'and',
  )
  const again = resetsAt === null ? 'it will never pay again' : `it could pay again from ${resetsAt} on`
  return `The trigger of ${nameTrigger(rule)} owed ${due}, and ${holders} left ${left}: ${again}.`
}

function describeBoosts({ boosts = [] }: { readonly boosts?: readonly ExplainedBoost[] }): string {
  if (boosts.length === 0) return ''
  return `, multiplied by ${boosts.map(({ name, multiplier }) => `${multiplier} for ${quoteKey(name)}`).join(' and by ')}`
}

function stepSentence(fact: StreakStepFact): string {
  const streak = theStreak(fact)
  switch (fact.type) {
    case 'streak_started':
      return `It started ${fact.key === undefined ? 'a streak' : streak} on ${fact.date}.`
    case 'streak_extended':
      return `It made ${streak} ${fact.length} long, with the period from ${fact.date}.`
    case 'streak_held':
      return `The period from ${fact.date} counts, but ${streak} stays ${fact.length} long: more periods than time has passed for do not lengthen it.`
    case 'streak_counted_already':
      return fact.date === fact.lastCounted
        ? `The period from ${fact.date} counted already: ${streak} stays ${fact.length} long.`
        : `The period from ${fact.date} lies before that from ${fact.lastCounted}, which counted: ${streak} stays ${fact.length} long.`
    case 'streak_not_reached':
      return `${dates(fact)} did not count for ${streak} yet, with ${describeNeeds(fact)}: it took ${describeMissing(fact)}.`
    case 'streak_neutral_day':
      return `The weekday of ${fact.date} does not count for ${streak}.`
    case 'streak_other_metric':
      return `The metric ${quoteKey(fact.metric)} does not keep ${streak}: ${quoteAll(fact.metrics)} ${fact.metrics.length === 1 ? 'does' : 'do'}.`
    default:
      return fact satisfies never
  }
}
