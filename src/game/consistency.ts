import { parseDate } from '../rules/calendar.ts'
import { MOST_BOOSTS } from '../rules/game.ts'
import { checkCriteria } from './criteria.ts'
import { entriesOf, itemsOf, type Json, type Maybe, type Mistakes, type Path, propertyOf, toPathText } from './json.ts'
import { quote } from './suggest.ts'

/** Adds a mistake for each item that the list has before it already. `what`: the word for an item in the message. */
function checkDuplicates(
  items: readonly Maybe[],
  placeOf: (index: number) => Path,
  what: string,
  mistakes: Mistakes,
): void {
  const first = new Map<Maybe, number>()
  for (const [index, item] of items.entries()) {
    if (typeof item !== 'string' && typeof item !== 'number') continue
    const earlier = first.get(item)
    if (earlier === undefined) first.set(item, index)
    else mistakes.add(placeOf(index), `is the same ${what} as ${toPathText(placeOf(earlier))}; change or remove one`)
  }
}

const MOST = 10

/** By frequency: the most hours before its end that lie within every period, however short. */
const MOST_HOURS = new Map<Maybe, number>([
  ['daily', 23],
  ['weekly', 7 * 24 - 1],
  ['monthly', 27 * 24],
])

export function checkReminders(streak: Maybe, path: Path, mistakes: Mistakes): void {
  const reminders = itemsOf(propertyOf(streak, 'reminders'))
  checkMost(reminders, [...path, 'reminders'], 'reminders', mistakes)
  const keys = reminders.map((reminder) => propertyOf(reminder, 'key'))
  checkDuplicates(keys, (index) => [...path, 'reminders', index, 'key'], 'key', mistakes)
  const frequency = propertyOf(streak, 'frequency')
  const most = MOST_HOURS.get(frequency)
  for (const [index, reminder] of reminders.entries()) {
    const hours = propertyOf(propertyOf(reminder, 'before'), 'hours')
    if (typeof hours !== 'number' || most === undefined || hours <= most) continue
    const place = [...path, 'reminders', index, 'before', 'hours']
    mistakes.add(place, `must be at most ${most}, for the streak is ${String(frequency)}`)
  }
}

/** Checks that at most ten numbers ascend. */
function checkAscending(list: Maybe, path: Path, mistakes: Mistakes): void {
  const numbers = itemsOf(list)
  checkMost(numbers, path, 'numbers', mistakes)
  for (const [index, number] of numbers.entries()) {
    const before = numbers[index - 1]
    if (typeof number !== 'number' || typeof before !== 'number' || before < number) continue
    mistakes.add([...path, index], `must be above ${before}, which is before it`)
  }
}

function checkMost(items: readonly unknown[], path: Path, what: string, mistakes: Mistakes, most = MOST): void {
  if (items.length > most) mistakes.add(path, `has ${items.length} ${what}; keep at most ${most}`)
}

/** Checks that the parts of a trigger fit together. */
export function checkTrigger(trigger: Json, path: Path, mistakes: Mistakes): void {
  if (propertyOf(trigger, 'type') === 'time') checkTimeTrigger(trigger, path, mistakes)
  else checkRestraints(trigger, path, mistakes)
}

/** What takes points away is never held back, so a cap on it would do nothing. */
function checkRestraints(trigger: Json, path: Path, mistakes: Mistakes): void {
  const points = propertyOf(trigger, 'points')
  if (typeof points !== 'number' || points >= 0) return
  for (const property of ['cap', 'cooldown']) {
    if (propertyOf(trigger, property) === undefined) continue
    mistakes.add([...path, property], `holds nothing back where points are taken away (points is ${points}); remove it`)
  }
}

function checkTimeTrigger(trigger: Json, path: Path, mistakes: Mistakes): void {
  const every = propertyOf(trigger, 'every')
  if (typeof every !== 'object' || every === null || Array.isArray(every)) return
  const units = ['hours', 'days'].filter((unit) => propertyOf(every, unit) !== undefined)
  if (units.length === 1) return
  const what = units.length === 0 ? 'says neither hours nor days' : 'says both hours and days'
  mistakes.add([...path, 'every'], `${what}; give one of them, as { hours: 6 }`)
}

/**
 * Checks that the parts of a definition fit together. Like `checkReferences`, this passes over what has the wrong shape.
 */
