import { parseDate } from '../rules/calendar.ts'
import { MOST_BOOSTS } from '../rules/game.ts'
import { quote } from '../suggest.ts'
import { checkCatalogue } from './catalogue.ts'
import { checkChallenges } from './challenges.ts'
import { checkCriteria } from './criteria.ts'
import {
  entriesOf,
  itemsOf,
  type Json,
  type JsonPart,
  type Maybe,
  type Mistakes,
  partsAt,
  propertyOf,
  toPathText,
} from './json.ts'
import { checkWallets } from './wallets.ts'

/** Within a part (`partsAt`): texts or numbers that differ, and the word for one. */
const DISTINCT = [
  ['', 'eventAttributes.[]', 'attribute'],
  ['', 'userAttributes.[]', 'attribute'],
  ['points.*', 'triggers.[].key', 'key'],
  ['points.*', 'levels.*.points', 'number of points'],
  ['streak', 'reminders.[].key', 'key'],
  ['streak', 'on.[]', 'day'],
  ['streak', 'daysOff.[]', 'day'],
  ['streaks.*', 'reminders.[].key', 'key'],
  ['streaks.*', 'on.[]', 'day'],
  ['streaks.*', 'daysOff.[]', 'day'],
  ['leaderboards.*', 'breakdown.[]', 'attribute'],
  ['achievements.*', 'achievements.[]', 'achievement'],
  ['clients', 'achievements.[]', 'achievement'],
  ['clients', 'challenges.[]', 'challenge'],
  ['clients', 'redeem.[]', 'reward'],
  ['clients', 'attributes.[]', 'attribute'],
  ['clients', 'profile.[]', 'field'],
  ['clients.events.*', 'attributes.[]', 'attribute'],
] as const

/** Lists and records, how many parts they may have at most, and the word for these. */
const BOUNDED = [
  ['metrics.*.limits', 10, 'limits'],
  ['points.*.boosts', MOST_BOOSTS, 'boosts'],
  ['streak.reminders', 10, 'reminders'],
  ['streak.daysOff', 6, 'days off'],
  ['streaks.*.daysOff', 6, 'days off'],
  ['streaks.*.reminders', 10, 'reminders'],
  ['achievements.*.announce', 10, 'numbers'],
  ['challenges', 100, 'challenges'],
  ['challenges.*.announce', 10, 'numbers'],
  ['rewards', 200, 'rewards'],
  ['emails.reactivation', 10, 'numbers'],
] as const

/** Lists and records that may not be empty, and what to name there. */
const FILLED = [
  ['streak.metrics', 'metric that keeps the streak'],
  ['streak.on', 'day'],
  ['streaks.*.metrics', 'metric that keeps the streak'],
  ['streaks.*.on', 'day'],
  ['achievements.*.achievements', 'achievement to complete'],
] as const

/** Checks that the parts fit together. Like `checkReferences`, it skips parts with the wrong shape. */
export function checkConsistency(game: Json, mistakes: Mistakes): void {
  for (const [owner, partPath, what] of DISTINCT) {
    for (const { value, path } of partsAt(game, owner)) checkDistinct(partsAt(value, partPath, path), what, mistakes)
  }
  checkSizes(game, mistakes)
  for (const metric of partsAt(game, 'metrics.*')) checkMetric(metric, mistakes)
  checkSteps(game, mistakes)
  for (const trigger of partsAt(game, 'points.*.triggers.[]')) checkTrigger(trigger, mistakes)
  for (const boost of partsAt(game, 'points.*.boosts.*')) {
    checkDates(boost, (start, end) => start <= end, 'must not be before start', mistakes)
  }
  for (const streak of [...partsAt(game, 'streak'), ...partsAt(game, 'streaks.*')]) checkStreak(game, streak, mistakes)
  for (const board of partsAt(game, 'leaderboards.*')) {
    checkWindow(board, mistakes)
    checkDates(board, (start, end) => start <= end, 'must not be before start', mistakes)
  }
  for (const { value, path } of partsAt(game, 'achievements.*')) {
    if ((propertyOf(value, 'repeat') ?? false) === false || propertyOf(value, 'validFor') === undefined) continue
    mistakes.add([...path, 'validFor'], 'does not go with `repeat`: a completion expires or repeats; remove one')
  }
  for (const place of ['achievements.*.announce', 'challenges.*.announce', 'emails.reactivation']) {
    for (const list of partsAt(game, place)) checkAscending(list, mistakes)
  }
  checkCriteria(game, mistakes)
  checkComposites(game, mistakes)
  checkChallenges(game, mistakes)
  checkWallets(game, mistakes)
  checkCatalogue(game, mistakes)
  for (const { value, path } of partsAt(game, 'clients.events.*')) {
    const [min, max] = [propertyOf(value, 'min') ?? 0, propertyOf(value, 'max')]
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max) continue
    mistakes.add([...path, 'max'], `must be at least min, which is ${min}`)
  }
}

