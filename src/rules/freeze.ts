import type { Day } from './calendar.ts'
import type { FreezeRule } from './game.ts'
import type { Freezes } from './state.ts'

/** What a user has who begins to have freezes on a date: now, or with a game that is the first to have them. */
export function beginFreezes({ initial, autoEarn }: FreezeRule, today: Day): Freezes {
  return { count: initial, nextEarned: autoEarn === null ? null : today + autoEarn.interval }
}

/** The freezes after those were earned whose date lies before `date`. The same object when there were none. */
export function earnFreezes(rule: FreezeRule, freezes: Freezes, date: Day): Freezes {
  const { autoEarn } = rule
  const { nextEarned } = freezes
  if (autoEarn === null || nextEarned === null || nextEarned >= date) return freezes
  const times = Math.floor((date - 1 - nextEarned) / autoEarn.interval) + 1
  const { count } = addFreezes(rule, freezes, times * autoEarn.amount)
  return { count, nextEarned: nextEarned + times * autoEarn.interval }
}

/** Who has more than the game's maximum, by an earlier game, keeps them. */
export function addFreezes({ max }: FreezeRule, freezes: Freezes, count: number): Freezes {
  return { ...freezes, count: Math.max(freezes.count, Math.min(max, freezes.count + count)) }
}

/** Under a newer game: what is there stays; what is earned by time begins anew where it was not earned before. */
export function adoptFreezes(rule: FreezeRule | null, freezes: Freezes | null, today: Day): Freezes | null {
  if (rule === null) return freezes === null ? null : { ...freezes, nextEarned: null }
  if (freezes === null) return beginFreezes(rule, today)
  const nextEarned = rule.autoEarn === null ? null : (freezes.nextEarned ?? today + rule.autoEarn.interval)
  return { ...freezes, nextEarned }
}
