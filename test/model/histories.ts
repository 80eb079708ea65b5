import fc from 'fast-check'
import { withEffects } from '../support/effective-game.ts'
import type {
  AchievementDefinition,
  Call,
  GameDefinition,
  Patch,
  SystemDefinition,
  TriggerDefinition,
} from './types.ts'

// Random games and histories: small enough that everything in them meets everything else.

const ZONES = [
  'UTC',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Honolulu',
  'Pacific/Auckland',
  'Africa/Cairo',
]

/** From one to another a local date may go back by two, or forward. */
const FAR_APART = ['Pacific/Kiritimati', 'Pacific/Apia', 'Pacific/Pago_Pago', 'Etc/GMT+12']

// Before the day that Apia left out, a change to and from summer time, a leap day, a turn of the year.
const STARTS = [
  '2011-12-26T08:00:00Z',
  '2024-02-25T20:00:00Z',
  '2024-03-08T23:30:00Z',
  '2010-11-05T03:00:00Z',
  '2025-12-28T13:00:00Z',
]

const HOUR = 3_600_000
const STEPS = [
  0,
  1,
  60_000,
  HOUR,
  5 * HOUR,
  11 * HOUR,
  23 * HOUR,
  24 * HOUR,
  26 * HOUR,
  49 * HOUR,
  8 * 24 * HOUR,
  32 * 24 * HOUR,
]
const SHORT_STEPS = [0, 60_000, HOUR, 2 * HOUR, 5 * HOUR, 11 * HOUR, 23 * HOUR, 26 * HOUR]

const maybe = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight, arbitrary })

/** An object without the members that are undefined. */
function present<T extends object>(object: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>
  }
}

const plan = maybe(fc.constantFrom('pro', 'free').map((value) => ({ plan: value })))
const source = maybe(fc.constantFrom('web', 'app').map((value) => ({ source: value })))
const metric = fc.constantFrom('reads', 'writes')

const achievement: fc.Arbitrary<AchievementDefinition> = fc
  .tuple(
    fc.oneof(
      fc.record({
        trigger: fc.constant('metric' as const),
        metric,
        value: fc.constantFrom(1, 3, 10, 0.1, 0.3, 25),
        eventAttributes: source,
      }),
      fc.record({ trigger: fc.constant('streak' as const), length: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ trigger: fc.constant('api' as const) }),
    ),
    fc.record({ userAttributes: plan, status: maybe(fc.constantFrom('active', 'inactive', 'locked' as const)) }),
  )
  .map(([kind, rest]) => present({ name: 'An achievement', ...kind, ...rest }) as AchievementDefinition)

function composite(name: string, parts: string[], userAttributes: { plan: string } | undefined): AchievementDefinition {
  return present({ name, trigger: 'achievement', achievements: parts, userAttributes }) as AchievementDefinition
}

const achievements = fc
  .tuple(fc.array(achievement, { minLength: 1, maxLength: 6 }), fc.boolean(), plan, plan)
  .map(([list, both, forBoth, forAll]) => {
    const named: [string, AchievementDefinition][] = list.map((item, index) => [`a${index}`, item])
    const composites: [string, AchievementDefinition][] = [
      ['both', composite('Both', ['a0', `a${Math.min(1, list.length - 1)}`], forBoth)],
      ['all', composite('All', ['both', `a${list.length - 1}`], forAll)],
    ]
    const isUsable = both && list.length > 2
    // Composites first, so that the order in a game is not that of completion.
    return Object.fromEntries(isUsable ? [...composites.reverse(), ...named] : named)
  })

const trigger = (keys: readonly string[]): fc.Arbitrary<TriggerDefinition> =>
  fc
    .tuple(
      fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({
            type: fc.constant('metric' as const),
            metric,
            threshold: fc.constantFrom(1, 2, 0.1, 7),
            eventAttributes: source,
          }),
        },
        fc.record({ type: fc.constant('achievement' as const), achievement: fc.constantFrom(...keys) }),
        fc.record({ type: fc.constant('streak' as const), length: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ type: fc.constant('user_creation' as const) }),
      ),
      fc.record({
        points: fc.constantFrom(1, 5, 10, 40, -3, -15, 0),
        userAttributes: plan,
        status: maybe(fc.constantFrom('active', 'inactive' as const)),
        blockIfOutOfPoints: maybe(fc.boolean()),
      }),
    )
    .map(([kind, rest]) => present({ ...kind, ...rest }) as TriggerDefinition)

