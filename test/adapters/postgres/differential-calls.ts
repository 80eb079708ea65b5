import fc from 'fast-check'
import { games } from '../../model/histories.ts'
import type { GameDefinition } from '../../model/types.ts'

// Scripts of calls over the whole public face, many of them at once: what they say of users, and what is wrong in it.

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A call, by the number of its user among those of the script. */
export type Call =
  | ({ readonly call: 'event'; readonly user: number; readonly isLive: boolean } & EventSample)
  /** At once, as of one moment. */
  | { readonly call: 'events'; readonly user: number; readonly events: readonly EventSample[] }
  | { readonly call: 'complete'; readonly user: number; readonly achievement: unknown; readonly profile: object }
  | { readonly call: 'create' | 'identify' | 'update'; readonly user: number; readonly profile: object }
  | { readonly call: 'preferences'; readonly user: number; readonly update: unknown }
  | { readonly call: 'import'; readonly items: readonly ImportSample[] }
  | { readonly call: 'createKeys'; readonly users: readonly number[]; readonly wrong: readonly unknown[] }
  | { readonly call: 'deleteKeys'; readonly numbers: readonly number[]; readonly wrong: readonly unknown[] }
  | { readonly call: 'authenticate'; readonly number: number }
  | { readonly call: 'read'; readonly user: number; readonly read: ReadSample }

export interface EventSample {
  readonly metric: unknown
  readonly value: unknown
  readonly attributes: unknown
  readonly profile: object
  readonly key: unknown
  /** How long before the call it happened; undefined: it happens now. */
  readonly back: number | undefined
}

type ImportSample = EventSample & { readonly user: number }

export type ReadSample =
  | { readonly of: 'user' | 'preferences' | 'allMetrics' | 'lists' }
  | { readonly of: 'metric'; readonly metric: unknown }
  | { readonly of: 'summary'; readonly metric: unknown; readonly aggregation: unknown; readonly days: number }
  | { readonly of: 'achievements'; readonly includeIncomplete: unknown; readonly userAttributes: unknown }
  | { readonly of: 'streak'; readonly historyPeriods: unknown }
  | { readonly of: 'points'; readonly system: unknown; readonly awards: unknown; readonly userAttributes: unknown }

export type AdminCall = { readonly call: AdminVerb; readonly number: number }
type AdminVerb = 'create' | 'list' | 'rotate' | 'revoke' | 'reactivate' | 'delete' | 'authenticate'

export interface Script {
  readonly users: readonly string[]
  /** One for each step; null: nothing. */
  readonly calls: readonly (Call | null)[]
}

/** Scripts that share a storage and a clock; those of one step are called at the same time. */
export interface Group {
  readonly game: GameDefinition
  /** Takes the place of the first one before the step of this number. */
  readonly next: { readonly game: GameDefinition; readonly step: number } | undefined
  readonly multiTenant: boolean
  readonly start: number
  /** How long before each step; now and then the clock goes back. */
  readonly waits: readonly number[]
  readonly admin: readonly (AdminCall | null)[]
  readonly scripts: readonly Script[]
}

const TEXTS = [
  'pro',
  'free',
  'Pro',
  '',
  ' ',
  'e\u0301',
  '\u00e9',
  '😀',
  '\uff5e',
  '\ufb00',
  'İstanbul ß',
  '\u{10ffff}',
  '\uffff',
  '\ufeffx',
  '\u2028\u2029',
  '\r\n\t\u0001\u007f\u0085',
  '"\\',
  '\\u0000',
  "'); drop table users; --",
  '{"a":1}',
  'null',
  '$1 $$ %s',
  '__proto__',
  'x'.repeat(1_024),
  '😀'.repeat(1_024),
]
const WRONG_TEXTS = ['\u0000', 'a\u0000b', '\ud800', 'x\udfff', 'x'.repeat(1_025), 7, null]
/** Equal in some collation or after some folding, and different users all the same. */
const USERS = [
  ['ann', 'Ann', 'ANN'],
  ['e\u0301', '\u00e9', 'e'],
  ['😀', '\uff5e', '\ufffd'],
  ['__proto__', 'constructor', 'toString'],
  ['a b', 'a  b', ' a b'],
  ['10', '9', '09'],
  ["o'hara", 'o"hara', 'o\\hara'],
  ['ﬀ', 'ff', 'FF'],
  ['x'.repeat(255), '😀'.repeat(255), 'y'],
]
const KEYS = ['k1', 'k2', 'K1', 'k1.', '__proto__', "'k'", '\\', '~'.repeat(255)]
const WRONG_KEYS = ['', 'a b', '😀', 'k'.repeat(256), 7, null]
const ZONES = ['UTC', 'Asia/Tokyo', 'Pacific/Kiritimati', 'America/St_Johns', 'America/New_York', 'Pacific/Apia']
const STARTS = ['2011-12-26T08:00:00Z', '2024-02-25T20:00:00Z', '2024-03-08T23:30:00Z', '2025-12-28T13:00:00Z']
const WAITS = [0, 1, 1, 60_000, HOUR, 5 * HOUR, 13 * HOUR, DAY, DAY, 26 * HOUR, 49 * HOUR, 8 * DAY, 32 * DAY]
const ACHIEVEMENTS = ['a0', 'a0', 'a1', 'a1', 'a2', 'a3', 'both', 'none', '__proto__', '']

