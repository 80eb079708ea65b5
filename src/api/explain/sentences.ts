import type * as Facts from './facts.ts'
import { joined, NOUNS, quantity, quoteAll, quoteKey, theStreak } from './phrases.ts'

export type Sentences<F extends Facts.Fact> = {
  readonly [Type in F['type']]: (fact: Extract<F, { readonly type: Type }>) => string
}

export function toSentence<F extends Facts.Fact>(sentences: Sentences<F>, fact: F): string {
  // The compiler does not know that the sentence is one for the fact's type.
  const describe = sentences[fact.type as F['type']] as (fact: F) => string
  return describe(fact)
}

const RULES: Sentences<Facts.RuleFact> = {
  inactive: ({ rule }) =>
    rule.kind === 'achievement'
      ? `${nameRule(rule)} is inactive: no user can complete it, and it is not shown.`
      : `${nameRule(rule)} is inactive: it pays nothing.`,
  locked: ({ rule }) => `${nameRule(rule)} is locked: no user can newly complete it.`,
  ended: ({ rule, until }) => `${nameRule(rule)} ended on ${until}: no user can newly complete it.`,
  attribute_differs: (fact) => {
    const subjects = fact.whose === 'user' ? 'users' : 'events'
    return `${nameRule(fact.rule)} is for ${subjects} with other attributes: ${describeDifference(fact)}.`
  },
}

/** `2 events of "words" do`. */
function eventsOf(number: number, noun: string, metric: string, [one, several]: readonly [string, string]): string {
  return `${quantity(number, noun)} of ${quoteKey(metric)} ${number === 1 ? one : several}`
}

export const ACHIEVEMENT_SENTENCES: Sentences<Facts.AchievementFact> = {
  ...RULES,
  completed: (fact) =>
    `The achievement ${quoteKey(fact.achievement)} was completed on ${fact.achievedAt}${completedBy(fact)}${describeTimes(fact.count)}.`,
  metric_archived: ({ metric }) => `The metric ${quoteKey(metric)} is archived: it takes no more events.`,
  metric_short: ({ metric, total, threshold, missing, eventAttributes, withinDays }) => {
    const filters = eventAttributes.map(({ key, value }) => `${quoteKey(key)} ${quoteKey(value)}`)
    const events = filters.length === 0 ? '' : ` from events with ${joined(filters, 'and')}`
    if (withinDays !== undefined) {
      return `The best ${quantity(withinDays, 'day')} so far have ${total} of ${quoteKey(metric)}${events}, and it takes ${threshold}.`
    }
    if (missing === null) return `The user is at ${total} in ${quoteKey(metric)}${events}, and it takes ${threshold}.`
    return `${missing} short: the user has ${total} of ${quoteKey(metric)}${events}, and it takes ${threshold}.`
  },
  events_not_matching: ({ metric, newest, count: number }) => {
    const differences = joined(newest.differences.map(describeDifference), 'and')
    const events = eventsOf(number, 'event', metric, ['does', 'do'])
    return `${events} not count for it: in the newest, of ${newest.at}, ${differences}.`
  },
  events_before_rule: ({ metric, count: number }) =>
    `${eventsOf(number, 'matching event', metric, ['does', 'do'])} not count for it: the game did not have it yet.`,
  events_held: ({ metric, count: number }) =>
    `${eventsOf(number, 'event', metric, ['is', 'are'])} held back by a limit.`,
  events_voided: ({ metric, count: number }) => `${eventsOf(number, 'event', metric, ['was', 'were'])} voided.`,
  streak_short: (fact) =>
    `${quantity(fact.missing, NOUNS[fact.frequency])} short: ${theStreak(fact)} is ${fact.length} long, and it takes ${fact.needed}.`,
  reached: ({ next }) =>
    next === 'attributes'
      ? 'Everything else it asks for is there: it is completed as soon as the user has these attributes.'
      : `Everything it asks for is there: ${NEXT[next]} completes it.`,
  parts_missing: ({ missing, completed }) => {
    const rest = completed.length === 0 ? '' : ` The user has ${quoteAll(completed)}.`
    return `It takes ${quoteAll(missing)} too, which the user does not have.${rest}`
  },
  expired: ({ expiredAt }) => `The completion expired at ${expiredAt}: the user can complete the achievement again.`,
  criteria: (fact) => `It takes ${describeCriteria(fact)}`,
  revoked: (fact) =>
    `Support revoked the achievement ${quoteKey(fact.achievement)} on ${fact.at}${because(fact)}. Only a grant completes it again.`,
  not_claimed: ({ achievement }) =>
    `No call of achievements.complete has completed ${quoteKey(achievement)} for the user.`,
}

