/*
 * What is explained is true: what is said to be missing completes an achievement when it comes, and nothing less does.
 * SOAK=1 asks 5,000 times and more; SEED=… repeats a run.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import {
  type AchievementReason,
  createGamification,
  type DefinedGame,
  defineGame,
  type EventReason,
  type GameDefinition,
  type Gamification,
  isGamificationError,
  type MetricEventRequest,
  type MetricEventResponse,
  type StreakReason,
} from '../../../src/index.ts'
import { type Action, type Life, lives, perform, USERS, withoutLimits } from '../../record/random-lives.ts'
import { seedOfRun } from '../../support/zones.ts'

const SOAK = process.env.SOAK !== undefined
const PAIRS = Number(process.env.PAIRS ?? (SOAK ? 5_000 : 300))
const SEED = seedOfRun()
const DAY = 86_400_000

type Engine = Gamification<DefinedGame>
type Told<R, T> = Extract<R, { readonly type: T }>

interface World {
  readonly engine: Engine
  readonly definition: GameDefinition
  now: number
}

async function open(definition: GameDefinition): Promise<World> {
  const world = { now: 0, definition } as { now: number; definition: GameDefinition; engine: Engine }
  world.engine = createGamification<DefinedGame>({
    game: defineGame(definition),
    storage: memory(),
    clock: () => new Date(world.now),
  })
  await world.engine.migrate()
  return world
}

function find<R extends { readonly type: string }, T extends R['type']>(reasons: readonly R[], type: T) {
  return reasons.find((reason): reason is Told<R, T> & R => reason.type === type)
}

/** What an event would complete; null: it would be refused for what has nothing to do with achievements. */
async function tryEvent(
  { engine }: World,
  metric: string,
  user: MetricEventRequest['user'],
  event: Omit<MetricEventRequest, 'user'>,
): Promise<readonly string[] | null> {
  const answer = await orRefused(engine.metrics.event(metric, { user, ...event }, { dryRun: true }))
  return typeof answer === 'string' ? null : answer.achievements.map(({ key }) => key)
}

const REFUSALS = ['out_of_points', 'total_out_of_range', 'value_out_of_range', 'metric_archived']

async function orRefused<T>(call: Promise<T>): Promise<T | string> {
  try {
    return await call
  } catch (error) {
    if (isGamificationError(error) && REFUSALS.includes(error.code)) return error.code
    throw error
  }
}

/** How often what was claimed. */
type Tally = Map<string, number>

