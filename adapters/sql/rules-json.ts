import { toDateText } from '../../src/rules/calendar.ts'
import type {
  Activity,
  CapSum,
  Freezes,
  GivenBoost,
  NamedStreak,
  StreakState,
  Timer,
  UserState,
} from '../../src/rules/state.ts'
import { toDay, toMap, toObject } from './stored-text.ts'

/*
 * Members of a state that stand in the user's row as JSON, null where they are empty. The members of each JSON object
 * have one order, because rows are compared by their text.
 */

type BoostJson = Omit<GivenBoost, 'start' | 'end' | 'userAttributes'> & {
  readonly start: string
  readonly end: string | null
}

export function toBoostsJson(boosts: UserState['boosts']): string | null {
  if (boosts.length === 0) return null
  const json = boosts.map(({ id, system, name, start, end, multiplier, rounding, created }): BoostJson => {
    return { id, system, name, start: toDateText(start), end: toText(end), multiplier, rounding, created }
  })
  return JSON.stringify(json)
}

export function fromBoostsJson(text: string | null): UserState['boosts'] {
  if (text === null) return []
  const json = JSON.parse(text) as readonly BoostJson[]
  return json.map((boost) => ({ ...boost, start: toDay(boost.start), end: fromText(boost.end), userAttributes: [] }))
}

/** Pairs of a period and its sum, by id of the trigger or points system that has the cap. */
type CapsJson = Readonly<Record<string, readonly (readonly [period: number, sum: number])[]>>

export function toCapsJson(caps: UserState['caps']): string | null {
  return toTextOf(caps, (sums) => sums.map(({ period, sum }) => [period, sum]))
}

export function fromCapsJson(text: string | null): UserState['caps'] {
  const toSum = ([period, sum]: readonly [number, number]): CapSum => ({ period, sum })
  return fromTextOf<CapsJson[string], readonly CapSum[]>(text, (sums) => sums.map(toSum))
}

export function toCooldownsJson(cooldowns: UserState['cooldowns']): string | null {
  return toTextOf(cooldowns, (at) => at)
}

export function fromCooldownsJson(text: string | null): UserState['cooldowns'] {
  return fromTextOf<number, number>(text, (at) => at)
}

type TimerJson = Omit<Timer, 'date'> & { readonly date: string }

export function toTimersJson(timers: UserState['timers']): string | null {
  return toTextOf(timers, ({ anchor, date, dueCount }): TimerJson => ({ anchor, date: toDateText(date), dueCount }))
}

export function fromTimersJson(text: string | null): UserState['timers'] {
  return fromTextOf<TimerJson, Timer>(text, (timer) => ({ ...timer, date: toDay(timer.date) }))
}

interface ActivityJson {
  readonly dates: readonly (readonly [date: string, zone: string | null])[]
  /** Absent: the user has not moved. */
  readonly completedIn?: Readonly<Record<string, readonly [at: number, zone: string | null]>>
}

export function toActivityJson({ dates, completedIn }: Activity): string | null {
  if (dates.length === 0 && completedIn.size === 0) return null
  const moved = new Map([...completedIn].map(([key, { at, zone }]) => [key, [at, zone] as const]))
  const json: ActivityJson = {
    dates: dates.map(({ date, zone }) => [toDateText(date), zone]),
    ...(moved.size === 0 ? {} : { completedIn: toObject(moved) }),
  }
  return JSON.stringify(json)
}

export function fromActivityJson(text: string | null): Activity {
  if (text === null) return { dates: [], completedIn: new Map() }
  const { dates, completedIn = {} } = JSON.parse(text) as ActivityJson
  const moved = toMap<string, readonly [number, string | null]>(completedIn)
  return {
    dates: dates.map(([date, zone]) => ({ date: toDay(date), zone })),
    completedIn: new Map([...moved].map(([key, [at, zone]]) => [key, { at, zone }])),
  }
}

interface FreezesJson {
  readonly count: number
  readonly nextEarned: string | null
}

type LostJson = Omit<NonNullable<StreakState['lost']>, 'started'> & { readonly started: string | null }

interface NamedStreakJson {
  readonly streak: Omit<StreakState, 'started' | 'open' | 'lost'> & {
    readonly started: string | null
    readonly open: readonly { readonly period: number; readonly sums: { readonly [metric: string]: number } }[]
    readonly lost: LostJson | null
  }
  readonly freezes: FreezesJson | null
}

export function toStreaksJson(streaks: UserState['streaks']): string | null {
  return toTextOf(streaks, toStreakJson)
}

export function fromStreaksJson(text: string | null): UserState['streaks'] {
  return fromTextOf<NamedStreakJson, NamedStreak>(text, fromStreakJson)
}

function toStreakJson({ streak, freezes }: NamedStreak): NamedStreakJson {
  const { length, last, kept, started, firstAt, extendedAt, longest, open, lost } = streak
  return {
    streak: {
      ...{ length, last, kept, started: toText(started), firstAt, extendedAt, longest },
      open: open.map(({ period, sums }) => ({ period, sums: toObject(sums) })),
      lost: lost === null ? null : toLost(lost),
    },
    freezes: freezes === null ? null : { count: freezes.count, nextEarned: toText(freezes.nextEarned) },
  }
}

function toLost({ length, last, missed, started, firstAt, extendedAt }: NonNullable<StreakState['lost']>): LostJson {
  return { length, last, missed, started: toText(started), firstAt, extendedAt }
}

function fromStreakJson({ streak, freezes }: NamedStreakJson): NamedStreak {
  const { lost } = streak
  return {
    streak: {
      ...streak,
      started: fromText(streak.started),
      open: streak.open.map(({ period, sums }) => ({ period, sums: toMap<string, number>(sums) })),
      lost: lost === null ? null : { ...lost, started: fromText(lost.started) },
    },
    freezes: freezes === null ? null : toFreezes(freezes),
  }
}

function toFreezes({ count, nextEarned }: FreezesJson): Freezes {
  return { count, nextEarned: fromText(nextEarned) }
}

function toText(day: number | null): string | null {
  return day === null ? null : toDateText(day)
}

function fromText(date: string | null): number | null {
  return date === null ? null : toDay(date)
}

function toTextOf<Value>(map: ReadonlyMap<string, Value>, toJson: (value: Value) => unknown): string | null {
  if (map.size === 0) return null
  return JSON.stringify(toObject(new Map([...map].map(([key, value]) => [key, toJson(value)]))))
}

function fromTextOf<Json, Value>(text: string | null, fromJson: (json: Json) => Value): ReadonlyMap<string, Value> {
  if (text === null) return new Map()
  const json = toMap<string, Json>(JSON.parse(text))
  return new Map([...json].map(([key, value]) => [key, fromJson(value)]))
}
