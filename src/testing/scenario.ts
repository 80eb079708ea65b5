import { AssertionError } from 'node:assert/strict'
import { toPatch, type UserUpdate, userUpdate } from '../api/users/requests.ts'
import { type ErrorCode, GamificationError, isGamificationError } from '../errors.ts'
import { type DefinedGame, requireDefined, type UserAttribute } from '../game/define-game.ts'
import { checkOptions } from '../options.ts'
import { completionsOf } from '../rules/achievement.ts'
import { type Instant, localDate } from '../rules/calendar.ts'
import type { Change } from '../rules/change.ts'
import { isHeld, type ProfilePatch } from '../rules/entry.ts'
import type { Game, Games, StreakRule } from '../rules/game.ts'
import { settled } from '../rules/settle.ts'
import { type UserState, zoneOf } from '../rules/state.ts'
import { currentStreak } from '../rules/streak.ts'
import { freezesOf, ruleOf } from '../rules/streak-names.ts'
import { figuresOf, type WalletFigures, walletIn } from '../rules/wallet.ts'
import { parse } from '../runtime/input.ts'
import { assertFollowed, type Expectation, type Followed } from './expectation.ts'
import { type History, recordInto } from './log-in-memory.ts'
import { describeStep, type Step, type Steps, toCommand } from './steps.ts'
import { toInstant, toMilliseconds } from './test-clock.ts'

export interface ScenarioOptions<G extends DefinedGame> {
  /** The clock at the beginning, with an offset: `2026-03-01T09:00:00Z`. It does not move between steps. */
  readonly now: string | Date
  /** The user, who exists from the first step on. Default: the first event, completion or update creates one. */
  readonly user?: UserUpdate<UserAttribute<G>>
}

/** One user's course through a game. Immutable: every method returns a new scenario. */
export interface Scenario<G extends DefinedGame> {
  readonly now: Date
  /** Plays the steps. Throws if one of them is refused. */
  given(...steps: readonly Steps<G>[]): Scenario<G>
  /** Plays one step, and returns its outcome. */
  when(step: Step<G>): Outcome<G>
}

export interface Outcome<G extends DefinedGame> {
  readonly followed: Followed<G>
  /** Why the step was refused and how to mend it, or `null` if it was accepted. */
  readonly refusal: string | null
  /** The scenario after the step. If the step was refused, the scenario before it. */
  readonly scenario: Scenario<G>
  /**
   * Compares the named properties with the result. Throws an `AssertionError` with every difference; a refused step is
   * a difference unless `refused` is expected. Returns the scenario after the step.
   */
  thenExpect(expectation: Expectation<G>): Scenario<G>
}

/**
 * Plays the rules of a game in memory, without a database.
 *
 * @example
 * createScenario(game, { now: '2026-03-01T09:00:00Z', user: { tz: 'Europe/London' } })
 *   .given(repeat(6, event('words-written', 100), wait({ days: 1 })))
 *   .when(event('words-written', 100))
 *   .thenExpect({ achievements: ['week-in-a-row'], streak: 7 })
 */
export function createScenario<G extends DefinedGame>(game: G, options: ScenarioOptions<G>): Scenario<G> {
  requireDefined(game, 'createScenario()')
  checkOptions('options of createScenario()', options, ['now', 'user'])
  const profile = options.user === undefined ? null : toPatch(parse(userUpdate, options.user, 'user'))
  const moment: ScenarioState = { history: { log: [], state: null }, now: toInstant(options.now), steps: 0, profile }
  return toScenario<G>({ rules: game.rules, games: new Map([[1, game.rules]]) }, moment)
}

interface Setting {
  readonly rules: Game
  readonly games: Games
}

interface ScenarioState {
  readonly history: History
  readonly now: Instant
  readonly steps: number
  /** The profile that the next recorded step sends. */
  readonly profile: ProfilePatch | null
}

interface Passed {
  readonly moment: ScenarioState
  readonly refused: ErrorCode | null
  readonly refusal: string | null
  /** The changes that the step's entry caused. */
  readonly changes: readonly Change[]
}

