// How far a user is from each achievement.

import { Decimal } from 'decimal.js'
import { add } from '../numbers.ts'
import { progressOfCriteria, ratioOf } from './criteria.ts'
import { conditionsOf, countOf, isHeld, isOver, mostOf, type State, streakOf } from './fold.ts'
import { aggregationOf, amountIn, highestIn } from './totals.ts'
import type { Condition, Progress } from './types.ts'

/** Null if the user can no longer complete it. */
export function progressOf(state: State, key: string, condition: Condition, at: number): Progress | null {
  const isDone = mostOf(condition) === 1 ? isHeld(state, key, at) : countOf(state, key) >= mostOf(condition)
  if (isDone || state.revoked.has(key) || isOver(state, key, at)) return null
  const { game, events } = state
  switch (condition.trigger) {
    case 'metric': {
      const target = condition.value
      const total = amountIn(game, events, condition)
      if (aggregationOf(game, condition.metric) === 'min') return { current: total, target, ratio: 0 }
      if (condition.repeat === undefined) return towards(total ?? 0, target)
      const done = new Decimal(countOf(state, key)).times(target).toNumber()
      // A kept completion may be ahead of the total.
      return towards(Math.max(0, add(highestIn(game, events, condition), -done)), target)
    }
    case 'streak':
      return towards(streakOf(state, condition.streak, at).length, condition.length)
    case 'achievement': {
      const parts = condition.achievements.filter((part) => countOf(state, part) > 0)
      return towards(parts.length, condition.achievements.length)
    }
    case 'criteria':
      return progressOfCriteria(state, key, condition, at)
    case 'api':
      return towards(0, 1)
  }
}

function towards(current: number, target: number): Progress {
  return { current, target, ratio: ratioOf(current, target) }
}

export function allProgress(state: State, at: number): Map<string, Progress> {
  return new Map(
    [...conditionsOf(state.game)].flatMap(([key, condition]): [string, Progress][] => {
      const progress = progressOf(state, key, condition, at)
      return progress === null ? [] : [[key, progress]]
    }),
  )
}