const NEXT = {
  event_of_metric: 'the next event of its metric that leaves it there',
  matching_event: 'the first event that matches its filters',
  event: 'the next event',
  any: 'the next event, completion of another achievement or change of the profile',
} as const

function completedBy(fact: Extract<Facts.AchievementFact, { readonly type: 'completed' }>): string {
  const { by, entryId, metric } = fact
  const phrases: Record<typeof by, string> = {
    event: metric === null ? ` by the event ${entryId}` : ` by the event ${entryId} of ${quoteKey(metric)}`,
    entry: `, when the entry ${entryId} arrived`,
    profile: ' by a change of the profile',
    claim: ' by a call of achievements.complete',
    kept: ', and is kept though what led to it has changed since',
    granted: ', granted by a newer game for what had been done before',
    support: `: support granted it${because(fact)}`,
  }
  return phrases[by]
}

/** `1 of 2 criteria. Met: none. Not met: 20 "pages" (now 5).` */
function describeCriteria({
  atLeast,
  criteria,
}: Pick<Extract<Facts.AchievementFact, { readonly type: 'criteria' }>, 'atLeast' | 'criteria'>): string {
  const met = criteria.filter(({ satisfied }) => satisfied).map(({ description }) => description)
  const lacks = criteria
    .filter(({ satisfied }) => !satisfied)
    .map(({ description, current }) => `${description} (now ${current ?? 'nothing'})`)
  const has = met.length === 0 ? 'none' : joined(met, 'and')
  const rest = lacks.length === 0 ? '' : ` Not met: ${joined(lacks, 'and')}.`
  return `${atLeast} of ${quantity(criteria.length, 'criterion', 'criteria')}. Met: ${has}.${rest}`
}

export const CHALLENGE_SENTENCES: Sentences<Facts.ChallengeFact> = {
  challenge_window: ({ challenge, start, end, endsAt }) => {
    const dates = [start === null ? '' : ` from ${start}`, end === null ? '' : ` to ${end}`].join('')
    const span = dates === '' ? 'has no dates' : `is${dates}`
    return `The user's window of ${quoteKey(challenge)} ${span}${endsAt === null ? '' : `, and ends at ${endsAt}`}. Only its own events count.`
  },
  challenge_no_window: ({ challenge, why, date }) => {
    if (why === 'not_enrolled')
      return `The user has not enrolled in ${quoteKey(challenge)}, or the time since then is over.`
    return `The challenge ${quoteKey(challenge)} ${why === 'over' ? 'ended' : 'begins'} on ${date}.`
  },
  quests_picked: ({ quests, pool, same, replaced }) => {
    const parts = same ? 'challenge, window and quest' : 'user, challenge, window and quest'
    const rest = replaced === 0 ? '' : ` The user replaced ${replaced}.`
    return `The window has ${quoteAll(quests)} of the pool's ${quantity(pool, 'quest')}: their hashes of ${parts} are the highest.${rest}`
  },
  quest_completed: ({ quest, completedAt, entryId, reward, claimUntil }) => {
    const rewards = {
      given: '',
      waits: ` Its reward waits for a claim until ${claimUntil}.`,
      lost: ' Its reward was not claimed in time, and is lost.',
    }
    return `${nameQuest(quest)} was completed at ${completedAt} by the entry ${entryId}.${rewards[reward]}`
  },
  quest_short: ({ quest, inOrder, ...fact }) => {
    const order = inOrder ? ' A criterion counts only after the one before it is met.' : ''
    return `${nameQuest(quest)} takes ${describeCriteria(fact)}${order}`
  },
}

export const BALANCE_SENTENCES: Sentences<Facts.BalanceFact> = {
  balance_sum: ({ system, total, spent, expired, held, pending, balance }) =>
    `The balance of ${quoteKey(system)} is ${balance}: ${total} earned, less ${spent} spent, ${expired} expired, ${held} held and ${pending} pending.`,
  balance_debt: ({ amount }) =>
    `The user spent ${quantity(amount, 'point')} that a later correction took back. New points pay them first.`,
  balance_held: ({ id, amount, expiresAt, reference }) => {
    const name = reference === null ? '' : ` for ${quoteKey(reference)}`
    return `The hold ${id}${name} has set ${quantity(amount, 'point')} aside. It releases itself at ${expiresAt}.`
  },
  balance_pending: ({ amount, available }) => `${quantity(amount, 'point')} will be available from ${available} on.`,
  balance_expiring: ({ amount, date }) => `${quantity(amount, 'point')} will be gone on ${date}.`,
  balance_movement: ({ kind, points, balance, date }) =>
    `At ${date}: ${quantity(points, 'point')} ${kind}. The balance was ${balance} afterwards.`,
}