export function checkConsistency(game: Json, mistakes: Mistakes): void {
  for (const list of ['eventAttributes', 'userAttributes']) {
    checkDuplicates(itemsOf(propertyOf(game, list)), (index) => [list, index], 'attribute', mistakes)
  }
  for (const [key, metric] of entriesOf(propertyOf(game, 'metrics'))) {
    checkLimits(metric, ['metrics', key], mistakes)
    checkCounted(metric, ['metrics', key], mistakes)
  }
  checkSteps(game, mistakes)
  for (const [key, system] of entriesOf(propertyOf(game, 'points'))) checkPoints(system, ['points', key], mistakes)
  checkStreak(propertyOf(game, 'streak'), ['streak'], mistakes)
  for (const [key, streak] of entriesOf(propertyOf(game, 'streaks'))) {
    checkStreak(streak, ['streaks', key], mistakes)
    checkShared(game, streak, ['streaks', key], mistakes)
  }
  for (const [key, board] of entriesOf(propertyOf(game, 'leaderboards'))) {
    checkLeaderboard(board, ['leaderboards', key], mistakes)
  }
  for (const [key, achievement] of entriesOf(propertyOf(game, 'achievements'))) {
    checkAscending(propertyOf(achievement, 'announce'), ['achievements', key, 'announce'], mistakes)
    const repeats = (propertyOf(achievement, 'repeat') ?? false) !== false
    if (!repeats || propertyOf(achievement, 'validFor') === undefined) continue
    mistakes.add(
      ['achievements', key, 'validFor'],
      'does not go with `repeat`: a completion expires or repeats; remove one',
    )
  }
  checkCriteria(game, mistakes)
  checkComposites(propertyOf(game, 'achievements'), mistakes)
  checkClients(propertyOf(game, 'clients'), mistakes)
  checkAscending(propertyOf(propertyOf(game, 'emails'), 'reactivation'), ['emails', 'reactivation'], mistakes)
}

function checkClients(clients: Maybe, mistakes: Mistakes): void {
  for (const [list, what] of [
    ['achievements', 'achievement'],
    ['attributes', 'attribute'],
    ['profile', 'field'],
  ] as const) {
    checkDuplicates(itemsOf(propertyOf(clients, list)), (index) => ['clients', list, index], what, mistakes)
  }
  for (const [metric, bounds] of entriesOf(propertyOf(clients, 'events'))) {
    const path = ['clients', 'events', metric]
    const attributes = itemsOf(propertyOf(bounds, 'attributes'))
    checkDuplicates(attributes, (index) => [...path, 'attributes', index], 'attribute', mistakes)
    const [min, max] = [propertyOf(bounds, 'min') ?? 0, propertyOf(bounds, 'max')]
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max) continue
    mistakes.add([...path, 'max'], `must be at least min, which is ${min}`)
  }
}

/** Totals of `min` and `last` do not rise in steps, so nothing can be paid or completed at each step. */
function checkSteps(game: Json, mistakes: Mistakes): void {
  const metrics = propertyOf(game, 'metrics')
  const check = (part: Json, property: string, path: Path, what: string): void => {
    const metric = propertyOf(part, 'metric')
    const aggregation = typeof metric === 'string' ? propertyOf(propertyOf(metrics, metric), 'aggregation') : undefined
    if (typeof metric !== 'string' || (aggregation !== 'min' && aggregation !== 'last')) return
    const why = `${quote(metric)} has the aggregation ${quote(aggregation)}, so its total does not rise in steps`
    mistakes.add([...path, property], `${why}; ${what} needs a metric with 'sum', 'max' or 'distinct'`)
  }
  for (const [key, achievement] of entriesOf(propertyOf(game, 'achievements'))) {
    const repeat = propertyOf(achievement, 'repeat') ?? false
    if (repeat !== false) check(achievement, 'repeat', ['achievements', key], '`repeat`')
  }
  for (const [key, system] of entriesOf(propertyOf(game, 'points'))) {
    for (const [index, trigger] of itemsOf(propertyOf(system, 'triggers')).entries()) {
      check(trigger, 'metric', ['points', key, 'triggers', index], 'a trigger')
    }
  }
}

