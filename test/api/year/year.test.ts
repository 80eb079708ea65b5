import { describe, expect, test } from 'vitest'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type GameDefinition,
  type Gamification,
  isGamificationError,
} from '../../../src/index.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { wholeLog } from '../../support/check-fold.ts'
import { useAllPlaces } from '../../support/places.ts'
import { createRandom, DAY, HOUR, SOAK, seedOfRun } from '../../support/zones.ts'

const MINUTE = 60_000
const SEED = seedOfRun()
const DAYS = 365
const DEPLOYS = 12
const USERS = SOAK ? 40 : 2
/** Of each user, on a day; the rest of the time nobody comes. */
const DEEDS_A_DAY = SOAK ? 1 : 0.5
/** Of both processes, while a deploy is under way. */
const DEEDS_IN_A_DEPLOY = SOAK ? 300 : 10
const START = Date.parse('2025-01-01T09:00:00Z')
const ZONES = ['Europe/London', 'America/New_York', 'Pacific/Apia', 'Pacific/Honolulu', 'Asia/Kathmandu', null] as const
const POLICIES = ['forward', 'grant', 'recompute'] as const

/** What a call may be refused with in a life like this. */
const EXPECTED: ReadonlySet<string> = new Set([
  'achievement_not_accessible',
  'out_of_points',
  'streak_customization_disabled',
  'streak_disabled',
  'streak_freezes_disabled',
  'unknown_achievement',
  'unknown_metric',
  'unknown_pause',
  'unknown_user',
])

type Engine = Gamification<DefinedGame>
type Random = () => number
const pick = <T>(random: Random, from: readonly [T, ...T[]]): T => from[Math.floor(random() * from.length)] ?? from[0]

/** The game as it is after so many deploys. */
function gameOf(version: number, seed: number): GameDefinition {
  const random = createRandom(seed * 1_000 + version)
  const has = (share: number): boolean => random() < share
  const some = <T extends object>(share: number, part: T): Partial<T> => (has(share) ? part : {})
  const frequency = pick(random, ['daily', 'daily', 'daily', 'weekly', 'monthly'])
  const laps = { name: 'Laps', trigger: 'metric', metric: 'laps', value: pick(random, [3, 10, 40]) }
  return {
    metrics: { words: { name: 'Words' }, laps: { name: 'Laps' }, ...some(0.7, { pages: { name: 'Pages' } }) },
    eventAttributes: ['source'],
    userAttributes: ['plan', 'country'],
    achievements: {
      novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: pick(random, [20, 60, 150]) },
      week: { name: 'Week', trigger: 'streak', length: pick(random, [2, 3, 5]) },
      claimed: { name: 'Claimed', trigger: 'api', ...some(0.3, { userAttributes: { plan: 'pro' } }) },
      ...some(0.7, { laps: { ...laps, eventAttributes: { source: 'app' } } }),
      ...some(0.5, { lapsOfPro: { ...laps, userAttributes: { plan: 'pro' } } }),
      ...some(0.7, { both: { name: 'Both', trigger: 'achievement', achievements: ['novelist', 'week'] } }),
      [`of-${version}`]: { name: 'New', trigger: 'metric', metric: 'words', value: 5 * version + 1 },
    },
    points: {
      xp: {
        name: 'XP',
        ...some(0.3, { maxPoints: 400 }),
        triggers: [
          { key: 'created', type: 'user_creation', points: 10 },
          { key: 'words', type: 'metric', metric: 'words', threshold: pick(random, [1, 5, 10]), points: 3 },
          { key: 'app', type: 'metric', metric: 'laps', threshold: 2, points: 5, eventAttributes: { source: 'app' } },
          { key: 'fee', type: 'metric', metric: 'laps', threshold: 3, points: pick(random, [-2, -7]) },
          ...(has(0.6) ? [{ key: 'novelist', type: 'achievement', achievement: 'novelist', points: 50 }] : []),
          ...(has(0.6) ? [{ key: 'week', type: 'streak', length: pick(random, [2, 3]), points: 20 }] : []),
          { key: `of-${version}`, type: 'metric', metric: 'words', threshold: 20, points: version },
        ],
        levels: {
          low: { name: 'Low', points: 0 },
          high: { name: 'High', points: pick(random, [40, 90]) },
        },
      },
      ...some(0.5, { gems: { name: 'Gems', triggers: [{ type: 'streak', length: 1, points: 1 }] } }),
    },
    streak: {
      frequency,
      metrics: { words: {}, ...some(0.3, { laps: { threshold: 2 } }) },
      ...some(0.8, {
        freezes: { max: 3, initial: 1, ...(frequency === 'daily' ? { autoEarn: { interval: 5 } } : {}) },
      }),
      customization: true,
    },
    ...some(0.4, { weekStartsOn: 'sunday' }),
    leaderboards: {
      words: {
        name: 'Words',
        rankBy: 'metric',
        metric: 'words',
        start: '2024-12-01',
        run: { unit: pick(random, ['month', 'day']), interval: pick(random, [1, 7]) },
        maxParticipants: pick(random, [2, 100, null]),
      },
      xp: {
        name: 'XP',
        rankBy: 'points',
        system: 'xp',
        start: '2025-01-01',
        maxParticipants: pick(random, [3, null]),
        ...some(0.4, { breakdown: ['country'] }),
      },
      ...some(0.6, { streaks: { name: 'Streaks', rankBy: 'streak', start: '2025-01-01' } }),
    },
  } as GameDefinition
}

