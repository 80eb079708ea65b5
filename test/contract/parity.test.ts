// The same game and the same calls through the official client over HTTP and through the methods in-process: equal answers.

import { TrophyApiClient, TrophyApiError } from '@trophyso/node'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type Gamification,
  isGamificationError,
} from '../../src/index.ts'
import { GAME } from '../adapters/client/official-client.ts'
import { listen } from '../support/bindings.ts'
import { SOAK, seedOfRun } from '../support/zones.ts'

const CALLS = SOAK ? 1_000 : 200
const SEED = seedOfRun()
const START = Date.parse('2026-03-10T12:00:00.000Z')

const game = defineGame({
  ...GAME,
  leaderboards: {
    all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01' },
    weeks: { name: 'Weeks', rankBy: 'points', system: 'xp', start: '2026-01-05', run: { unit: 'day', interval: 7 } },
    plans: { name: 'Plans', rankBy: 'metric', metric: 'words', start: '2026-01-01', breakdown: ['plan'] },
  },
})

interface Side {
  readonly engine: Gamification<DefinedGame>
  /** Milliseconds since 1970. */
  now: number
}

/** Both have the same ids and the same clock. */
async function openSide(): Promise<Side> {
  let count = 0
  const side = { now: START } as { engine: Gamification<DefinedGame>; now: number }
  const ids = (): string => {
    count += 1
    return `0195e2d0-0000-7000-8000-${String(count).padStart(12, '0')}`
  }
  side.engine = createGamification<DefinedGame>({ game, storage: memory(), clock: () => new Date(side.now), ids })
  await side.engine.migrate()
  return side
}

/** A call that both have under one name, with the same arguments. */
interface Call {
  readonly wait: number
  readonly path: readonly [group: string, method: string]
  readonly args: readonly unknown[]
}

const id = fc.constantFrom('ann', 'bob', 'cid', 'nobody')
const metric = fc.constantFrom('words', 'pages', 'hints', 'keys', 'nothing')
const value = fc.constantFrom(0, 1, 40, 100.5, 250, -30)
const plan = fc.constantFrom('pro', 'free')
const call = (group: string, method: string, ...args: readonly fc.Arbitrary<unknown>[]) =>
  fc.tuple(fc.constant([group, method] as const), fc.tuple(...args))
const just = <T>(item: T): fc.Arbitrary<T> => fc.constant(item)
const RANGE = { aggregation: 'weekly', startDate: '2026-03-01', endDate: '2026-04-20' } as const

const event = fc.record(
  {
    user: fc.record(
      { id, tz: fc.constantFrom('Asia/Tokyo', 'UTC'), attributes: fc.record({ plan }) },
      { requiredKeys: ['id'] },
    ),
    value,
    attributes: fc.record({ source: fc.constantFrom('mobile', 'web') }),
    idempotencyKey: fc.constantFrom('k1', 'k2', 'k3'),
  },
  { requiredKeys: ['user', 'value'] },
)

const anyCall: fc.Arbitrary<Call> = fc
  .tuple(
    fc.constantFrom(0, 60_000, 7_200_000, 86_400_000),
    fc.oneof(
      { weight: 8, arbitrary: call('metrics', 'event', metric, event) },
      call('users', 'create', fc.record({ id, name: fc.constantFrom('Ann', 'Bob') }, { requiredKeys: ['id'] })),
      call(
        'users',
        'update',
        id,
        fc.record({ tz: fc.constantFrom('Europe/Paris', 'UTC'), attributes: fc.record({ plan }) }),
      ),
      call('users', 'get', id),
      call(
        'achievements',
        'complete',
        fc.constantFrom('onboarded', 'pro-tour', 'novelist'),
        fc.record({ user: fc.record({ id }) }),
      ),
      call('achievements', 'all'),
      call('users', 'allMetrics', id),
      call('users', 'singleMetric', id, metric),
      call('users', 'metricEventSummary', id, metric, just(RANGE)),
      call('users', 'achievements', id, just({ includeIncomplete: 'true' })),
      call('users', 'streak', id),
      call('users', 'streak', id, just({ historyPeriods: 12 })),
      call('users', 'points', id, fc.constantFrom('xp', 'gems', 'nothing')),
      call('users', 'leaderboard', id, fc.constantFrom('all', 'weeks', 'plans')),
      call('users', 'getPreferences', id),
      call('users', 'updatePreferences', id, just({ notifications: { recap: ['email'] } })),
      call('streaks', 'list', just({ userIds: ['ann', 'bob', 'nobody'] })),
      call('points', 'system', fc.constantFrom('xp', 'karma')),
      call('points', 'summary', just('xp')),
      call('leaderboards', 'all'),
      call('leaderboards', 'get', fc.constantFrom('all', 'weeks'), just({ limit: 5 })),
    ),
  )
  .map(([wait, [path, args]]) => ({ wait, path, args }))

type Methods = {
  readonly [group: string]: { readonly [method: string]: (...args: readonly unknown[]) => Promise<unknown> }
}

/** The answer as JSON, or the code of the refusal. The client makes null undefined, and instants Dates. */
async function answerOf(methods: unknown, { path: [group, method], args }: Call): Promise<unknown> {
  const of = (methods as Methods)[group]
  try {
    const answer = await of?.[method]?.(...args)
    return withoutNulls(JSON.parse(JSON.stringify(answer)))
  } catch (error) {
    if (isGamificationError(error)) return { code: error.code }
    if (error instanceof TrophyApiError) return { code: (error.body as { readonly code?: unknown }).code }
    throw error
  }
}

function withoutNulls(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutNulls)
  if (typeof answer !== 'object' || answer === null) return answer
  const fields = Object.entries(answer).filter(([, field]) => field !== null)
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]))
}

test(`${CALLS} calls over HTTP answer what they answer in-process (seed ${SEED})`, { timeout: 600_000 }, async () => {
  const [served, direct] = [await openSide(), await openSide()]
  const { base, close } = await listen('node', served.engine)
  const { key } = await served.engine.adminKeys.create()
  await direct.engine.adminKeys.create()
  const client = new TrophyApiClient({ apiKey: key, environment: { api: `${base}/v1`, admin: `${base}/admin/v1` } })
  try {
    const calls = fc.sample(anyCall, { seed: SEED, numRuns: CALLS })
    let answered = 0
    for (const [index, each] of calls.entries()) {
      served.now += each.wait
      direct.now += each.wait
      const expected = await answerOf(direct.engine, each)
      if (!(typeof expected === 'object' && expected !== null && 'code' in expected)) answered += 1
      expect({ index, each, answer: await answerOf(client, each) }).toEqual({ index, each, answer: expected })
    }
    expect(answered).toBeGreaterThan(CALLS / 3)
  } finally {
    await close()
    await Promise.all([served.engine.close(), direct.engine.close()])
  }
})