/** One of the first list, and now and then one of the second. */
function seldom<T, U>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<U>, weight = 12): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => !value.includes('\u0000')),
)

/** Where none may be empty. */
const fullText = text.filter((value) => value !== '')

const attributes = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ plan: 'pro' }) },
  { weight: 2, arbitrary: fc.constant({ plan: 'free', team: 'x' }) },
  {
    weight: 4,
    arbitrary: fc.dictionary(fc.constantFrom('plan', 'team', 'constructor', '__proto__'), text, { maxKeys: 3 }),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>({ nope: '1' }, { plan: '\ud800' }, null) },
)

const profile: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        tz: seldom(fc.constantFrom(...ZONES, null), fc.constantFrom('Mars/Olympus', 'utc', 7)),
        email: seldom(fc.constantFrom('a@example.org', '😀@e\u0301', null), fc.constantFrom(...WRONG_TEXTS)),
        name: seldom(fc.oneof(fc.constant(null), fullText), fc.constantFrom(...WRONG_TEXTS)),
        deviceTokens: fc.oneof(fc.constant(null), fc.array(fullText, { maxLength: 3 })),
        subscribedToEmails: fc.constantFrom(false, false, true),
        attributes,
      },
      { requiredKeys: [] },
    ),
  },
)

const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1, 1, 2, 3, 5) },
  { weight: 4, arbitrary: fc.constantFrom(0, -0, -1, -2, -10, 0.1, 0.2, 12.5, 0.1 + 0.2) },
  { weight: 2, arbitrary: fc.constantFrom(1e15, -1e15, 5e-324, -5e-324, 1e-7, 123456789.12345679, 1 / 3) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(2e15, 1e15 + 1, Number.NaN, Number.MAX_VALUE, '1', null) },
)

const metric = seldom(fc.constantFrom('reads', 'reads', 'writes'), fc.constantFrom('old', 'none', '', '__proto__', 7))

const event: fc.Arbitrary<EventSample> = fc.record({
  metric,
  value,
  profile,
  attributes: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<unknown>(undefined, { source: 'web' }, { source: 'app' }) },
    { weight: 2, arbitrary: text.map((source) => ({ source })) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>({ nope: 'x' }, { source: '\u0000' }, 'source') },
  ),
  key: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 6, arbitrary: fc.constantFrom('k1', 'k2') },
    { weight: 3, arbitrary: fc.constantFrom(...KEYS) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(...WRONG_KEYS) },
  ),
  back: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: fc.constantFrom(0, 1, HOUR, 20 * HOUR, 30 * HOUR, 3 * DAY, 15 * DAY, 400 * DAY) },
    { weight: 1, arbitrary: fc.constantFrom(-4 * 60_000, -6 * 60_000, 60_000 * DAY) },
  ),
})

const user = fc.oneof(
  { weight: 16, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.constantFrom(1, 2) },
  { weight: 1, arbitrary: fc.constant(3) },
)

const preferences = fc.constantFrom<unknown>(
  {},
  { notifications: { achievement_completed: ['push'] } },
  { streak: { metrics: [{ key: 'reads' }] } },
  { notifications: { recap: ['email', 'email'] } },
  { notifications: { recap: [], streak_reminder: ['push', 'email'] } },
  { streak: { metrics: [{ key: 'writes' }] } },
  { streak: { evaluationMode: 'AND', metrics: [{ key: 'reads', threshold: 0.1 }, { key: 'writes' }] } },
  { streak: { evaluationMode: 'ALL', metrics: [{ key: 'old' }] } },
  { notifications: { recap: ['fax'] } },
  { notifications: { nope: ['email'] } },
  { streak: { metrics: [] } },
  null,
)

const userAttributes = seldom(
  fc.constantFrom<unknown>(undefined, 'plan:pro', 'plan:free,team:x', 'plan:'),
  fc.constantFrom<unknown>('', ':', 'nope:1', 'plan', 'plan:\ud800'),
)
const whole = (usual: readonly number[]): fc.Arbitrary<unknown> =>
  seldom(fc.constantFrom<unknown>(undefined, ...usual), fc.constantFrom<unknown>(-1, 0, 1_000, 0.5, '3'))
