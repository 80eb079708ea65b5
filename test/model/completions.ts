// Which achievements are completed, and how often.

import type { FullTrigger } from './full-game.ts'
import type { Achievement } from './game.ts'
import { mostOf, repeatOf } from './game.ts'
import { noteCompletion } from './messages.ts'
import { add, thresholdsIn } from './numbers.ts'
import type { State } from './state.ts'
import { countOf, dayOf, matches } from './state.ts'
import type { Step } from './streaks.ts'
import { runOf } from './streaks.ts'
import type { Call } from './types.ts'

/** How many completions of one achievement an answer, or the messages about one entry, have: the newest. */
export const MOST_TOLD = 100

export interface Completion {
  key: string
  count: number // 1 is the first
}

function mayBeCompleted(state: State, key: string): boolean {
  const achievement = state.game.achievements.get(key)
  if (achievement === undefined || countOf(state, key) >= mostOf(achievement)) return false
  return (achievement.status ?? 'active') === 'active' && matches(achievement.userAttributes, state.attributes)
}

/** Completes these, and every composite that has all its parts. Returns all new ones. */
export function complete(state: State, instant: number, keys: string[]): Completion[] {
  const completed: Completion[] = []
  let next = keys
  do {
    for (const key of next) {
      const made = [...(state.completions.get(key) ?? []), instant]
      state.completions.set(key, made)
      state.completedOn.set(key, [...(state.completedOn.get(key) ?? []), dayOf(state, instant)])
      completed.push({ key, count: made.length })
      noteCompletion(state, instant, key, made.length)
      forgetOldest(state, completed, key)
      const achievement = state.game.achievements.get(key)
      if (achievement?.trigger === 'streak') markRun(state, key, achievement.streak ?? '')
    }
    next = []
    for (const [key, achievement] of state.game.achievements) {
      if (achievement.trigger !== 'achievement' || !mayBeCompleted(state, key)) continue
      if (achievement.achievements.every((part) => countOf(state, part) > 0)) next.push(key)
    }
  } while (next.length > 0)
  return completed
}

/** Messages have at most the newest hundred completions that one entry makes of an achievement. */
function forgetOldest(state: State, completed: readonly Completion[], key: string): void {
  const own = completed.filter((completion) => completion.key === key)
  const oldest = own.at(-MOST_TOLD - 1)
  if (oldest === undefined) return
  const untold = state.facts.findLastIndex(
    ({ type, data }) => type === 'achievement.completed' && data.key === key && data.count === oldest.count,
  )
  if (untold >= 0) state.facts.splice(untold, 1)
}

/** The streak that runs has had it. */
function markRun(state: State, key: string, name: string): void {
  const streak = state.streaks.get(name)
  const run = streak === undefined ? null : runOf(streak)
  if (run === null) return
  state.runsCompleted.set(key, new Set([...(state.runsCompleted.get(key) ?? []), run]))
}

/** The achievements that an event completes, each with its number of completions. */
export function reachedBy(
  state: State,
  { metric, value }: { metric: string; value: number },
  attributes: Map<string, string>,
  steps: Map<string, Step>,
): string[] {
  const reached: string[] = []
  for (const [key, achievement] of state.game.achievements) {
    let times = 0
    if (achievement.trigger === 'metric' && achievement.metric === metric) {
      const old = state.achievementTotals.get(key) ?? { total: 0, highest: 0 }
      const total = matches(achievement.eventAttributes, attributes) ? add(old.total, value) : old.total
      const highest = Math.max(old.highest, total)
      state.achievementTotals.set(key, { total, highest })
      times = timesReached(achievement, total, highest) - countOf(state, key)
    }
    if (achievement.trigger === 'streak') times = reachesLength(state, key, achievement, steps) ? 1 : 0
    if (!mayBeCompleted(state, key)) continue
    for (; times > 0; times -= 1) reached.push(key)
  }
  return reached
}

function timesReached(achievement: Extract<Achievement, { trigger: 'metric' }>, total: number, highest: number) {
  if (repeatOf(achievement) === null) return total >= achievement.value ? 1 : 0
  return Math.min(mostOf(achievement), Number(thresholdsIn(highest, achievement.value)))
}

/** An achievement that repeats has each streak once. */
function reachesLength(
  state: State,
  key: string,
  { length, streak }: Extract<Achievement, { trigger: 'streak' }>,
  steps: Map<string, Step>,
): boolean {
  const step = steps.get(streak ?? '')
  if (step === undefined || step.now.length < length || step.run === null) return false
  if (state.completions.get(key)?.at(-1) === step.first) return false
  return state.runsCompleted.get(key)?.has(step.run) !== true
}

/** True if a call has something to complete. An achievement that repeats needs a key that it has not seen. */
export function isAskedFor(state: State, { achievement: key, idempotencyKey }: Extract<Call, { call: 'complete' }>) {
  const achievement = state.game.achievements.get(key)
  const count = countOf(state, key)
  if (achievement === undefined || count === 0) return count === 0
  if (repeatOf(achievement) === null || idempotencyKey === undefined || isLocked(achievement)) return false
  return !isUsed(state, key, idempotencyKey) && count < mostOf(achievement)
}

const isLocked = ({ status }: Achievement): boolean => status === 'locked'

export function isUsed(state: State, achievement: string, idempotencyKey: string): boolean {
  return state.usedKeys.has(JSON.stringify([achievement, idempotencyKey]))
}

export function useKey(state: State, { achievement, idempotencyKey }: Extract<Call, { call: 'complete' }>): void {
  if (idempotencyKey === undefined || repeatOf(state.game.achievements.get(achievement)) === null) return
  state.usedKeys.add(JSON.stringify([achievement, idempotencyKey]))
}

/** How an answer names them. */
export function toTexts(state: State, completed: Completion[]): string[] {
  return completed.map(({ key, count }) => {
    return repeatOf(state.game.achievements.get(key)) === null ? key : `${key} ${count}`
  })
}

/** How often each trigger pays for them. */
export function timesOf(completed: Completion[]): (trigger: FullTrigger) => number {
  return (trigger) =>
    trigger.type === 'achievement' ? completed.filter(({ key }) => key === trigger.achievement).length : 0
}
