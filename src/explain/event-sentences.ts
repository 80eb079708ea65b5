import type { EventFact, StreakStepFact } from './facts.ts'
import { ruleSentence } from './rule-sentences.ts'
import { dates, nameRule, nameTrigger, quote, quoteAll, tellMissing, tellNeeds } from './words.ts'

export function eventSentence(fact: EventFact): string {
  switch (fact.type) {
    case 'recorded': {
      const whose = fact.by === undefined ? '' : `, written by the API key ${fact.by},`
      return `The event of ${fact.value} of ${quote(fact.metric)} at ${fact.at}${whose} counts on ${fact.date} at ${fact.time} in ${fact.zone}.`
    }
    case 'recorded_late':
      return `It was recorded late, at ${fact.recordedAt}, and put in its place.`
    case 'replayed':
      return `Later sends of the key ${quote(fact.idempotencyKey)} are replays of the event ${fact.eventId}: they change nothing.`
    case 'held': {
      const { metric, limit } = fact
      if (limit === null) return `A limit of ${quote(metric)} held it back.`
      const { value, days } = limit
      return `A limit of ${quote(metric)} held it back: at most ${value} ${days === 1 ? 'per day' : `in any ${days} days`}.`
    }
    case 'approved':
      return `It counts since ${fact.approvalId} approved it at ${fact.at}.`
    case 'voided': {
      const when = fact.at === null ? '' : ` at ${fact.at}`
      const why = fact.reason === null ? '' : `: ${fact.reason}`
      return `It does nothing any more: voided by ${fact.voidId}${when}${why}.`
    }
    case 'total_changed':
      return `It took the total of ${quote(fact.metric)} from ${fact.before} to ${fact.after}.`
    case 'achievement_completed':
      return `It completed the achievement ${quote(fact.achievement)}.`
    case 'points_awarded': {
      const { rule, due, awarded, total } = fact
      const clipped = due === awarded ? '' : `, of ${due} due`
      return `It gave ${awarded}${clipped} by the trigger of ${nameTrigger(rule)}: the total became ${total}.`
    }
    case 'points_clipped':
      return `Nothing of the ${fact.due} due was left by the trigger of ${nameTrigger(fact.rule)}: the total was at its bound.`
    case 'inactive':
    case 'locked':
    case 'attribute_differs':
      return ruleSentence(fact)
    case 'completed_before':
      return `The user had the achievement ${quote(fact.achievement)} already, since ${fact.achievedAt}.`
    case 'not_reached': {
      const { rule, metric, total, threshold, missing } = fact
      return `${nameRule(rule)} was ${missing} short: ${total} of ${quote(metric)}, and it took ${threshold}.`
    }
    default:
      return stepSentence(fact)
  }
}

function stepSentence(fact: StreakStepFact): string {
  switch (fact.type) {
    case 'streak_started':
      return `It started a streak on ${fact.date}.`
    case 'streak_extended':
      return `It made the streak ${fact.length} long, with the period from ${fact.date}.`
    case 'streak_held':
      return `The period from ${fact.date} counts, but the streak stays ${fact.length} long: more periods than time has passed for do not lengthen it.`
    case 'streak_counted_already':
      return fact.date === fact.lastCounted
        ? `The period from ${fact.date} counted already: the streak stays ${fact.length} long.`
        : `The period from ${fact.date} lies before that from ${fact.lastCounted}, which counted: the streak stays ${fact.length} long.`
    case 'streak_not_reached':
      return `${dates(fact)} did not count for the streak yet, with ${tellNeeds(fact)}: it took ${tellMissing(fact)}.`
    case 'streak_other_metric':
      return `The metric ${quote(fact.metric)} does not keep the streak: ${quoteAll(fact.metrics)} ${fact.metrics.length === 1 ? 'does' : 'do'}.`
    default:
      return fact satisfies never
  }
}