/** What the product did, and what was answered to it. */
interface Life {
  readonly random: Random
  now: number
  /** Ids of events that were acknowledged, with their user. */
  readonly events: { readonly id: string; readonly user: string }[]
  /** The void that was answered for each voided event. */
  readonly voids: Map<string, string>
  readonly pauses: string[]
  readonly refused: Map<string, number>
  deeds: number
}

function userOf({ random }: Life): string {
  // The first is the busiest.
  return `user-${Math.floor(random() ** 2 * USERS)}`
}

/** Something that somebody does, through this process. */
async function act(life: Life, engine: Engine): Promise<void> {
  life.deeds += 1
  const deed = toDeed(life, engine)
  try {
    await deed()
  } catch (error) {
    if (!isGamificationError(error) || !EXPECTED.has(error.code)) throw error
    life.refused.set(error.code, (life.refused.get(error.code) ?? 0) + 1)
  }
}

/** All randomness is here, so that it does not depend on who answers first. */
function toDeed(life: Life, engine: Engine): () => Promise<unknown> {
  const { random, now } = life
  const id = userOf(life)
  const kind = random()
  const date = (away: number): string => new Date(now + away * DAY).toISOString().slice(0, 10)
  if (kind < 0.7) return toEvent(life, engine, id)
  if (kind < 0.78) return toVoid(life, engine)
  if (kind < 0.82) {
    const tz = pick(random, ZONES)
    const attributes = { plan: pick(random, ['pro', 'free']), country: pick(random, ['DE', 'FR']) }
    return () => engine.users.identify(id, { tz, attributes } as never)
  }
  if (kind < 0.86) return () => engine.admin.streaks.freezes.create({ freezes: [{ userId: id }] })
  if (kind < 0.9) {
    const [from, days] = [Math.floor(random() * 3), Math.floor(random() * 5)]
    return async () => {
      const pauses = [{ userId: id, start: date(from), end: date(from + days) }]
      const { created } = await engine.admin.streaks.pauses.create({ pauses })
      life.pauses.push(...created.map((pause) => pause.id))
    }
  }
  if (kind < 0.92) {
    const pause = life.pauses.splice(Math.floor(random() * life.pauses.length), 1)
    return async () => (pause.length > 0 ? engine.admin.streaks.pauses.delete(pause) : null)
  }
  if (kind < 0.95) return () => engine.admin.streaks.restore({ users: [{ id }] })
  if (kind < 0.97) {
    const metrics = [{ key: pick(random, ['words', 'laps']) }]
    return () => engine.users.updatePreferences(id, { streak: { metrics } } as never)
  }
  return () => engine.achievements.complete('claimed' as never, { user: { id } })
}

function toEvent(life: Life, engine: Engine, id: string): () => Promise<void> {
  const { random, now } = life
  const metric = pick(random, ['words', 'words', 'laps', 'pages'])
  const value = pick(random, [1, 2, 5, 11, -2, 0])
  const isLate = random() < 0.15
  const late = { occurredAt: new Date(Math.max(START - DAY, now - Math.floor(random() ** 2 * 40 * DAY))) }
  const profile = random() < 0.1 ? { tz: pick(random, ZONES), attributes: { plan: pick(random, ['pro', 'free']) } } : {}
  const request = {
    user: { id, ...profile },
    value,
    attributes: { source: pick(random, ['app', 'web']) },
    idempotencyKey: `key-${life.deeds}`,
    ...(isLate ? late : {}),
  }
  return async () => {
    const { eventId } = await engine.metrics.event(metric as never, request as never)
    life.events.push({ id: eventId, user: id })
  }
}

function toVoid({ random, events, voids }: Life, engine: Engine): () => Promise<void> {
  const event = events[Math.floor(random() * events.length)]
  const revoke = random() < 0.5
  return async () => {
    if (event === undefined) return
    const { voidId, alreadyVoided } = await engine.events.void(event.id, { revoke, reason: 'A year' })
    if (alreadyVoided) return
    expect(voids.has(event.id)).toBe(false)
    voids.set(event.id, voidId)
  }
}

