import type { Day } from './calendar.ts'
import type { FreezeRule } from './game.ts'
import type { Freezes } from './state.ts'

/** The freezes of a user on the first date with freezes: the date of creation, or of the first game that has them. */
export function beginFreezes({ initial, autoEarn }: FreezeRule, today: Day): Freezes {
  return { count: initial, nextEarned: autoEarn === null ? null : today + autoEarn.interval }
}

/** The freezes, with those added that are earned on dates before `date`. The same object if none are. */
export function earnFreezes(rule: FreezeRule, freezes: Freezes, date: Day): Freezes {
  const { autoEarn } = rule
  const { nextEarned } = freezes
  if (autoEarn === null || nextEarned === null || nextEarned >= date) return freezes
  const times = Math.floor((date - 1 - nextEarned) / autoEarn.interval) + 1
  const { count } = addFreezes(rule, freezes, times * autoEarn.amount)
  return { count, nextEarned: nextEarned + times * autoEarn.interval }
}

/** Adds freezes up to the game's maximum. A user who has more than that, by an earlier game, keeps them. */
export function addFreezes({ max }: FreezeRule, freezes: Freezes, count: number): Freezes {
  return { ...freezes, count: Math.max(freezes.count, Math.min(max, freezes.count + count)) }
}

/** The freezes under a newer game: the count stays. Earning begins today if none were earned before. */
export function adoptFreezes(rule: FreezeRule | null, freezes: Freezes | null, today: Day): Freezes | null {
  if (rule === null) return freezes === null ? null : { ...freezes, nextEarned: null }
  if (freezes === null) return beginFreezes(rule, today)
  const nextEarned = rule.autoEarn === null ? null : (freezes.nextEarned ?? today + rule.autoEarn.interval)
  return { ...freezes, nextEarned }
}
