import fc from 'fast-check'
import type { DefinedGame, GameDefinition, Gamification, RecordOptions } from '../../src/index.ts'
import { isGamificationError } from '../../src/index.ts'
import { games as boardGames, present } from '../api/leaderboards/games.ts'
import { games as ruleGames } from '../model/histories.ts'

// Random games that have everything, and what a few users do in them: late, again, refused, between zones.

const HOUR = 3_600_000
const DAY = 24 * HOUR
const STARTS = ['2011-12-27T08:00:00Z', '2024-02-27T20:00:00Z', '2024-03-29T22:00:00Z', '2025-12-29T13:00:00Z']
const ZONES = ['UTC', 'Europe/London', 'America/New_York', 'Pacific/Apia', 'Pacific/Kiritimati', 'Pacific/Honolulu']
export const USERS = ['ann', 'bob', 'eve', '\u{1F600}']

const maybe = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight, arbitrary })

const freezes = maybe(
  fc.constantFrom(
    { max: 1, initial: 1 },
    { max: 2, autoEarn: { interval: 2 } },
    { max: 3, initial: 2, autoEarn: { interval: 3, amount: 2 } },
  ),
  3,
)

const named = fc.record({
  frequency: fc.constantFrom('daily' as const, 'daily' as const, 'weekly' as const, 'monthly' as const),
  metrics: fc.constantFrom({ reads: {} }, { writes: { threshold: 2 } }, { reads: {}, writes: { threshold: 3 } }),
  freezes: fc.oneof(freezes, fc.constant('shared' as const)),
})

const streaks = maybe(
  fc.oneof(
    fc.record({ gym: named }),
    fc.record({ gym: named, '\u{1F600}': named }),
    fc.record({ walk: named, gym: named, '\uE000': named }),
  ),
  2,
)

/** What looks at a named streak: an achievement, a trigger and a leaderboard. */
function withNamed(game: GameDefinition, start: string): GameDefinition {
  const { achievements, points = {}, leaderboards } = game
  const pays = { type: 'streak', streak: 'gym', length: 2, points: 5 } as const
  const systems = Object.entries(points).map(([key, { triggers = [], ...system }]) => {
    return [key, { ...system, triggers: [...triggers, pays] }]
  })
  return {
    ...game,
    achievements: { ...achievements, athlete: { name: 'Athlete', trigger: 'streak', length: 3, streak: 'gym' } },
    points: Object.fromEntries(systems),
    leaderboards: {
      ...leaderboards,
      gym: { name: 'Gym', rankBy: 'streak', streak: 'gym', start: start.slice(0, 10), maxParticipants: 2 },
    },
  }
}

/** Achievements that repeat, and what pays for them. */
function withRepeats(game: GameDefinition): GameDefinition {
  const { achievements, points = {} } = game
  const systems = Object.entries(points).map(([key, { triggers = [], ...system }]) => {
    const pays = ['tour', 'pair', 'again'].map(
      (achievement) => ({ type: 'achievement', achievement, points: 3 }) as const,
    )
    return [key, { ...system, triggers: [...triggers, ...pays] }]
  })
  return {
    ...game,
    achievements: {
      ...achievements,
      tour: { name: 'Tour', trigger: 'api', repeat: { max: 4 } },
      pair: { name: 'Pair', trigger: 'metric', metric: 'reads', value: 2, repeat: true },
      again: { name: 'Again', trigger: 'streak', length: 2, repeat: true },
    },
    points: Object.fromEntries(systems),
  }
}

