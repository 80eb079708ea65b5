import { type Day, HOUR, parseDate, parseTime } from '../rules/calendar.ts'
import { challengeMetric } from '../rules/challenge.ts'
import {
  type AchievementRule,
  type ClientRules,
  compareBoosts,
  type EmailRules,
  type FreezePool,
  type FreezeRule,
  type Game,
  hasCriteria,
  isSpendable,
  type Leaderboard,
  type Metric,
  type MetricIndex,
  type PointsSystem,
  type Reminder,
  type StreakRule,
  type Tallied,
  type Trigger,
} from '../rules/game.ts'
import { compareCodePoints } from '../rules/position.ts'
import { compileCatalogueReward } from './catalogue.ts'
import { compileChallenge } from './challenges.ts'
import { compileAnniversary, compileCriterion, toCriterionFilters, toTally } from './criteria.ts'
import {
  achievementId,
  boostId,
  leaderboardId,
  leaderboardVersion,
  levelId,
  metricId,
  pointsSystemId,
  scoresOf,
  toEvery,
  triggerContent,
  triggerId,
} from './ids.ts'
import { readDefinition } from './read-definition.ts'
import type {
  StoredAchievement,
  StoredDefinition,
  StoredEmails,
  StoredFreezes,
  StoredLeaderboard,
  StoredMetric,
  StoredNamedStreak,
  StoredPoints,
  StoredReminder,
  StoredStreak,
  StoredTrigger,
} from './stored-definition.ts'
import {
  compileBoost,
  type GivenBoosts,
  NO_BOOSTS,
  parseStored,
  readStoredGame,
  type StoredGivenBoost,
} from './stored-game.ts'
import { compileWallet } from './wallets.ts'

type Streaks = Pick<Game, 'streak' | 'streaks' | 'streakRules' | 'freezePools'>

function compileStreaks({ streak: stored, streaks: named = {}, emails }: StoredDefinition): Streaks {
  const usual = emails === undefined ? [] : [usualReminder(emails)]
  const streak = stored === undefined ? null : compileStreak(null, stored, null, usual)
  const shared = streak?.freezes ?? null
  const streaks = new Map(Object.entries(named).map(([key, each]) => [key, compileStreak(key, each, shared, [])]))
  const byKey = [...streaks].sort(([a], [b]) => compareCodePoints(a, b)).map(([, rule]) => rule)
  const alone = byKey.filter(({ sharesFreezes }) => !sharesFreezes).map((rule): FreezePool => [rule])
  const sharing = byKey.filter(({ sharesFreezes }) => sharesFreezes)
  return {
    streak,
    streaks,
    streakRules: streak === null ? byKey : [streak, ...byKey],
    freezePools: streak === null ? alone : [[streak, ...sharing], ...alone],
  }
}

function compileStreak(
  key: string | null,
  stored: StoredStreak | StoredNamedStreak,
  shared: FreezeRule | null,
  usual: readonly Reminder[],
): StreakRule {
  const { frequency, on = null, days = null, evaluationMode, freezes, reminders } = stored
  const metrics = Object.entries(stored.metrics).map(([metric, { threshold }]) => [metric, threshold ?? null] as const)
  return {
    key,
    frequency,
    on,
    days,
    evaluationMode,
    metrics: new Map(metrics),
    customization: 'customization' in stored && stored.customization,
    freezes: freezes === 'shared' ? shared : compileFreezes(freezes),
    sharesFreezes: freezes === 'shared',
    reminders: reminders?.map(compileReminder) ?? usual,
  }
}

function compileReminder({ key, before, staleAfter }: StoredReminder): Reminder {
  return { key, hoursBefore: before.hours, staleAfter: staleAfter.hours * HOUR }
}

/** The reminder of a game that has emails and says nothing of reminders. */
function usualReminder({ staleAfter }: StoredEmails): Reminder {
  return { key: 'usual', hoursBefore: null, staleAfter: staleAfter.hours * HOUR }
}

function compileFreezes(freezes: StoredFreezes | undefined): FreezeRule | null {
  return freezes === undefined ? null : { ...freezes, autoEarn: freezes.autoEarn ?? null }
}

export function parseGame(json: string): {
  readonly definition: StoredDefinition
  readonly boosts: GivenBoosts
  readonly rules: Game
} {
  const { definition: given, boosts } = readStoredGame(parseStored(json))
  const definition = readDefinition(given)
  return { definition, boosts, rules: compileGame(definition, boosts) }
}

