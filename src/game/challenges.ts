import type { z } from 'zod'
import { parseDate } from '../rules/calendar.ts'
import { challengeMetric } from '../rules/challenge.ts'
import type { ChallengeRule, Game, Quest, Reward } from '../rules/game.ts'
import { quote } from '../suggest.ts'
import { compileCriterion, criterion } from './criteria.ts'
import { challengeId, questId } from './ids.ts'
import { entriesOf, type Json, type JsonPart, type Mistakes, type Path, partsAt, propertyOf } from './json.ts'
import {
  datePart,
  description,
  flagPart,
  integer,
  key,
  list,
  name,
  number,
  object,
  oneOf,
  record,
  textPart,
} from './schema-parts.ts'
import type { StoredChallenge, StoredDefinition, StoredQuest, StoredReward } from './stored-definition.ts'

const MOST_QUESTS = 100
const MOST_REROLLS = 10
const LONGEST_WITHIN = 366
const LONGEST_CLAIM = 31
const LONGEST_ENDING = 720
const LONGEST_BOOST = 366

const days = (most: number): z.ZodNumber => integer(`a whole number of days from 1 to ${most}`, 1, most)

/** Gifts of rewards, of challenges and of the catalogue. */
const gifts = {
  achievement: key.exactOptional(),
  freezes: integer('a whole number from 1 to 100', 1, 100).exactOptional(),
  boost: object({
    system: key,
    name: textPart('a string of 1 to 255 characters', (value) => value !== '' && value.length <= 255),
    multiplier: number('a number above 0 and below 100, and not 1', (by) => by > 0 && by < 100 && by !== 1),
    rounding: oneOf('down', 'up', 'nearest').default('down'),
    days: days(LONGEST_BOOST),
  }).exactOptional(),
}

export const giftsPart: z.ZodType<Omit<StoredReward, 'points'>> = object(gifts).transform(
  (read) => read as object as Omit<StoredReward, 'points'>,
)

const reward = object({ points: record(integer('a whole number from 1', 1)).exactOptional(), ...gifts })

const tasks = {
  of: list(criterion),
  atLeast: integer('a whole number from 1', 1).exactOptional(),
  inOrder: flagPart().exactOptional(),
  reward: reward.exactOptional(),
}
const named = { name, description, badgeUrl: name.exactOptional() }

/** A game that says `false` is the one that says nothing. */
function withoutDefaults<Read extends { readonly inOrder?: boolean }>({
  inOrder,
  ...read
}: Read): Omit<Read, 'inOrder'> {
  return inOrder === true ? { ...read, inOrder } : read
}

// `checkChallenges` demands `of` or `pool`, and the properties that go with each.
const readChallenge = object({
  ...named,
  ...tasks,
  of: list(criterion).exactOptional(),
  every: oneOf('day', 'week', 'month').exactOptional(),
  start: datePart.exactOptional(),
  end: datePart.exactOptional(),
  enrol: oneOf('manual').exactOptional(),
  within: object({ days: days(LONGEST_WITHIN) }).exactOptional(),
  claim: object({ within: object({ days: days(LONGEST_CLAIM) }) }).exactOptional(),
  announce: list(number('a number above 0 and below 1', (share) => share > 0 && share < 1)).exactOptional(),
  ending: object({
    before: object({ hours: integer(`a whole number of hours from 1 to ${LONGEST_ENDING}`, 1, LONGEST_ENDING) }),
  }).exactOptional(),
  pool: record(object({ ...named, ...tasks }).transform(withoutDefaults)).exactOptional(),
  pick: integer('a whole number from 1', 1).exactOptional(),
  same: oneOf('each', 'everyone').exactOptional(),
  rerolls: integer(`a whole number from 0 to ${MOST_REROLLS}`, 0, MOST_REROLLS).exactOptional(),
})

export const challenge: z.ZodType<StoredChallenge> = readChallenge.transform(
  (read) => withoutDefaults(read) as object as StoredChallenge,
)

