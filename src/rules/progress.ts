import { canBeCompleted, completionsOf } from './achievement.ts'
import { type Day, type Instant, localDate } from './calendar.ts'
import { questOf, ruleOfEpoch } from './challenge.ts'
import { amountIn, metNow } from './challenge-windows.ts'
import { amountOf, countMet, isEnoughFor, isMet } from './criteria.ts'
import {
  type AchievementRule,
  type ChallengeRule,
  type CriteriaAchievement,
  type Criterion,
  type Game,
  type MetricAchievement,
  type Quest,
  repeats,
  type StreakAchievement,
} from './game.ts'
import { type QuestState, type UserState, zoneOf } from './state.ts'
import { streakOf } from './streak-names.ts'
import { runningOf } from './tally.ts'
import { add, fullMultiples, roundTo15Digits } from './total.ts'

export interface Progress {
  /** The user's current value, or `null` if there is none yet. */
  readonly current: number | null
  readonly target: number
  /** From 0 to below 1, rounded down to four decimals. Only a completed achievement would have 1. */
  readonly ratio: number
  readonly criteria?: readonly CriterionStatus[]
}

/** How far a user is from a criterion: 1 is `ratio` if it is met. */
export interface CriterionStatus extends Omit<Progress, 'criteria'> {
  readonly satisfied: boolean
}

const STEPS = 10_000

/** The progress to the next completion, or `null` if no completion can follow. The state must be settled until `at`. */
export function progressOf(achievement: AchievementRule, state: UserState, at: Instant): Progress | null {
  if (achievement.status !== 'active' || !canBeCompleted(achievement, state, at)) return null
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
    case 'criteria':
    case 'anniversary':
      return progressOfCriteria(achievement, state, at)
    default:
      return achievement satisfies never
  }
}

function toProgress(current: number, target: number): Progress {
  return { current, target, ratio: ratioOf(current, target) }
}

function ratioOf(current: number, target: number): number {
  const ratio = current > 0 && target > 0 ? fullMultiples(roundTo15Digits(current * STEPS), target) / STEPS : 0
  return Math.min(Math.max(ratio, 0), 1 - 1 / STEPS)
}

/** `current` of `target` criteria are met. The ratio is the mean of the furthest, as many as it takes. */
function progressOfCriteria({ criteria, atLeast }: CriteriaAchievement, state: UserState, at: Instant): Progress {
  const today = localDate(zoneOf(state.profile), at)
  return progressOver(
    criteria.map((criterion) => progressOfCriterion(criterion, state, today)),
    atLeast,
  )
}

function progressOver(all: readonly CriterionStatus[], atLeast: number): Progress {
  const steps = all.map(({ ratio }) => Math.round(ratio * STEPS)).sort((left, right) => right - left)
  const sum = steps.slice(0, atLeast).reduce((total, each) => total + each, 0)
  const met = all.filter(({ satisfied }) => satisfied).length
  return { current: met, target: atLeast, ratio: toProgress(sum, atLeast * STEPS).ratio, criteria: all }
}

/** A criterion that time has met counts as met before the entry that marks it. */
export function progressOfCriterion(criterion: Criterion, state: UserState, today: Day): CriterionStatus {
  const current = amountOf(criterion, state, today)
  return statusOf(criterion, current, isMet(criterion, state) || isEnoughFor(criterion, current))
}

/** The progress of a user to a quest that is not completed. */
export function progressOfQuest(quest: Quest, known: QuestState, state: UserState, today: Day): Progress {
  const met = metNow(quest, known, state, today)
  const all = quest.criteria.map((criterion) =>
    statusOf(criterion, amountIn(criterion, known, state, today), met.includes(criterion.id)),
  )
  return progressOver(all, quest.atLeast)
}

/** The share of a quest that a user had ever reached in its window. */
function shareOfQuest(quest: Quest, known: QuestState, state: UserState): number {
  const counts = new Map([...known.counts].map(([id, { highest }]) => [id, { total: highest, highest }]))
  return progressOfQuest(quest, { ...known, counts }, state, localDate(zoneOf(state.profile), state.at)).ratio
}

interface AnnouncedQuest {
  readonly rule: ChallengeRule
  /** The first date of the window. */
  readonly start: Day
  readonly quest: string
  readonly share: number
}

/** The quests that reached a share which their challenge announces, without those that are completed. */
export function announcedQuests(game: Game, before: UserState | null, after: UserState): readonly AnnouncedQuest[] {
  const announced: AnnouncedQuest[] = []
  for (const rule of game.challenges.values()) {
    for (const window of rule.announce.length === 0 ? [] : (after.challenges.get(rule.key)?.windows ?? [])) {
      const { start } = window
      const earlier = before?.challenges.get(rule.key)?.windows.find((each) => each.start === start)
      for (const known of window.quests) {
        const quest = known.completedAt === null ? questOf(ruleOfEpoch(game, rule, window.epoch), known.quest) : null
        if (quest === null) continue
        const old = earlier?.quests.find((each) => each.quest === known.quest)
        const from = old === undefined || before === null ? 0 : shareOfQuest(quest, old, before)
        const to = shareOfQuest(quest, known, after)
        const share = rule.announce.findLast((each) => from < each && to >= each)
        if (share !== undefined) announced.push({ rule, start, quest: known.quest, share })
      }
    }
  }
  return announced
}

