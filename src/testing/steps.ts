import { readOccurredAt } from '../api/events/record-event.ts'
import { eventRequest, readIdempotencyKey } from '../api/events/requests.ts'
import type { PreferencesUpdate, UserUpdate } from '../api/users/requests.ts'
import { preferencesUpdate, toPatch, toPreferencesBody, userUpdate } from '../api/users/requests.ts'
import type {
  ApiAchievementKey,
  ChallengeKey,
  DefinedGame,
  EventAttribute,
  MetricKey,
  PointsKey,
  UserAttribute,
} from '../game/define-game.ts'
import type { FilterDefinition, NoEventAttributes } from '../game/definition-parts.ts'
import { checkOptions, invalidOption } from '../options.ts'
import type { Instant } from '../rules/calendar.ts'
import type { EntryBody } from '../rules/entry.ts'
import type { Command } from '../runtime/command.ts'
import { parse } from '../runtime/input.ts'
import { checkDuration, type Duration, toInstant, toMilliseconds } from './test-clock.ts'

/*
 * Steps of a scenario. Steps are data. Their type parameters are the keys they name, so that a scenario takes only
 * steps of its own game.
 */

export interface EventStep<Metric extends string = string, Attribute extends string = string> {
  readonly type: 'event'
  readonly metric: Metric
  readonly value: number
  readonly attributes?: FilterDefinition<Attribute, NoEventAttributes>
  readonly at?: string | Date
}

export interface ClaimStep<Achievement extends string = string> {
  readonly type: 'claim'
  readonly achievement: Achievement
  readonly idempotencyKey?: string
}

export interface UserStep<Attribute extends string = string> {
  readonly type: 'user'
  readonly update: UserUpdate<Attribute>
}

export interface PreferencesStep<Metric extends string = string> {
  readonly type: 'preferences'
  readonly update: PreferencesUpdate<Metric>
}

export interface ChallengeStep<Challenge extends string = string> {
  readonly type: 'challenge'
  readonly challenge: Challenge
  readonly action: 'enrol' | 'abandon' | 'claim' | 'reroll'
  readonly quest?: string
}

export interface SpendStep<System extends string = string> {
  readonly type: 'spend'
  readonly system: System
  readonly amount: number
  readonly as?: string
}

export interface HoldStep<System extends string = string> {
  readonly type: 'hold'
  readonly system: System
  readonly amount: number
  readonly expiresIn: Duration
  readonly as?: string
}

export interface CaptureStep {
  readonly type: 'capture'
  readonly hold: string
  readonly amount?: number
  readonly as?: string
}

export interface ReleaseStep {
  readonly type: 'release'
  readonly hold: string
}

export interface RefundStep {
  readonly type: 'refund'
  readonly spend: string
  readonly amount?: number
}

export interface WaitStep {
  readonly type: 'wait'
  readonly duration: Duration
}

export interface AtStep {
  readonly type: 'at'
  readonly instant: string | Date
}

/** A step in a game. */
export type Step<G extends DefinedGame = DefinedGame> =
  | EventStep<MetricKey<G>, EventAttribute<G>>
  | ClaimStep<ApiAchievementKey<G>>
  | UserStep<UserAttribute<G>>
  | PreferencesStep<MetricKey<G>>
  | ChallengeStep<ChallengeKey<G>>
  | SpendStep<PointsKey<G>>
  | HoldStep<PointsKey<G>>
  | CaptureStep
  | ReleaseStep
  | RefundStep
  | WaitStep
  | AtStep

/** One step, or several in their order. */
export type Steps<G extends DefinedGame = DefinedGame> = Step<G> | readonly Steps<G>[]

export interface EventStepOptions<Attribute extends string> {
  readonly attributes?: FilterDefinition<Attribute, NoEventAttributes>
  /** When the event happened, if it arrives late. Default: now. */
  readonly at?: string | Date
}

/** A metric event. */
export function event<const Metric extends string, const Attribute extends string = never>(
  metric: Metric,
  value: number,
  options: EventStepOptions<Attribute> = {},
): EventStep<Metric, Attribute> {
  checkOptions('options of event()', options, ['attributes', 'at'])
  return { type: 'event', metric, value, ...options }
}

