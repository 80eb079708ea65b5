// The history of a place comes from values in the log, or from a replay. Both ways give the same days.

import { describe, expect, test } from 'vitest'
import { defineGame, type GameDefinition, isGamificationError, type UserLeaderboard } from '../../../src/index.ts'
import { type Engine, openOn, STORAGES } from '../../support/engine.ts'
import { keepSnapshotsEvery } from '../../support/snapshots.ts'
import { createRandom, DAY, HOUR, SOAK, seedOfRun } from '../../support/zones.ts'

const SEED = seedOfRun()
const START = Date.parse('2026-03-01T09:00:00Z')

keepSnapshotsEvery(7)

const SUBJECTS = {
  words: { rankBy: 'metric', metric: 'words' },
  grouped: { rankBy: 'metric', metric: 'words', breakdown: ['plan'] },
  weekly: { rankBy: 'metric', metric: 'words', run: { unit: 'day', interval: 7 } },
  daily: { rankBy: 'metric', metric: 'words', run: { unit: 'day' } },
  best: { rankBy: 'metric', metric: 'best' },
  lap: { rankBy: 'metric', metric: 'lap', run: { unit: 'month' } },
  newest: { rankBy: 'metric', metric: 'newest' },
  cities: { rankBy: 'metric', metric: 'cities' },
  xp: { rankBy: 'points', system: 'xp' },
  fewest: { rankBy: 'points', system: 'xp', order: 'lowest', run: { unit: 'day', interval: 2 } },
} as const

const KEYS = Object.keys(SUBJECTS)

/** Each board, and one that counts the whole day too, but says from when: only a replay knows its scores. */
const boards = (more: object): NonNullable<GameDefinition['leaderboards']> =>
  Object.fromEntries(
    Object.entries(SUBJECTS).flatMap(([key, subject]) => {
      const board = { name: key, start: '2026-03-01', ...subject, ...more }
      return [
        [key, board],
        [`${key}-replayed`, { ...board, startTime: '00:00' }],
      ]
    }),
  ) as NonNullable<GameDefinition['leaderboards']>

const game = (more: object = {}): GameDefinition => ({
  metrics: {
    words: { name: 'Words', limits: [{ value: 9, per: { days: 1 }, then: 'hold' }] },
    best: { name: 'Best', aggregation: 'max' },
    lap: { name: 'Lap', aggregation: 'min' },
    newest: { name: 'Newest', aggregation: 'last' },
    cities: { name: 'Cities', aggregation: 'distinct', of: 'city' },
  },
  eventAttributes: ['city'],
  userAttributes: ['plan'],
  achievements: { writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 5, repeat: true } },
  points: {
    xp: {
      name: 'XP',
      maxPoints: 60,
      cap: { points: 12, per: 'day' },
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 2 },
        { type: 'metric', metric: 'words', threshold: 3, points: -5, userAttributes: { plan: 'pro' } },
        { type: 'metric', metric: 'best', threshold: 4, points: 3, cap: { points: 3, per: 'week' } },
        { type: 'achievement', achievement: 'writer', points: 4 },
        { type: 'user_creation', points: 1 },
        { type: 'time', every: { days: 1 }, points: 1 },
      ],
    },
  },
  leaderboards: boards({}),
  ...more,
})

/** The games after deploys: of other rules with the same boards, and of other boards. */
const DEPLOYED: readonly GameDefinition[] = [
  game({ achievements: { claimed: { name: 'Claimed', trigger: 'api' } }, points: { xp: { name: 'XP' } } }),
  game({ leaderboards: boards({ end: '2026-06-30' }) }),
  game({ leaderboards: {} }),
  game({ leaderboards: boards({ start: '2026-03-04' }) }),
  game(),
]

const ZONES = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu', 'America/New_York']
const ADDED = [1, 1, 2, 3, 0.1, 0.2, 1.7, 0, -1, -0.3]

type Act = (engine: Engine, now: number) => Promise<Engine | undefined>