/** Makes the rules' form of a game. Everything keeps the order of the definition, but levels ascend. */
export function compileGame(definition: StoredDefinition, given: GivenBoosts = NO_BOOSTS): Game {
  const metrics = mapRecord(definition.metrics, compileMetric)
  const compile = (key: string, stored: StoredAchievement) => compileAchievement(key, stored, definition, metrics)
  const achievements = mapRecord(definition.achievements, compile)
  const boosts = new Map(Object.entries(given))
  const points = mapRecord(definition.points, (key, stored) => compilePoints(key, stored, boosts.get(key)))
  const triggers = [...points.values()].flatMap((system) => system.triggers)
  const challenges = mapRecord(definition.challenges ?? {}, (key, each) =>
    compileChallenge(key, each, definition, metrics),
  )
  const leaderboards = mapRecord(definition.leaderboards, (key, stored) => compileLeaderboard(key, stored, definition))
  const boards = [...leaderboards.values()]
  const all = [...achievements.values()]
  const active = all.filter(({ status }) => status === 'active')
  const tallied = talliedIn(all, triggers)
  return {
    metrics,
    aggregations: new Map([...metrics].filter(([, { aggregation }]) => aggregation !== 'sum')),
    achievements,
    points,
    ...compileStreaks(definition),
    challenges,
    challengeGames: [],
    rewards: mapRecord(definition.rewards ?? {}, compileCatalogueReward),
    leaderboards,
    eventAttributes: new Set(definition.eventAttributes),
    userAttributes: new Set(definition.userAttributes),
    weekStartsOn: definition.weekStartsOn,
    multiTenant: definition.multiTenant,
    clients: compileClients(definition, tallied),
    preferences: definition.preferences ?? { leaderboards: 'shown' },
    emails: compileEmails(definition.emails),
    controlRatio: definition.experiment?.controlRatio ?? 0,
    byMetric: indexByMetric([...metrics.keys(), ...[...challenges.keys()].map(challengeMetric)], all, tallied, boards),
    streakAchievements: active.filter((achievement) => achievement.trigger === 'streak'),
    announcing: active.filter(({ announce }) => announce.length > 0),
    expiringAchievements: active.filter(({ validDays }) => validDays !== null),
    compositeAchievements: active.filter((each) => each.trigger === 'achievement' || hasCriteria(each)),
    partsFirst: sortPartsFirst(achievements),
    criteriaAchievements: all.filter(hasCriteria),
    windows: new Set(tallied.flatMap(windowOf)),
    pointsLeaderboards: Map.groupBy(boards, ({ system }) => system ?? ''),
    streakLeaderboards: boards.filter(({ rankBy }) => rankBy === 'streak'),
    groupedLeaderboards: boards.filter(({ rankBy, breakdown }) => rankBy !== 'streak' && breakdown.length > 0),
    timedSystems: [...points.values()].filter((system) => system.triggers.some(({ type }) => type === 'time')),
    spendableSystems: [...points.values()].filter(isSpendable),
    blocksWhenOutOfPoints: triggers.some((trigger) => trigger.blockIfOutOfPoints),
  }
}

/** `defineGame` has refused what leads back to itself. An explicit stack, because chains can be long. */
function sortPartsFirst(achievements: ReadonlyMap<string, AchievementRule>): Game['partsFirst'] {
  const sorted = new Set<Game['partsFirst'][number]>()
  const entered = new Set<AchievementRule>()
  for (const root of achievements.values()) {
    const stack = [root]
    for (let last = stack.at(-1); last !== undefined; last = stack.at(-1)) {
      if (!entered.has(last)) {
        entered.add(last)
        const parts = partsOf(last).map((key) => achievements.get(key))
        // The first part is on top of the stack, so that parts keep their order.
        for (const part of parts.reverse()) if (part !== undefined && !entered.has(part)) stack.push(part)
        continue
      }
      stack.pop()
      if (last.trigger === 'achievement' || hasCriteria(last)) sorted.add(last)
    }
  }
  return [...sorted]
}

function partsOf(achievement: AchievementRule): readonly string[] {
  if (achievement.trigger === 'achievement') return achievement.achievements
  if (!hasCriteria(achievement)) return []
  return achievement.criteria.flatMap((criterion) => (criterion.type === 'achievement' ? [criterion.achievement] : []))
}

/** By default clients may send the event attributes that move nothing, because no rule filters on them. */
function compileClients({ clients, eventAttributes }: StoredDefinition, rules: readonly Tallied[]): ClientRules | null {
  if (clients === undefined) return null
  const { events, achievements, challenges, redeem = [], attributes, profile } = clients
  const filtered = new Set(rules.flatMap((rule) => rule.eventAttributes.map(([attribute]) => attribute)))
  const unfiltered = eventAttributes.filter((attribute) => !filtered.has(attribute))
  return {
    events: mapRecord(events, (_, { min, max = null, attributes = unfiltered }) => ({
      min,
      max,
      attributes: new Set(attributes),
    })),
    achievements: new Set(achievements),
    challenges: new Set(challenges),
    redeem: new Set(redeem),
    attributes: new Set(attributes),
    profile: new Set(profile),
  }
}