const system = (keys: readonly string[]): fc.Arbitrary<SystemDefinition> =>
  fc
    .record({
      name: fc.constant('XP'),
      maxPoints: maybe(fc.constantFrom(20, 100)),
      triggers: fc.array(trigger(keys), { maxLength: 5 }),
      levels: maybe(
        fc.constantFrom(
          { low: { name: 'Low', points: 0 }, high: { name: 'High', points: 30 } },
          { high: { name: 'High', points: 50 }, low: { name: 'Low', points: 10 } },
        ),
      ),
    })
    .map((value) => present(value) as SystemDefinition)

const threshold = fc.constantFrom({}, { threshold: 0.1 }, { threshold: 1 }, { threshold: 3 })

const streak: fc.Arbitrary<GameDefinition['streak']> = fc
  .record({
    frequency: fc.oneof(
      { weight: 3, arbitrary: fc.constant('daily' as const) },
      fc.constantFrom('weekly', 'monthly' as const),
    ),
    evaluationMode: maybe(fc.constantFrom('OR', 'AND', 'ALL' as const)),
    metrics: fc.oneof(
      threshold.map((reads) => ({ reads })),
      fc.tuple(threshold, threshold).map(([reads, writes]) => ({ reads, writes })),
    ),
    customization: maybe(fc.boolean(), 3),
  })
  .map((value) => present(value) as NonNullable<GameDefinition['streak']>)

const limits = fc
  .uniqueArray(
    fc.record({
      value: fc.constantFrom(3, 5, 8, 0.3, 12.5),
      per: fc.record({ days: fc.constantFrom(1, 1, 2, 3, 7, 31) }),
      then: fc.constantFrom('refuse' as const, 'hold' as const),
    }),
    { minLength: 1, maxLength: 3, selector: ({ per, then }) => `${per.days} ${then}` },
  )
  .map((list) => ({ limits: list }))

export const games: fc.Arbitrary<GameDefinition> = achievements.chain((chosen) =>
  fc
    .record({
      xp: system(Object.keys(chosen)),
      gems: maybe(system(Object.keys(chosen))),
      streak: maybe(streak, 8),
      weekStartsOn: maybe(fc.constantFrom('monday', 'sunday' as const)),
      ofReads: maybe(limits, 2),
      ofWrites: maybe(limits),
    })
    .map(({ xp, gems, streak: rule, weekStartsOn, ofReads, ofWrites }) =>
      withEffects(
        present({
          metrics: {
            reads: { name: 'Reads', ...ofReads },
            writes: { name: 'Writes', ...ofWrites },
            old: { name: 'Old', status: 'archived' },
          },
          eventAttributes: ['source'],
          userAttributes: ['plan', 'team'],
          achievements: chosen,
          points: present({ xp, gems }),
          streak: rule,
          weekStartsOn,
        }) as GameDefinition,
      ),
    ),
)

const zone = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<string | null>(...ZONES, ...FAR_APART) },
  fc.constantFrom(null, 'Mars/Olympus'),
)

const profileIn = (tz: fc.Arbitrary<string | null>): fc.Arbitrary<Patch | undefined> =>
  maybe(
    fc
      .record({
        tz: maybe(tz),
        email: maybe(fc.constantFrom('a@example.org', null)),
        name: maybe(fc.constantFrom('Ada', null)),
        subscribedToEmails: maybe(fc.boolean()),
        deviceTokens: maybe(fc.constantFrom(['t1'], ['t1', 't2'], null)),
        attributes: maybe(
          fc.constantFrom({ plan: 'pro' }, { plan: 'free' }, { team: 'x', plan: 'pro' }, { nope: '1' }),
        ),
      })
      .map((patch) => present(patch) as Patch),
  )

const profile = profileIn(zone)
const flight = profileIn(fc.constantFrom(...FAR_APART))

const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1, 1, 2, 3, 5) },
  { weight: 3, arbitrary: fc.constantFrom(0, -1, -2, -10, 0.1, 0.2, 12.5) },
  // Values for which plain doubles leave a remainder.
  { weight: 3, arbitrary: fc.constantFrom(-1.1, 1.2, 1.1, -1.2, -0.1, 100.1, -99.9, -100, 20.3, -20, -0.3) },
  { weight: 1, arbitrary: fc.constantFrom(1e15, -1e15, 2e15, 1e-7) },
)