/** Only `distinct` counts the values of an attribute, and it needs one. */
function checkCounted(metric: Json, path: Path, mistakes: Mistakes): void {
  const isDistinct = propertyOf(metric, 'aggregation') === 'distinct'
  const isNamed = propertyOf(metric, 'of') !== undefined
  const place = [...path, 'of']
  if (isDistinct && !isNamed) mistakes.add(place, 'is missing; name the event attribute whose values are counted')
  if (!isDistinct && isNamed) mistakes.add(place, "is only for the aggregation 'distinct'; remove it")
}

/** Two limits of one kind over the same number of days are a mistake: only the lower one could ever apply. */
function checkLimits(metric: Json, path: Path, mistakes: Mistakes): void {
  const limits = itemsOf(propertyOf(metric, 'limits'))
  const aggregation = propertyOf(metric, 'aggregation') ?? 'sum'
  if (limits.length > 0 && aggregation !== 'sum') {
    mistakes.add(
      [...path, 'limits'],
      `limits what events add, but the aggregation is ${quote(String(aggregation))}; remove it`,
    )
  }
  checkMost(limits, [...path, 'limits'], 'limits', mistakes)
  const named = limits.map((limit) => {
    const [days, then] = [propertyOf(propertyOf(limit, 'per'), 'days'), propertyOf(limit, 'then')]
    return typeof days === 'number' && typeof then === 'string' ? `${then} ${days}` : undefined
  })
  checkDuplicates(named, (index) => [...path, 'limits', index], 'period and kind of limit', mistakes)
}

function checkStreak(streak: Maybe, path: Path, mistakes: Mistakes): void {
  if (isEmptyRecord(propertyOf(streak, 'metrics'))) {
    mistakes.add([...path, 'metrics'], 'is empty; name at least one metric that keeps the streak')
  }
  checkDays(streak, path, mistakes)
  checkReminders(streak, path, mistakes)
  const freezes = propertyOf(streak, 'freezes')
  const [initial, max] = [propertyOf(freezes, 'initial'), propertyOf(freezes, 'max')]
  if (typeof initial !== 'number' || typeof max !== 'number' || initial <= max) return
  mistakes.add([...path, 'freezes', 'initial'], `must be at most max, which is ${max}`)
}

/** `on` chooses days of a daily streak, and `days` says how many a week of a weekly one. */
function checkDays(streak: Maybe, path: Path, mistakes: Mistakes): void {
  const frequency = propertyOf(streak, 'frequency')
  const on = propertyOf(streak, 'on')
  for (const [property, needed] of [
    ['on', 'daily'],
    ['days', 'weekly'],
  ] as const) {
    if (propertyOf(streak, property) === undefined || typeof frequency !== 'string' || frequency === needed) continue
    mistakes.add([...path, property], `is for a ${needed} streak, and this one is ${frequency}; remove it`)
  }
  if (on === undefined) return
  if (Array.isArray(on) && on.length === 0) mistakes.add([...path, 'on'], 'is empty; name at least one day')
  checkDuplicates(itemsOf(on), (index) => [...path, 'on', index], 'day', mistakes)
}

function checkShared(game: Json, streak: Json, path: Path, mistakes: Mistakes): void {
  if (propertyOf(streak, 'freezes') !== 'shared') return
  if (propertyOf(propertyOf(game, 'streak'), 'freezes') !== undefined) return
  mistakes.add([...path, 'freezes'], 'shares the freezes of `streak`, which has none; add freezes to `streak`')
}

function checkPoints(system: Json, path: Path, mistakes: Mistakes): void {
  const keys = itemsOf(propertyOf(system, 'triggers')).map((trigger) => propertyOf(trigger, 'key'))
  checkDuplicates(keys, (index) => [...path, 'triggers', index, 'key'], 'key', mistakes)
  for (const [index, trigger] of itemsOf(propertyOf(system, 'triggers')).entries()) {
    checkTrigger(trigger, [...path, 'triggers', index], mistakes)
  }
  checkBoosts(entriesOf(propertyOf(system, 'boosts')), [...path, 'boosts'], mistakes)
  const levels = entriesOf(propertyOf(system, 'levels'))
  const points = levels.map(([, level]) => propertyOf(level, 'points'))
  checkDuplicates(
    points,
    (index) => [...path, 'levels', levels[index]?.[0] ?? '', 'points'],
    'number of points',
    mistakes,
  )
}

