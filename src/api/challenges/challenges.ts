import { gameFor } from '../../answers/achievements.ts'
import { toChallenge, toUserChallenge } from '../../answers/challenges.ts'
import { type Accepted, stateAfter, submit } from '../../record/write-modes.ts'
import type { EntryBody } from '../../rules/entry.ts'
import { settled } from '../../rules/settle.ts'
import type { Call, WriteCall } from '../../runtime/context.ts'
import type * as Types from '../../shapes/challenges.ts'
import { countChallenges } from '../../sql/challenges.ts'
import type { Steps } from '../../storage/steps.ts'
import { readIdempotencyKey } from '../events/requests.ts'
import { knownChallenge } from '../named-parts.ts'
import { readUser } from '../users/read-user.ts'
import type * as requests from './requests.ts'

export async function listChallenges(call: Call): Promise<readonly Types.Challenge[]> {
  const { game: current } = await call.games.current(call.storage)
  const game = gameFor(call, current, null)
  const counts = await countChallenges(call.storage, call.tenant)
  return [...game.challenges.values()].map((rule) => toChallenge(game, rule, counts.get(rule.key)))
}

export async function getChallenge(call: Call, key: string): Promise<Types.Challenge> {
  const { game: current } = await call.games.current(call.storage)
  const game = gameFor(call, current, null)
  const rule = knownChallenge(game, key)
  return toChallenge(game, rule, (await countChallenges(call.storage, call.tenant)).get(key))
}

export async function listUserChallenges(call: Call, user: string): Promise<readonly Types.UserChallenge[]> {
  const { game: current, state: known, at } = await readUser(call, user)
  const state = settled(current, known, at)
  const game = gameFor(call, current, state)
  return [...game.challenges.values()].map((rule) => toUserChallenge(game, rule, state, at))
}

type Entered = Extract<EntryBody, { readonly kind: `challenge${'Enrolled' | 'Abandoned' | 'Claimed' | 'Replaced'}` }>

/** Records what a user, or support, decides about a challenge of the user. Answers the challenge afterwards. */
function* enter(call: WriteCall, user: string, body: Entered): Steps<Types.UserChallenge> {
  const outcome: Accepted = yield* submit(call, { user, body })
  const { at } = outcome
  const state = settled(outcome.game, stateAfter(outcome), at)
  const game = gameFor(call, outcome.game, state)
  return toUserChallenge(game, knownChallenge(game, body.challenge), state, at)
}

export function enrolUser(
  call: WriteCall,
  challenge: string,
  { user }: requests.ChallengeRequest,
): Steps<Types.UserChallenge> {
  return enter(call, user, { kind: 'challengeEnrolled', challenge })
}

export function abandonChallenge(
  call: WriteCall,
  challenge: string,
  { user }: requests.ChallengeRequest,
): Steps<Types.UserChallenge> {
  return enter(call, user, { kind: 'challengeAbandoned', challenge })
}

export function claimReward(
  call: WriteCall,
  challenge: string,
  { user, quest = '' }: requests.ParsedClaim,
): Steps<Types.UserChallenge> {
  return enter(call, user, { kind: 'challengeClaimed', challenge, quest })
}

export function replaceQuest(
  call: WriteCall,
  challenge: string,
  { user, quest, idempotencyKey: sent }: requests.ParsedReroll,
): Steps<Types.UserChallenge> {
  const idempotencyKey = readIdempotencyKey(sent)
  const keyed = idempotencyKey === null ? {} : { idempotencyKey }
  return enter(call, user, { kind: 'challengeReplaced', challenge, quest, ...keyed })
}
