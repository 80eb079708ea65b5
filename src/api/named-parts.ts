import { type ErrorCode, GamificationError } from '../errors.ts'
import { isText } from '../game/json.ts'
import { type Day, toDateText } from '../rules/calendar.ts'
import type {
  AchievementRule,
  ChallengeRule,
  Game,
  Leaderboard,
  Metric,
  PointsSystem,
  RewardRule,
} from '../rules/game.ts'
import { type Run, runOn, streakRun, visibleLeaderboards } from '../rules/leaderboard.ts'
import { quoteName, unknownName } from '../rules/names.ts'

function requireKnown<Part>(
  part: Part | undefined,
  [code, what]: readonly [code: ErrorCode, what: string],
  name: string,
  names: Iterable<string>,
): Part {
  if (part !== undefined) return part
  throw new GamificationError(code, unknownName(what, name, names))
}

/** The achievement of a game by its key. Throws `unknown_achievement`. */
export function knownAchievement({ achievements }: Pick<Game, 'achievements'>, key: string): AchievementRule {
  return requireKnown(achievements.get(key), ['unknown_achievement', 'achievement'], key, achievements.keys())
}

/** Throws `unknown_metric`, for an archived one too: reads know the active ones only. */
export function activeMetric({ metrics }: Pick<Game, 'metrics'>, key: string): Metric {
  const active = new Map([...metrics].filter(([, { status }]) => status === 'active'))
  return requireKnown(active.get(key), ['unknown_metric', 'active metric'], key, active.keys())
}

/** Throws `unknown_points_system`. */
export function knownSystem({ points }: Pick<Game, 'points'>, key: string): PointsSystem {
  return requireKnown(points.get(key), ['unknown_points_system', 'points system'], key, points.keys())
}

/** Throws `unknown_challenge`. */
export function knownChallenge({ challenges }: Pick<Game, 'challenges'>, key: string): ChallengeRule {
  return requireKnown(challenges.get(key), ['unknown_challenge', 'challenge'], key, challenges.keys())
}

/** Throws `unknown_reward`. */
export function knownReward({ rewards }: Pick<Game, 'rewards'>, key: string): RewardRule {
  return requireKnown(rewards.get(key), ['unknown_reward', 'reward'], key, rewards.keys())
}

/** Throws `unknown_streak` if one of the game's `streaks` is named that it does not have. */
export function checkStreakName({ streaks }: Pick<Game, 'streaks'>, key: string | null): void {
  if (key !== null) requireKnown(streaks.get(key), ['unknown_streak', 'streak'], key, streaks.keys())
}

/** Throws `unknown_leaderboard`. Callers who may not see private leaderboards get the same error for them. */
export function knownLeaderboard(game: Game, key: string, includePrivate = true): Leaderboard {
  const visible = new Map(visibleLeaderboards(game, includePrivate).map((each) => [each.key, each]))
  return requireKnown(visible.get(key), ['unknown_leaderboard', 'leaderboard'], key, visible.keys())
}

/**
 * The run that a date was asked for, else the one that `today` lies in: the first before the start, the last after the
 * end. Throws `invalid_request` for a date that lies in none.
 */
export function findRun(leaderboard: Leaderboard, asked: Day | undefined, today: Day): Run {
  const { start, end } = leaderboard
  if (asked !== undefined && (asked < start || (end !== null && asked > end))) {
    const dates =
      end === null ? `starts on ${toDateText(start)}` : `lasts from ${toDateText(start)} to ${toDateText(end)}`
    const message = `There is no run on ${toDateText(asked)}: the leaderboard ${JSON.stringify(leaderboard.key)} ${dates}.`
    throw new GamificationError('invalid_request', message, { issues: [{ path: 'run', message }] })
  }
  const date = asked ?? Math.max(start, Math.min(today, end ?? today))
  const run = leaderboard.rankBy === 'streak' ? streakRun(leaderboard) : runOn(leaderboard, date)
  if (run === null) throw new RangeError(`The leaderboard ${leaderboard.key} has no run on ${toDateText(date)}`)
  return run
}

/**
 * Reads `attribute:value,attribute:value`: split at `,`, then at the first `:`. Attributes that
 * came as such are only checked to be some of the game's.
 */
export function readUserAttributes(
  game: Game,
  given: string | ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const attributes = typeof given === 'string' ? new Map(given.split(',').map(readItem)) : given
  for (const name of attributes.keys()) knownUserAttribute(game, name)
  return attributes
}

/** The name of a user attribute that the game has. Throws `unknown_attribute`. */
export function knownUserAttribute({ userAttributes }: Pick<Game, 'userAttributes'>, name: string): string {
  const known = userAttributes.has(name) ? name : undefined
  return requireKnown(known, ['unknown_attribute', 'user attribute'], name, userAttributes)
}

function readItem(item: string): readonly [name: string, value: string] {
  const colon = item.indexOf(':')
  if (colon >= 1 && isText(item)) return [item.slice(0, colon), item.slice(colon + 1)]
  const message = `Malformed userAttributes item ${quoteName(item)}: write attribute:value,attribute:value.`
  throw new GamificationError('invalid_request', message, { issues: [{ path: 'userAttributes', message }] })
}
