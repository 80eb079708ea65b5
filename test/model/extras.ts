import fc from 'fast-check'
import { addDays } from './dates.ts'
import type { Feature } from './features.ts'
import type {
  BoostDefinition,
  CapDefinition,
  EmailsDefinition,
  FreezesDefinition,
  FullAchievement,
  FullGame,
  FullStreak,
  FullSystem,
  FullTrigger,
  Repeat,
} from './full-game.ts'
import type { Filters } from './types.ts'

// The features that a random game adds to a plain game.

/** Days are counted from the beginning of the history. */
export interface Span {
  from: number
  days: number | null
}

export interface BoostPlan extends Omit<BoostDefinition, 'name' | 'start' | 'end'>, Span {}

interface LimitPlan {
  cap: CapDefinition | null
  cooldown: { minutes: number } | null
  isExempt: boolean
}

type TimeTrigger = Extract<FullTrigger, { type: 'time' }>

export interface Extras {
  freezes: FreezesDefinition | null
  boosts: BoostPlan[]
  systemCap: CapDefinition | null
  limits: LimitPlan[] // one after the other to the triggers that may have some
  time: TimeTrigger[]
  hasTiers: boolean
  repeats: (Repeat | null)[] // to the achievements that may repeat
  streaks: NonNullable<FullGame['streaks']>
  named: (string | null)[] // whose streak triggers and achievements are about
  pays: number[] // what triggers pay more
  emails: EmailsDefinition | null
  reminders: Reminders | null
  isSteady: boolean // whether something is paid for every step of one metric
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

const plan: fc.Arbitrary<{ userAttributes?: Filters }> = fc.constantFrom(
  {},
  {},
  {},
  { userAttributes: { plan: 'pro' } },
  { userAttributes: { plan: 'free' } },
)

export const boost: fc.Arbitrary<BoostPlan> = fc
  .tuple(
    fc.record({
      from: fc.constantFrom(-30, -9, -2, -1, 0, 1, 3),
      days: maybe(fc.constantFrom(2, 3, 10, 40)),
      multiplier: fc.constantFrom(2, 3, 1.5, 1.1, 0.5, 0.1, 1.25, 99.9, 0.333),
    }),
    fc.constantFrom<Pick<BoostDefinition, 'rounding'>>(
      {},
      { rounding: 'down' },
      { rounding: 'up' },
      { rounding: 'nearest' },
    ),
    plan,
  )
  .map(([required, rounding, filters]) => ({ ...required, ...rounding, ...filters }))

const cap: fc.Arbitrary<CapDefinition> = fc.record({
  points: fc.constantFrom(1, 4, 10, 25, 60),
  per: fc.constantFrom('day', 'day', 'week', 'month', 'ever'),
})

const limit: fc.Arbitrary<LimitPlan> = fc.record({
  cap: maybe(cap),
  cooldown: maybe(fc.record({ minutes: fc.constantFrom(1, 60, 301, 1440, 10_000) })),
  isExempt: fc.constantFrom(false, false, true),
})

const time: fc.Arbitrary<TimeTrigger> = fc
  .tuple(
    fc.oneof(
      fc.record({ hours: fc.constantFrom(1, 5, 24, 100) }),
      fc.record({ days: fc.constantFrom(1, 1, 2, 7, 30) }),
    ),
    fc.constantFrom(1, 1, 5, -1, -2),
    fc.constantFrom<Pick<TimeTrigger, 'status'>>({}, {}, {}, { status: 'inactive' }),
    plan,
  )
  .map(([every, points, status, filters]) => ({ type: 'time', every, points, ...status, ...filters }))

const freezes: fc.Arbitrary<FreezesDefinition> = fc
  .tuple(
    fc.record({ initial: fc.constantFrom(0, 1, 2), max: fc.constantFrom(2, 3, 5) }),
    maybe(fc.record({ interval: fc.constantFrom(1, 2, 5), amount: fc.constantFrom(1, 2) })),
  )
  .map(([stock, autoEarn]) => (autoEarn === null ? stock : { ...stock, autoEarn }))

const emails: fc.Arbitrary<EmailsDefinition> = fc.record(
  {
    recap: fc.constantFrom('daily', 'weekly', 'weekly', 'monthly', 'yearly'),
    reactivation: fc.constantFrom([], [1], [1, 2, 10], [3, 5, 7, 14, 30]),
    achievements: fc.boolean(),
    staleAfter: fc.constant({ hours: 72 }),
  },
  { requiredKeys: ['staleAfter'] },
)

type Reminders = NonNullable<FullStreak['reminders']>

const staleAfter = { hours: 72 }
const reminders = fc.constantFrom<Reminders>(
  [],
  [{ key: 'evening', before: { hours: 4 }, staleAfter }],
  [{ key: 'day', before: { hours: 23 }, staleAfter }],
  [
    { key: 'late', before: { hours: 1 }, staleAfter },
    { key: 'early', before: { hours: 17 }, staleAfter },
  ],
)

type Named = NonNullable<FullGame['streaks']>[string]

const named: fc.Arbitrary<Named> = fc
  .record({
    frequency: fc.constantFrom('daily', 'daily', 'weekly', 'monthly'),
    metrics: fc.constantFrom<Named['metrics']>({ reads: {} }, { writes: {} }, { reads: { threshold: 2 }, writes: {} }),
    evaluationMode: fc.constantFrom('OR', 'AND'),
    freezes: maybe(fc.oneof(fc.constant('shared' as const), freezes)),
  })
  .map(({ freezes: own, ...rest }) => (own === null ? rest : { ...rest, freezes: own }))

export function extras(features: readonly Feature[]): fc.Arbitrary<Extras> {
  const having = <T>(feature: Feature, arbitrary: fc.Arbitrary<T>, without: T): fc.Arbitrary<T> =>
    features.includes(feature) ? fc.oneof(fc.constant(without), arbitrary, arbitrary) : fc.constant(without)
  return fc.record({
    freezes: having<FreezesDefinition | null>('freezes', freezes, null),
    boosts: having('boosts', fc.uniqueArray(boost, { maxLength: 3, selector: ({ from }) => from }), []),
    systemCap: having<CapDefinition | null>('caps', maybe(cap), null),
    limits: having('caps', fc.array(limit, { minLength: 1, maxLength: 4 }), []),
    time: having('time', fc.array(time, { minLength: 1, maxLength: 3 }), []),
    hasTiers: having('tiers', fc.boolean(), false),
    repeats: having(
      'repeats',
      fc.array(fc.constantFrom<Repeat | null>(true, true, { max: 2 }, { max: 3 }, null), {
        minLength: 1,
        maxLength: 4,
      }),
      [],
    ),
    streaks: having('streaks', fc.dictionary(fc.constantFrom('gym', 'b', 'a'), named, { minKeys: 1, maxKeys: 2 }), {}),
    named: fc.array(fc.constantFrom('gym', 'b', 'a', null), { minLength: 4, maxLength: 4 }),
    emails: having<EmailsDefinition | null>('messages', emails, null),
    reminders: having<Reminders | null>('messages', reminders, null),
    isSteady: having('boosts', fc.constant(true), features.includes('caps')),
    pays: fc.array(fc.constantFrom(0, 0, 1, 4), { minLength: 3, maxLength: 3 }),
  })
}

/** The plain game with them; `first` is the date on which the history begins. */
export function enriched(plain: FullGame, more: Extras, first: string, isChanged = false): FullGame {
  const hasFreezes = plain.streak !== undefined && more.freezes !== null
  const reminders = more.emails === null || more.reminders === null ? {} : { reminders: more.reminders }
  const streaks = Object.fromEntries(
    Object.entries(more.streaks).map(([key, { freezes: own, ...rest }]): [string, Named] => {
      const freezes = own === undefined || (own === 'shared' && !hasFreezes) ? {} : { freezes: own }
      return [key, { ...rest, ...freezes, ...reminders }]
    }),
  )
  const names = Object.keys(streaks)
  const keepable = plain.streak !== undefined || 'streak' in streakNamed(more, names, 1)
  const hasTiers = more.hasTiers && keepable
  const achievements = achievementsWith(plain.achievements ?? {}, { ...more, hasTiers }, names)
  const { streak, ...rest } = plain
  const freezesOf = hasFreezes && more.freezes !== null ? { freezes: more.freezes } : {}
  return {
    ...rest,
    achievements,
    ...(streak === undefined ? {} : { streak: { ...streak, ...freezesOf, ...reminders } }),
    ...(more.emails === null ? {} : { emails: more.emails }),
    ...(names.length === 0 ? {} : { streaks }),
    points: Object.fromEntries(
      Object.entries(plain.points ?? {}).map(([key, system], index) => {
        return [key, systemWith(key, system, { ...more, hasTiers }, first, names, { isFirst: index === 0, isChanged })]
      }),
    ),
  }
}

function achievementsWith(plain: { [key: string]: FullAchievement }, more: Extras, names: string[]) {
  const all = Object.entries(plain).map(([key, each], index): [string, FullAchievement] => {
    const repeat = more.repeats[index % Math.max(1, more.repeats.length)] ?? null
    const repeats = repeat === null ? {} : { repeat }
    if (each.trigger === 'achievement' || 'tiers' in each) return [key, each]
    // With the huge values that events may have there would be no end of completions.
    if (each.trigger === 'metric' && repeat !== null)
      return [key, { ...each, ...repeats, value: Math.max(1, each.value) }]
    if (each.trigger !== 'streak') return [key, { ...each, ...repeats }]
    return [key, { ...each, ...streakNamed(more, names, index), ...repeats }]
  })
  const tiers: [string, FullAchievement][] = [
    [
      'reader',
      {
        name: 'Reader',
        trigger: 'metric',
        metric: 'reads',
        tiers: { bronze: { value: 1 }, silver: { name: 'Silver', value: 3 }, gold: { value: 8 } },
      },
    ],
    [
      'keeper',
      {
        name: 'Keeper',
        trigger: 'streak',
        tiers: { two: { length: 2 }, three: { length: 3 } },
        ...streakNamed(more, names, 1),
      },
    ],
    ['tiered', { name: 'Tiered', trigger: 'achievement', achievements: ['reader.silver', 'keeper.two'] }],
  ]
  return Object.fromEntries(more.hasTiers ? [...all.slice(0, 1), ...tiers, ...all.slice(1)] : all)
}

/** The streak that something is about, if it is not the game's `streak`. */
function streakNamed({ named }: Extras, names: string[], index: number): { streak?: string } {
  const name = named[index % named.length] ?? null
  return name !== null && names.includes(name) ? { streak: name } : {}
}

function systemWith(
  key: string,
  system: FullSystem,
  more: Extras,
  first: string,
  names: string[],
  { isFirst, isChanged }: { isFirst: boolean; isChanged: boolean },
): FullSystem {
  const { limits, pays, time, hasTiers, systemCap, boosts, isSteady } = more
  const steady: FullTrigger[] =
    isSteady && isFirst ? [{ type: 'metric', metric: 'reads', threshold: 1, points: 5, key: 'steady' }] : []
  const own = [...(system.triggers ?? []), ...steady].map((trigger, index): FullTrigger => {
    const limit = limits[index % Math.max(1, limits.length)]
    // A trigger that takes points away has no limits, and may not begin to give any.
    const points = trigger.points > 0 && isChanged ? trigger.points + (pays[index % pays.length] ?? 0) : trigger.points
    return {
      ...trigger,
      key: trigger.key ?? `${key}-${index}`,
      points,
      ...(trigger.type === 'streak' ? streakNamed(more, names, index) : {}),
      ...(limit === undefined || points <= 0 || trigger.type === 'time'
        ? {}
        : {
            ...(limit.cap === null ? {} : { cap: { ...limit.cap, points: Math.max(limit.cap.points, points) } }),
            ...(limit.cooldown === null ? {} : { cooldown: limit.cooldown }),
            ...(limit.isExempt && systemCap !== null ? { exempt: true } : {}),
          }),
    }
  })
  const tiered: FullTrigger[] = hasTiers
    ? [{ type: 'achievement', achievement: 'reader.silver', points: 6, key: `${key}-silver` }]
    : []
  const byTime = isFirst ? time.map((trigger, index): FullTrigger => ({ ...trigger, key: `time-${index}` })) : []
  return {
    ...system,
    triggers: [...byTime.slice(0, 1), ...own, ...tiered, ...byTime.slice(1)],
    ...(systemCap === null || !isFirst ? {} : { cap: systemCap }),
    ...(boosts.length === 0 || !isFirst
      ? {}
      : {
          boosts: Object.fromEntries(
            boosts.map((each, index) => [`b${index}`, toBoost(each, `planned ${index}`, first)]),
          ),
        }),
  }
}

export function toBoost({ from, days, ...rest }: BoostPlan, name: string, first: string): BoostDefinition {
  const start = addDays(first, from)
  return { ...rest, name, start, ...(days === null ? {} : { end: addDays(start, days - 1) }) }
}