/** Every event that was acknowledged is in its user's log once, and every void; nothing else is. */
async function expectNothingLost(life: Life, storage: Storage): Promise<void> {
  const events: string[] = []
  const voids: string[] = []
  for (const key of await storage.listUsers()) {
    const log = await wholeLog(storage, key)
    expect(log.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(log.map((_, index) => index + 1))
    for (const entry of log) {
      if (entry.kind === 'eventRecorded') events.push(`${key.user} ${entry.id} ${entry.voidedBy}`)
      if (entry.kind === 'eventVoided') voids.push(`${entry.event} ${entry.id}`)
    }
  }
  expect(events.sort()).toEqual(life.events.map(({ id, user }) => `${user} ${id} ${life.voids.get(id)}`).sort())
  expect(voids.sort()).toEqual([...life.voids].map(([event, id]) => `${event} ${id}`).sort())
}

const PLACES = useAllPlaces()

interface Process {
  readonly engine: Engine
  readonly storage: Storage
}

describe.each(PLACES)('A year of life, on $name', ({ name, make }) => {
  test(
    `with ${DEPLOYS} deploys loses nothing, and is what its log says (seed ${SEED})`,
    async () => {
      const random = createRandom(SEED)
      const [voids, refused] = [new Map<string, string>(), new Map<string, number>()]
      const life: Life = { random, now: START, events: [], voids, pauses: [], refused, deeds: 0 }
      const openPlace = make()
      const opened: Process[] = []
      const start = (definition: GameDefinition): Process => {
        const storage = openPlace()
        const game = defineGame(definition) as DefinedGame
        const process = {
          engine: createGamification<DefinedGame>({ game, storage, clock: () => new Date(life.now) }),
          storage,
        }
        opened.push(process)
        return process
      }
      const expectClean = async ({ engine }: Process, when: string): Promise<void> => {
        expect({ when, drift: (await engine.verify()).drift }).toEqual({ when, drift: [] })
      }

      async function deploy(old: Process, version: number): Promise<Process> {
        // Now and then what was before comes back.
        const definition = gameOf(version % 5 === 0 ? version - 3 : version, SEED)
        const policy = POLICIES[version % 3] ?? 'forward'
        const next = start(definition)
        // It may have begun to record before its game is applied, and whichever process may do that.
        if (random() < 0.3) await act(life, next.engine)
        const applier = random() < 0.5 ? old : next
        const deeds = Array.from({ length: DEEDS_IN_A_DEPLOY }, () => (random() < 0.5 ? old : next))
        const applied = applier.engine.apply(next.engine.game, { policy })
        const calls = deeds.map(async ({ engine }, index) => {
          for (let turn = 0; turn < index; turn += 1) await new Promise((resolve) => setImmediate(resolve))
          life.now += 1_000
          await act(life, engine)
        })
        const settled = await Promise.allSettled([applied, ...calls])
        for (const one of settled) if (one.status === 'rejected') throw one.reason
        expect((await applied).policy).toBe(policy)
        await expectClean(old, `after deploy ${version} by ${policy}, to the old process`)
        await expectClean(next, `after deploy ${version} by ${policy}`)
        if (policy === 'recompute') {
          const { since } = { since: (await applied).epoch }
          for (const key of await next.storage.listUsers()) {
            expect((await next.storage.readUser(key)).state?.epoch).toBeGreaterThanOrEqual(since)
          }
        }
        // In memory there is one storage, which is both processes'.
        if (old.storage !== next.storage) await old.engine.close()
        return next
      }

      let current = start(gameOf(1, SEED))
      await current.engine.migrate()
      try {
        for (let day = 0; day < DAYS; day += 1) {
          life.now = START + day * DAY + Math.floor(random() * 10) * HOUR
          const deeds = Math.floor(USERS * DEEDS_A_DAY * (0.5 + random()))
          if (random() < 0.5) {
            await Promise.all(Array.from({ length: deeds }, () => act(life, current.engine)))
          } else {
            for (let deed = 0; deed < deeds; deed += 1) await act(life, current.engine)
          }
          const every = Math.floor(DAYS / (DEPLOYS + 1))
          if ((day + 1) % every === 0 && (day + 1) / every <= DEPLOYS) {
            current = await deploy(current, (day + 1) / every + 1)
          }
        }
        await expectClean(current, 'at the end')
        await expectNothingLost(life, current.storage)
        const counts = `${life.deeds} deeds, ${life.events.length} events, ${life.voids.size} voids`
        process.stdout.write(`${name}: ${counts}, refused: ${JSON.stringify(Object.fromEntries(life.refused))}\n`)
        expect(life.events.length).toBeGreaterThan(life.deeds / 2)
      } finally {
        for (const { engine } of opened) await engine.close()
      }
    },
    60 * MINUTE,
  )
})