function compileEmails(emails: StoredEmails | undefined): EmailRules | null {
  if (emails === undefined) return null
  const { recap = null, reactivation, achievements, staleAfter } = emails
  return { recap, reactivation, achievements, staleAfter: staleAfter.hours * HOUR }
}

function mapRecord<In, Out>(
  record: { readonly [key: string]: In },
  compile: (key: string, value: In) => Out,
): ReadonlyMap<string, Out> {
  return new Map(Object.entries(record).map(([key, value]) => [key, compile(key, value)]))
}

function compileMetric(key: string, stored: StoredMetric): Metric {
  const { name, status, aggregation = 'sum', of = null, unit = null, limits = [] } = stored
  const compiled = limits.map(({ value, per, then }) => ({ value, days: per.days, holds: then === 'hold' }))
  return { key, id: metricId(key), name, status, aggregation, of, unit, limits: compiled }
}

/** Only active achievements complete. All tallies grow, so a rule that is activated again has missed nothing. */
function indexByMetric(
  metrics: readonly string[],
  achievements: readonly AchievementRule[],
  rules: readonly Tallied[],
  leaderboards: readonly Leaderboard[],
): ReadonlyMap<string, MetricIndex> {
  const goals = achievements.filter((each) => each.trigger === 'metric').filter(({ status }) => status === 'active')
  const goalsOf = Map.groupBy(goals, ({ metric }) => metric)
  const talliedOf = Map.groupBy(
    rules.filter(({ tally }) => tally !== null),
    ({ metric }) => metric,
  )
  const leaderboardsOf = Map.groupBy(leaderboards, ({ metric }) => metric)
  const index = (key: string): MetricIndex => ({
    achievements: goalsOf.get(key) ?? [],
    tallied: talliedOf.get(key) ?? [],
    leaderboards: leaderboardsOf.get(key) ?? [],
  })
  return new Map(metrics.map((key) => [key, index(key)]))
}

function talliedIn(achievements: readonly AchievementRule[], triggers: readonly Trigger[]): readonly Tallied[] {
  const criteria = achievements.flatMap((achievement) =>
    hasCriteria(achievement) ? achievement.criteria.filter((each) => 'metric' in each) : [],
  )
  const goals = achievements.filter((achievement) => achievement.trigger === 'metric')
  return [...goals, ...criteria, ...triggers.filter((trigger) => trigger.type === 'metric')]
}

function windowOf(rule: Tallied): readonly string[] {
  return 'within' in rule && rule.within !== null && rule.tally !== null ? [rule.tally] : []
}

function compileAchievement(
  key: string,
  stored: StoredAchievement,
  definition: StoredDefinition,
  metrics: Game['metrics'],
): AchievementRule {
  const base = {
    ...named(stored),
    key,
    id: achievementId(key),
    status: stored.status,
    most: 'repeat' in stored ? toMost(stored.repeat) : 1,
    announce: stored.announce ?? [],
    until: stored.until === undefined ? null : parseDate(stored.until),
    validDays: stored.validFor?.days ?? null,
    secret: toSecret(stored),
    userAttributes: toCriterionFilters(stored.userAttributes),
  }
  switch (stored.trigger) {
    case 'metric': {
      const { trigger, metric, value } = stored
      const isLowest = metrics.get(metric)?.aggregation === 'min'
      const eventAttributes = toCriterionFilters(stored.eventAttributes)
      const within = stored.within?.days ?? null
      const tally = toTally(base.id, within, eventAttributes.length > 0)
      return { ...base, trigger, metric, value, isLowest, eventAttributes, within, tally }
    }
    case 'api':
      return { ...base, trigger: stored.trigger }
    case 'streak':
      return { ...base, trigger: stored.trigger, length: stored.length, streak: stored.streak ?? null }
    case 'achievement':
      return { ...base, trigger: stored.trigger, achievements: stored.achievements }
    case 'criteria': {
      const { trigger, of, atLeast = of.length } = stored
      const criteria = of.map((each) => compileCriterion(key, each, definition, metrics))
      return { ...base, trigger, atLeast, criteria }
    }
    case 'anniversary': {
      const { trigger, years } = stored
      return { ...base, trigger, atLeast: 1, criteria: [compileAnniversary(key, years)] }
    }
  }
}

function toMost(repeat: true | { readonly max: number } | undefined): number {
  if (repeat === undefined) return 1
  return repeat === true ? Number.MAX_SAFE_INTEGER : repeat.max
}

