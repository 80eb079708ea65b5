import { levelName, OWN_STREAK } from './criteria.ts'
import type { Mistakes, Path } from './json.ts'
import { entriesOf, itemsOf, type Json, keysOf, type Maybe, propertyOf } from './json.ts'
import { hint, quote } from './suggest.ts'
import { achievementKeys } from './tiers.ts'

type Kind = 'metric' | 'named streak' | 'level' | 'achievement' | 'points system' | 'event attribute' | 'user attribute'

const HOMES: Record<Kind, string> = {
  metric: 'metrics',
  'named streak': 'streaks',
  achievement: 'achievements',
  'points system': 'points',
  level: 'the levels of a points system',
  'event attribute': 'eventAttributes',
  'user attribute': 'userAttributes',
}

const MOST_SUGGESTED = 50

/** Reports a reference to something that is not in the game. */
type Refer = (kind: Kind, key: Maybe, path: Path) => void

/**
 * Checks that a definition refers only to its own parts. This looks at the data as it was written, so that its mistakes are
 * found beside those of the shape; what has the wrong shape is passed over here.
 */
export function checkReferences(game: Json, mistakes: Mistakes): void {
  const refer = createRefer(game, mistakes)
  for (const [key, metric] of entriesOf(propertyOf(game, 'metrics'))) {
    refer('event attribute', propertyOf(metric, 'of'), ['metrics', key, 'of'])
  }
  for (const [key, achievement] of entriesOf(propertyOf(game, 'achievements'))) {
    checkAchievement(achievement, ['achievements', key], refer)
  }
  for (const [key, system] of entriesOf(propertyOf(game, 'points'))) {
    for (const [index, trigger] of itemsOf(propertyOf(system, 'triggers')).entries()) {
      checkTrigger(trigger, ['points', key, 'triggers', index], refer)
    }
    for (const [boost, each] of entriesOf(propertyOf(system, 'boosts'))) {
      checkFilters(each, ['points', key, 'boosts', boost], refer)
    }
  }
  for (const metric of keysOf(propertyOf(propertyOf(game, 'streak'), 'metrics'))) {
    refer('metric', metric, ['streak', 'metrics', metric])
  }
  for (const [key, streak] of entriesOf(propertyOf(game, 'streaks'))) {
    for (const metric of keysOf(propertyOf(streak, 'metrics'))) {
      refer('metric', metric, ['streaks', key, 'metrics', metric])
    }
  }
  for (const [key, board] of entriesOf(propertyOf(game, 'leaderboards'))) {
    checkLeaderboard(board, ['leaderboards', key], refer)
  }
  checkClients(game, refer, mistakes)
}

function createRefer(game: Json, mistakes: Mistakes): Refer {
  const known: Record<Kind, ReadonlySet<string>> = {
    metric: new Set(keysOf(propertyOf(game, 'metrics'))),
    'named streak': new Set(keysOf(propertyOf(game, 'streaks'))),
    achievement: new Set(achievementKeys(game).keys()),
    'points system': new Set(keysOf(propertyOf(game, 'points'))),
    level: new Set(levelsIn(game)),
    'event attribute': stringsOf(propertyOf(game, 'eventAttributes')),
    'user attribute': stringsOf(propertyOf(game, 'userAttributes')),
  }
  return (kind, key, path) => {
    if (typeof key !== 'string' || known[kind].has(key)) return
    const add = `add it to ${HOMES[kind]}`
    // A suggestion for each of very many mistakes would take too much time.
    const help = mistakes.count < MOST_SUGGESTED ? hint(key, [...known[kind]], add) : `; ${add}`
    mistakes.add(path, `unknown ${kind} ${quote(key)}${help}`)
  }
}

function levelsIn(game: Json): readonly string[] {
  return entriesOf(propertyOf(game, 'points')).flatMap(([system, each]) =>
    keysOf(propertyOf(each, 'levels')).map((level) => levelName(system, level)),
  )
}

function stringsOf(list: Maybe): ReadonlySet<string> {
  return new Set(itemsOf(list).filter((item) => typeof item === 'string'))
}