function statusOf(criterion: Criterion, current: number | null, satisfied: boolean): CriterionStatus {
  const { target } = criterion
  if (satisfied) return { current, target, ratio: 1, satisfied }
  const isLowest = criterion.type === 'metric' && criterion.isLowest
  const ratio = isLowest ? 0 : toProgress(current ?? 0, target).ratio
  return { current: isLowest ? current : (current ?? 0), target, ratio, satisfied: false }
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
  if (!repeats(achievement) || newest === undefined || firstAt === null) return false
  return newest.at >= firstAt && length >= achievement.length
}

/** An achievement whose progress an event changed, with the progress after it. */
export interface Progressed {
  readonly achievement: AchievementRule
  readonly progress: Progress
}

/** Which of the achievements that an event moved are listed. */
export type ListedProgress = 'nearest' | 'all'

const NEAREST = 3

/**
 * The achievements whose progress an event of a metric changed, without hidden secrets: the largest ratio first, and at
 * equal ratios in the game's order. With `nearest`, it returns only the first three, and those that reached an
 * announced share. Both states must be settled until `at`.
 */
export function progressedBy(
  game: Game,
  before: UserState,
  after: UserState,
  metric: string,
  listed: ListedProgress,
  at: Instant = after.at,
): readonly Progressed[] {
  const most = listed === 'all' ? game.achievements.size : NEAREST
  const nearest: Progressed[] = []
  const announced: Progressed[] = []
  const total = after.totals.get(metric)?.total ?? 0
  let least = -1
  for (const achievement of game.achievements.values()) {
    if (achievement.trigger === 'metric' && achievement.metric !== metric) continue
    // Few achievements of many are listed, so the progress of the others is not made.
    if (least >= 0 && achievement.announce.length === 0 && highestRatio(achievement, total, after) <= least) continue
    if (achievement.isHidden === true) continue
    const progress = progressOf(achievement, after, at)
    if (progress === null) continue
    const isNear = progress.ratio > least
    const isAnnounced = announcedBy(achievement, before, after) !== null
    if (!(isNear || isAnnounced) || isSame(progress, progressOf(achievement, before, at))) continue
    if (isAnnounced) announced.push({ achievement, progress })
    if (!isNear) continue
    insert(nearest, { achievement, progress }, most)
    if (nearest.length === most) least = nearest.at(-1)?.progress.ratio ?? 0
  }
  if (announced.length === 0) return nearest
  const isListed = new Set(nearest.map(({ achievement }) => achievement))
  return [...nearest, ...announced.filter(({ achievement }) => !isListed.has(achievement))].sort(byRatio)
}

/** The ratio of the progress, if there is any, by the total of the metric. It is 1 if the ratio takes as long as that. */
function highestRatio(achievement: AchievementRule, total: number, state: UserState): number {
  if (achievement.trigger !== 'metric' || achievement.isLowest || repeats(achievement)) return 1
  const current = achievement.tally === null ? total : (runningOf(achievement, state)?.total ?? 0)
  return ratioOf(current, achievement.value)
}

/** Inserts behind the items with the same ratio or a larger one, and keeps the first `most` of all. */
function insert(nearest: Progressed[], item: Progressed, most: number): void {
  const further = nearest.findIndex(({ progress }) => progress.ratio < item.progress.ratio)
  nearest.splice(further === -1 ? nearest.length : further, 0, item)
  if (nearest.length > most) nearest.pop()
}

/** The largest ratio first. At equal ratios, the order stays. */
function byRatio(left: Progressed, right: Progressed): number {
  return right.progress.ratio - left.progress.ratio
}

function isSame(left: Progress, right: Progress | null): boolean {
  return (
    right !== null &&
    left.current === right.current &&
    left.target === right.target &&
    (left.criteria ?? []).every((criterion, index) => {
      const other = right.criteria?.[index]
      return other?.current === criterion.current && other.satisfied === criterion.satisfied
    })
  )
}

/** The largest announced share that an entry reached for the first time, or `null` if there is none. */
export function announcedBy(achievement: AchievementRule, before: UserState, after: UserState): number | null {
  if (achievement.announce.length === 0 || progressOf(achievement, after, after.at) === null) return null
  const [from, to] = [shareOf(achievement, before, after), shareOf(achievement, after, after)]
  return achievement.announce.findLast((share) => from < share && to >= share) ?? null
}

/** The share that a user had ever reached in `state`, of the completion that comes next after `after`. */
function shareOf(achievement: AchievementRule, state: UserState, after: UserState): number {
  switch (achievement.trigger) {
    case 'metric': {
      if (achievement.isLowest || achievement.value <= 0) return 0
      const { value } = achievement
      const done = roundTo15Digits(completionsOf(after, achievement.key) * value)
      // As decimals: 19 of 10, repeated, is 0.9 of the second, and 6.3 is 0.9 of 7.
      return roundTo15Digits(add(runningOf(achievement, state)?.highest ?? 0, -done) / value)
    }
    case 'streak':
      return streakOf(state, achievement.streak).longest / achievement.length
    case 'achievement': {
      const known = progressOf(achievement, state, state.at)
      return known === null ? 1 : (known.current ?? 0) / known.target
    }
    case 'criteria':
    case 'anniversary':
      return countMet(achievement, state) / achievement.atLeast
    case 'api':
      return 0
    default:
      return achievement satisfies never
  }
}