function nameQuest(quest: string): string {
  return quest === '' ? 'The challenge' : `The quest ${quoteKey(quest)}`
}

export const EVENT_SENTENCES: Sentences<Facts.EventFact> = {
  ...RULES,
  recorded: (fact) => {
    const whose = fact.by === undefined ? '' : `, written by the API key ${fact.by},`
    return `The event of ${fact.value} of ${quoteKey(fact.metric)} at ${fact.at}${whose} counts on ${fact.date} at ${fact.time} in ${fact.zone}.`
  },
  recorded_late: ({ recordedAt }) => `It was recorded late, at ${recordedAt}, and put in its place.`,
  replayed: ({ idempotencyKey, eventId }) =>
    `Later sends of the key ${quoteKey(idempotencyKey)} are replays of the event ${eventId}: they change nothing.`,
  held: ({ metric, limit }) => {
    if (limit === null) return `A limit of ${quoteKey(metric)} held it back.`
    const { value, days } = limit
    return `A limit of ${quoteKey(metric)} held it back: at most ${value} ${days === 1 ? 'per day' : `in any ${days} days`}.`
  },
  approved: ({ approvalId, at }) => `It counts since ${approvalId} approved it at ${at}.`,
  voided: ({ voidId, at, reason }) => {
    const when = at === null ? '' : ` at ${at}`
    return `It does nothing any more: voided by ${voidId}${when}${reason === null ? '' : `: ${reason}`}.`
  },
  total_changed: ({ metric, before, after }) => `It took the total of ${quoteKey(metric)} from ${before} to ${after}.`,
  achievement_completed: (fact) =>
    `It completed the achievement ${quoteKey(fact.achievement)}${describeTimes(fact.count)}.`,
  points_awarded: (fact) => {
    const { rule, due, awarded, total } = fact
    const clipped = due === awarded ? '' : `, of ${due} due`
    return `It gave ${awarded}${clipped} by the trigger of ${nameTrigger(rule)}${describeBoosts(fact)}: the total became ${total}.`
  },
  points_clipped: (fact) => {
    const trigger = `the trigger of ${nameTrigger(fact.rule)}${describeBoosts(fact)}`
    return fact.due === 0
      ? `Nothing was due by ${trigger}: it came to less than a whole point.`
      : `Nothing of the ${fact.due} due was left by ${trigger}: the total was at its bound.`
  },
  points_held_back: ({ rule, due, left, by, resetsAt }) => {
    const holders = by.map((what) => HOLDERS[what])
    const again = resetsAt === null ? 'it will never pay again' : `it could pay again from ${resetsAt} on`
    return `The trigger of ${nameTrigger(rule)} owed ${due}, and ${joined(holders, 'and')} left ${left}: ${again}.`
  },
  points_by_time: ({ rule, due, awarded, total }) => {
    const clipped = due === awarded ? '' : `, of ${due} due`
    const what = awarded > 0 ? `given ${awarded}` : `taken ${-awarded}`
    return `Until then time had ${what}${clipped} by the trigger of ${nameTrigger(rule)}: the total became ${total}.`
  },
  points_adjusted: (fact) => {
    const { system, at, amount, awarded, total } = fact
    const clipped = amount === awarded ? '' : `, of ${Math.abs(amount)} asked for`
    const did = amount > 0 ? 'gave' : 'took'
    return `Support ${did} ${Math.abs(awarded)} of ${quoteKey(system)} at ${at}${clipped}${because(fact)}: the total became ${total}.`
  },
  completed_before: ({ achievement, achievedAt }) =>
    `The user had the achievement ${quoteKey(achievement)} already, since ${achievedAt}.`,
  not_reached: ({ rule, metric, total, threshold, missing }) =>
    missing === null
      ? `${nameRule(rule)} takes ${threshold}, and ${quoteKey(metric)} was at ${total}.`
      : `${nameRule(rule)} was ${missing} short: ${total} of ${quoteKey(metric)}, and it took ${threshold}.`,
  streak_started: (fact) => `It started ${fact.key === undefined ? 'a streak' : theStreak(fact)} on ${fact.date}.`,
  streak_extended: (fact) => `It made ${theStreak(fact)} ${fact.length} long, with the period from ${fact.date}.`,
  streak_held: (fact) =>
    `The period from ${fact.date} counts, but ${theStreak(fact)} stays ${fact.length} long: more periods than time has passed for do not lengthen it.`,
  streak_counted_already: (fact) => {
    const stays = `${theStreak(fact)} stays ${fact.length} long`
    return fact.date === fact.lastCounted
      ? `The period from ${fact.date} counted already: ${stays}.`
      : `The period from ${fact.date} lies before that from ${fact.lastCounted}, which counted: ${stays}.`
  },
  streak_not_reached: (fact) =>
    `${dates(fact)} did not count for ${theStreak(fact)} yet, with ${describeNeeds(fact)}: it took ${describeMissing(fact)}.`,
  streak_other_metric: (fact) =>
    `The metric ${quoteKey(fact.metric)} does not keep ${theStreak(fact)}: ${quoteAll(fact.metrics)} ${fact.metrics.length === 1 ? 'does' : 'do'}.`,
}