function checkAchievement(achievement: Json, path: Path, refer: Refer): void {
  refer('metric', propertyOf(achievement, 'metric'), [...path, 'metric'])
  refer('named streak', propertyOf(achievement, 'streak'), [...path, 'streak'])
  for (const [index, part] of itemsOf(propertyOf(achievement, 'achievements')).entries()) {
    refer('achievement', part, [...path, 'achievements', index])
  }
  for (const [index, each] of itemsOf(propertyOf(achievement, 'of')).entries()) {
    checkCriterion(each, [...path, 'of', index], refer)
  }
  checkFilters(achievement, path, refer)
}

function checkCriterion(criterion: Json, path: Path, refer: Refer): void {
  refer('metric', propertyOf(criterion, 'metric'), [...path, 'metric'])
  refer('metric', propertyOf(criterion, 'events'), [...path, 'events'])
  const streak = propertyOf(criterion, 'streak')
  if (streak !== OWN_STREAK) refer('named streak', streak, [...path, 'streak'])
  refer('level', propertyOf(criterion, 'level'), [...path, 'level'])
  refer('points system', propertyOf(criterion, 'points'), [...path, 'points'])
  refer('achievement', propertyOf(criterion, 'achievement'), [...path, 'achievement'])
  checkFilters(criterion, path, refer)
}

function checkTrigger(trigger: Json, path: Path, refer: Refer): void {
  refer('metric', propertyOf(trigger, 'metric'), [...path, 'metric'])
  refer('named streak', propertyOf(trigger, 'streak'), [...path, 'streak'])
  refer('achievement', propertyOf(trigger, 'achievement'), [...path, 'achievement'])
  checkFilters(trigger, path, refer)
}

function checkFilters(owner: Json, path: Path, refer: Refer): void {
  for (const attribute of keysOf(propertyOf(owner, 'eventAttributes'))) {
    refer('event attribute', attribute, [...path, 'eventAttributes', attribute])
  }
  for (const attribute of keysOf(propertyOf(owner, 'userAttributes'))) {
    refer('user attribute', attribute, [...path, 'userAttributes', attribute])
  }
}

function checkLeaderboard(board: Json, path: Path, refer: Refer): void {
  refer('metric', propertyOf(board, 'metric'), [...path, 'metric'])
  refer('named streak', propertyOf(board, 'streak'), [...path, 'streak'])
  refer('points system', propertyOf(board, 'system'), [...path, 'system'])
  for (const [index, attribute] of itemsOf(propertyOf(board, 'breakdown')).entries()) {
    refer('user attribute', attribute, [...path, 'breakdown', index])
  }
}

function checkClients(game: Json, refer: Refer, mistakes: Mistakes): void {
  const clients = propertyOf(game, 'clients')
  for (const [metric, bounds] of entriesOf(propertyOf(clients, 'events'))) {
    refer('metric', metric, ['clients', 'events', metric])
    for (const [index, attribute] of itemsOf(propertyOf(bounds, 'attributes')).entries()) {
      refer('event attribute', attribute, ['clients', 'events', metric, 'attributes', index])
    }
  }
  for (const [index, attribute] of itemsOf(propertyOf(clients, 'attributes')).entries()) {
    refer('user attribute', attribute, ['clients', 'attributes', index])
  }
  const achievements = propertyOf(game, 'achievements')
  const triggers = new Map(
    [...achievementKeys(game)].map(([key, tier]) => [
      key,
      propertyOf(propertyOf(achievements, tier?.[0] ?? key), 'trigger'),
    ]),
  )
  const completed = [...triggers].filter(([, trigger]) => trigger === 'api').map(([key]) => key)
  for (const [index, key] of itemsOf(propertyOf(clients, 'achievements')).entries()) {
    if (typeof key !== 'string' || triggers.get(key) === 'api') continue
    const what = triggers.has(key) ? `${quote(key)} is completed by the rules` : `unknown achievement ${quote(key)}`
    const help = hint(key, completed, "clients complete only those with the trigger 'api': remove it")
    mistakes.add(['clients', 'achievements', index], `${what}${help}`)
  }
}
