import type { ChallengeKey, DefinedGame, KeysOf } from '../../game/define-game.ts'
import type { Declared, NoChallenges } from '../../game/definition-parts.ts'
import { gameKey } from '../../runtime/input.ts'
import type { Challenge, UserChallenge } from '../../shapes/challenges.ts'
import { type ApplicationKeys, anyUser, listOf, ownUser } from '../endpoint.ts'
import {
  type Answer,
  arg,
  defineOperation,
  type Mode,
  type OperationsOf,
  type Options,
  type ReadOptions,
  userArg,
} from '../operation.ts'
import * as challenges from './challenges.ts'
import * as requests from './requests.ts'

type Key<G extends DefinedGame> = Declared<ChallengeKey<G>, NoChallenges>

/** The calls that write, also within a transaction. */
export interface ChallengeWritesApi<G extends DefinedGame, M extends Mode = 'later'> {
  /**
   * Enrols a user in a challenge with `enrol: 'manual'`. Enrolling again changes nothing. Rejects with `unknown_user`,
   * and with `challenge_closed` if the challenge has not begun, is over, or was completed.
   */
  enrol(
    challenge: Key<G>,
    request: requests.ChallengeRequest,
    ...options: Options<M>
  ): Answer<M, UserChallenge<KeysOf<G>>>
  /** Ends an enrolment. Completed quests stay; what the running window has counted is lost. */
  abandon(
    challenge: Key<G>,
    request: requests.ChallengeRequest,
    ...options: Options<M>
  ): Answer<M, UserChallenge<KeysOf<G>>>
  /**
   * Gives a user the reward that waits, once: claiming it again changes nothing. Rejects with
   * `challenge_not_claimable` if no reward waits, or if the time to claim it is over.
   */
  claim(challenge: Key<G>, request: requests.ClaimRequest, ...options: Options<M>): Answer<M, UserChallenge<KeysOf<G>>>
  /**
   * Replaces a quest of the current window for which nothing has counted yet. Rejects with `quest_not_replaceable`, for
   * example if all `rerolls` of the window are used.
   */
  reroll(
    challenge: Key<G>,
    request: requests.RerollRequest,
    ...options: Options<M>
  ): Answer<M, UserChallenge<KeysOf<G>>>
}

export interface ChallengesApi<G extends DefinedGame, M extends Mode = 'later'> extends ChallengeWritesApi<G, M> {
  /** Lists the challenges of the game, with how many users took part and completed them. */
  list(...options: ReadOptions<M>): Promise<readonly Challenge<KeysOf<G>>[]>
  /** Returns a challenge of the game, with how many users took part and completed it. Rejects with `unknown_challenge`. */
  get(challenge: Key<G>, ...options: ReadOptions<M>): Promise<Challenge<KeysOf<G>>>
}

export interface UserChallengesApi<G extends DefinedGame, M extends Mode = 'later'> {
  /** Lists the challenges with the user's current window, progress and rewards. */
  challenges(id: string, ...options: ReadOptions<M>): Promise<readonly UserChallenge<KeysOf<G>>[]>
}

/** The challenges of the API, in its groups. */
export interface ChallengeCalls<G extends DefinedGame> {
  readonly challenges: ChallengesApi<G>
  readonly users: UserChallengesApi<G>
}

const challenge = arg('challenge', gameKey, 'challenge key')

const itself: ApplicationKeys<string, requests.ChallengeRequest> = {
  may: 'its own user, as `user`',
  users: ({ read }) => [read.user],
  actions: ({ params }) => [{ type: 'challenge', challenge: params.key ?? '' }],
}

export const challengeOperations: OperationsOf<ChallengeCalls<DefinedGame>> = {
  challenges: {
    list: defineOperation({
      kind: 'read',
      takes: [],
      endpoint: {
        at: 'GET /challenges',
        tag: 'Challenges',
        summary: 'List all challenges with counts',
        applicationKeys: anyUser,
        answers: { 200: ['The challenges of the game.', listOf('Challenge')] },
      },
      run: challenges.listChallenges,
    }),
    get: defineOperation({
      kind: 'read',
      takes: [challenge],
      endpoint: {
        at: 'GET /challenges/{key}',
        tag: 'Challenges',
        summary: 'Get a challenge with counts',
        applicationKeys: anyUser,
        answers: { 200: ['The challenge.', 'Challenge'] },
      },
      run: challenges.getChallenge,
    }),
    enrol: defineOperation({
      kind: 'write',
      takes: [challenge, arg('request', requests.challengeRequest, 'enrolment')],
      endpoint: {
        at: 'POST /challenges/{key}/enrol',
        tag: 'Challenges',
        summary: 'Enrol a user in a challenge',
        bodySchema: requests.challengeRequest,
        example: { user: '18' },
        applicationKeys: itself,
        answers: { 201: ['The challenge as the user has it.', 'UserChallenge'] },
      },
      run: challenges.enrolUser,
    }),
    abandon: defineOperation({
      kind: 'write',
      takes: [challenge, arg('request', requests.challengeRequest, 'abandonment')],
      endpoint: {
        at: 'POST /challenges/{key}/abandon',
        tag: 'Challenges',
        summary: "End a user's enrolment",
        bodySchema: requests.challengeRequest,
        example: { user: '18' },
        applicationKeys: itself,
        answers: { 200: ['The challenge as the user has it.', 'UserChallenge'] },
      },
      run: challenges.abandonChallenge,
    }),
    claim: defineOperation({
      kind: 'write',
      takes: [challenge, arg('request', requests.claimRequest, 'claim')],
      endpoint: {
        at: 'POST /challenges/{key}/claim',
        tag: 'Challenges',
        summary: 'Claim a reward for a user',
        bodySchema: requests.claimRequest,
        example: { user: '18' },
        applicationKeys: itself,
        answers: { 200: ['The challenge as the user has it.', 'UserChallenge'] },
      },
      run: challenges.claimReward,
    }),
    reroll: defineOperation({
      kind: 'write',
      takes: [challenge, arg('request', requests.rerollRequest, 'reroll')],
      endpoint: {
        at: 'POST /challenges/{key}/reroll',
        tag: 'Challenges',
        summary: 'Replace a quest of a user',
        bodySchema: requests.rerollBody,
        example: { user: '18', quest: 'p20' },
        takesIdempotencyKey: true,
        applicationKeys: itself,
        answers: { 200: ['The challenge as the user has it.', 'UserChallenge'] },
      },
      run: challenges.replaceQuest,
    }),
  },
  users: {
    challenges: defineOperation({
      kind: 'read',
      takes: [userArg],
      endpoint: {
        at: 'GET /users/{id}/challenges',
        tag: 'Users',
        summary: "List a user's challenges",
        applicationKeys: ownUser,
        answers: { 200: ['The challenges.', listOf('UserChallenge')] },
      },
      run: challenges.listUserChallenges,
    }),
  },
}