function toScenario<G extends DefinedGame>(setting: Setting, moment: ScenarioState): Scenario<G> {
  return {
    now: new Date(moment.now),
    given: (...steps) => toScenario(setting, passAll(setting, moment, flatten(steps))),
    when: (step, ...more: readonly unknown[]) => {
      if (Array.isArray(step) || step === undefined || more.length > 0) {
        throw new GamificationError(
          'invalid_request',
          'when() takes one step, to be looked at: give those before it to given().',
        )
      }
      const passed = pass(setting, moment, step)
      return toOutcome<G>(setting, moment, passed, step)
    },
  }
}

function flatten(steps: readonly Steps[]): readonly Step[] {
  return steps.flatMap((step) => ('type' in step ? [step] : flatten(step)))
}

function passAll(setting: Setting, start: ScenarioState, steps: readonly Step[]): ScenarioState {
  return steps.reduce((moment, step, index) => {
    const passed = pass(setting, moment, step)
    if (passed.refused === null) return passed.moment
    const place = `step ${index + 1} of ${steps.length}, ${describeStep(step)}`
    const message = `given: ${place}, was refused (${passed.refused}): ${passed.refusal}`
    throw new AssertionError({ message, actual: passed.refused, expected: null, operator: 'given' })
  }, start)
}

function pass(setting: Setting, moment: ScenarioState, step: Step): Passed {
  const { games } = setting
  if (step.type === 'wait') return goTo(setting, moment, moment.now + toMilliseconds(step.duration))
  if (step.type === 'at') return goTo(setting, moment, toInstant(step.instant))
  try {
    const command = toCommand(step, `step ${moment.steps + 1}`, moment.now)
    const profile = mergeProfiles(moment.profile, command.profile)
    // The given profile creates the user at the first step of any kind.
    const createsUser = command.createsUser || profile !== null
    const recording = recordInto(games, moment.history, { ...command, profile, createsUser })
    if (recording.refusal !== null) return refuse(moment, recording.refusal)
    const { history, changes } = recording
    return accept({ ...moment, history, steps: moment.steps + 1, profile: null }, changes)
  } catch (error) {
    if (!isGamificationError(error)) throw error
    return refuse(moment, error)
  }
}

/** The entry that the library's worker makes once the user reached a membership is recorded too. */
function goTo({ games }: Setting, moment: ScenarioState, now: Instant): Passed {
  const id = `time at step ${moment.steps + 1} until ${now}`
  const command = { ...toCommand({ type: 'user', update: {} }, id, now), profile: null, createsUser: false }
  const recording = recordInto(games, moment.history, command)
  if (recording.refusal !== null) return accept({ ...moment, now })
  return accept({ ...moment, now, history: recording.history }, recording.changes)
}

function accept(moment: ScenarioState, changes: readonly Change[] = []): Passed {
  return { moment, refused: null, refusal: null, changes }
}

function refuse(
  moment: ScenarioState,
  { code, message }: { readonly code: ErrorCode; readonly message: string },
): Passed {
  return { moment, refused: code, refusal: message, changes: [] }
}

function mergeProfiles(first: ProfilePatch | null, second: ProfilePatch | null): ProfilePatch | null {
  if (first === null || second === null) return first ?? second
  const attributes = new Map([...(first.attributes ?? []), ...(second.attributes ?? [])])
  return { ...first, ...second, ...(attributes.size === 0 ? {} : { attributes }) }
}

function toOutcome<G extends DefinedGame>(
  setting: Setting,
  before: ScenarioState,
  passed: Passed,
  step: Step,
): Outcome<G> {
  const { moment, refusal } = passed
  const followed = follow(setting.rules, before, passed)
  const scenario = toScenario<G>(setting, moment)
  return {
    // The rules' maps have the keys of the game, whose types are lost in them.
    followed: followed as Followed<G>,
    refusal,
    scenario,
    thenExpect: (expectation) => {
      checkOptions('expectation', expectation, Object.keys(followed))
      const what = `${describeStep(step)} at ${scenario.now.toISOString()}`
      assertFollowed(what, followed, refusal, expectation as Expectation)
      return scenario
    },
  }
}

