import type { StreakFact } from './facts.ts'
import { count, dates, quoteKey, tellMissing, tellNeeds } from './words.ts'

export function streakSentence(fact: StreakFact): string {
  switch (fact.type) {
    case 'streak_counted': {
      const length = fact.isHeld ? `the streak stayed ${fact.length} long` : `the streak became ${fact.length} long`
      return `${dates(fact)} counted by the event ${fact.eventId}, with ${tellNeeds(fact)}: ${length}.`
    }
    case 'streak_frozen':
      return `${dates(fact)} did not count, and a freeze was consumed: the streak stayed ${fact.length} long, with ${count(fact.freezesLeft, 'freeze')} left.`
    case 'streak_paused':
      return `${dates(fact)} cannot be missed: the streak is paused from ${fact.pause.start} to ${fact.pause.end} (${fact.pause.id}).`
    case 'streak_missed':
      return `The streak of ${fact.length} was lost on ${fact.lostOn}: ${dates(fact)} had ${tellNeeds(fact)}, and it took ${tellMissing(fact)}.`
    case 'streak_restored':
      return `A streak of ${fact.length} was restored at ${fact.at}: ${dates(fact)} cannot be missed any more.`
    case 'streak_moved':
      return `A change of zone moved ${dates(fact)}: the streak kept its distance from today.`
    case 'streak_not_running':
      return fact.lost === null
        ? 'No streak was running then.'
        : `No streak was running then: that of ${fact.lost.length} was lost on ${fact.lost.lostOn}.`
    case 'streak_not_reached':
      return `${dates(fact)} did not count, with ${tellNeeds(fact)}: it took ${tellMissing(fact)}.`
    case 'streak_open': {
      const stake = fact.length === 0 ? 'start a streak' : `make the streak of ${fact.length} longer`
      const freezes =
        fact.freezes === 0 ? '' : ` There ${fact.freezes === 1 ? 'is' : 'are'} ${count(fact.freezes, 'freeze')}.`
      return `${dates(fact)} is not over until ${fact.until}: ${tellMissing(fact)} would ${stake}.${freezes}`
    }
    case 'streak_disabled':
      return 'The game has no streak.'
    case 'date_before_first':
      return `Nothing is known of the user before ${fact.first}.`
    case 'date_in_future':
      return `It has not come yet: today is ${fact.today} for the user.`
    case 'date_not_in_zone':
      return `The zone ${quoteKey(fact.zone)} left the date out: it cannot be missed.`
    default:
      return fact satisfies never
  }
}