function checkSizes(game: Json, mistakes: Mistakes): void {
  for (const [partPath, most, what] of BOUNDED) {
    for (const { value, path } of partsAt(game, partPath)) {
      const size = sizeOf(value)
      if (size > most) mistakes.add(path, `has ${size} ${what}; keep at most ${most}`)
    }
  }
  for (const [partPath, what] of FILLED) {
    const empty = partsAt(game, partPath).filter(({ value }) => sizeOf(value) === 0)
    for (const { path } of empty) mistakes.add(path, `is empty; name at least one ${what}`)
  }
}

function sizeOf(value: Json): number {
  return itemsOf(value).length + entriesOf(value).length
}

function checkDistinct(parts: readonly JsonPart[], what: string, mistakes: Mistakes): void {
  const first = new Map<Json, JsonPart>()
  for (const part of parts) {
    if (typeof part.value !== 'string' && typeof part.value !== 'number') continue
    const earlier = first.get(part.value)
    if (earlier === undefined) first.set(part.value, part)
    else mistakes.add(part.path, `is the same ${what} as ${toPathText(earlier.path)}; change or remove one`)
  }
}

function checkAscending({ value, path }: JsonPart, mistakes: Mistakes): void {
  const numbers = itemsOf(value)
  for (const [index, number] of numbers.entries()) {
    const before = numbers[index - 1]
    if (typeof number !== 'number' || typeof before !== 'number' || before < number) continue
    mistakes.add([...path, index], `must be above ${before}, which is before it`)
  }
}

function checkMetric({ value: metric, path }: JsonPart, mistakes: Mistakes): void {
  const aggregation = propertyOf(metric, 'aggregation') ?? 'sum'
  if (sizeOf(propertyOf(metric, 'limits') ?? null) > 0 && aggregation !== 'sum') {
    const why = `limits what events add, but the aggregation is ${quote(String(aggregation))}`
    mistakes.add([...path, 'limits'], `${why}; remove it`)
  }
  // Only the lower of two such limits could ever apply.
  const limits = partsAt(metric, 'limits.[]', path).flatMap((limit): readonly JsonPart[] => {
    const [days, then] = [propertyOf(propertyOf(limit.value, 'per'), 'days'), propertyOf(limit.value, 'then')]
    return typeof days === 'number' && typeof then === 'string' ? [{ ...limit, value: `${then} ${days}` }] : []
  })
  checkDistinct(limits, 'period and kind of limit', mistakes)
  const isDistinct = aggregation === 'distinct'
  if (isDistinct === (propertyOf(metric, 'of') !== undefined)) return
  const missing = 'is missing; name the event attribute whose values are counted'
  mistakes.add([...path, 'of'], isDistinct ? missing : "is only for the aggregation 'distinct'; remove it")
}

/** Totals of `min` and `last` do not rise in steps, so nothing can be paid or completed at each step. */
function checkSteps(game: Json, mistakes: Mistakes): void {
  const check = ({ value, path }: JsonPart, property: string, what: string): void => {
    const metric = propertyOf(value, 'metric')
    const aggregation = propertyOf(propertyOf(propertyOf(game, 'metrics'), String(metric)), 'aggregation')
    if (typeof metric !== 'string' || (aggregation !== 'min' && aggregation !== 'last')) return
    const why = `${quote(metric)} has the aggregation ${quote(aggregation)}, so its total does not rise in steps`
    mistakes.add([...path, property], `${why}; ${what} needs a metric with 'sum', 'max' or 'distinct'`)
  }
  for (const achievement of partsAt(game, 'achievements.*')) {
    const repeat = propertyOf(achievement.value, 'repeat') ?? false
    if (repeat !== false) check(achievement, 'repeat', '`repeat`')
  }
  for (const trigger of partsAt(game, 'points.*.triggers.[]')) check(trigger, 'metric', 'a trigger')
}

function checkTrigger({ value: trigger, path }: JsonPart, mistakes: Mistakes): void {
  if (propertyOf(trigger, 'type') === 'time') {
    for (const { value: every, path: partPath } of partsAt(trigger, 'every', path)) {
      const units = ['hours', 'days'].filter((unit) => propertyOf(every, unit) !== undefined)
      const what = units.length === 0 ? 'says neither hours nor days' : 'says both hours and days'
      if (units.length !== 1) mistakes.add(partPath, `${what}; give one of them, as { hours: 6 }`)
    }
    return
  }
  // Caps do not limit negative points, so a cap on them would have no effect.
  const points = propertyOf(trigger, 'points')
  if (typeof points !== 'number' || points >= 0) return
  for (const { path: partPath } of [...partsAt(trigger, 'cap', path), ...partsAt(trigger, 'cooldown', path)]) {
    mistakes.add(partPath, `holds nothing back where points are taken away (points is ${points}); remove it`)
  }
}