const eventWith = (profile: fc.Arbitrary<Patch | undefined>) =>
  fc.record({
    call: fc.constant('event' as const),
    profile,
    metric: fc.oneof({ weight: 12, arbitrary: metric }, fc.constantFrom('old', 'none')),
    value,
    attributes: fc.oneof({ weight: 6, arbitrary: source }, fc.constant({ nope: 'x' })),
    back: fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      { weight: 2, arbitrary: fc.constantFrom(0, HOUR, 20 * HOUR, 30 * HOUR, 3 * 24 * HOUR, 15 * 24 * HOUR) },
      { weight: 1, arbitrary: fc.constantFrom(-4 * 60_000, -6 * 60_000) },
    ),
    idempotencyKey: maybe(fc.constantFrom('k1', 'k2', 'k3', 'k4')),
  })

const ofOwnKey = maybe(fc.constant(true as const))

const personal = fc.record({
  call: fc.constant('preferences' as const),
  own: ofOwnKey,
  notifications: maybe(
    fc.constantFrom<{ [type: string]: string[] }>(
      { recap: ['email'] },
      { recap: [], streak_reminder: ['push', 'email'] },
      { reactivation: ['push'], achievement_completed: ['email', 'push'] },
      { achievement_completed: [], reactivation: ['email'] },
    ),
  ),
  streak: maybe(
    fc.constantFrom<Extract<Call, { call: 'preferences' }>['streak']>(
      { metrics: [{ key: 'writes' }] },
      { metrics: [{ key: 'writes', threshold: 0 }] },
      { enabled: false },
      { enabled: false },
      { enabled: true },
      { enabled: true },
      { enabled: true, evaluationMode: 'AND' },
      { evaluationMode: 'OR' },
      {},
      { evaluationMode: 'AND', metrics: [{ key: 'reads', threshold: 2 }, { key: 'writes' }] },
      { evaluationMode: 'OR', metrics: [{ key: 'old' }] },
    ),
    4,
  ),
})

const stepWith = (profile: fc.Arbitrary<Patch | undefined>, waits: readonly number[]) =>
  fc.record({
    user: fc.oneof(
      { weight: 8, arbitrary: fc.constant('u1') },
      { weight: 4, arbitrary: fc.constant('u2') },
      fc.constant('u3'),
    ),
    // Now and then the clock goes back.
    wait: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...waits) },
      fc.constantFrom(-HOUR, -30 * HOUR),
      fc.constantFrom(190 * 24 * HOUR, 400 * 24 * HOUR),
    ),
    call: fc.oneof(
      { weight: 12, arbitrary: eventWith(profile) },
      {
        weight: 2,
        arbitrary: fc.record({
          call: fc.constant('complete' as const),
          profile,
          achievement: fc.constantFrom('a0', 'a1', 'a2', 'both', 'none'),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ call: fc.constantFrom('identify' as const, 'update' as const), own: ofOwnKey, profile }),
      },
      { weight: 2, arbitrary: personal },
      {
        weight: 3,
        arbitrary: fc.record({
          call: fc.constantFrom('approve' as const, 'approve' as const, 'void' as const),
          metric,
          idempotencyKey: fc.constantFrom('k1', 'k2', 'k3', 'k4'),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.oneof(
          fc.record({ call: fc.constant('suspend' as const), reason: maybe(fc.constant('Forged')) }),
          fc.record({ call: fc.constant('restore' as const) }),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          call: fc.constant('merge' as const),
          into: fc.constantFrom('u1', 'u1', 'u2', 'u3', 'u4'),
        }),
      },
    ),
  })

const step = stepWith(profile, STEPS)
const stepOfFlight = stepWith(flight, SHORT_STEPS)

/** Calls of three users, who may become one, over days and weeks, some of them late, in and between zones. */
export function histories(most: number, least = 3): fc.Arbitrary<Call[]> {
  return historiesOf(step, most, least)
}

/** The same within days, between zones that are as far apart as can be. */
export function flights(most: number): fc.Arbitrary<Call[]> {
  return historiesOf(stepOfFlight, most, 3)
}

function historiesOf(one: typeof step, most: number, least: number): fc.Arbitrary<Call[]> {
  return fc
    .tuple(fc.constantFrom(...STARTS), fc.array(one, { minLength: least, maxLength: most }))
    .map(([start, steps]) => {
      let now = Date.parse(start)
      return steps.map(({ user, wait, call }) => {
        now += wait
        if (call.call !== 'event') {
          const own = call.call === 'identify' || call.call === 'update' ? { profile: call.profile ?? {} } : {}
          return present({ ...call, ...own, now, id: user }) as Call
        }
        const { back, ...rest } = call
        return present({ ...rest, now, id: user, occurredAt: back === undefined ? undefined : now - back }) as Call
      })
    })
}