/** The rules of one random game with the leaderboards of another. */
export function lifeGames(start: string): fc.Arbitrary<GameDefinition> {
  return fc
    .tuple(ruleGames, boardGames(start.slice(0, 10)), freezes, streaks, fc.boolean())
    .map(([rules, { leaderboards }, rule, named, isRepeating]) => {
      const { streak } = rules
      const plain = present({
        ...rules,
        userAttributes: ['plan', 'team', 'country'],
        streak: streak === undefined ? undefined : present({ ...streak, freezes: rule }),
        // A game without a streak has no leaderboard of it.
        leaderboards: Object.fromEntries(
          Object.entries(leaderboards ?? {}).filter(([, { rankBy }]) => streak !== undefined || rankBy !== 'streak'),
        ),
      }) as GameDefinition
      const game = isRepeating && streak !== undefined ? withRepeats(plain) : plain
      if (named === undefined) return game
      const isSharing = streak !== undefined && rule !== undefined
      const own = Object.entries(named).map(([key, { freezes: had, ...each }]) => {
        return [key, present({ ...each, freezes: had === 'shared' && !isSharing ? undefined : had })]
      })
      return withNamed({ ...game, streaks: Object.fromEntries(own) }, start)
    })
}

const patch = fc
  .record({
    tz: maybe(fc.constantFrom(...ZONES, null)),
    name: maybe(fc.constantFrom('Ada', null)),
    attributes: maybe(
      fc.constantFrom<{ [name: string]: string }>(
        { plan: 'pro' },
        { plan: 'free' },
        { country: 'DE' },
        { country: 'FR', plan: 'pro' },
        { nope: '1' },
      ),
      2,
    ),
  })
  .map(present)

const event = fc.record({
  call: fc.constant('event' as const),
  profile: maybe(patch),
  metric: fc.oneof({ weight: 14, arbitrary: fc.constantFrom('reads', 'writes') }, fc.constantFrom('old', 'none')),
  value: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(1, 1, 2, 3, 5) },
    { weight: 3, arbitrary: fc.constantFrom(0, -1, -5, 0.1, 12.5) },
    { weight: 1, arbitrary: fc.constantFrom(1e15, -1e15, 2e15) },
  ),
  attributes: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(undefined, { source: 'web' }, { source: 'app' }) },
    { weight: 1, arbitrary: fc.constant({ nope: 'x' }) },
  ),
  back: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: fc.constantFrom(0, HOUR, 20 * HOUR, 30 * HOUR, 3 * DAY, 15 * DAY) },
    { weight: 1, arbitrary: fc.constantFrom(-4 * 60_000, -6 * 60_000) },
  ),
  idempotencyKey: fc.oneof(
    { weight: 20, arbitrary: fc.constant(undefined) },
    { weight: 10, arbitrary: fc.constantFrom('k1', 'k2') },
    { weight: 1, arbitrary: fc.constant('a b') },
  ),
})

const complete = fc.record({
  call: fc.constant('complete' as const),
  profile: maybe(patch),
  achievement: fc.constantFrom('a0', 'a1', 'a2', 'a3', 'both', 'none', 'tour', 'tour', 'tour'),
  idempotencyKey: maybe(fc.constantFrom('c1', 'c2', 'c3'), 2),
})

const other = fc.oneof(
  fc.record({ call: fc.constant('identify' as const), profile: patch }),
  fc.record({
    call: fc.constant('preferences' as const),
    streak: fc.constantFrom(
      { metrics: [{ key: 'writes' }] },
      { evaluationMode: 'AND' as const, metrics: [{ key: 'reads', threshold: 2 }, { key: 'writes' }] },
    ),
  }),
  fc.record({ call: fc.constant('freeze' as const), streak: maybe(fc.constant('gym')) }),
  fc.record({
    call: fc.constant('pause' as const),
    from: fc.integer({ min: 0, max: 2 }),
    days: fc.constantFrom(0, 1, 7),
  }),
  fc.record({ call: fc.constant('restore' as const), streak: maybe(fc.constant('gym')) }),
  fc.record({
    call: fc.constant('void' as const),
    metric: fc.constantFrom('reads', 'writes'),
    idempotencyKey: fc.constantFrom('k1', 'k2'),
    revoke: fc.boolean(),
  }),
  fc.record({
    call: fc.constant('approve' as const),
    metric: fc.constantFrom('reads', 'writes'),
    idempotencyKey: fc.constantFrom('k1', 'k2'),
  }),
)

