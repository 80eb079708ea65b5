import { completionsOf, runningOf } from './achievement.ts'
import type { Instant } from './calendar.ts'
import { type Achievement, type Game, type MetricAchievement, repeats, type StreakAchievement } from './game.ts'
import type { UserState } from './state.ts'
import { streakOf } from './streak.ts'
import { add, roundTo15Digits } from './total.ts'
import { canBeCompleted } from './validity.ts'

/** How far a user is from an achievement. */
export interface Progress {
  /** What the user has; null: there is no value yet. */
  readonly current: number | null
  readonly target: number
  /** From 0 to below 1, rounded down to four decimals. Only a completed achievement would have 1. */
  readonly ratio: number
}

/** Ratios are multiples of 1 / 10,000. */
const STEPS = 10_000

/**
 * The progress towards an achievement, or towards its next completion if it repeats; null: the user cannot complete it
 * any more. The state must be settled until `at`, so that a streak that ended counts no more.
 */
export function progressOf(achievement: Achievement, state: UserState, at: Instant): Progress | null {
  if (!canBeCompleted(achievement, state, at) || achievement.status !== 'active') return null
  switch (achievement.trigger) {
    case 'metric':
      return progressOfMetric(achievement, state)
    case 'api':
      return toProgress(0, 1)
    case 'streak':
      return toProgress(isDone(achievement, state) ? 0 : streakOf(state, achievement.streak).length, achievement.length)
    case 'achievement':
      return toProgress(
        achievement.achievements.filter((key) => state.completions.has(key)).length,
        achievement.achievements.length,
      )
    default:
      return achievement satisfies never
  }
}

function toProgress(current: number, target: number): Progress {
  const ratio = target > 0 ? Math.floor((current / target) * STEPS) / STEPS : 0
  return { current, target, ratio: Math.min(Math.max(ratio, 0), 1 - 1 / STEPS) }
}

function progressOfMetric(achievement: MetricAchievement, state: UserState): Progress {
  const { value, isLowest } = achievement
  const running = runningOf(achievement, state)
  if (isLowest) return { current: running?.total ?? null, target: value, ratio: 0 }
  if (!repeats(achievement)) return toProgress(running?.total ?? 0, value)
  const done = roundTo15Digits(completionsOf(state, achievement.key) * value)
  return toProgress(Math.max(0, add(running?.highest ?? 0, -done)), value)
}

/** True if the running streak has completed an achievement that repeats already. */
function isDone(achievement: StreakAchievement, state: UserState): boolean {
  const { length, firstAt } = streakOf(state, achievement.streak)
  const newest = state.completions.get(achievement.key)
  return newest !== undefined && firstAt !== null && newest.at >= firstAt && length >= achievement.length
}

/** An achievement that an entry moved without completing it for good, with the progress after it. */
export interface Progressed {
  readonly achievement: Achievement
  readonly progress: Progress
}

/** The achievements that an event of a metric moved. Secrets that are hidden are left out. */
export function progressedBy(game: Game, before: UserState, after: UserState, metric: string): readonly Progressed[] {
  const progressed: Progressed[] = []
  const see = ({ key }: Achievement): void => {
    const achievement = game.achievements.get(key)
    const progress = achievement === undefined || achievement.isHidden ? null : progressOf(achievement, after, after.at)
    if (achievement !== undefined && progress !== null) progressed.push({ achievement, progress })
  }
  for (const each of game.byMetric.get(metric)?.achievements ?? []) if (isRunningOn(each, before, after)) see(each)
  for (const each of game.streakAchievements) {
    const [old, now] = [streakOf(before, each.streak), streakOf(after, each.streak)]
    if (old.length !== now.length || old.firstAt !== now.firstAt) see(each)
  }
  if (before.completions !== after.completions) {
    for (const each of game.compositeAchievements) {
      if (each.achievements.some((key) => before.completions.has(key) !== after.completions.has(key))) see(each)
    }
  }
  return progressed
}

/** True if what a metric achievement looks at has changed. */
function isRunningOn(achievement: MetricAchievement, before: UserState, after: UserState): boolean {
  const [old, now] = [runningOf(achievement, before), runningOf(achievement, after)]
  return old?.total !== now?.total || old?.highest !== now?.highest
}

/**
 * The largest announced share that an entry brought an achievement to; null: none. Each is reached once: what a user
 * loses and gains again counts once.
 */
export function announcedBy(achievement: Achievement, before: UserState, after: UserState): number | null {
  if (achievement.announce.length === 0 || progressOf(achievement, after, after.at) === null) return null
  const [from, to] = [shareOf(achievement, before, after), shareOf(achievement, after, after)]
  return achievement.announce.findLast((share) => from < share && to >= share) ?? null
}

/** The share that a user had ever reached in `state`, of the completion that comes next after `after`. */
function shareOf(achievement: Achievement, state: UserState, after: UserState): number {
  switch (achievement.trigger) {
    case 'metric': {
      if (achievement.isLowest || achievement.value <= 0) return 0
      const done = completionsOf(after, achievement.key)
      return (runningOf(achievement, state)?.highest ?? 0) / achievement.value - done
    }
    case 'streak':
      return streakOf(state, achievement.streak).longest / achievement.length
    case 'achievement':
      return progressOf(achievement, state, state.at)?.ratio ?? 1
    case 'api':
      return 0
    default:
      return achievement satisfies never
  }
}