export interface ClaimStepOptions {
  /** Each key completes an achievement that repeats again. */
  readonly idempotencyKey?: string
}

/** Completes an achievement with the trigger `api`. */
export function claim<const Achievement extends string>(
  achievement: Achievement,
  options: ClaimStepOptions = {},
): ClaimStep<Achievement> {
  checkOptions('options of claim()', options, ['idempotencyKey'])
  return { type: 'claim', achievement, ...options }
}

/** Creates or updates the user. */
export function user<const Attribute extends string = never>(update: UserUpdate<Attribute>): UserStep<Attribute> {
  return { type: 'user', update }
}

/** Updates the user's preferences. */
export function preferences<const Metric extends string = never>(
  update: PreferencesUpdate<Metric>,
): PreferencesStep<Metric> {
  return { type: 'preferences', update }
}

/** A decision of the user about a challenge. `quest` is for a challenge with a pool. */
export function challenge<const Challenge extends string>(
  key: Challenge,
  action: ChallengeStep['action'],
  quest?: string,
): ChallengeStep<Challenge> {
  return { type: 'challenge', challenge: key, action, ...(quest === undefined ? {} : { quest }) }
}

export interface SpendStepOptions {
  /** A name by which `refund()` finds the spend. */
  readonly as?: string
}

/** Spends points of a spendable system. */
export function spend<const System extends string>(
  system: System,
  amount: number,
  options: SpendStepOptions = {},
): SpendStep<System> {
  checkOptions('options of spend()', options, ['as'])
  return { type: 'spend', system, amount, ...options }
}

export interface HoldStepOptions {
  /** After how long the hold releases itself. Default: a day. */
  readonly expiresIn?: Duration
  /** A name by which `capture()` and `release()` find the hold. */
  readonly as?: string
}

/** Sets points of a spendable system aside. */
export function hold<const System extends string>(
  system: System,
  amount: number,
  options: HoldStepOptions = {},
): HoldStep<System> {
  checkOptions('options of hold()', options, ['expiresIn', 'as'])
  const { expiresIn = { days: 1 }, ...rest } = options
  checkDuration(expiresIn)
  return { type: 'hold', system, amount, expiresIn, ...rest }
}

export interface CaptureStepOptions extends SpendStepOptions {
  /** Default: all of the hold. */
  readonly amount?: number
}

/** Spends the points of a hold, by its name. */
export function capture(held: string, options: CaptureStepOptions = {}): CaptureStep {
  checkOptions('options of capture()', options, ['amount', 'as'])
  return { type: 'capture', hold: held, ...options }
}

/** Gives the points of a hold back, by its name. */
export function release(held: string): ReleaseStep {
  return { type: 'release', hold: held }
}

/** Gives a spend back, by its name; without an amount all that is left of it. */
export function refund(spent: string, amount?: number): RefundStep {
  return { type: 'refund', spend: spent, ...(amount === undefined ? {} : { amount }) }
}

/** Lets time pass. */
export function wait(duration: Duration): WaitStep {
  checkDuration(duration)
  return { type: 'wait', duration }
}

/** Sets the clock. */
export function at(instant: string | Date): AtStep {
  return { type: 'at', instant }
}

/** Repeats the steps this many times, one round after the other. */
export function repeat<const Rounds extends readonly Steps[]>(times: number, ...steps: Rounds): Rounds[number][] {
  if (!Number.isInteger(times) || times < 0) throw invalidOption('times of repeat()', 'a whole number from 0 on', times)
  return Array.from({ length: times }, () => steps).flat()
}

