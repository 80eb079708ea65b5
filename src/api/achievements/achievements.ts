import {
  gameFor,
  gamesFor,
  type Stats,
  toAchievement,
  toCompletedAchievement,
  toNewAchievements,
  toUserAchievement,
  visibleAchievements,
  withProgress,
  withStats,
} from '../../answers/achievements.ts'
import { toPointsChanges } from '../../answers/points.ts'
import { toInstantText } from '../../answers/users.ts'
import { completionId } from '../../game/ids.ts'
import { type Accepted, stateAfter, submit } from '../../record/write-modes.ts'
import { completionsOf, hasAchievement } from '../../rules/achievement.ts'
import { matches } from '../../rules/game.ts'
import { settled } from '../../rules/settle.ts'
import type { Call, WriteCall } from '../../runtime/context.ts'
import type { Parsed } from '../../runtime/input.ts'
import type * as Types from '../../shapes/achievements.ts'
import { loadCompletions, type UserPlace } from '../../sql/overview.ts'
import { loadCounters } from '../../sql/queries.ts'
import type { Steps } from '../../storage/steps.ts'
import { readTextCursor, toTextCursor, wrongCursor } from '../cursors.ts'
import { readIdempotencyKey } from '../events/requests.ts'
import { knownAchievement, readUserAttributes } from '../named-parts.ts'
import { readUser } from '../users/read-user.ts'
import { toPatch } from '../users/requests.ts'
import type * as requests from './requests.ts'

export async function listAchievements(
  call: Call,
  { userAttributes }: Parsed<requests.AchievementsRequest>,
): Promise<readonly Types.AchievementWithStats[]> {
  const { game: current } = await call.games.current(call.storage)
  const game = gameFor(call, current, null)
  const attributes = userAttributes === undefined ? null : readUserAttributes(game, userAttributes)
  const stats = await readStats(call)
  return visibleAchievements(game, null)
    .filter((achievement) => attributes === null || matches(achievement.userAttributes, attributes))
    .map((achievement) => withStats(toAchievement(game, achievement), achievement.key, stats))
}

async function readStats(call: Call): Promise<Stats> {
  const counters = await loadCounters(call.storage, call.tenant)
  const completions = counters.filter(({ kind }) => kind === 'completions')
  return {
    users: counters.find(({ kind }) => kind === 'users')?.count ?? 0,
    completions: new Map(completions.map(({ key, count }) => [key, count])),
  }
}

export async function listUserAchievements(
  call: Call,
  user: string,
  { includeIncomplete }: requests.ParsedUserAchievements,
): Promise<readonly Types.UserAchievementWithStats[]> {
  const { game: current, state: known, at } = await readUser(call, user)
  const state = settled(current, known, at)
  const game = gameFor(call, current, state)
  const stats = await readStats(call)
  return visibleAchievements(game, state)
    .filter((achievement) => includeIncomplete || hasAchievement(achievement, state, at))
    .map((achievement) => withStats(withProgress(game, achievement, state, at), achievement.key, stats))
}

export async function listCompletions(
  call: Call,
  achievement: string,
  { after, limit }: requests.ParsedCompletionsRequest,
): Promise<Types.AchievementCompletions> {
  const { game } = await call.games.current(call.storage)
  knownAchievement(game, achievement)
  const place = after === undefined ? {} : { after: readPlace(after) }
  // One item more than the page says whether another page follows.
  const lines = await loadCompletions(call.storage, call.tenant, achievement, { ...place, limit: limit + 1 })
  const page = lines.slice(0, limit)
  const last = page.at(-1)
  return {
    completions: page.map(({ user: userId, name, at, count }) => ({
      userId,
      name,
      achievedAt: toInstantText(at),
      count,
    })),
    after: last === undefined || lines.length <= limit ? null : toTextCursor(`${last.at} ${last.user}`),
  }
}

function readPlace(cursor: string): UserPlace {
  const [, at, user] = /^(-?\d{1,16}) (.+)$/s.exec(readTextCursor(cursor, 'after')) ?? []
  if (at !== undefined && user !== undefined && Number.isSafeInteger(Number(at))) return { at: Number(at), user }
  throw wrongCursor('after')
}

export function* completeAchievement(
  call: WriteCall,
  key: string,
  { user, idempotencyKey: sent }: requests.ParsedCompletion,
): Steps<Types.AchievementCompletionResponse> {
  const idempotencyKey = readIdempotencyKey(sent)
  const keyed = idempotencyKey === null ? {} : { idempotencyKey }
  const body = { kind: 'achievementClaimed', achievement: key, ...keyed } as const
  const outcome = yield* submit(call, { user: user.id, profile: toPatch(user), body, createsUser: true })
  return {
    ...toResponse(call, outcome, key),
    ...(idempotencyKey === null ? {} : { idempotentReplayed: !isMade(outcome, key), idempotencyKey }),
  }
}

export function* grantAchievement(
  call: WriteCall,
  key: string,
  request: requests.SupportRequest,
): Steps<Types.AchievementCompletionResponse> {
  const outcome = yield* decide(call, 'achievementGranted', key, request)
  return toResponse(call, outcome, key)
}

export function* revokeFromUser(
  call: WriteCall,
  key: string,
  request: requests.SupportRequest,
): Steps<Types.RevokedAchievement> {
  const outcome = yield* decide(call, 'achievementRevoked', key, request)
  const { game, entryId, user, at } = outcome
  const revoked = toUserAchievement(game, knownAchievement(game, key), stateAfter(outcome), at)
  return { revocationId: entryId ?? '', userId: user, achievement: revoked }
}

/** Records what support decides about an achievement of a user. */
function decide(
  call: WriteCall,
  kind: 'achievementGranted' | 'achievementRevoked',
  achievement: string,
  { userId: user, reason }: requests.SupportRequest,
): Steps<Accepted> {
  return submit(call, { user, body: { kind, achievement, reason } })
}

function isMade(outcome: Accepted, key: string): boolean {
  if (outcome.type !== 'recorded') return false
  return completionsOf(outcome.after, key) > (outcome.before === null ? 0 : completionsOf(outcome.before, key))
}

function toResponse(call: Call, outcome: Accepted, key: string): Types.AchievementCompletionResponse {
  const after = stateAfter(outcome)
  const game = gameFor(call, outcome.game, after)
  const rule = game.achievements.get(key)
  if (rule === undefined) throw new RangeError('A completed achievement is in the game')
  const newest = after.completions.get(key)
  const completion = outcome.type === 'unchanged' ? (outcome.completion ?? newest) : newest
  const isNew = outcome.type === 'recorded' && toNewAchievements(game, outcome.before, after).length > 0
  const games = gamesFor(call, outcome, after)
  return {
    completionId: completionId(call.tenant, outcome.user, key, completion?.count),
    achievement:
      completion === undefined
        ? toUserAchievement(game, rule, after, outcome.at)
        : toCompletedAchievement(game, rule, completion),
    points: isNew ? toPointsChanges(games, game, outcome) : {},
  }
}