/** One act of Ann, or of support, by random numbers. */
function nextAct(random: () => number, mayDeploy: boolean): Act {
  const below = (most: number): number => Math.floor(random() * most)
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const [kind, metric, value, city] = [
    below(100),
    one(['words', 'words', 'best', 'lap', 'newest', 'cities']),
    one(ADDED),
    one('abcd'.split('')),
  ]
  const [place, late] = [random(), below(4) === 0 ? below(20 * 24) * HOUR : 0]
  const who = {
    ...(below(12) === 0 ? { tz: one(ZONES) } : {}),
    ...(below(12) === 0 ? { attributes: { plan: one(['pro', 'free']) } } : {}),
  }
  const [points, suspends, policy, next] = [
    below(15) - 7,
    below(2) === 0,
    one(['forward', 'recompute', 'grant'] as const),
    one(DEPLOYED),
  ]
  const event = (id: string, engine: Engine, now: number) =>
    engine.metrics.event(metric, {
      user: { id, ...who },
      value,
      attributes: { city },
      ...(late === 0 ? {} : { occurredAt: new Date(Math.max(START, now - late)) }),
    })

  return async (engine, now) => {
    if (kind < 78) await event('ann', engine, now)
    else if (kind < 84) {
      const { entries } = await engine.users.events('ann', { limit: 100 })
      const events = entries.filter((entry) => entry.kind === 'eventRecorded' && entry.voidedBy === undefined)
      const [picked] = events.slice(Math.floor(place * events.length))
      if (picked !== undefined)
        await (picked.held === true ? engine.events.approve(picked.id) : engine.events.void(picked.id))
    } else if (kind < 88)
      await engine.admin.points.adjust('xp', { userId: 'ann', points: points || 1, reason: 'Support' })
    else if (kind < 91) await (suspends ? engine.users.suspend('ann') : engine.users.restore('ann'))
    else if (kind < 93) await engine.admin.achievements.grant('writer', { userId: 'ann', reason: 'Support' })
    else if (kind < 95) {
      await event('guest', engine, now)
      await engine.users.merge({ from: 'guest', into: 'ann' })
    } else if (kind < 97 && mayDeploy) {
      const deployed = await engine.redefine(next)
      if (policy !== 'forward') await deployed.apply(defineGame(next), { policy })
      return deployed
    }
    return undefined
  }
}

/** Ann's places before the deploys and in the end, by board, run and number of days. */
async function play(create: (typeof STORAGES)[number]['create'], seed: number, count: number) {
  const random = createRandom(seed)
  const clock = { now: new Date(START).toISOString() }
  const first = await openOn(create(), clock, game())
  let [engine, now, before] = [first, START, {} as Histories]
  try {
    await engine.users.create({ id: 'ann', tz: ZONES[seed % ZONES.length]! })
    for (let index = 0; index < count; index += 1) {
      now += Math.floor(random() ** 3 * 2 * DAY)
      clock.now = new Date(now).toISOString()
      engine = (await nextAct(random, index > count / 2)(engine, now).catch(ignoreRefusal)) ?? engine
      if (index === count / 2) before = await histories(engine, random)
    }
    return { before, after: await histories(engine, random) }
  } finally {
    await first.close()
  }
}

/** A guest's id, once merged, and a limit refuse some acts. */
function ignoreRefusal(error: unknown): undefined {
  if (!isGamificationError(error) || error.code === 'internal') throw error
}

type Histories = { [asked: string]: UserLeaderboard['history'] }

async function histories(engine: Engine, random: () => number): Promise<Histories> {
  const said: Histories = {}
  const known = new Set((await engine.leaderboards.all()).map(({ key }) => key))
  for (const key of KEYS.filter((each) => known.has(each))) {
    const run = dateAfter('2026-03-01', Math.floor(random() * 30))
    const numEvents = 1 + Math.floor(random() * 6)
    for (const asked of [{ numEvents }, { numEvents: 100 }, { numEvents, run }]) {
      const { history } = await engine.users.leaderboard('ann', key, asked).catch(beforeStart)
      const replayed = (await engine.users.leaderboard('ann', `${key}-replayed`, asked).catch(beforeStart)).history
      expect({ key, ...asked, history }).toEqual({ key, ...asked, history: replayed })
      said[`${key} ${JSON.stringify(asked)}`] = history
    }
  }
  return said
}

/** After a deploy the leaderboards may begin later. */
function beforeStart(error: unknown): Pick<UserLeaderboard, 'history'> {
  if (isGamificationError(error) && error.code === 'invalid_request') return { history: [] }
  throw error
}

const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10)

describe('Of random histories', () => {
  const seeds = Array.from({ length: SOAK ? 100 : 3 }, (_, index) => SEED + index)

  for (const seed of seeds) {
    test(`the days of each place are those of a replay, on every storage, seed ${seed}`, async () => {
      const [first, ...others] = await Promise.all(STORAGES.map(({ create }) => play(create, seed, 120)))
      expect(Object.values(first?.before ?? {}).some((history) => history.length > 0)).toBe(true)
      for (const other of others) expect(other).toEqual(first)
    }, 240_000)
  }
})
