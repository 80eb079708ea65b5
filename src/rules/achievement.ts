import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { type Achievement, type Game, hasOwnTally, type MetricAchievement, matches } from './game.ts'
import type { Profile, UserState } from './state.ts'

/** Whether the profile as it is now lets the user have the achievement. */
export function isAccessible(achievement: Achievement, state: UserState): boolean {
  return matches(achievement.userAttributes, state.profile.attributes)
}

function isOpen(achievement: Achievement, state: UserState): boolean {
  return achievement.status === 'active' && !state.completions.has(achievement.key) && isAccessible(achievement, state)
}

function completed(achievement: Achievement, entry: Entry): Change {
  return { type: 'achievementCompleted', achievement: achievement.key, at: entry.at, entryId: entry.id }
}

/** What the user has towards a metric achievement: the metric's total, or the tally of the matching events. */
function progressOf(achievement: MetricAchievement, state: UserState): number | null {
  const running = hasOwnTally(achievement) ? state.tallies.get(achievement.id) : state.totals.get(achievement.metric)
  return running?.total ?? null
}

/** Achievements of the event's metric, and of the streak, that the event completes. */
export function completeByEvent(game: Game, state: UserState, metric: string, entry: Entry): readonly Change[] {
  const changes: Change[] = []
  for (const achievement of game.byMetric.get(metric)?.achievements ?? []) {
    const progress = progressOf(achievement, state)
    if (progress !== null && progress >= achievement.value && isOpen(achievement, state)) {
      changes.push(completed(achievement, entry))
    }
  }
  for (const achievement of game.streakAchievements) {
    if (state.streak.length >= achievement.length && isOpen(achievement, state)) {
      changes.push(completed(achievement, entry))
    }
  }
  return changes
}

/** Under which game and attributes no composite was found for completions: asked at every event, answered once. */
const nothingFound = new WeakMap<
  UserState['completions'],
  { readonly game: Game; readonly attributes: Profile['attributes'] }
>()

/** A composite that is completed now because all its parts are, or null. One may complete the next. */
export function completeComposite(game: Game, state: UserState, entry: Entry): Change | null {
  const { completions, profile } = state
  if (completions.size === 0 || game.compositeAchievements.length === 0) return null
  const known = nothingFound.get(completions)
  if (known?.game === game && known.attributes === profile.attributes) return null
  for (const achievement of game.compositeAchievements) {
    const isComplete = achievement.achievements.every((key) => completions.has(key))
    if (isComplete && isOpen(achievement, state)) return completed(achievement, entry)
  }
  nothingFound.set(completions, { game, attributes: profile.attributes })
  return null
}

/** A claimed or kept achievement; nothing when the user has it. */
export function completeByKey(state: UserState, key: string, entry: Entry): readonly Change[] {
  if (state.completions.has(key)) return []
  return [{ type: 'achievementCompleted', achievement: key, at: entry.at, entryId: entry.id }]
}
