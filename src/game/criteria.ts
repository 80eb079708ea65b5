import { z } from 'zod'
import type { Criterion, Filters, Game, MembershipCriterion } from '../rules/game.ts'
import { quote } from '../suggest.ts'
import type { MembershipDefinition, WithinDefinition } from './definition-parts.ts'
import { criterionId } from './ids.ts'
import { entriesOf, type Json, type JsonPart, type Mistakes, partsAt, propertyOf, toPathText } from './json.ts'
import { filters, integer, key, object, oneOf, parseAs, value } from './schema-parts.ts'
import type { StoredCriterion, StoredDefinition, StoredFilters } from './stored-definition.ts'

const MOST_DAYS = 31
const LONGEST_MEMBERSHIP = { days: 36_500, months: 1_200, years: 100 }
const MOST_CRITERIA = 20

export const OWN_STREAK = 'streak'

export const within: z.ZodType<WithinDefinition> = object(
  { days: integer(`a whole number from 1 to ${MOST_DAYS}`, 1, MOST_DAYS) },
  'an object, as { days: 7 }',
)
const count = integer('a whole number from 1', 1)
const counted = { eventAttributes: filters, within: within.exactOptional() }
const UNITS = { days: 'day', months: 'month', years: 'year' } as const
type Units = keyof typeof UNITS
const UNIT_NAMES = Object.keys(UNITS) as readonly Units[]

const lasting = (units: Units): z.ZodNumber => {
  const most = LONGEST_MEMBERSHIP[units]
  return integer(`a whole number of ${units} from 1 to ${most}`, 1, most)
}
export const years: z.ZodNumber = lasting('years')

const membership = object(
  {
    days: lasting('days').exactOptional(),
    months: lasting('months').exactOptional(),
    years: years.exactOptional(),
    since: oneOf('signUp').exactOptional(),
  },
  "an object, as { days: 365 } or { years: 1, since: 'signUp' }",
)

const KINDS = {
  metric: object({ metric: key, value, ...counted }),
  events: object({ events: key, count, ...counted }),
  streak: object({ streak: key, length: count }),
  level: object({ level: key }),
  points: object({ points: key, total: count }),
  achievement: object({ achievement: key }),
  membership: object({ membership }),
}
type Kind = keyof typeof KINDS
const NAMES = Object.keys(KINDS) as readonly Kind[]

export const criterion: z.ZodType<StoredCriterion> = z.unknown().transform((input, context): StoredCriterion => {
  const given = new Map(Object.entries(Object(input)))
  const kind = NAMES.find((name) => given.has(name))
  if (kind === undefined) {
    const message = `says nothing that a user can reach; give one of ${NAMES.map(quote).join(', ')}`
    context.issues.push({ code: 'custom', message, input })
    return z.NEVER
  }
  // `checkMembership` has reported a membership with several units, or without one.
  return parseAs(KINDS[kind], input, context) as StoredCriterion
})

/** The places of criteria (`partsAt`). */
export const CRITERIA = ['achievements.*.of.[]', 'challenges.*.of.[]', 'challenges.*.pool.*.of.[]'] as const

/** Checks criteria and windows. Like `checkReferences`, it skips parts with the wrong shape. */
export function checkCriteria(game: Json, mistakes: Mistakes): void {
  const achieved = partsAt(game, 'achievements.*').filter(({ value }) => propertyOf(value, 'trigger') === 'criteria')
  const tasks = [...partsAt(game, 'challenges.*'), ...partsAt(game, 'challenges.*.pool.*')]
  const quests = tasks.filter(({ value }) => propertyOf(value, 'of') !== undefined)
  for (const { value: achievement, path } of [...achieved, ...quests]) {
    const criteria = partsAt(achievement, 'of.[]', path)
    const atLeast = propertyOf(achievement, 'atLeast')
    const { length } = criteria
    if (length === 0) mistakes.add([...path, 'of'], 'is empty; name at least one criterion')
    if (length > MOST_CRITERIA) {
      mistakes.add([...path, 'of'], `has ${length} criteria; keep at most ${MOST_CRITERIA}`)
    }
    if (typeof atLeast === 'number' && length > 0 && atLeast > length) {
      const message = `is more than the number of criteria, which is ${length}; lower it, or leave it out for all`
      mistakes.add([...path, 'atLeast'], message)
    }
    checkAlike(criteria, mistakes)
    for (const each of criteria) checkMembership(each, mistakes)
  }
  for (const place of ['achievements.*', ...CRITERIA]) {
    for (const owner of partsAt(game, place)) checkWithin(game, owner, mistakes)
  }
}

