import type { AwardedBoost, LeaderboardRow, StreakPeriod } from '../../storage-rows.ts'
import type { AwardFacts } from './derived-rows.ts'

/** What to write so that the rows `before` become the rows `after`. */
export function rowDifference<Key, Row, Before extends Row>(
  before: ReadonlyMap<Key, Before>,
  after: ReadonlyMap<Key, Row>,
  isSame: (left: Row, right: Row) => boolean,
): { readonly remove: readonly Before[]; readonly put: readonly Row[] } {
  const differs = (row: Row, other: Row | undefined): boolean => other === undefined || !isSame(row, other)
  return {
    remove: [...before].filter(([key, row]) => differs(row, after.get(key))).map(([, row]) => row),
    put: [...after].filter(([key, row]) => differs(row, before.get(key))).map(([, row]) => row),
  }
}

export function isSameAward(left: AwardFacts, right: AwardFacts): boolean {
  return (
    left.at === right.at &&
    left.seq === right.seq &&
    left.ordinal === right.ordinal &&
    left.awarded === right.awarded &&
    left.total === right.total &&
    isSameBoosts(left.boosts, right.boosts)
  )
}

function isSameBoosts(left: AwardFacts['boosts'], right: AwardFacts['boosts']): boolean {
  if (left === undefined || right === undefined) return left === right
  return left.length === right.length && left.every((boost, place) => boostText(boost) === boostText(right[place]))
}

function boostText(boost: AwardedBoost | undefined): string {
  return JSON.stringify(boost && [boost.id, boost.name, boost.start, boost.end, boost.multiplier, boost.rounding])
}

export function isSamePeriod(left: StreakPeriod, right: StreakPeriod): boolean {
  return left.length === right.length && left.kind === right.kind
}

export function isSameLeaderboardRow(left: LeaderboardRow, right: LeaderboardRow): boolean {
  return (
    left.group === right.group &&
    left.value === right.value &&
    left.reachedAt === right.reachedAt &&
    left.until === right.until
  )
}