const system = seldom(fc.constantFrom('xp', 'gems'), fc.constantFrom<unknown>('none', '__proto__', ''))

const read: fc.Arbitrary<ReadSample> = fc.oneof(
  fc.record({ of: fc.constantFrom('user' as const, 'preferences' as const, 'allMetrics' as const, 'lists' as const) }),
  fc.record({ of: fc.constant('metric' as const), metric }),
  fc.record({
    of: fc.constant('summary' as const),
    metric,
    aggregation: seldom(fc.constantFrom('daily', 'weekly', 'monthly'), fc.constant('yearly')),
    days: fc.constantFrom(1, 40, 400, 0, 401),
  }),
  fc.record({
    of: fc.constant('achievements' as const),
    includeIncomplete: fc.constantFrom<unknown>(undefined, true, 'true', 'yes'),
    userAttributes,
  }),
  fc.record({ of: fc.constant('streak' as const), historyPeriods: whole([1, 10, 400]) }),
  fc.record({ of: fc.constant('points' as const), system, awards: whole([0, 1, 5, 100]), userAttributes }),
)

const number = fc.nat({ max: 5 })

const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(event, user, fc.boolean())
      .map(([sample, of, isLive]): Call => ({ call: 'event', user: of, isLive, ...sample })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      call: fc.constant('events' as const),
      user,
      events: fc.array(event, { minLength: 2, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      call: fc.constant('complete' as const),
      user,
      achievement: fc.constantFrom<unknown>(...ACHIEVEMENTS),
      profile,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      call: fc.constantFrom('create' as const, 'identify' as const, 'update' as const),
      user,
      profile,
    }),
  },
  { weight: 2, arbitrary: fc.record({ call: fc.constant('preferences' as const), user, update: preferences }) },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant('import' as const),
      items: fc.array(
        fc.tuple(event, user).map(([sample, of]): ImportSample => ({ user: of, ...sample })),
        { minLength: 1, maxLength: 12 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant('createKeys' as const),
      users: fc.array(user, { maxLength: 3 }),
      wrong: fc.constantFrom<readonly unknown[]>([], [{ userId: 'nobody' }], [null], [{ userId: '.' }]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant('deleteKeys' as const),
      numbers: fc.array(number, { maxLength: 3 }),
      wrong: fc.constantFrom<readonly unknown[]>([], [], ['00000000-0000-4000-8000-000000000000'], ['nope']),
    }),
  },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('authenticate' as const), number }) },
  { weight: 6, arbitrary: fc.record({ call: fc.constant('read' as const), user, read }) },
)

const admin: fc.Arbitrary<AdminCall | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constantFrom<AdminVerb>(
        'create',
        'create',
        'list',
        'rotate',
        'revoke',
        'reactivate',
        'delete',
        'authenticate',
      ),
      number,
    }),
  },
)

const UNUSUAL_ID = ['', '.', '\u0000', '\ud800', 'x'.repeat(256)]

const script = (steps: number): fc.Arbitrary<Script> =>
  fc.record({
    // The last one is no id at all.
    users: fc
      .tuple(fc.constantFrom(...USERS), fc.constantFrom(...UNUSUAL_ID))
      .map(([users, wrong]) => [...users, wrong]),
    calls: fc.array(fc.option(call, { freq: 8 }), { minLength: steps, maxLength: steps }),
  })

/** Attributes whose names are those of things that every object has. */
function withOddNames(game: GameDefinition): GameDefinition {
  return { ...game, userAttributes: ['plan', 'team', 'constructor', '__proto__'] }
}

interface GroupSize {
  readonly scripts: number
  readonly steps: number
}

export function groups({ scripts, steps }: GroupSize): fc.Arbitrary<Group> {
  const wait = fc.oneof({ weight: 24, arbitrary: fc.constantFrom(...WAITS) }, fc.constantFrom(-HOUR, -30 * HOUR))
  return fc.record({
    game: games.map(withOddNames),
    next: fc.option(fc.record({ game: games.map(withOddNames), step: fc.nat({ max: steps - 1 }) }), { nil: undefined }),
    multiTenant: fc.boolean(),
    start: fc.constantFrom(...STARTS).map((start) => Date.parse(start)),
    waits: fc.array(wait, { minLength: steps, maxLength: steps }),
    admin: fc.array(admin, { minLength: steps, maxLength: steps }),
    scripts: fc.array(script(steps), { minLength: scripts, maxLength: scripts }),
  })
}