const step = fc.record({
  user: fc.oneof({ weight: 3, arbitrary: fc.constant('ann') }, fc.constantFrom(...USERS)),
  wait: fc.oneof(
    {
      weight: 14,
      arbitrary: fc.constantFrom(0, 1, HOUR, 11 * HOUR, 23 * HOUR, 26 * HOUR, 49 * HOUR, 8 * DAY, 32 * DAY),
    },
    { weight: 1, arbitrary: fc.constantFrom(-HOUR, -30 * HOUR) },
  ),
  call: fc.oneof({ weight: 12, arbitrary: event }, { weight: 3, arbitrary: complete }, { weight: 3, arbitrary: other }),
})

type Said = typeof event | typeof complete | typeof other extends fc.Arbitrary<infer T> ? T : never
/** What a user does at a moment, an instant. */
export interface Action {
  readonly user: string
  readonly now: number
  readonly said: Said
}

export interface Life {
  readonly definition: GameDefinition
  readonly actions: readonly Action[]
}

export function lives(most: number): fc.Arbitrary<Life> {
  return fc.constantFrom(...STARTS).chain((start) =>
    fc
      .record({
        definition: lifeGames(start),
        steps: fc.array(step, { minLength: Math.floor(most / 2), maxLength: most }),
      })
      .map(({ definition, steps }) => {
        let now = Date.parse(start)
        const actions = steps.map(({ user, wait, call }) => {
          now += wait
          return { user, now, said: call }
        })
        return { definition, actions }
      }),
  )
}

type Engine = Gamification<DefinedGame>

/** Whether the action is a call that can be tried. */
export function isTriable({ said }: Action): boolean {
  return said.call === 'event' || said.call === 'complete'
}

/** The answer, or the error's code and message; what nobody foresaw is thrown. */
export async function perform(engine: Engine, action: Action, options: RecordOptions = {}): Promise<unknown> {
  try {
    return await ask(engine, action, options)
  } catch (error) {
    if (!isGamificationError(error) || error.code === 'internal') throw error
    return { code: error.code, message: error.message, issues: error.issues }
  }
}

async function ask(
  { metrics, events, achievements, users, admin }: Engine,
  { user: id, now, said }: Action,
  options: RecordOptions,
): Promise<unknown> {
  switch (said.call) {
    case 'event': {
      const { profile, metric, value, attributes, back, idempotencyKey } = said
      const occurredAt = back === undefined ? undefined : new Date(now - back)
      const rest = present({ attributes, idempotencyKey, occurredAt })
      return metrics.event(metric, { user: { id, ...profile }, value, ...rest }, options)
    }
    case 'complete': {
      const { achievement, profile, idempotencyKey } = said
      return achievements.complete(achievement, { user: { id, ...profile }, ...present({ idempotencyKey }) }, options)
    }
    case 'identify':
      return users.identify(id, said.profile)
    case 'preferences':
      return users.updatePreferences(id, { streak: said.streak })
    case 'freeze':
      return admin.streaks.freezes.create({ freezes: [{ userId: id }], ...present({ streak: said.streak }) })
    case 'pause': {
      const { tz } = await users.get(id)
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: tz ?? 'UTC' }).format(now)
      const day = (away: number): string => new Date(Date.parse(today) + away * DAY).toISOString().slice(0, 10)
      return admin.streaks.pauses.create({
        pauses: [{ userId: id, start: day(said.from), end: day(said.from + said.days) }],
      })
    }
    case 'void': {
      const { metric, idempotencyKey, revoke } = said
      return events.void({ user: id, metric, idempotencyKey }, { revoke })
    }
    case 'approve': {
      const { metric, idempotencyKey } = said
      return events.approve({ user: id, metric, idempotencyKey })
    }
    case 'restore':
      return admin.streaks.restore({ users: [{ id }], ...present({ streak: said.streak }) })
  }
}