function checkBoosts(boosts: readonly (readonly [string, Json])[], path: Path, mistakes: Mistakes): void {
  checkMost(boosts, path, 'boosts', mistakes, MOST_BOOSTS)
  for (const [key, boost] of boosts) {
    const [start, end] = [propertyOf(boost, 'start'), propertyOf(boost, 'end')]
    if (typeof start !== 'string' || typeof end !== 'string') continue
    if (parseDate(start) === null || parseDate(end) === null || start <= end) continue
    mistakes.add([...path, key, 'end'], `must not be before start, which is ${start}`)
  }
}

function checkLeaderboard(board: Json, path: Path, mistakes: Mistakes): void {
  const breakdown = itemsOf(propertyOf(board, 'breakdown'))
  checkDuplicates(breakdown, (index) => [...path, 'breakdown', index], 'attribute', mistakes)
  checkWindow(board, path, mistakes)
  const start = propertyOf(board, 'start')
  const end = propertyOf(board, 'end')
  if (typeof start !== 'string' || typeof end !== 'string') return
  if (parseDate(start) === null || parseDate(end) === null || start < end) return
  mistakes.add([...path, 'end'], `must be after start, which is ${start}`)
}

/** With an empty window, no user would ever be on the leaderboard. */
function checkWindow(board: Json, path: Path, mistakes: Mistakes): void {
  const startTime = propertyOf(board, 'startTime') ?? '00:00'
  if (startTime !== propertyOf(board, 'endTime')) return
  mistakes.add([...path, 'endTime'], 'must differ from startTime (00:00 without one); leave it out for the whole day')
}

function isEmptyRecord(value: Maybe): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}

function checkComposites(achievements: Maybe, mistakes: Mistakes): void {
  const parts = new Map<string, readonly string[]>()
  for (const [key, achievement] of entriesOf(achievements)) {
    const list = propertyOf(achievement, 'achievements')
    const trigger = propertyOf(achievement, 'trigger')
    if (trigger === 'achievement' && Array.isArray(list)) {
      const path = ['achievements', key, 'achievements']
      if (list.length === 0) mistakes.add(path, 'is empty; name at least one achievement to complete')
      checkDuplicates(list, (index) => [...path, index], 'achievement', mistakes)
    }
    const criteria = itemsOf(propertyOf(achievement, 'of')).map((each) => propertyOf(each, 'achievement'))
    const needed = trigger === 'achievement' ? itemsOf(list) : trigger === 'criteria' ? criteria : []
    parts.set(
      key,
      needed.filter((part) => typeof part === 'string'),
    )
  }
  for (const { members, length } of findCycles(parts)) {
    const [key = ''] = members
    const more = length > members.length ? [`${length - members.length} more`] : []
    const trail = [...members.map(quote), ...more, quote(key)].join(' → ')
    const hasCriteria = (each: string): boolean => propertyOf(propertyOf(achievements, each), 'trigger') === 'criteria'
    const message = members.some(hasCriteria)
      ? `leads back to itself: ${trail}; remove one of these references`
      : `can never be completed, for it needs itself: ${trail}`
    mistakes.add(['achievements', key, hasCriteria(key) ? 'of' : 'achievements'], message)
  }
}

/** The first members of a cycle, and how many it has. */
interface Cycle {
  readonly members: readonly string[]
  readonly length: number
}

const MOST_MEMBERS = 10

/**
 * Cycles of composites that need each other, each named once, from the member that was written first. Walks with a list
 * of its own: a chain of thousands would overflow the call stack.
 */
function findCycles(parts: ReadonlyMap<string, readonly string[]>): readonly Cycle[] {
  const cycles: Cycle[] = []
  const done = new Set<string>()
  for (const root of parts.keys()) {
    const trail: { readonly key: string; next: number }[] = []
    const depths = new Map<string, number>()
    const enter = (key: string): void => {
      const start = depths.get(key)
      if (start !== undefined) {
        const members = trail.slice(start, start + MOST_MEMBERS).map((each) => each.key)
        cycles.push({ members, length: trail.length - start })
      } else if (!done.has(key)) {
        depths.set(key, trail.length)
        trail.push({ key, next: 0 })
      }
    }
    enter(root)
    for (let last = trail.at(-1); last !== undefined; last = trail.at(-1)) {
      const part = parts.get(last.key)?.[last.next]
      last.next += 1
      if (part !== undefined) enter(part)
      else {
        trail.pop()
        depths.delete(last.key)
        done.add(last.key)
      }
    }
  }
  return cycles
}