function checkAlike(criteria: readonly JsonPart[], mistakes: Mistakes): void {
  const first = new Map<string, JsonPart>()
  for (const each of criteria) {
    const text = JSON.stringify(entriesOf(each.value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    const earlier = first.get(text)
    if (earlier === undefined) first.set(text, each)
    else mistakes.add(each.path, `is the same as ${toPathText(earlier.path)}; change or remove one`)
  }
}

function checkMembership(criterion: JsonPart, mistakes: Mistakes): void {
  for (const { value: membership, path } of partsAt(criterion.value, 'membership', criterion.path)) {
    if (typeof membership !== 'object' || membership === null || Array.isArray(membership)) continue
    const given = UNIT_NAMES.filter((units) => propertyOf(membership, units) !== undefined)
    if (given.length === 1) continue
    const what = given.length === 0 ? 'says no time' : `says ${given.map(quote).join(' and ')}`
    mistakes.add(path, `${what}; give one of ${UNIT_NAMES.map(quote).join(', ')}`)
  }
}

/** Only a sum depends on the dates: the best value of all time is also the best of its own dates. */
function checkWithin(game: Json, { value: owner, path }: JsonPart, mistakes: Mistakes): void {
  const metric = propertyOf(owner, 'metric')
  if (propertyOf(owner, 'within') === undefined || typeof metric !== 'string') return
  const aggregation = propertyOf(propertyOf(propertyOf(game, 'metrics'), metric), 'aggregation')
  if (aggregation === undefined || aggregation === 'sum') return
  const why = `adds values up, but ${quote(metric)} has the aggregation ${quote(String(aggregation))}`
  mistakes.add([...path, 'within'], `${why}; remove it, or count \`events\``)
}

export function compileCriterion(
  achievement: string,
  stored: StoredCriterion,
  { points }: StoredDefinition,
  metrics: Game['metrics'],
): Criterion {
  const id = criterionId(achievement, stored)
  if ('streak' in stored) {
    const streak = stored.streak === OWN_STREAK ? null : stored.streak
    return { id, type: 'streak', streak, target: stored.length }
  }
  if ('level' in stored) {
    const [system, level, target] = findLevel(points, stored.level)
    return { id, type: 'points', system, level, target }
  }
  if ('points' in stored) return { id, type: 'points', system: stored.points, level: null, target: stored.total }
  if ('achievement' in stored) return { id, type: 'achievement', achievement: stored.achievement, target: 1 }
  if ('membership' in stored) return compileMembership(id, stored.membership)
  const isCount = 'events' in stored
  const metric = isCount ? stored.events : stored.metric
  const eventAttributes = toCriterionFilters(stored.eventAttributes)
  const days = stored.within?.days ?? null
  return {
    id,
    type: isCount ? 'events' : 'metric',
    target: isCount ? stored.count : stored.value,
    metric,
    isLowest: !isCount && metrics.get(metric)?.aggregation === 'min',
    eventAttributes,
    within: days,
    tally: toTally(id, days, isCount || eventAttributes.length > 0),
  }
}

function compileMembership(id: string, { since, ...lasts }: MembershipDefinition): MembershipCriterion {
  const units = UNIT_NAMES.find((each) => lasts[each] !== undefined) ?? 'days'
  return { id, type: 'membership', unit: UNITS[units], since: since ?? 'creation', target: lasts[units] ?? 0 }
}

/** The only criterion of an anniversary. */
export function compileAnniversary(achievement: string, years: number): Criterion {
  const id = criterionId(achievement, { membership: { years, since: 'signUp' } })
  return { id, type: 'membership', unit: 'year', since: 'signUpOnly', target: years }
}

/** The keys of a level such as `xp.gold`, and its points. `checkReferences` has found it. */
function findLevel(points: StoredDefinition['points'], name: string): readonly [string, string, number] {
  for (const [system, { levels }] of Object.entries(points)) {
    for (const [level, each] of Object.entries(levels)) {
      if (levelName(system, level) === name) return [system, level, each.points]
    }
  }
  throw new RangeError(`There is no level ${name}`)
}

export function levelName(system: string, level: string): string {
  return `${system}.${level}`
}

/** A tally with a window has a key of its own, so that it never continues from a tally of all time. */
export function toTally(id: string, days: number | null, isOwn: boolean): string | null {
  if (days !== null) return `within ${days} ${id}`
  return isOwn ? id : null
}

export function toCriterionFilters(filters: StoredFilters): Filters {
  return Object.entries(filters)
}
