import type { AchievementFact } from './facts.ts'
import { ruleSentence } from './rule-sentences.ts'
import { count, joined, periods, quoteAll, quoteKey, tellDifference, tellTimes, theStreak } from './words.ts'

export function achievementSentence(fact: AchievementFact): string {
  switch (fact.type) {
    case 'completed':
      return `The achievement ${quoteKey(fact.achievement)} was completed on ${fact.achievedAt}${completedBy(fact)}${tellTimes(fact.count)}.`
    case 'inactive':
    case 'locked':
    case 'attribute_differs':
      return ruleSentence(fact)
    case 'metric_archived':
      return `The metric ${quoteKey(fact.metric)} is archived: it takes no more events.`
    case 'metric_short': {
      const { metric, total, threshold, missing, eventAttributes } = fact
      const filters = eventAttributes.map(({ key, value }) => `${quoteKey(key)} ${quoteKey(value)}`)
      const events = filters.length === 0 ? '' : ` from events with ${joined(filters, 'and')}`
      return `${missing} short: the user has ${total} of ${quoteKey(metric)}${events}, and it takes ${threshold}.`
    }
    case 'events_not_matching': {
      const { metric, newest, count: number } = fact
      const differences = joined(newest.differences.map(tellDifference), 'and')
      const did = number === 1 ? 'does' : 'do'
      return `${count(number, 'event')} of ${quoteKey(metric)} ${did} not count for it: in the newest, of ${newest.at}, ${differences}.`
    }
    case 'events_before_rule': {
      const did = fact.count === 1 ? 'does' : 'do'
      return `${count(fact.count, 'matching event')} of ${quoteKey(fact.metric)} ${did} not count for it: the game did not have it yet.`
    }
    case 'events_held':
      return `${count(fact.count, 'event')} of ${quoteKey(fact.metric)} ${fact.count === 1 ? 'is' : 'are'} held back by a limit.`
    case 'events_voided':
      return `${count(fact.count, 'event')} of ${quoteKey(fact.metric)} ${fact.count === 1 ? 'was' : 'were'} voided.`
    case 'streak_short': {
      const { missing, length, needed, frequency } = fact
      return `${periods(missing, frequency)} short: ${theStreak(fact)} is ${length} long, and it takes ${needed}.`
    }
    case 'reached':
      return fact.next === 'attributes'
        ? 'Everything else it asks for is there: it is completed as soon as the user has these attributes.'
        : `Everything it asks for is there: ${NEXT[fact.next]} completes it.`
    case 'parts_missing': {
      const rest = fact.completed.length === 0 ? '' : ` The user has ${quoteAll(fact.completed)}.`
      return `It takes ${quoteAll(fact.missing)} too, which the user does not have.${rest}`
    }
    case 'not_claimed':
      return `Nobody has completed ${quoteKey(fact.achievement)} for the user, by achievements.complete.`
    default:
      return fact satisfies never
  }
}

const NEXT = {
  event_of_metric: 'the next event of its metric that leaves it there',
  matching_event: 'the first event that matches its filters',
  event: 'the next event',
  any: 'the next event, completion of another achievement or change of the profile',
} as const

function completedBy({ by, entryId, metric }: Extract<AchievementFact, { readonly type: 'completed' }>): string {
  switch (by) {
    case 'event':
      return metric === null ? ` by the event ${entryId}` : ` by the event ${entryId} of ${quoteKey(metric)}`
    case 'profile':
      return ' by a change of the profile'
    case 'claim':
      return ' by a call of achievements.complete'
    case 'kept':
      return ', and is kept though what led to it has changed since'
    case 'granted':
      return ', granted by a newer game for what had been done before'
    default:
      return by satisfies never
  }
}