export function describeStep(step: Step): string {
  switch (step.type) {
    case 'event': {
      const { metric, value, type: _, ...options } = step
      const written = Object.keys(options).length === 0 ? '' : `, ${JSON.stringify(options)}`
      return `event(${JSON.stringify(metric)}, ${value}${written})`
    }
    case 'claim':
      return step.idempotencyKey === undefined
        ? `claim(${JSON.stringify(step.achievement)})`
        : `claim(${JSON.stringify(step.achievement)}, ${JSON.stringify({ idempotencyKey: step.idempotencyKey })})`
    case 'user':
    case 'preferences':
      return `${step.type}(${JSON.stringify(step.update)})`
    case 'challenge':
      return `challenge(${[step.challenge, step.action, step.quest].flatMap((each) => (each === undefined ? [] : [JSON.stringify(each)])).join(', ')})`
    case 'spend':
    case 'hold':
    case 'capture':
    case 'release':
    case 'refund': {
      const { type, ...rest } = step
      return `${type}(${JSON.stringify(rest)})`
    }
    case 'wait':
      return `wait(${JSON.stringify(step.duration)})`
    case 'at':
      return `at(${JSON.stringify(step.instant)})`
    default:
      return step satisfies never
  }
}

/** A step that the library is asked to record. */
export type RecordedStep = Exclude<Step, WaitStep | AtStep>

const USER = 'the user of the scenario'

/** The command of a step, parsed as the library parses it. Throws a `GamificationError` as the library does. */
export function toCommand(step: RecordedStep, id: string, now: Instant): Command {
  const isDated = step.type === 'event' && step.at !== undefined
  return {
    tenant: '',
    user: USER,
    entryId: ('as' in step ? step.as : undefined) ?? id,
    receivedAt: now,
    occurredAt: isDated ? readOccurredAt(new Date(toInstant(step.at)), now) : null,
    profile: step.type === 'user' ? toPatch(parse(userUpdate, step.update, 'user')) : null,
    body: toBody(step, now),
    createsUser: CREATING.has(step.type),
  }
}

/** Steps that create the user. */
const CREATING: ReadonlySet<string> = new Set<RecordedStep['type']>(['event', 'claim', 'user'])

function toBody(step: RecordedStep, now: Instant): EntryBody {
  switch (step.type) {
    case 'event': {
      const { metric, value: given, attributes: named } = step
      const request = { user: { id: USER }, value: given, ...(named && { attributes: named }) }
      const { value, attributes = new Map() } = parse(eventRequest, request, 'metric event')
      return { kind: 'eventRecorded', metric, value: value === 0 ? 0 : value, attributes, idempotencyKey: null }
    }
    case 'claim': {
      const idempotencyKey = readIdempotencyKey(step.idempotencyKey)
      const claim = { kind: 'achievementClaimed', achievement: step.achievement } as const
      return idempotencyKey === null ? claim : { ...claim, idempotencyKey }
    }
    case 'challenge':
      return toChallengeBody(step)
    case 'spend':
      return { kind: 'pointsSpent', system: step.system, amount: pointsOf(step.amount) }
    case 'hold': {
      const until = now + toMilliseconds(step.expiresIn)
      return { kind: 'pointsHeld', system: step.system, amount: pointsOf(step.amount), until }
    }
    case 'capture': {
      const { hold, amount } = step
      return { kind: 'holdCaptured', hold, ...(amount === undefined ? {} : { amount: pointsOf(amount) }) }
    }
    case 'release':
      return { kind: 'holdReleased', hold: step.hold }
    case 'refund': {
      const { spend, amount } = step
      return { kind: 'pointsRefunded', spend, amount: amount === undefined ? 0 : pointsOf(amount) }
    }
    case 'user':
      return { kind: 'userUpserted' }
    case 'preferences':
      return toPreferencesBody(parse(preferencesUpdate, step.update, 'preferences'))
    default:
      return step satisfies never
  }
}

function pointsOf(amount: number): number {
  if (Number.isSafeInteger(amount) && amount >= 1) return amount
  throw invalidOption('amount', 'whole points, from 1', amount)
}

function toChallengeBody({ challenge, action, quest = '' }: ChallengeStep): EntryBody {
  switch (action) {
    case 'enrol':
      return { kind: 'challengeEnrolled', challenge }
    case 'abandon':
      return { kind: 'challengeAbandoned', challenge }
    case 'claim':
      return { kind: 'challengeClaimed', challenge, quest }
    case 'reroll':
      return { kind: 'challengeReplaced', challenge, quest }
    default:
      throw invalidOption('action of challenge()', "'enrol', 'abandon', 'claim' or 'reroll'", action satisfies never)
  }
}
