import type { DefinedGame } from '../../../src/game/define-game.ts'
import {
  createGamification,
  defineGame,
  type Gamification,
  type GamificationApi,
  isGamificationError,
  type Storage,
} from '../../../src/index.ts'
import type { UserKey } from '../../../src/storage/rows.ts'
import type { GameDefinition } from '../../model/types.ts'
import type { AdminCall, Call, EventSample, Group, ReadSample, Script } from './differential-calls.ts'
import { createNames, type Names } from './differential-names.ts'

const DAY = 86_400_000

type Engine = Gamification<DefinedGame>
type Api = GamificationApi<DefinedGame>

/** What one script was answered, and what is kept after it: the same from every storage. */
interface Answers {
  readonly calls: readonly unknown[]
  readonly users: readonly unknown[]
}

export interface Driven {
  readonly scripts: readonly Answers[]
  readonly admin: readonly unknown[]
  /** Counters, totals and lists of all users. */
  readonly whole: unknown
}

/** Calls that the types forbid are made all the same. */
function untyped<T>(value: unknown): T {
  return value as T
}

/** The code, and the whole of what a caller is told. What nobody foresaw is no answer. */
async function answerOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    if (!isGamificationError(error) || error.code === 'internal') throw error
    return { code: error.code, message: error.message, issues: error.issues }
  }
}

/** One script under way. */
interface Course {
  readonly script: Script
  readonly tenant: string | null
  /** As the engine knows them. */
  readonly users: readonly string[]
  readonly names: Names
  readonly keys: { readonly id: string; readonly key: string }[]
  readonly answers: unknown[]
}

interface World {
  readonly now: () => number
  /** The newest engine, and the one before it, which is the same until there is another game. */
  readonly engines: [Engine, Engine]
}

/** Runs all scripts of a group on one storage, step by step: what one step calls, it calls at once. */
export async function driveGroup(group: Group, storage: Storage): Promise<Driven> {
  let now = group.start
  const open = async (definition: GameDefinition): Promise<Engine> => {
    const game = defineGame({ ...definition, multiTenant: group.multiTenant })
    const engine: Engine = createGamification<DefinedGame>({ game, storage, clock: () => new Date(now) })
    await engine.migrate()
    return engine
  }
  const first = await open(group.game)
  const world: World = { now: () => now, engines: [first, first] }
  const courses = group.scripts.map((script, index) => startCourse(group, script, index))
  const admin: Admin = { names: createNames(), keys: [], answers: [] }

  for (const [step, wait] of group.waits.entries()) {
    now += wait
    if (group.next?.step === step) world.engines[0] = await open(group.next.game)
    // Lists tell of all users, so they are read when nothing is written.
    await Promise.all(courses.map((course, index) => takeStep(world, course, index, step, false)))
    await Promise.all(courses.map((course, index) => takeStep(world, course, index, step, true)))
    const call = group.admin[step]
    if (call) admin.answers.push(admin.names.of(await answerOf(() => administer(world.engines[0], admin, call))))
  }
  const scripts = await Promise.all(
    courses.map(async (course, index) => ({
      calls: course.answers,
      users: await lookAtAll(world, storage, course, index),
    })),
  )
  return { scripts, admin: admin.answers, whole: await lookAtWhole(storage, group) }
}

function startCourse({ multiTenant }: Group, script: Script, index: number): Course {
  const users = script.users.map((user, place) => (multiTenant || place > 2 ? user : `${user.slice(0, 200)}-${index}`))
  return {
    script,
    tenant: multiTenant ? tenantOf(script, index) : null,
    users,
    names: createNames(),
    keys: [],
    answers: [],
  }
}

/** As odd as the users' names. */
function tenantOf({ users }: Script, index: number): string {
  return `${users[0]?.slice(0, 100)} ${index}`
}

function apiOf({ engines }: World, { tenant }: Course, index: number): Api {
  // Half of the scripts stay with the old process when a newer one has come.
  const engine = engines[index % 2 === 0 ? 0 : 1]
  return tenant === null ? engine : engine.tenant(tenant)
}

