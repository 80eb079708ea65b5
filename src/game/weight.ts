import { CRITERIA } from './criteria.ts'
import { entriesOf, type Json, type Maybe, partsAt, propertyOf } from './json.ts'

/** A streak or a time trigger judges each period that has passed: after a long absence, hundreds in one replayed line. */
const STREAK_A_DAY = 6
const TRIGGER_A_DAY = 3
/** How many times more a streak weighs that shares its freezes: the periods of all of them are judged in one order. */
const SHARED = 2
/** A board of such streaks looks ahead through their freezes, and at each of them. */
const BOARD_OF_SHARED = 16
/** Points can meet criteria, whose achievements pay points: each criterion may have all rules looked at again. */
const POINTS_CRITERION = 5

/** A window looks at each of its dates. */
const WINDOW = 2

/** Parts that weigh 1 each, by place (`partsAt`). */
const PARTS: readonly string[] = [
  'metrics.*',
  'metrics.*.limits.[]',
  'achievements.*',
  'achievements.*.tiers.*',
  'achievements.*.achievements.[]',
  'points.*',
  'points.*.cap',
  'points.*.expires',
  'points.*.pending',
  'points.*.levels.*',
  'points.*.boosts.*',
  'points.*.triggers.[].cap',
  'points.*.triggers.[].cooldown',
  'challenges.*',
  'challenges.*.pool.*',
  'streak.metrics.*',
  'streak.reminders.[]',
  'streaks.*.metrics.*',
  'streaks.*.reminders.[]',
]

const WINDOWS: readonly string[] = ['achievements.*.within', ...CRITERIA.map((place) => `${place}.within`)]

/**
 * How much a replay under a game costs, in rules: most rules weigh 1. Looks into data that may have any shape, and never
 * throws.
 */
export function weightOf(definition: Json): number {
  const sharing = sharingStreaks(definition)
  const weights = [
    ...PARTS.map((partPath) => partsAt(definition, partPath).length),
    ...WINDOWS.map((partPath) => WINDOW * partsAt(definition, partPath).length),
    ...CRITERIA.flatMap((place) => partsAt(definition, place)).map(({ value }) => weightOfCriterion(value)),
    ...partsAt(definition, 'points.*.triggers.[]').map(({ value }) => weightOfTrigger(value)),
    ...partsAt(definition, 'streak').map(({ value }) => weightOfStreak(value, sharing.size > 0)),
    ...partsAt(definition, 'streaks.*').map(({ value }) => weightOfStreak(value, sharesFreezes(value))),
    ...partsAt(definition, 'leaderboards.*').map(({ value }) => weightOfLeaderboard(value, sharing)),
  ]
  return weights.reduce((sum, weight) => sum + weight, 0)
}

/** The keys of the named streaks that use the freezes of the game's `streak`. */
function sharingStreaks(definition: Json): ReadonlySet<string> {
  const streaks = entriesOf(propertyOf(definition, 'streaks'))
  return new Set(streaks.filter(([, streak]) => sharesFreezes(streak)).map(([key]) => key))
}

function sharesFreezes(streak: Maybe): boolean {
  return propertyOf(streak, 'freezes') === 'shared'
}

function weightOfCriterion(criterion: Json): number {
  return propertyOf(criterion, 'points') === undefined && propertyOf(criterion, 'level') === undefined
    ? 1
    : POINTS_CRITERION
}

function weightOfTrigger(trigger: Json): number {
  const every = propertyOf(trigger, 'every')
  const [hours, days] = [propertyOf(every, 'hours'), propertyOf(every, 'days')]
  if (typeof hours === 'number' && hours >= 1) return Math.ceil((TRIGGER_A_DAY * 24) / hours)
  return typeof days === 'number' && days >= 1 ? Math.ceil(TRIGGER_A_DAY / days) : 1
}

function weightOfStreak(streak: Json, isShared: boolean): number {
  const weight = propertyOf(streak, 'frequency') === 'daily' ? STREAK_A_DAY : 1
  return isShared ? SHARED * weight : weight
}

function weightOfLeaderboard(leaderboard: Json, sharing: ReadonlySet<string>): number {
  if (propertyOf(leaderboard, 'rankBy') !== 'streak') return 1
  const streak = propertyOf(leaderboard, 'streak')
  const isShared = streak === undefined ? sharing.size > 0 : typeof streak === 'string' && sharing.has(streak)
  return isShared ? BOARD_OF_SHARED + sharing.size + 1 : 2
}

/** How many texts, numbers, objects, lists and other values JSON has. Stops counting above `most`. */
export function countValues(json: Json, most: number): number {
  const open: Json[] = [json]
  let count = 0
  for (let next = open.pop(); next !== undefined && count <= most; next = open.pop()) {
    count += 1
    if (typeof next === 'object' && next !== null) for (const value of Object.values(next)) open.push(value)
  }
  return count
}
