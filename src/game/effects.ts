import { OWN_STREAK } from './criteria.ts'
import type { Mistakes, Path } from './json.ts'
import { entriesOf, itemsOf, type Json, type Maybe, propertyOf } from './json.ts'
import { quote } from './suggest.ts'
import { achievementKeys } from './tiers.ts'

/** Reports each part that could never do anything. Like `checkReferences`, this passes over what has the wrong shape. */
export function checkEffects(game: Json, mistakes: Mistakes): void {
  const parts = createParts(game)
  for (const [key, achievement] of entriesOf(propertyOf(game, 'achievements'))) {
    checkAchievement(achievement, ['achievements', key], parts, mistakes)
  }
  for (const [key, system] of entriesOf(propertyOf(game, 'points'))) {
    for (const [index, trigger] of itemsOf(propertyOf(system, 'triggers')).entries()) {
      checkTrigger(trigger, ['points', key, 'triggers', index], parts, mistakes)
    }
    checkLevels(system, ['points', key], mistakes)
  }
  for (const [key, board] of entriesOf(propertyOf(game, 'leaderboards'))) {
    if (propertyOf(board, 'rankBy') !== 'streak') continue
    checkStreak(board, ['leaderboards', key, 'rankBy'], parts, mistakes)
  }
}

interface Parts {
  /** What to do if a part needs the game's `streak`; null if the game has one. */
  readonly streakHelp: string | null
  /** Why an achievement cannot be completed, or null. */
  readonly whyNotCompleted: (key: Maybe) => string | null
  /** Why no user can have so many points, or null. */
  readonly whyNotReached: (system: Maybe, total: Maybe) => string | null
  /** Why a metric has no events, or null. */
  readonly whyNoEvents: (key: Maybe) => string | null
}

function createParts(game: Json): Parts {
  const [achievements, metrics] = [propertyOf(game, 'achievements'), propertyOf(game, 'metrics')]
  const tiers = achievementKeys(game)
  const named = entriesOf(propertyOf(game, 'streaks')).length > 0
  const help = `add \`streak\`${named ? ', or name one of `streaks` in the property `streak`' : ''}`
  return {
    streakHelp: propertyOf(game, 'streak') === undefined ? help : null,
    whyNotCompleted: (key) => {
      if (typeof key !== 'string') return null
      const status = propertyOf(propertyOf(achievements, tiers.get(key)?.[0] ?? key), 'status')
      if (status !== 'locked' && status !== 'inactive') return null
      return `${quote(key)} is ${status}, so no user can complete it`
    },
    whyNotReached: (system, total) => {
      if (typeof system !== 'string' || typeof total !== 'number') return null
      const most = propertyOf(propertyOf(propertyOf(game, 'points'), system), 'maxPoints')
      if (typeof most !== 'number' || total <= most) return null
      return `is above maxPoints of ${quote(system)}, which is ${most}, so no user can reach it`
    },
    whyNoEvents: (key) => {
      if (typeof key !== 'string' || propertyOf(propertyOf(metrics, key), 'status') !== 'archived') return null
      return `${quote(key)} is archived, so it has no more events`
    },
  }
}

function checkAchievement(achievement: Json, path: Path, parts: Parts, mistakes: Mistakes): void {
  const trigger = propertyOf(achievement, 'trigger')
  if (trigger === 'streak') checkStreak(achievement, [...path, 'trigger'], parts, mistakes)
  if ((propertyOf(achievement, 'status') ?? 'active') !== 'active') return
  const help = "give this achievement a status other than 'active'"
  const noEvents = trigger === 'metric' ? parts.whyNoEvents(propertyOf(achievement, 'metric')) : null
  if (noEvents !== null) mistakes.add([...path, 'metric'], `${noEvents}; ${help}`)
  if (trigger === 'criteria') {
    for (const [index, each] of itemsOf(propertyOf(achievement, 'of')).entries()) {
      checkCriterion(each, [...path, 'of', index], parts, mistakes)
    }
  }
  if (trigger !== 'achievement') return
  for (const [index, key] of itemsOf(propertyOf(achievement, 'achievements')).entries()) {
    const why = parts.whyNotCompleted(key)
    if (why !== null) mistakes.add([...path, 'achievements', index], `${why}; remove it here, or ${help}`)
  }
}

function checkCriterion(criterion: Json, path: Path, parts: Parts, mistakes: Mistakes): void {
  const add = (property: string, why: string | null): void => {
    if (why !== null) mistakes.add([...path, property], `${why}; remove this criterion`)
  }
  add('metric', parts.whyNoEvents(propertyOf(criterion, 'metric')))
  add('events', parts.whyNoEvents(propertyOf(criterion, 'events')))
  add('achievement', parts.whyNotCompleted(propertyOf(criterion, 'achievement')))
  add('total', parts.whyNotReached(propertyOf(criterion, 'points'), propertyOf(criterion, 'total')))
  if (propertyOf(criterion, 'streak') === OWN_STREAK && parts.streakHelp !== null) {
    add('streak', `needs the game's \`streak\`, which it does not have; ${parts.streakHelp}`)
  }
}

function checkTrigger(trigger: Json, path: Path, parts: Parts, mistakes: Mistakes): void {
  if (propertyOf(trigger, 'type') === 'streak') checkStreak(trigger, [...path, 'type'], parts, mistakes)
  const points = propertyOf(trigger, 'points')
  if (points === 0) {
    mistakes.add([...path, 'points'], 'is 0, so the trigger would do nothing; give a number above or below 0')
  }
  const cap = propertyOf(propertyOf(trigger, 'cap'), 'points')
  if (typeof points !== 'number' || typeof cap !== 'number' || points <= cap) return
  const why = `is above the cap of this trigger, which is ${cap}, so it is never paid in full`
  mistakes.add([...path, 'points'], `${why}; give at most ${cap}, or raise the cap`)
}

function checkLevels(system: Json, path: Path, mistakes: Mistakes): void {
  const most = propertyOf(system, 'maxPoints')
  if (typeof most !== 'number') return
  for (const [key, level] of entriesOf(propertyOf(system, 'levels'))) {
    const points = propertyOf(level, 'points')
    if (typeof points !== 'number' || points <= most) continue
    const why = `is above maxPoints, which is ${most}, so no user can reach the level`
    mistakes.add([...path, 'levels', key, 'points'], `${why}; lower it, or raise maxPoints`)
  }
}

function checkStreak(part: Json, path: Path, { streakHelp }: Parts, mistakes: Mistakes): void {
  if (streakHelp === null || propertyOf(part, 'streak') !== undefined) return
  mistakes.add(path, `needs the game's \`streak\`, which it does not have; ${streakHelp}`)
}