/** By frequency: the most hours before its end that lie within every period, however short. */
const MOST_HOURS = new Map<Maybe, number>([
  ['daily', 23],
  ['weekly', 7 * 24 - 1],
  ['monthly', 27 * 24],
])

function checkStreak(game: Json, { value: streak, path }: JsonPart, mistakes: Mistakes): void {
  const frequency = propertyOf(streak, 'frequency')
  if (propertyOf(streak, 'on') !== undefined && propertyOf(streak, 'daysOff') !== undefined) {
    mistakes.add([...path, 'daysOff'], 'says the same as `on`; remove one of the two')
  }
  // `on` chooses days of a daily streak, and `days` says how many a week of a weekly one.
  const needed = { on: 'daily', daysOff: 'daily', days: 'weekly' }
  for (const [property, kind] of Object.entries(needed)) {
    if (propertyOf(streak, property) === undefined || typeof frequency !== 'string' || frequency === kind) continue
    mistakes.add([...path, property], `is for a ${kind} streak, and this one is ${frequency}; remove it`)
  }
  const most = MOST_HOURS.get(frequency) ?? Number.POSITIVE_INFINITY
  for (const { value: hours, path: partPath } of partsAt(streak, 'reminders.[].before.hours', path)) {
    if (typeof hours !== 'number' || hours <= most) continue
    mistakes.add(partPath, `must be at most ${most}, for the streak is ${String(frequency)}`)
  }
  const freezes = propertyOf(streak, 'freezes')
  if (freezes === 'shared' && path.length > 1 && partsAt(game, 'streak.freezes').length === 0) {
    mistakes.add([...path, 'freezes'], 'shares the freezes of `streak`, which has none; add freezes to `streak`')
  }
  const [initial, max] = [propertyOf(freezes, 'initial'), propertyOf(freezes, 'max')]
  if (typeof initial !== 'number' || typeof max !== 'number' || initial <= max) return
  mistakes.add([...path, 'freezes', 'initial'], `must be at most max, which is ${max}`)
}

function checkDates(
  { value, path }: JsonPart,
  isInOrder: (start: string, end: string) => boolean,
  rule: string,
  mistakes: Mistakes,
): void {
  const [start, end] = [propertyOf(value, 'start'), propertyOf(value, 'end')]
  if (typeof start !== 'string' || typeof end !== 'string') return
  if (parseDate(start) === null || parseDate(end) === null || isInOrder(start, end)) return
  mistakes.add([...path, 'end'], `${rule}, which is ${start}`)
}

/** With an empty window, no user would ever be on the leaderboard. */
function checkWindow({ value: board, path }: JsonPart, mistakes: Mistakes): void {
  const startTime = propertyOf(board, 'startTime') ?? '00:00'
  if (startTime !== propertyOf(board, 'endTime')) return
  mistakes.add([...path, 'endTime'], 'must differ from startTime (00:00 without one); leave it out for the whole day')
}

function checkComposites(game: Json, mistakes: Mistakes): void {
  const achievements = propertyOf(game, 'achievements')
  const hasCriteria = (key: string): boolean => propertyOf(propertyOf(achievements, key), 'trigger') === 'criteria'
  const parts = new Map<string, readonly string[]>()
  for (const [key, achievement] of entriesOf(achievements)) {
    const isComposite = propertyOf(achievement, 'trigger') === 'achievement'
    const partPath = hasCriteria(key) ? 'of.[].achievement' : 'achievements.[]'
    const needed = isComposite || hasCriteria(key) ? partsAt(achievement, partPath) : []
    const keys = needed.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
    parts.set(key, keys)
  }
  for (const { members, length } of findCycles(parts)) {
    const [key = ''] = members
    const more = length > members.length ? [`${length - members.length} more`] : []
    const trail = [...members.map(quote), ...more, quote(key)].join(' → ')
    const message = members.some(hasCriteria)
      ? `leads back to itself: ${trail}; remove one of these references`
      : `can never be completed, for it needs itself: ${trail}`
    mistakes.add(['achievements', key, hasCriteria(key) ? 'of' : 'achievements'], message)
  }
}

interface Cycle {
  readonly members: readonly string[]
  readonly length: number
}

const MOST_MEMBERS = 10

/** Each cycle once, from its first member. An explicit stack: a chain of thousands would overflow the call stack. */
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