/** Checks that the parts of challenges fit together. Like `checkReferences`, it skips parts with the wrong shape. */
export function checkChallenges(game: Json, mistakes: Mistakes): void {
  for (const challenge of partsAt(game, 'challenges.*')) checkChallenge(challenge, mistakes)
  for (const { value: achievement, path } of [
    ...partsAt(game, 'challenges.*.reward.achievement'),
    ...partsAt(game, 'challenges.*.pool.*.reward.achievement'),
    ...partsAt(game, 'rewards.*.gives.achievement'),
  ]) {
    const given = propertyOf(propertyOf(game, 'achievements'), String(achievement))
    const trigger = propertyOf(given, 'trigger')
    if (given === undefined || trigger === 'api') continue
    mistakes.add(path, `${quote(String(achievement))} is completed by the rules; name one with the trigger 'api'`)
  }
  for (const metric of partsAt(game, 'challenges.{}')) {
    const taken = challengeMetric(String(metric.value))
    if (propertyOf(propertyOf(game, 'metrics'), taken) === undefined) continue
    mistakes.add(['metrics', taken], 'is the name under which a challenge is counted; rename one of the two')
  }
  checkCircles(game, mistakes)
}

/** Properties by what they go with. */
const NEED_POOL = ['pick', 'same', 'rerolls'] as const
const NEED_CRITERIA = ['atLeast', 'inOrder', 'reward'] as const

function checkChallenge({ value: challenge, path }: JsonPart, mistakes: Mistakes): void {
  const has = (property: string): boolean => propertyOf(challenge, property) !== undefined
  if (has('of') === has('pool')) {
    const what = has('of') ? 'has criteria and a pool' : 'says nothing that a user can do'
    mistakes.add(path, `${what}; give \`of\` or \`pool\``)
    return
  }
  const unfit = has('pool') ? NEED_CRITERIA : NEED_POOL
  const belongs = has('pool')
    ? 'belongs to each quest of the pool; move it there'
    : 'is for a challenge with a pool; remove it'
  for (const property of unfit) if (has(property)) mistakes.add([...path, property], belongs)
  if (has('pool')) checkPool({ value: challenge, path }, mistakes)
  if (has('within') && (!has('enrol') || has('every'))) {
    mistakes.add([...path, 'within'], "counts from an enrolment; use it with enrol: 'manual', and without `every`")
  }
  const [start, end] = [propertyOf(challenge, 'start'), propertyOf(challenge, 'end')]
  if (typeof start === 'string' && typeof end === 'string' && end < start) {
    mistakes.add([...path, 'end'], `must not be before start, which is ${start}`)
  }
}

function checkPool({ value: challenge, path }: JsonPart, mistakes: Mistakes): void {
  const size = entriesOf(propertyOf(challenge, 'pool')).length
  const pick = propertyOf(challenge, 'pick')
  if (size === 0) mistakes.add([...path, 'pool'], 'is empty; name at least one quest')
  if (size > MOST_QUESTS) mistakes.add([...path, 'pool'], `has ${size} quests; keep at most ${MOST_QUESTS}`)
  if (pick === undefined) mistakes.add([...path, 'pick'], 'is missing; say how many quests each window has')
  if (typeof pick !== 'number' || size === 0 || pick <= size) return
  mistakes.add([...path, 'pick'], `is more than the pool has, which is ${size}; lower it, or add quests`)
}

/** The needs of each part of a game before it is met or paid, by name, such as `achievement novelist`. */
function dependencies(game: Json): ReadonlyMap<string, ReadonlySet<string>> {
  const needs = new Map<string, Set<string>>()
  const add = (part: string, need: string): void => {
    needs.set(part, (needs.get(part) ?? new Set()).add(need))
  }
  const addCriteria = (part: string, criteria: readonly JsonPart[]): void => {
    for (const { value } of criteria) for (const need of needsOf(value)) add(part, need)
  }
  for (const [key, achievement] of entriesOf(propertyOf(game, 'achievements'))) {
    const part = `achievement ${key}`
    addCriteria(part, [{ value: achievement, path: [] }, ...partsAt(achievement, 'of.[]')])
    for (const { value } of partsAt(achievement, 'achievements.[]')) add(part, `achievement ${value}`)
    for (const { value } of partsAt(achievement, 'tiers.{}')) add(`${part}.${value}`, part)
  }
  for (const { value: key, path } of partsAt(game, 'streaks.*.metrics.{}')) addMetric(`streak ${path[1]}`, key)
  for (const { value: key } of partsAt(game, 'streak.metrics.{}')) addMetric('streak streak', key)
  for (const [system, points] of entriesOf(propertyOf(game, 'points'))) {
    for (const { value } of partsAt(points, 'levels.{}')) add(`level ${system}.${value}`, `points ${system}`)
    addCriteria(`points ${system}`, partsAt(points, 'triggers.[]'))
  }
  for (const [key, challenge] of entriesOf(propertyOf(game, 'challenges'))) {
    const part = `challenge ${key}`
    for (const quest of [{ value: challenge, path: [] }, ...partsAt(challenge, 'pool.*')]) {
      addCriteria(part, partsAt(quest.value, 'of.[]'))
      for (const { value: system } of partsAt(quest.value, 'reward.points.{}')) add(`points ${system}`, part)
      for (const { value: achievement } of partsAt(quest.value, 'reward.achievement'))
        add(`achievement ${achievement}`, part)
    }
  }
  return needs

  function addMetric(part: string, metric: Json): void {
    if (typeof metric === 'string' && metric.startsWith('challenge:'))
      add(part, `challenge ${metric.slice('challenge:'.length)}`)
  }
}