const HIDDEN_NAME = '???'

function toSecret({ secret }: StoredAchievement): string | null {
  if (secret === undefined) return null
  return secret === true ? HIDDEN_NAME : secret.name
}

function compilePoints(key: string, stored: StoredPoints, given: readonly StoredGivenBoost[] = []): PointsSystem {
  const planned = Object.entries(stored.boosts ?? {}).map(([boost, each]) => compileBoost(boostId(key, boost), 0, each))
  const levels = Object.entries(stored.levels).map(([level, each]) => {
    return { ...named(each), key: level, id: levelId(key, level), points: each.points }
  })
  return {
    ...named(stored),
    key,
    id: pointsSystemId(key),
    maxPoints: stored.maxPoints ?? null,
    cap: stored.cap ?? null,
    wallet: compileWallet(stored),
    triggers: compileTriggers(key, stored.triggers),
    levels: levels.sort((a, b) => a.points - b.points),
    boosts: [...planned, ...given.map((each) => compileBoost(each.id, each.created, each))].sort(compareBoosts),
  }
}

function compileTriggers(system: string, stored: readonly StoredTrigger[]): readonly Trigger[] {
  const alike = new Map<string, number>()
  return stored.map((trigger) => {
    if (trigger.key !== undefined) return compileTrigger(triggerId(system, trigger, 0), trigger)
    const content = triggerContent(trigger)
    const ordinal = alike.get(content) ?? 0
    alike.set(content, ordinal + 1)
    return compileTrigger(triggerId(system, trigger, ordinal), trigger)
  })
}

function compileTrigger(id: string, stored: StoredTrigger): Trigger {
  const { points, status, created, updated } = stored
  const userAttributes = toCriterionFilters(stored.userAttributes)
  const base = { id, points, status, userAttributes, created, updated, ...compileRestraints(stored) }
  switch (stored.type) {
    case 'metric': {
      const { type, metric, threshold } = stored
      const eventAttributes = toCriterionFilters(stored.eventAttributes)
      const tally = toTally(id, null, eventAttributes.length + userAttributes.length > 0)
      return { ...base, type, metric, threshold, eventAttributes, tally }
    }
    case 'achievement':
      return { ...base, type: stored.type, achievement: stored.achievement }
    case 'streak':
      return { ...base, type: stored.type, length: stored.length, streak: stored.streak ?? null }
    case 'user_creation':
      return { ...base, type: stored.type }
    case 'time':
      return { ...base, type: stored.type, every: toEvery(stored.every) }
  }
}

function compileRestraints(stored: StoredTrigger): Pick<Trigger, 'blockIfOutOfPoints' | 'cap' | 'cooldown' | 'exempt'> {
  if (stored.type === 'time') return { blockIfOutOfPoints: false, cap: null, cooldown: null, exempt: false }
  const { blockIfOutOfPoints, cap = null, cooldown, exempt = false } = stored
  return { blockIfOutOfPoints, cap, cooldown: cooldown?.minutes ?? null, exempt }
}

function compileLeaderboard(key: string, stored: StoredLeaderboard, definition: StoredDefinition): Leaderboard {
  return {
    ...scoresOf(stored, definition),
    key,
    id: leaderboardId(key),
    name: stored.name,
    description: stored.description ?? null,
    rankBy: stored.rankBy,
    metric: stored.rankBy === 'metric' ? stored.metric : null,
    isShared: stored.ties === 'shared',
    system: stored.rankBy === 'points' ? stored.system : null,
    streak: stored.rankBy === 'streak' ? (stored.streak ?? null) : null,
    start: toDay(stored.start),
    end: stored.end === undefined ? null : toDay(stored.end),
    startTime: stored.rankBy === 'streak' ? null : toTime(stored.startTime),
    endTime: stored.rankBy === 'streak' ? null : toTime(stored.endTime),
    run: stored.rankBy === 'streak' ? null : (stored.run ?? null),
    breakdown: stored.breakdown,
    maxParticipants: stored.maxParticipants,
    private: stored.private,
    consent: stored.consent,
    smallestGroup: stored.smallestGroup ?? 1,
    version: leaderboardVersion(stored, definition),
  }
}

function toDay(text: string): Day {
  const day = parseDate(text)
  if (day === null) throw new RangeError(`${text} is no date`)
  return day
}

function toTime(text: string | undefined): number | null {
  return text === undefined ? null : parseTime(`${text}:00.000`)
}

function named(stored: { readonly name: string; readonly description?: string; readonly badgeUrl?: string }): {
  readonly name: string
  readonly description: string | null
  readonly badgeUrl: string | null
} {
  return { name: stored.name, description: stored.description ?? null, badgeUrl: stored.badgeUrl ?? null }
}