async function takeStep(world: World, course: Course, index: number, step: number, reads: boolean): Promise<void> {
  const call = course.script.calls[step]
  if (!call || (call.call === 'read') !== reads) return
  const answer = await answerOf(() => perform(world, apiOf(world, course, index), course, call))
  course.answers.push({ step, ...course.names.ofObject({ answer }) })
}

async function perform({ now, engines }: World, api: Api, course: Course, call: Call): Promise<unknown> {
  const idOf = (place: number): string => course.users[place] ?? ''
  switch (call.call) {
    case 'event':
      return api.metrics.event(untyped(call.metric), toRequest(idOf(call.user), call, now(), call.isLive))
    case 'events':
      return Promise.all(
        call.events.map((event) =>
          answerOf(() => api.metrics.event(untyped(event.metric), toRequest(idOf(call.user), event, now(), true))),
        ),
      )
    case 'complete': {
      const user = { id: idOf(call.user), ...call.profile }
      return api.achievements.complete(untyped(call.achievement), { user })
    }
    case 'create':
      return api.users.create({ id: idOf(call.user), ...call.profile })
    case 'identify':
      return api.users.identify(idOf(call.user), call.profile)
    case 'update':
      return api.users.update(idOf(call.user), call.profile)
    case 'preferences':
      return api.users.updatePreferences(idOf(call.user), untyped(call.update))
    case 'import':
      return api.import(
        call.items.map((item) => ({
          metric: untyped<string>(item.metric),
          ...toRequest(idOf(item.user), item, now(), false),
        })),
      )
    case 'createKeys': {
      const requests = [...call.users.map((user) => ({ userId: idOf(user) })), ...call.wrong]
      const answer = await api.admin.applicationApiKeys.create(untyped(requests))
      course.keys.push(...answer.created)
      return answer
    }
    case 'deleteKeys': {
      const ids = [...call.numbers.flatMap((number) => course.keys[number]?.id ?? []), ...call.wrong]
      return api.admin.applicationApiKeys.delete(untyped(ids))
    }
    case 'authenticate':
      return engines[0].authenticate(course.keys[call.number % course.keys.length]?.key)
    case 'read':
      return read(api, idOf(call.user), call.read, now())
    default:
      return call satisfies never
  }
}

function toRequest(
  id: string,
  event: EventSample,
  now: number,
  isLive: boolean,
): Parameters<Api['metrics']['event']>[1] {
  const { value, attributes, profile, key, back } = event
  return {
    user: { id, ...profile },
    value: untyped<number>(value),
    ...(attributes === undefined ? {} : { attributes: untyped<object>(attributes) }),
    ...(key === undefined ? {} : { idempotencyKey: untyped<string>(key) }),
    ...(back === undefined || isLive ? {} : { occurredAt: new Date(now - back) }),
  }
}

async function read(api: Api, id: string, sample: ReadSample, now: number): Promise<unknown> {
  switch (sample.of) {
    case 'user':
      return api.users.get(id)
    case 'preferences':
      return api.users.getPreferences(id)
    case 'allMetrics':
      return api.users.allMetrics(id)
    case 'lists':
      return Promise.all([
        answerOf(() => api.achievements.all()),
        answerOf(() => api.points.levelSummary('xp')),
        answerOf(() => api.points.summary('xp')),
        answerOf(() => api.streaks.list([id])),
      ])
    case 'metric':
      return api.users.singleMetric(id, untyped(sample.metric))
    case 'summary': {
      const dates = { startDate: toDate(now - sample.days * DAY), endDate: toDate(now) }
      const request = { aggregation: untyped<'daily'>(sample.aggregation), ...dates }
      return api.users.metricEventSummary(id, untyped(sample.metric), request)
    }
    case 'achievements': {
      const all = await answerOf(() => api.achievements.all(untyped({ userAttributes: sample.userAttributes })))
      const includeIncomplete = untyped<true>(sample.includeIncomplete)
      return [all, await answerOf(() => api.users.achievements(id, { includeIncomplete }))]
    }
    case 'streak':
      return api.users.streak(id, untyped({ historyPeriods: sample.historyPeriods }))
    case 'points': {
      const system = untyped<string>(sample.system)
      return Promise.all([
        answerOf(() => api.points.system(system)),
        answerOf(() => api.points.levels(system)),
        answerOf(() => api.points.levelSummary(system)),
        answerOf(() => api.points.summary(system, untyped({ userAttributes: sample.userAttributes }))),
        answerOf(() => api.users.points(id, system, untyped({ awards: sample.awards }))),
      ])
    }
    default:
      return sample satisfies never
  }
}

function toDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

interface Admin {
  readonly names: Names
  readonly keys: { readonly id: string; key: string }[]
  readonly answers: unknown[]
}

async function administer(engine: Engine, { keys }: Admin, { call, number }: AdminCall): Promise<unknown> {
  const known = keys[number % keys.length]
  const id = known?.id ?? 'nobody'
  const withoutUse = <T extends object>(key: T): object => ({ ...key, lastUsed: 'written down some time later' })
  switch (call) {
    case 'create': {
      const created = await engine.adminKeys.create()
      keys.push(created)
      return created
    }
    case 'list':
      return (await engine.adminKeys.list()).map(withoutUse)
    case 'rotate': {
      const rotated = await engine.adminKeys.rotate(id)
      if (known !== undefined) known.key = rotated.key
      return withoutUse(rotated)
    }
    case 'revoke':
      return withoutUse(await engine.adminKeys.revoke(id))
    case 'reactivate':
      return withoutUse(await engine.adminKeys.reactivate(id))
    case 'delete':
      return engine.adminKeys.delete(id)
    case 'authenticate':
      return engine.authenticate(known?.key)
    default:
      return call satisfies never
  }
}

/** What every read says of the users of a script in the end, and what the storage has. */
async function lookAtAll(world: World, storage: Storage, course: Course, index: number): Promise<readonly unknown[]> {
  const api = apiOf(world, course, index)
  const looks = await Promise.all(
    course.users.slice(0, 3).map(async (user) => {
      const key = { tenant: course.tenant ?? '', user }
      return [await lookThroughCalls(api, user, world.now()), await lookThroughStorage(storage, key)]
    }),
  )
  return looks.map((look) => course.names.of(look))
}

function lookThroughCalls(api: Api, id: string, now: number): Promise<readonly unknown[]> {
  const samples: readonly ReadSample[] = [
    { of: 'user' },
    { of: 'preferences' },
    { of: 'allMetrics' },
    { of: 'summary', metric: 'reads', aggregation: 'daily', days: 60 },
    { of: 'streak', historyPeriods: 30 },
    { of: 'points', system: 'xp', awards: 100, userAttributes: undefined },
    { of: 'achievements', includeIncomplete: true, userAttributes: undefined },
  ]
  return Promise.all(samples.map((sample) => answerOf(() => read(api, id, sample, now))))
}

async function lookThroughStorage(storage: Storage, key: UserKey): Promise<unknown> {
  const { version: _, ...view } = await storage.readUser(key, { awards: {}, periods: {} })
  const log = await storage.readLog(key)
  const chunk = await storage.readLog(key, { limit: 2, ...(log[1] === undefined ? {} : { after: log[1] }) })
  const newest = await storage.readUser(key, { awards: { system: 'xp', limit: 2 }, periods: { limit: 2 } })
  return { view, log, chunk, newest: { awards: newest.awards, periods: newest.periods } }
}

async function lookAtWhole(storage: Storage, { multiTenant, scripts }: Group): Promise<unknown> {
  const tenants = multiTenant ? scripts.slice(0, 3).map(tenantOf) : ['']
  const users: UserKey[] = []
  for (;;) {
    const after = users.at(-1)
    const page = await storage.listUsers({ limit: 7, ...(after === undefined ? {} : { after }) })
    users.push(...page)
    if (page.length < 7) break
  }
  const ofTenants = await Promise.all(
    tenants.map(async (tenant) => [await storage.counters(tenant), await storage.pointsTotals(tenant, 'xp')]),
  )
  return createNames().of({ users, ofTenants, games: (await storage.games()).map(({ epoch }) => epoch) })
}
