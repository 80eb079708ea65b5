import { type Day, toDateText } from './calendar.ts'
import { questOf } from './challenge.ts'
import { claimOf, rewardOf } from './challenge-claims.ts'
import { hasCompleted, isEnrolled, isTouched, replacementOf, windowOn } from './challenge-windows.ts'
import type { ChallengeAbandoned, ChallengeClaimed, ChallengeEnrolled, ChallengeReplaced, Entry } from './entry.ts'
import type { ChallengeRule, Game } from './game.ts'
import { quoteName, unknownName } from './names.ts'
import type { UserState } from './state.ts'

interface Refusal {
  readonly code: 'unknown_challenge' | 'challenge_closed' | 'challenge_not_claimable' | 'quest_not_replaceable'
  readonly message: string
}

type AboutChallenge = Entry & (ChallengeEnrolled | ChallengeAbandoned | ChallengeClaimed | ChallengeReplaced)

/** Why an entry about a challenge is not accepted, or `null` if it is. The state must be settled. */
export function refuseChallenge(game: Game, state: UserState, entry: AboutChallenge): Refusal | null {
  const rule = game.challenges.get(entry.challenge)
  if (rule === undefined) {
    const message = unknownName('challenge', entry.challenge, game.challenges.keys())
    return { code: 'unknown_challenge', message }
  }
  const { date } = entry.dating
  switch (entry.kind) {
    case 'challengeEnrolled':
      return refuseEnrolment(rule, state, date)
    case 'challengeAbandoned':
      return rule.enrols ? null : closed(rule, 'everybody takes part in it, so it cannot be abandoned')
    case 'challengeClaimed':
      return refuseClaim(rule, state, entry.quest)
    case 'challengeReplaced':
      return refuseReplacement(game, rule, state, entry.quest, date)
    default:
      return entry satisfies never
  }
}

function closed({ key }: ChallengeRule, why: string): Refusal {
  return { code: 'challenge_closed', message: `The challenge ${quoteName(key)} takes no such call: ${why}.` }
}

/** True if an enrolment on a date would be accepted, and the user does not take part yet. */
export function canEnrol(state: UserState, rule: ChallengeRule, date: Day): boolean {
  return !isEnrolled(state, rule, date) && refuseEnrolment(rule, state, date) === null
}

function refuseEnrolment(rule: ChallengeRule, state: UserState, date: Day): Refusal | null {
  const { start, end } = rule
  if (!rule.enrols) return closed(rule, 'everybody takes part in it without an enrolment')
  if (start !== null && date < start) return closed(rule, `it begins on ${toDateText(start)}`)
  if (end !== null && date > end) return closed(rule, `it ended on ${toDateText(end)}`)
  return hasCompleted(state, rule) ? closed(rule, 'the user has completed it') : null
}

function refuseClaim(rule: ChallengeRule, state: UserState, quest: string): Refusal | null {
  const found = claimOf(state, rule.key, quest)
  if (found !== null && rewardOf(found.quest) === 'waits') return null
  const why =
    found === null
      ? `the user has not completed it. ${questHelp(rule, quest)}`
      : 'its reward was not claimed in time, and is lost.'
  return { code: 'challenge_not_claimable', message: `No reward of ${quoteName(rule.key)} waits for the user: ${why}` }
}

/** The advice in place of a quest that the challenge does not have. */
function questHelp(rule: ChallengeRule, quest: string): string {
  if (rule.pick === null && quest !== '') return 'It has no pool, so leave the quest out.'
  return questOf(rule, quest) === null
    ? 'Name one of the quests that users.challenges answers.'
    : 'Claim it afterwards.'
}

function refuseReplacement(
  game: Game,
  rule: ChallengeRule,
  state: UserState,
  quest: string,
  date: Day,
): Refusal | null {
  if (replacementOf(game, state, rule, quest, date) !== null) return null
  const running = windowOn(game, state, rule, date)
  return {
    code: 'quest_not_replaceable',
    message: `The quest ${quoteName(quest)} of ${quoteName(rule.key)} is not replaced: ${whyNot(running, quest)}.`,
  }
}

function whyNot(running: ReturnType<typeof windowOn>, quest: string): string {
  if (running === null) return 'the user does not take part in it now'
  const { window, rule } = running
  if (!window.picked.includes(quest)) return 'it is none of the quests that the user has now'
  if (window.quests.some((each) => each.quest === quest && isTouched(each)))
    return 'something has counted for it already'
  return window.rerolls >= rule.rerolls ? 'all rerolls of the window are used' : 'no other quest is left'
}