function follow(game: Game, earlier: ScenarioState, { moment, refused, changes }: Passed): Followed {
  const { history, now } = moment
  const state = settledAt(game, moment)
  const before = settledAt(game, earlier)
  const systems = [...game.points.keys()]
  const spendable = game.spendableSystems.map(({ key }) => key)
  const pointsOf = (system: string, of: UserState | null): number => of?.points.get(system)?.total ?? 0
  return {
    refused,
    held: countHeld(history) > countHeld(earlier.history),
    totals: byKey(game.metrics.keys(), (metric) => state?.totals.get(metric)?.total ?? 0),
    achievements: [...game.achievements.keys()].flatMap((key) => {
      const added = countOf(key, state) - countOf(key, before)
      return Array.from({ length: Math.min(Math.max(0, added), MOST_TOLD) }, () => key)
    }),
    challenges: changes.flatMap((change) => {
      if (change.type !== 'challengeCompleted') return []
      const { challenge, quest } = change.mark
      return [quest === '' ? challenge : `${challenge}.${quest}`]
    }),
    counts: byKey(game.achievements.keys(), (key) => countOf(key, state)),
    added: byKey(systems, (system) => pointsOf(system, state) - pointsOf(system, before)),
    boosts: byKey(systems, (system) => boostsOf(system, changes)),
    capped: byKey(systems, (system) => cappedOf(system, changes)),
    points: byKey(systems, (system) => pointsOf(system, state)),
    balance: byKey(spendable, (system) => figuresIn(state, system).balance),
    pending: byKey(spendable, (system) => figuresIn(state, system).pending),
    heldPoints: byKey(spendable, (system) => figuresIn(state, system).held),
    levels: byKey(systems, (system) => state?.points.get(system)?.level ?? null),
    ...followStreaks(game, state === null ? null : settled(game, state, now), now),
  }
}

function figuresIn(state: UserState | null, system: string): WalletFigures {
  return figuresOf(walletIn(state?.wallets ?? new Map(), system))
}

function settledAt(game: Game, { history: { state }, now }: ScenarioState): UserState | null {
  return state === null ? null : settled(game, state, Math.max(now, state.at))
}

function cappedOf(key: string, changes: readonly Change[]): number {
  let sum = 0
  for (const change of changes) {
    if (change.type !== 'pointsAwarded' && change.type !== 'pointsClipped') continue
    if (change.system === key && change.reduction !== undefined) sum += change.due - change.reduction.left
  }
  return sum
}

function boostsOf(system: string, changes: readonly Change[]): readonly string[] {
  const boosts = changes.flatMap((change) =>
    change.type === 'pointsAwarded' && change.system === system ? (change.boosts ?? []) : [],
  )
  return [...new Set(boosts.map(({ name }) => name))]
}

/** As many completions of one achievement as the library tells of at once. */
const MOST_TOLD = 100

function countOf(achievement: string, state: UserState | null): number {
  return state === null ? 0 : completionsOf(state, achievement)
}

function countHeld({ log }: History): number {
  return log.filter(isHeld).length
}

function byKey<T>(keys: Iterable<string>, read: (key: string) => T): { readonly [key: string]: T } {
  return Object.fromEntries([...keys].map((key) => [key, read(key)]))
}

/** As they read at the moment until which the state was settled. */
function followStreaks(
  game: Game,
  state: UserState | null,
  now: Instant,
): Pick<Followed, 'streak' | 'streaks' | 'freezes' | 'streakFreezes'> {
  const lengthOf = (rule: StreakRule | null): number =>
    state === null ? 0 : currentStreak(game, state, localDate(zoneOf(state.profile), now), rule).length
  const countOf = (rule: StreakRule | null): number =>
    state === null || rule === null || rule.freezes === null ? 0 : (freezesOf(state, rule)?.count ?? 0)
  return {
    streak: lengthOf(game.streak),
    streaks: byKey(game.streaks.keys(), (key) => lengthOf(ruleOf(game, key))),
    freezes: countOf(game.streak),
    streakFreezes: byKey(game.streaks.keys(), (key) => countOf(ruleOf(game, key))),
  }
}
