import { GamificationError } from '../../../errors.ts'
import { parse } from '../../../requests/input.ts'
import { leaderboardKey, leaderboardRequest, type ParsedLeaderboardRequest } from '../../../requests/leaderboards.ts'
import { readUserAttributes } from '../../../requests/user-attributes.ts'
import { type Instant, localDate } from '../../../rules/calendar.ts'
import type { Game, Leaderboard } from '../../../rules/game.ts'
import { groupOf, isConcealed, rankedAt } from '../../../rules/leaderboard.ts'
import { comparePositions } from '../../../rules/position.ts'
import type { LeaderboardLine, Storage } from '../../../storage.ts'
import { toLeaderboard, toRanking } from '../../answers/leaderboard.ts'
import type { LeaderboardWithRankings } from '../../answers/wire/leaderboard.ts'
import { findRun, knownLeaderboard } from '../../ranks/find-leaderboard.ts'
import { isAlive } from '../../ranks/moves.ts'
import type { Context } from '../../types.ts'
import { followMerges } from './follow-merges.ts'

/**
 * One run of a leaderboard, with a page of its rankings. Which run is current, and the status, is told by dates in UTC.
 */
export async function readLeaderboard(
  context: Context,
  tenant: string,
  key: unknown,
  request: unknown = {},
): Promise<LeaderboardWithRankings> {
  const name = parse(leaderboardKey, key, 'leaderboard key')
  const asked = parse(leaderboardRequest, request, 'request')
  const { game } = await context.games.current(context.storage)
  const leaderboard = knownLeaderboard(game, name, asked.includePrivate)
  const now = context.now()
  const today = localDate('UTC', now)
  const run = findRun(leaderboard, asked.run, today)
  const group = askedGroup(game, leaderboard, asked)
  const part = { tenant, leaderboard, run: run.id, group, at: rankedAt(leaderboard, now) }
  const isEmpty = asked.limit === 0 || isConcealed(leaderboard, today)
  const lines = isEmpty ? [] : await readLines(context.storage, part, asked)
  return { ...toLeaderboard(game, leaderboard, run, today), rankings: lines.map(toRanking) }
}

/** A group of a run, or all of them, as of a moment. */
interface Part {
  readonly tenant: string
  readonly leaderboard: Leaderboard
  readonly run: string
  /** null: the group of the user around whom is asked; where some users are named, any group. */
  readonly group: string | null
  readonly at: Instant
}

/** The group that the request names; null: it leaves that open. Throws `invalid_request` where it must not. */
function askedGroup(
  game: Game,
  leaderboard: Leaderboard,
  { userAttributes, userId, among }: ParsedLeaderboardRequest,
): string | null {
  const { key, breakdown } = leaderboard
  if (userAttributes === undefined) {
    if (among !== undefined) return null
    if (breakdown.length === 0) return groupOf(leaderboard, new Map())
    if (userId !== undefined) return null
    throw wrongAttributes(
      `${groupsOf(leaderboard)}: say which by userAttributes (${example(breakdown)}), or by userId.`,
    )
  }
  const attributes = readUserAttributes(game, userAttributes)
  if (breakdown.length === 0) {
    throw wrongAttributes(`The leaderboard ${JSON.stringify(key)} has no groups: leave userAttributes out.`)
  }
  if (attributes.size === breakdown.length && breakdown.every((attribute) => attributes.has(attribute))) {
    return groupOf(leaderboard, attributes)
  }
  throw wrongAttributes(`${groupsOf(leaderboard)}: userAttributes must name just that (${example(breakdown)}).`)
}

function groupsOf({ key, breakdown }: Leaderboard): string {
  return `The leaderboard ${JSON.stringify(key)} has groups by ${breakdown.join(' and ')}`
}

function example(breakdown: readonly string[]): string {
  return breakdown.map((attribute) => `${attribute}:…`).join(',')
}

function wrongAttributes(message: string): GamificationError {
  return new GamificationError('invalid_request', message, { issues: [{ path: 'userAttributes', message }] })
}

function readLines(
  storage: Storage,
  part: Part,
  asked: ParsedLeaderboardRequest,
): Promise<readonly Omit<LeaderboardLine, 'reachedAt'>[]> {
  return asked.among === undefined ? readPage(storage, part, asked) : rankAmong(storage, part, asked.among, asked)
}

async function readPage(
  storage: Storage,
  { tenant, leaderboard, run, group, at }: Part,
  { offset, limit, userId }: ParsedLeaderboardRequest,
): Promise<readonly LeaderboardLine[]> {
  const { key, maxParticipants } = leaderboard
  const read = async (around: string | undefined): Promise<readonly LeaderboardLine[]> => {
    const own = group ?? (await readGroup(storage, tenant, key, run, around))
    if (own === null) return []
    return storage.leaderboardPage(
      tenant,
      { leaderboard: key, run, group: own },
      { limit: maxParticipants, at, offset, count: limit, ...(around === undefined ? {} : { around }) },
    )
  }
  const lines = await read(userId)
  if (userId === undefined || lines.length > 0) return lines
  const [merged] = await idsMergedInto(storage, tenant, [userId])
  return merged === undefined ? [] : read(merged)
}

/** The ids of the users into whom some of these users were merged. */
async function idsMergedInto(storage: Storage, tenant: string, users: readonly string[]): Promise<readonly string[]> {
  const merged = await Promise.all(users.map((user) => followMerges(storage, { tenant, user })))
  return merged.map(({ key }) => key.user).filter((id, index) => id !== users[index])
}

/** The group in which a user is in a run; null: in none. */
async function readGroup(
  storage: Storage,
  tenant: string,
  leaderboard: string,
  run: string,
  user: string | undefined,
): Promise<string | null> {
  const entries = await storage.leaderboardEntries(tenant, leaderboard, run, user === undefined ? [] : [user])
  return entries[0]?.group ?? null
}

/** Ranks some users among themselves, whoever else takes part and however many the leaderboard ranks. */
async function rankAmong(
  storage: Storage,
  { tenant, leaderboard, run, group, at }: Part,
  users: readonly string[],
  { offset, limit }: ParsedLeaderboardRequest,
): Promise<readonly LeaderboardLine[]> {
  const read = (ids: readonly string[]) => storage.leaderboardEntries(tenant, leaderboard.key, run, ids)
  const found = await read([...new Set(users)])
  const known = new Set(found.map(({ user }) => user))
  const merged = await idsMergedInto(
    storage,
    tenant,
    users.filter((user) => !known.has(user)),
  )
  const others = [...new Set(merged)].filter((user) => !known.has(user))
  const entries = others.length === 0 ? found : [...found, ...(await read(others))]
  return entries
    .filter((entry) => isAlive(entry, at) && (group === null || entry.group === group))
    .sort(comparePositions)
    .map((entry, index) => ({ ...entry, rank: index + 1 }))
    .slice(offset, offset + limit)
}
