import type { Day } from './calendar.ts'
import type { BoostChanged, BoostDeleted, BoostGiven, Entry } from './entry.ts'
import {
  type Boost,
  compareBoosts,
  MOST_BOOSTS,
  matches,
  type PointsSystem,
  type Quest,
  type Rounding,
} from './game.ts'
import type { GivenBoost, UserState } from './state.ts'
import { toDecimal } from './total.ts'

export type BoostStatus = 'active' | 'scheduled' | 'finished'

export function boostStatus({ start, end }: Pick<Boost, 'start' | 'end'>, date: Day): BoostStatus {
  if (date < start) return 'scheduled'
  return end !== null && end < date ? 'finished' : 'active'
}

export function isOver(boost: Pick<Boost, 'start' | 'end'>, date: Day): boolean {
  return boostStatus(boost, date) === 'finished'
}

const NONE: readonly Boost[] = []

/** The boosts of a points system that hold for a user on a date, the oldest first. */
export function boostsFor(system: PointsSystem, state: UserState, date: Day): readonly Boost[] {
  if (system.boosts.length === 0 && state.boosts.length === 0) return NONE
  const ofAll = system.boosts.filter(
    (boost) => boostStatus(boost, date) === 'active' && matches(boost.userAttributes, state.profile.attributes),
  )
  const own = state.boosts.filter((boost) => boost.system === system.key && boostStatus(boost, date) === 'active')
  return own.length === 0 ? ofAll : [...ofAll, ...own].sort(compareBoosts)
}

/** The product of several boosts: `digits / unit`, exact, with the rounding of the newest boost. */
export interface Multiplier {
  readonly digits: bigint
  readonly unit: bigint
  readonly rounding: Rounding
}

/** `boosts`: the oldest first. */
export function multiplierOf(boosts: readonly Pick<Boost, 'multiplier' | 'rounding'>[]): Multiplier {
  let digits = 1n
  let exponent = 0
  for (const { multiplier } of boosts) {
    const decimal = toDecimal(multiplier)
    digits *= decimal.digits
    exponent += decimal.exponent
  }
  if (exponent > 0) digits *= 10n ** BigInt(exponent)
  return { digits, unit: 10n ** BigInt(Math.max(0, -exponent)), rounding: boosts.at(-1)?.rounding ?? 'down' }
}

/**
 * The points that are due after boosts. The exact product is rounded once.
 * //=> boostDue(3, 1, multiplierOf([{ multiplier: 1.1, rounding: 'up' }])) is 4; two boosts of 1.5 make 11 of 5
 */
export function boostDue(times: number, points: number, { digits, unit, rounding }: Multiplier): number {
  const rounded = divide(BigInt(times) * BigInt(points) * digits, unit, rounding)
  return rounded > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(rounded)
}

function divide(digits: bigint, unit: bigint, rounding: Rounding): bigint {
  switch (rounding) {
    case 'down':
      return digits / unit
    case 'up':
      return (digits + unit - 1n) / unit
    case 'nearest':
      return (2n * digits + unit) / (2n * unit)
    default:
      return rounding satisfies never
  }
}

/** The user's boosts after an entry about them. A user who has `MOST_BOOSTS` already gets no more. */
export function boostsAfter(
  boosts: readonly GivenBoost[],
  entry: Entry & (BoostGiven | BoostChanged | BoostDeleted),
): readonly GivenBoost[] {
  switch (entry.kind) {
    case 'boostGiven': {
      const { id, at: created, system, name, start, end, multiplier, rounding } = entry
      const given = { id, created, system, name, start, end, multiplier, rounding, userAttributes: [] }
      return boosts.length < MOST_BOOSTS ? [...boosts, given] : boosts
    }
    case 'boostChanged':
      return boosts.map((boost) => (boost.id === entry.boost ? patchBoost(boost, entry) : boost))
    case 'boostDeleted':
      return boosts.filter(({ id }) => id !== entry.boost)
    default:
      return entry satisfies never
  }
}

/** The user's boosts after the reward of a quest. Boosts that ended before its date make room for it. */
export function boostsAfterReward(
  boosts: readonly GivenBoost[],
  { id: quest, reward: { boost } }: Pick<Quest, 'id' | 'reward'>,
  entry: Entry,
): readonly GivenBoost[] {
  if (boost === null) return boosts
  const { days, ...given } = boost
  const { date: start } = entry.dating
  const left = boosts.filter((each) => !isOver(each, start))
  const body = { ...entry, kind: 'boostGiven', ...given, start, end: start + days - 1 } as const
  return boostsAfter(left, { ...body, id: rewardId(entry.id, quest) })
}

/** The id of an entry with 32 bits of the id of a quest: an entry may complete several quests. `quest` may be empty. */
function rewardId(entry: string, quest: string): string {
  const [own, other] = [entry, quest].map((id) => Number.parseInt(id.slice(-8), 16))
  const last = ((own ?? 0) ^ (other ?? 0)) >>> 0
  return `${entry.slice(0, -8)}${last.toString(16).padStart(8, '0')}`
}

export type BoostPatch = Omit<BoostChanged, 'kind' | 'boost'>

export function patchBoost<Given extends Boost>(boost: Given, patch: BoostPatch): Given {
  const { name = boost.name, start = boost.start, end = boost.end } = patch
  const { multiplier = boost.multiplier, rounding = boost.rounding } = patch
  return { ...boost, name, start, end, multiplier, rounding }
}