function count(tally: Tally, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

async function checkAchievement(world: World, id: string, key: string, tally: Tally): Promise<void> {
  const { engine, definition } = world
  const { holds, reasons } = await engine.explain(id, { achievement: key })
  const listed = (await engine.users.achievements(id)).find((achievement) => achievement.key === key)
  expect({ key, holds }).toEqual({ key, holds: listed !== undefined })
  for (const { type } of reasons) count(tally, type)
  const completed = find(reasons, 'completed')
  if (holds) {
    expect(completed?.achievedAt).toBe(listed?.achievedAt)
    return
  }
  if (completed !== undefined) return expect(find(reasons, 'inactive')).toBeDefined()
  expect(reasons).not.toEqual([])

  const differences = reasons.filter((reason) => reason.type === 'attribute_differs')
  const wanted = Object.fromEntries(differences.map(({ attribute, expected }) => [attribute, expected]))
  const user = { id, attributes: wanted }
  const isOpen = find(reasons, 'inactive') === undefined && find(reasons, 'locked') === undefined
  const ask: Question = { world, id, key, user, isOpen, differs: differences.length > 0, tally }
  const rule = definition.achievements?.[key]
  if (rule === undefined) return expect.fail()
  if (rule.trigger === 'metric') return checkMetric(ask, rule, reasons)
  if (rule.trigger === 'api') return checkClaim(ask)
  if (rule.trigger === 'streak') return checkStreak(ask, reasons)
  return checkParts(ask, reasons)
}

interface Question {
  readonly world: World
  readonly id: string
  readonly key: string
  /** With the attributes that were said to be missing. */
  readonly user: MetricEventRequest['user']
  readonly isOpen: boolean
  readonly differs: boolean
  readonly tally: Tally
}

/** Expects that the event completes the achievement, unless it is refused, and does not without the attributes. */
async function expectCompletes(
  { world, id, key, user, isOpen, differs, tally }: Question,
  metric: string,
  event: Omit<MetricEventRequest, 'user'>,
): Promise<void> {
  const done = await tryEvent(world, metric, user, event)
  count(tally, done === null ? 'refused' : 'tried')
  if (done !== null) expect({ key, event, completes: done.includes(key) }).toEqual({ key, event, completes: isOpen })
  if (!differs) return
  const without = await tryEvent(world, metric, { id }, event)
  expect(without ?? []).not.toContain(key)
}

async function expectNotYet(
  { world, key, user }: Question,
  metric: string,
  event: Omit<MetricEventRequest, 'user'>,
): Promise<void> {
  expect((await tryEvent(world, metric, user, event)) ?? []).not.toContain(key)
}

type Rule<T> = Extract<NonNullable<GameDefinition['achievements']>[string], { readonly trigger: T }>

async function checkMetric(ask: Question, rule: Rule<'metric'>, reasons: readonly AchievementReason[]): Promise<void> {
  const { metric, eventAttributes: attributes = {} } = rule
  const short = find(reasons, 'metric_short')
  if (short !== undefined) {
    expect(Object.fromEntries(short.eventAttributes.map(({ key, value }) => [key, value]))).toEqual(attributes)
    const missing = short.missing ?? Number.NaN
    await expectCompletes(ask, metric, { value: missing, attributes })
    await expectNotYet(ask, metric, { value: missing > 1 ? missing - 1 : missing / 2, attributes })
    if (Object.keys(attributes).length > 0) await expectNotYet(ask, metric, { value: missing })
    return checkNotMatching(ask, metric, missing, reasons)
  }
  const next = find(reasons, 'reached')?.next
  if (next === 'event_of_metric') return expectCompletes(ask, metric, { value: 0 })
  expect(next).toBe('matching_event')
  await expectNotYet(ask, metric, { value: 0 })
  return expectCompletes(ask, metric, { value: 0, attributes })
}

/** The newest event that did not match, sent again as it should have been. */
async function checkNotMatching(
  ask: Question,
  metric: string,
  value: number,
  reasons: readonly AchievementReason[],
): Promise<void> {
  const newest = find(reasons, 'events_not_matching')?.newest
  if (newest === undefined) return
  expect(newest.differences).not.toEqual([])
  const given = newest.differences.flatMap(({ attribute, actual }) => (actual === null ? [] : [[attribute, actual]]))
  const asked = newest.differences.map(({ attribute, expected }) => [attribute, expected])
  await expectNotYet(ask, metric, { value, attributes: Object.fromEntries(given) })
  await expectCompletes(ask, metric, { value, attributes: Object.fromEntries(asked) })
}

async function checkClaim({ world, id, key, user, isOpen, differs }: Question): Promise<void> {
  const claim = (claimant: MetricEventRequest['user']): Promise<string> =>
    world.engine.achievements.complete(key, { user: claimant }, { dryRun: true }).then(
      ({ achievement }) => (achievement.achievedAt === null ? 'nothing' : 'completed'),
      (error: unknown) => (isGamificationError(error) ? error.code : expect.fail()),
    )
  const done = await claim(user)
  expect(done === 'completed').toBe(isOpen)
  if (isOpen && differs) expect(await claim({ id })).toBe('achievement_not_accessible')
}

/** Where one period more is enough, and one metric: what is said to be missing in the period. */
async function checkStreak(ask: Question, reasons: readonly AchievementReason[]): Promise<void> {
  const { world, id } = ask
  if (find(reasons, 'reached') !== undefined) return expectCompletes(ask, 'reads', { value: 0 })
  const short = find(reasons, 'streak_short')
  if (short === undefined) throw new Error('Nothing says why the streak is short.')
  const { key } = short
  const named = key === undefined ? {} : { streak: key }
  expect(short.length).toBe((await world.engine.users.streak(id, named)).length)
  expect(short.missing).toBe(short.needed - short.length)
  const before = world.now
  // The current period may have counted; then the next one has to.
  for (let days = 0; days <= 31; days += 1) {
    world.now = before + days * DAY
    const current = await world.engine.users.streak(id, named)
    if (current.length !== short.length) break
    const asked = { streak: await today(world, id), ...(key === undefined ? {} : { key }) }
    const open = find((await world.engine.explain(id, asked)).reasons, 'streak_open')
    if (open === undefined) continue
    const needs = open.needs.filter(({ isReached }) => !isReached)
    const need = open.evaluationMode === 'OR' || needs.length === 1 ? needs[0] : undefined
    if (need === undefined) break
    const value = need.missing ?? Math.max(0, -need.sum) + 1
    if (short.missing === 1) await expectCompletesUnlessHeld(ask, need.metric, value, short)
    else await expectNotYet(ask, need.metric, { value })
    break
  }
  world.now = before
}

/** A period more counts for nothing where no time has passed for it (`streak_held`). */
async function expectCompletesUnlessHeld(
  ask: Question,
  metric: string,
  value: number,
  { length, key }: { readonly length: number; readonly key?: string },
): Promise<void> {
  const { world, user } = ask
  const answer = await orRefused(world.engine.metrics.event(metric, { user, value }, { dryRun: true }))
  if (typeof answer === 'string') return count(ask.tally, 'refused or held')
  const streak = key === undefined ? answer.currentStreak : answer.streaks?.[key]
  if (streak?.length === length) return count(ask.tally, 'refused or held')
  await expectCompletes(ask, metric, { value })
}

async function today({ engine, now }: World, id: string): Promise<string> {
  const { tz } = await engine.users.get(id)
  return new Intl.DateTimeFormat('en-CA', { timeZone: tz ?? 'UTC' }).format(now)
}

async function checkParts(ask: Question, reasons: readonly AchievementReason[]): Promise<void> {
  const { world, id, key } = ask
  const parts = find(reasons, 'parts_missing')
  const all = world.definition.achievements?.[key]
  const held: string[] = []
  for (const part of all?.trigger === 'achievement' ? all.achievements : []) {
    const answers = (await world.engine.explain(id, { achievement: part })).reasons
    if (find(answers, 'completed') !== undefined) held.push(part)
  }
  if (parts === undefined) {
    const { isOpen, differs } = ask
    expect(find(reasons, 'reached')?.next).toBe(isOpen ? (differs ? 'attributes' : 'any') : undefined)
    return expectCompletes(ask, 'reads', { value: 0 })
  }
  expect(parts.completed).toEqual(held)
  const [only, ...others] = parts.missing
  if (only === undefined || others.length > 0) return
  // Where the two demand other attributes of the user, no one event completes both.
  const demanded = world.definition.achievements?.[only]?.userAttributes ?? {}
  const { userAttributes: own = {} } = all ?? {}
  if (Object.entries(demanded).some(([name, value]) => (own[name] ?? value) !== value)) return
  // What completes the last part completes the whole.
  const answers = (await world.engine.explain(id, { achievement: only })).reasons
  const short = find(answers, 'metric_short')
  if (short === undefined || answers.some(({ type }) => type === 'inactive' || type === 'locked')) return
  const differences = answers.filter((reason) => reason.type === 'attribute_differs')
  const wanted = Object.fromEntries(differences.map(({ attribute, expected }) => [attribute, expected]))
  const attributes = Object.fromEntries(short.eventAttributes.map((filter) => [filter.key, filter.value]))
  const user = { id, attributes: { ...ask.user.attributes, ...wanted } }
  await expectCompletes({ ...ask, user, differs: false }, short.metric, {
    value: short.missing ?? Number.NaN,
    attributes,
  })
}

/** That an event which came in order is explained as it was answered. */
async function checkEvent({ engine }: World, action: Action, answer: MetricEventResponse): Promise<void> {
  const { holds, reasons } = await engine.explain(action.user, { event: answer.eventId })
  expect(holds).toBe(true)
  const completed = reasons.filter((reason) => reason.type === 'achievement_completed')
  // Several completions of one that repeats are one reason, with the count of the newest.
  const newest = new Map(answer.achievements.map(({ key, count }) => [key, count]))
  expect(new Map(completed.map(({ achievement, count }) => [achievement, count]))).toEqual(newest)
  expect(completed).toHaveLength(newest.size)
  const awards = reasons.filter((reason) => reason.type === 'points_awarded')
  const answered = Object.values(answer.points).flatMap(({ key, awards: given }) =>
    given.map(({ awarded, total, trigger }) => ({ system: key, awarded, total, trigger: trigger.id })),
  )
  const given = awards.map(({ rule, awarded, total }) => ({
    system: rule.system,
    awarded,
    total,
    trigger: rule.trigger,
  }))
  expect(answered.every((award) => given.some((each) => JSON.stringify(each) === JSON.stringify(award)))).toBe(true)
  expect(find(reasons, 'total_changed')?.after).toBe(answer.total)
  const extended = reasons.flatMap((reason) =>
    reason.type === 'streak_started' || reason.type === 'streak_extended' ? [reason.key ?? 'the streak'] : [],
  )
  const streaks = { 'the streak': answer.currentStreak, ...answer.streaks }
  const longer = Object.entries(streaks).filter(([, streak]) => streak.extended)
  expect(extended.sort()).toEqual(longer.map(([key]) => key).sort())
  checkPassed(reasons)
}

function checkPassed(reasons: readonly EventReason[]): void {
  for (const reason of reasons) {
    if (reason.type === 'not_reached') expect(reason.missing).toBeGreaterThan(0)
  }
}

/**
 * That the last periods are explained as the streak's history has them. What is explained are the dates as they were
 * lived; the history of who moved shows them moved along.
 */
async function checkPeriods(world: World, id: string, tally: Tally): Promise<void> {
  const { definition } = world
  if (definition.streak !== undefined) await checkPeriodsOf(world, id, tally)
  for (const key of Object.keys(definition.streaks ?? {})) await checkPeriodsOf(world, id, tally, key)
}

async function checkPeriodsOf({ engine }: World, id: string, tally: Tally, key?: string): Promise<void> {
  const named = key === undefined ? {} : { streak: key }
  const { streakHistory = [] } = await engine.users.streak(id, { historyPeriods: 12, ...named })
  for (const item of streakHistory.slice(0, -1)) {
    const { holds, reasons } = await engine.explain(id, {
      streak: item.periodStart,
      ...(key === undefined ? {} : { key }),
    })
    const types = reasons.map(({ type }) => type)
    for (const type of types) count(tally, type)
    const story = { item, types }
    if (item.usedFreeze === true) expect(story).toEqual({ item, types: ['streak_frozen'] })
    else if (item.usedPause === true) expect(story).toEqual({ item, types: ['streak_paused'] })
    else if (item.length > 0) expect({ ...story, isTrue: holds || isGone(types) }).toEqual({ ...story, isTrue: true })
    else expect(types).not.toContain('streak_counted')
    checkLength(item.length, reasons)
  }
}

function hasMoved(actions: readonly Action[], id: string): boolean {
  const [, ...later] = actions.filter(({ user }) => user === id)
  return later.some(({ said }) => 'profile' in said && said.profile?.tz !== undefined)
}

/** The period had counted, and was missed after a change of zone had taken the streak back before it. */
function isGone(types: readonly string[]): boolean {
  return types.includes('streak_counted') && types.at(-1) === 'streak_missed'
}

/** That of the last word. */
function checkLength(length: number, reasons: readonly StreakReason[]): void {
  const last = reasons.at(-1)
  if (last?.type === 'streak_counted' || last?.type === 'streak_frozen') expect(last.length).toBe(length)
}

describe('In random histories', () => {
  test(`what explain says is true, of ${PAIRS} achievements and more (seed ${SEED})`, {
    timeout: 3_000_000,
  }, async () => {
    const tally: Tally = new Map()
    let pairs = 0
    async function check({ definition, actions }: Life): Promise<void> {
      const world = await open(definition)
      for (const action of actions) {
        world.now = action.now
        const answer = await perform(world.engine, action)
        if (isInOrder(action, answer)) await checkEvent(world, action, answer)
      }
      for (const id of USERS) {
        if (!(await isKnown(world, id))) continue
        if (!hasMoved(actions, id)) await checkPeriods(world, id, tally)
        for (const key of Object.keys(definition.achievements ?? {})) {
          await checkAchievement(world, id, key, tally)
          pairs += 1
        }
      }
      await world.engine.close()
    }
    await fc.assert(fc.asyncProperty(lives(25).map(withoutLimits), check), {
      numRuns: Math.ceil(PAIRS / 6),
      seed: SEED,
    })
    if (process.env.TALLY !== undefined) console.table(Object.fromEntries([...tally, ['pairs', pairs]]))
    expect(pairs).toBeGreaterThanOrEqual(PAIRS)
  })
})

function isInOrder({ said }: Action, answer: unknown): answer is MetricEventResponse {
  if (said.call !== 'event' || said.back !== undefined) return false
  return typeof answer === 'object' && answer !== null && 'eventId' in answer && !isReplay(answer)
}

function isReplay(answer: object): boolean {
  return 'idempotentReplayed' in answer && answer.idempotentReplayed === true
}

async function isKnown({ engine }: World, id: string): Promise<boolean> {
  return engine.users.get(id).then(
    () => true,
    () => false,
  )
}