const HOLDERS = {
  cooldown: 'its cooldown',
  trigger_cap: 'its cap',
  system_cap: 'the cap of the points system',
} as const

function describeBoosts({ boosts = [] }: { readonly boosts?: readonly Facts.ExplainedBoost[] }): string {
  if (boosts.length === 0) return ''
  return `, multiplied by ${boosts.map(({ name, multiplier }) => `${multiplier} for ${quoteKey(name)}`).join(' and by ')}`
}

export const STREAK_SENTENCES: Sentences<Facts.StreakFact> = {
  streak_counted: (fact) => {
    const length = `the streak ${fact.isHeld ? 'stayed' : 'became'} ${fact.length} long`
    return `${dates(fact)} counted by the event ${fact.eventId}, with ${describeNeeds(fact)}: ${length}.`
  },
  streak_frozen: (fact) =>
    `${dates(fact)} did not count, and a freeze was consumed: the streak stayed ${fact.length} long, with ${quantity(fact.freezesLeft, 'freeze')} left.`,
  streak_paused: (fact) =>
    `${dates(fact)} cannot be missed: the streak is paused from ${fact.pause.start} to ${fact.pause.end} (${fact.pause.id}).`,
  streak_missed: (fact) =>
    `The streak of ${fact.length} was lost on ${fact.lostOn}: ${dates(fact)} had ${describeNeeds(fact)}, and it took ${describeMissing(fact)}.`,
  streak_restored: (fact) =>
    `A streak of ${fact.length} was restored at ${fact.at}: ${dates(fact)} can no longer be missed.`,
  streak_moved: (fact) => `A change of zone passed over ${dates(fact)}: it neither ended nor extended the streak.`,
  streak_reset: ({ length, at }) => `Support reset the streak of ${length} at ${at}.`,
  streak_not_running: ({ lost }) => {
    if (lost === null) return 'No streak was running then.'
    const { length, lostOn, isReset } = lost
    const end = isReset ? `support reset that of ${length}` : `that of ${length} was lost`
    return `No streak was running then: ${end} on ${lostOn}.`
  },
  streak_not_reached: (fact) =>
    `${dates(fact)} did not count, with ${describeNeeds(fact)}: it took ${describeMissing(fact)}.`,
  streak_open: (fact) => {
    const stake = fact.length === 0 ? 'start a streak' : `make the streak of ${fact.length} longer`
    const are = fact.freezes === 1 ? 'is' : 'are'
    const freezes = fact.freezes === 0 ? '' : ` There ${are} ${quantity(fact.freezes, 'freeze')}.`
    return `${dates(fact)} is not over until ${fact.until}: ${describeMissing(fact)} would ${stake}.${freezes}`
  },
  streak_disabled: () => 'The game has no streak.',
  date_neutral: ({ date }) => `${date} is a day off: it can extend the streak, and cannot be missed.`,
  date_before_first: ({ first }) => `Nothing is known of the user before ${first}.`,
  date_in_future: ({ today }) => `It has not come yet: today is ${today} for the user.`,
  date_not_in_zone: ({ zone }) => `The zone ${quoteKey(zone)} left the date out: it cannot be missed.`,
}

const HIDDEN_BY = {
  gamification: 'The user has turned the game off, and is on no leaderboard.',
  choice: 'The user chose to be hidden on leaderboards.',
  consent: 'The leaderboard has only users who chose to be on it, and the user has chosen nothing.',
  default: 'The game hides users who have not chosen to be on leaderboards, and the user has chosen nothing.',
} as const