const KINDS = ['streak', 'level', 'points', 'achievement'] as const

/** The parts that a criterion, an achievement or a trigger counts. */
function needsOf(counting: Json): readonly string[] {
  const needs: string[] = []
  for (const kind of KINDS) {
    const key = propertyOf(counting, kind)
    if (typeof key === 'string') needs.push(`${kind} ${key}`)
  }
  for (const property of ['metric', 'events']) {
    const key = propertyOf(counting, property)
    if (typeof key === 'string' && key.startsWith('challenge:'))
      needs.push(`challenge ${key.slice('challenge:'.length)}`)
  }
  return needs
}

/** A challenge must not need what it gives, however far around. */
function checkCircles(game: Json, mistakes: Mistakes): void {
  const challenges = entriesOf(propertyOf(game, 'challenges'))
  if (challenges.length === 0) return
  const needs = dependencies(game)
  const named = new Set<string>()
  for (const [key, challenge] of challenges) {
    const trail = named.has(`challenge ${key}`) ? null : findCircle(needs, `challenge ${key}`)
    if (trail === null) continue
    for (const part of trail) named.add(part)
    const path: Path = ['challenges', key, propertyOf(challenge, 'pool') === undefined ? 'of' : 'pool']
    mistakes.add(path, `leads back to itself: ${trail.join(' → ')}; remove one of these references`)
  }
}

/** The shortest way from a part back to itself, or `null` if there is none. */
function findCircle(needs: ReadonlyMap<string, ReadonlySet<string>>, part: string): readonly string[] | null {
  const cameFrom = new Map<string, string>()
  const open = [part]
  for (const current of open) {
    for (const need of needs.get(current) ?? []) {
      if (need === part) {
        const trail = [part]
        for (let step = current; step !== part; step = cameFrom.get(step) ?? part) trail.unshift(step)
        return [part, ...trail]
      }
      if (cameFrom.has(need)) continue
      cameFrom.set(need, current)
      open.push(need)
    }
  }
  return null
}

export function compileChallenge(
  key: string,
  stored: StoredChallenge,
  definition: StoredDefinition,
  metrics: Game['metrics'],
): ChallengeRule {
  const { name, description = null, badgeUrl = null, pool, start, end } = stored
  const compile = (quest: string, each: StoredQuest): Quest => compileQuest(key, quest, each, definition, metrics)
  return {
    ...{ key, id: challengeId(key), name, description, badgeUrl },
    every: stored.every ?? null,
    start: start === undefined ? null : parseDate(start),
    end: end === undefined ? null : parseDate(end),
    enrols: stored.enrol === 'manual',
    within: stored.within?.days ?? null,
    claimDays: stored.claim?.within.days ?? null,
    quests:
      pool === undefined ? [compile('', stored)] : Object.entries(pool).map(([quest, each]) => compile(quest, each)),
    pick: stored.pick ?? null,
    isSame: stored.same === 'everyone',
    rerolls: stored.rerolls ?? 0,
    announce: stored.announce ?? [],
    endingHours: stored.ending?.before.hours ?? null,
  }
}

function compileQuest(
  challenge: string,
  key: string,
  stored: StoredQuest,
  definition: StoredDefinition,
  metrics: Game['metrics'],
): Quest {
  const { name, description = null, badgeUrl = null, of, atLeast = of.length, inOrder = false } = stored
  const owner = JSON.stringify(['challenge', challenge, key])
  const criteria = of.map((each) => compileCriterion(owner, each, definition, metrics))
  const id = questId(challenge, key)
  return { key, id, name, description, badgeUrl, atLeast, inOrder, criteria, reward: compileReward(stored.reward) }
}

export function compileReward({ points = {}, achievement, freezes = 0, boost }: StoredReward = {}): Reward {
  const paid = Object.entries(points).map(([system, amount]) => ({ system, points: amount }))
  return { points: paid, achievement: achievement ?? null, freezes, boost: boost ?? null }
}
