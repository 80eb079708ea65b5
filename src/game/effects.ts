import { quote } from '../suggest.ts'
import { OWN_STREAK } from './criteria.ts'
import { type Json, type JsonPart, type Maybe, type Mistakes, partsAt, propertyOf } from './json.ts'
import { achievementKeys } from './tiers.ts'

/** Reports each part that could never do anything. Like `checkReferences`, it skips parts with the wrong shape. */
export function checkEffects(game: Json, mistakes: Mistakes): void {
  const parts = createParts(game)
  const needStreak = [
    ...partsAt(game, 'achievements.*').map((part) => [part, 'trigger'] as const),
    ...partsAt(game, 'points.*.triggers.[]').map((part) => [part, 'type'] as const),
    ...partsAt(game, 'leaderboards.*').map((part) => [part, 'rankBy'] as const),
  ]
  for (const [{ value, path }, property] of needStreak) {
    if (propertyOf(value, property) !== 'streak' || propertyOf(value, 'streak') !== undefined) continue
    if (parts.needsStreak !== null) mistakes.add([...path, property], parts.needsStreak)
  }
  for (const achievement of partsAt(game, 'achievements.*')) checkAchievement(achievement, parts, mistakes)
  for (const place of ['challenges.*.of.[]', 'challenges.*.pool.*.of.[]']) {
    for (const criterion of partsAt(game, place)) checkCriterion(criterion, parts, mistakes)
  }
  const freezes = [
    ...partsAt(game, 'challenges.*.reward.freezes'),
    ...partsAt(game, 'challenges.*.pool.*.reward.freezes'),
    ...partsAt(game, 'rewards.*.gives.freezes'),
  ]
  for (const { path } of partsAt(game, 'streak.freezes').length === 0 ? freezes : []) {
    mistakes.add(path, "needs the freezes of the game's `streak`, which it does not have; add `streak.freezes`")
  }
  for (const trigger of partsAt(game, 'points.*.triggers.[]')) checkTrigger(trigger, mistakes)
  for (const system of partsAt(game, 'points.*')) checkLevels(system, mistakes)
}

interface Parts {
  readonly needsStreak: string | null
  readonly whyNotCompleted: (key: Maybe) => string | null
  readonly whyNotReached: (system: Maybe, total: Maybe) => string | null
  readonly whyNoEvents: (key: Maybe) => string | null
}

function createParts(game: Json): Parts {
  const [achievements, metrics] = [propertyOf(game, 'achievements'), propertyOf(game, 'metrics')]
  const tiers = achievementKeys(game)
  const named = partsAt(game, 'streaks.{}').length > 0
  const help = `add \`streak\`${named ? ', or name one of `streaks` in the property `streak`' : ''}`
  const needsStreak = `needs the game's \`streak\`, which it does not have; ${help}`
  return {
    needsStreak: propertyOf(game, 'streak') === undefined ? needsStreak : null,
    whyNotCompleted: (key) => {
      if (typeof key !== 'string') return null
      const status = propertyOf(propertyOf(achievements, tiers.get(key)?.[0] ?? key), 'status')
      if (status !== 'locked' && status !== 'inactive') return null
      return `${quote(key)} is ${status}, so no user can complete it`
    },
    whyNotReached: (system, total) => {
      if (typeof system !== 'string' || typeof total !== 'number') return null
      const most = mostTotal(propertyOf(propertyOf(game, 'points'), system))
      if (typeof most !== 'number' || total <= most) return null
      return `is above maxPoints of ${quote(system)}, which is ${most}, so no user can reach it`
    },
    whyNoEvents: (key) => {
      if (typeof key !== 'string' || propertyOf(propertyOf(metrics, key), 'status') !== 'archived') return null
      return `${quote(key)} is archived, so it has no more events`
    },
  }
}

function checkAchievement({ value: achievement, path }: JsonPart, parts: Parts, mistakes: Mistakes): void {
  if ((propertyOf(achievement, 'status') ?? 'active') !== 'active') return
  const trigger = propertyOf(achievement, 'trigger')
  const help = "give this achievement a status other than 'active'"
  const noEvents = trigger === 'metric' ? parts.whyNoEvents(propertyOf(achievement, 'metric')) : null
  if (noEvents !== null) mistakes.add([...path, 'metric'], `${noEvents}; ${help}`)
  const [criteria, composites] = [partsAt(achievement, 'of.[]', path), partsAt(achievement, 'achievements.[]', path)]
  if (trigger === 'criteria') for (const criterion of criteria) checkCriterion(criterion, parts, mistakes)
  if (trigger !== 'achievement') return
  for (const { value: key, path: partPath } of composites) {
    const why = parts.whyNotCompleted(key)
    if (why !== null) mistakes.add(partPath, `${why}; remove it here, or ${help}`)
  }
}

function checkCriterion({ value: criterion, path }: JsonPart, parts: Parts, mistakes: Mistakes): void {
  const add = (property: string, why: string | null): void => {
    if (why !== null) mistakes.add([...path, property], `${why}; remove this criterion`)
  }
  add('metric', parts.whyNoEvents(propertyOf(criterion, 'metric')))
  add('events', parts.whyNoEvents(propertyOf(criterion, 'events')))
  add('achievement', parts.whyNotCompleted(propertyOf(criterion, 'achievement')))
  add('total', parts.whyNotReached(propertyOf(criterion, 'points'), propertyOf(criterion, 'total')))
  if (propertyOf(criterion, 'streak') === OWN_STREAK) add('streak', parts.needsStreak)
}

function checkTrigger({ value: trigger, path }: JsonPart, mistakes: Mistakes): void {
  const points = propertyOf(trigger, 'points')
  if (points === 0) {
    mistakes.add([...path, 'points'], 'is 0, so the trigger would do nothing; give a number above or below 0')
  }
  const cap = propertyOf(propertyOf(trigger, 'cap'), 'points')
  if (typeof points !== 'number' || typeof cap !== 'number' || points <= cap) return
  const why = `is above the cap of this trigger, which is ${cap}, so it is never paid in full`
  mistakes.add([...path, 'points'], `${why}; give at most ${cap}, or raise the cap`)
}

/** The highest total. For spendable points, `maxPoints` bounds the balance alone. */
function mostTotal(system: Maybe): Maybe {
  return propertyOf(system, 'spendable') === true ? undefined : propertyOf(system, 'maxPoints')
}

function checkLevels({ value: system, path }: JsonPart, mistakes: Mistakes): void {
  const most = mostTotal(system)
  if (typeof most !== 'number') return
  for (const { value: points, path: partPath } of partsAt(system, 'levels.*.points', path)) {
    if (typeof points !== 'number' || points <= most) continue
    const why = `is above maxPoints, which is ${most}, so no user can reach the level`
    mistakes.add(partPath, `${why}; lower it, or raise maxPoints`)
  }
}