export const LEADERBOARD_SENTENCES: Sentences<Facts.LeaderboardFact> = {
  leaderboard_place: ({ leaderboard, start, rank, value }) => {
    const place = `The user is on the leaderboard ${quoteKey(leaderboard)} with ${value}, in the run from ${start}`
    return rank === null
      ? `${place}, and is not among the first, who have ranks.`
      : `${place}, and has the rank ${rank}.`
  },
  leaderboard_no_score: ({ leaderboard, start }) =>
    `The user has nothing that counts on the leaderboard ${quoteKey(leaderboard)} in the run from ${start}.`,
  leaderboard_hidden: ({ by }) => HIDDEN_BY[by],
  leaderboard_suspended: (fact) => `Support suspended the user from leaderboards at ${fact.since}${because(fact)}.`,
  leaderboard_anonymous: ({ by }) =>
    `Others see the place without its user: ${by === 'choice' ? 'the user chose it' : 'it is the default of the game'}.`,
  leaderboard_small_group: ({ participants, smallestGroup }) =>
    `Other users see no places of the group: it has ${quantity(participants, 'participant')}, and ${smallestGroup} are needed.`,
}

function because({ reason = null }: { readonly reason?: string | null | undefined }): string {
  return reason === null ? '' : `, because ${quoteKey(reason)}`
}

function dates({ periodStart, periodEnd }: Facts.PeriodDates): string {
  return periodStart === periodEnd ? periodStart : `${periodStart} to ${periodEnd}`
}

function nameRule(rule: Facts.ExplainedRule): string {
  return rule.kind === 'achievement'
    ? `The achievement ${quoteKey(rule.achievement)}`
    : `The trigger of ${nameTrigger(rule)}`
}

/** `"xp" that pays 10 for every 5 of "words"`. */
function nameTrigger({ system, points, pays }: Facts.ExplainedTrigger): string {
  const name = quoteKey(system)
  switch (pays.for) {
    case 'metric':
      return `${name} that pays ${points} for every ${pays.threshold} of ${quoteKey(pays.metric)}`
    case 'achievement':
      return `${name} that pays ${points} for the achievement ${quoteKey(pays.achievement)}`
    case 'streak':
      return `${name} that pays ${points} for every ${pays.length} of ${theStreak(pays)}`
    case 'user_creation':
      return `${name} that pays ${points} for a new user`
    case 'time':
      return `${name} that pays ${points} every ${pays.count === 1 ? pays.unit : quantity(pays.count, pays.unit)}`
    case 'challenge':
      return pays.quest === undefined
        ? `${name} that pays ${points} for the challenge ${quoteKey(pays.challenge)}`
        : `${name} that pays ${points} for the quest ${quoteKey(pays.quest)} of ${quoteKey(pays.challenge)}`
    default:
      return pays satisfies never
  }
}

function describeDifference({ attribute, expected, actual }: Facts.AttributeDifference): string {
  const is = actual === null ? 'was not set' : `was ${quoteKey(actual)}`
  return `${quoteKey(attribute)} ${is} instead of ${quoteKey(expected)}`
}

/** `2 of 3 of "words"`. */
function describeNeed({ metric, sum, threshold, aggregation }: Facts.StreakNeed): string {
  if (aggregation !== undefined && aggregation !== 'distinct') return `${quoteKey(metric)} at ${sum}`
  return threshold === null
    ? `${sum} of ${quoteKey(metric)}, which counts above 0`
    : `${sum} of ${threshold} of ${quoteKey(metric)}`
}

function describeNeeds({ needs, evaluationMode, days }: Facts.StreakNeeds): string {
  if (days !== undefined) return `${days.reached} of ${quantity(days.needed, 'day')}`
  return joined(needs.map(describeNeed), evaluationMode === 'OR' ? 'or' : 'and')
}

function describeMissing({ needs, evaluationMode, days }: Facts.StreakNeeds): string {
  if (days !== undefined && days.reached < days.needed) return `${quantity(days.needed - days.reached, 'more day')}`
  const open = needs.filter(({ isReached }) => !isReached)
  // The rule has become easier since.
  if (open.length === 0) return 'one more event'
  const parts = open.map(({ metric, sum, missing, threshold, aggregation }) => {
    if (missing !== null) return `${missing} more of ${quoteKey(metric)}`
    if (aggregation !== undefined) {
      const goal = threshold === null ? '' : ` with ${threshold} or ${aggregation === 'min' ? 'less' : 'more'}`
      return `an event of ${quoteKey(metric)}${goal}`
    }
    return sum < 0 ? `more than ${-sum} of ${quoteKey(metric)}` : `anything above 0 of ${quoteKey(metric)}`
  })
  return joined(parts, evaluationMode === 'OR' ? 'or' : 'and')
}

function describeTimes(count: number | undefined): string {
  return count === undefined ? '' : `, ${count === 1 ? 'once' : `${count} times`} so far`
}
