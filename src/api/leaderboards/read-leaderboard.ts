import { toLeaderboard, toRankings } from '../../answers/leaderboards.ts'
import { GamificationError } from '../../errors.ts'
import { countInGroups, countParticipants, isAlive } from '../../record/ranks/ranks.ts'
import { type Instant, localDate, parseDate, toDateText } from '../../rules/calendar.ts'
import type { Game, Leaderboard } from '../../rules/game.ts'
import {
  groupOf,
  isConcealed,
  type Run,
  rankedAt,
  runOn,
  statusOn,
  streakRun,
  valuesOfGroup,
  visibleLeaderboards,
} from '../../rules/leaderboard.ts'
import { comparePositions, firstWith } from '../../rules/position.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { withoutUndefined } from '../../runtime/input.ts'
import { type After, readPages } from '../../runtime/pages.ts'
import { maskLines } from '../../runtime/pseudonyms.ts'
import type {
  LeaderboardGroups,
  LeaderboardResponse,
  LeaderboardRuns,
  LeaderboardWithRankings,
} from '../../shapes/leaderboards.ts'
import { loadLeaderboardEntries } from '../../sql/leaderboards.ts'
import { loadLeaderboardGroups, loadLeaderboardRuns } from '../../sql/overview.ts'
import type { LeaderboardLine, RankedGroup, Storage } from '../../storage/storage.ts'
import { readTextCursor, toTextCursor } from '../cursors.ts'
import { findRun, knownLeaderboard, readUserAttributes } from '../named-parts.ts'
import { followMerges } from '../users/read-user.ts'
import type * as requests from './requests.ts'

export async function readLeaderboard(
  call: Call,
  name: string,
  asked: requests.ParsedLeaderboardRequest,
): Promise<LeaderboardWithRankings> {
  const { game } = await call.games.current(call.storage)
  const leaderboard = knownLeaderboard(game, name, asked.includePrivate)
  const now = call.now()
  const today = localDate('UTC', now)
  const run = findRun(leaderboard, asked.run, today)
  const group = askedGroup(game, leaderboard, asked)
  const part = { tenant: call.tenant, game, leaderboard, run: run.id, group, at: rankedAt(leaderboard, now) }
  const readPart = asked.among === undefined ? readPage : rankAmong
  const page = isConcealed(leaderboard, today) ? EMPTY : await readPart(call, part, asked)
  return { ...toLeaderboard(game, leaderboard, run, today), ...page }
}

type Rankings = Pick<LeaderboardWithRankings, 'participants' | 'rankings'>

const EMPTY: Rankings = { participants: 0, rankings: [] }

interface Part {
  readonly tenant: string
  readonly game: Game
  readonly leaderboard: Leaderboard
  readonly run: string
  /** The group of the user whose surroundings are requested, or `null`. With named users, any group. */
  readonly group: string | null
  readonly at: Instant
}

/**
 * The group that the request names, or `null` if the request leaves it open. Throws `invalid_request` if it must not
 * name one.
 */
function askedGroup(
  game: Game,
  leaderboard: Leaderboard,
  { userAttributes, userId, among }: requests.ParsedLeaderboardRequest,
): string | null {
  const { key, breakdown } = leaderboard
  const name = `The leaderboard ${JSON.stringify(key)}`
  const groups = `${name} has groups by ${breakdown.join(' and ')}`
  const example = breakdown.map((attribute) => `${attribute}:…`).join(',')
  if (userAttributes === undefined) {
    if (among !== undefined) return null
    if (breakdown.length === 0) return groupOf(leaderboard, new Map())
    if (userId !== undefined) return null
    throw wrongAttributes(`${groups}: say which by userAttributes (${example}), or by userId.`)
  }
  const attributes = readUserAttributes(game, userAttributes)
  if (breakdown.length === 0) throw wrongAttributes(`${name} has no groups: leave userAttributes out.`)
  if (attributes.size === breakdown.length && breakdown.every((attribute) => attributes.has(attribute))) {
    return groupOf(leaderboard, attributes)
  }
  throw wrongAttributes(`${groups}: userAttributes must name just that (${example}).`)
}

function wrongAttributes(message: string): GamificationError {
  return new GamificationError('invalid_request', message, { issues: [{ path: 'userAttributes', message }] })
}

/** True if a group is too small to be shown to this viewer. */
function isTooSmall({ smallestGroup }: Leaderboard, participants: number, viewer: string | undefined): boolean {
  return viewer !== undefined && participants < smallestGroup
}

/** The lines as the viewer of the request may see them. */
async function maskFor<Own extends Pick<LeaderboardLine, 'user' | 'name' | 'choice'>>(
  call: Call,
  { tenant, game, leaderboard: board, run }: Part,
  { reveal, viewer, userId }: requests.ParsedLeaderboardRequest,
  lines: readonly Own[],
): Promise<readonly (Own & { readonly isAnonymous?: true })[]> {
  const named = [viewer, userId].filter((user) => user !== undefined)
  const readOwn = async () => [...named, ...(await idsMergedInto(call, tenant, named))]
  const place = { tenant, game, board, leaderboard: board.key, run }
  return maskLines(call.storage, place, lines, reveal ? 'reveal' : readOwn)
}

async function readPage(call: Call, part: Part, request: requests.ParsedLeaderboardRequest): Promise<Rankings> {
  const { tenant, leaderboard, run, group, at } = part
  const { offset, limit, userId, viewer } = request
  const { storage } = call
  const { key, maxParticipants } = leaderboard
  const read = async (around: string | undefined): Promise<Rankings> => {
    const users = group !== null || around === undefined ? [] : [around]
    const [entry] = await loadLeaderboardEntries(storage, tenant, key, run, users)
    const own = group ?? entry?.group
    if (own === undefined) return EMPTY
    const place = { leaderboard: key, run, group: own }
    const options = { limit: maxParticipants, at, offset, count: limit, ...withoutUndefined({ around }) }
    const lines = limit === 0 ? [] : await storage.leaderboardPage(tenant, place, options)
    const firstRank = leaderboard.isShared ? await readFirstRank(storage, tenant, place, lines, at) : undefined
    const participants = await countParticipants(storage, tenant, place, at)
    if (isTooSmall(leaderboard, participants, viewer)) return { participants, rankings: [] }
    const masked = await maskFor(call, part, request, lines)
    return { participants, rankings: toRankings(leaderboard, masked, firstRank) }
  }
  const page = await read(userId)
  if (userId === undefined || limit === 0 || page.rankings.length > 0) return page
  const [merged] = await idsMergedInto(call, tenant, [userId])
  return merged === undefined ? page : read(merged)
}

/** The rank that the first line shares with those before it. */
async function readFirstRank(
  storage: Storage,
  tenant: string,
  place: RankedGroup,
  [first]: readonly LeaderboardLine[],
  at: Instant,
): Promise<number> {
  if (first === undefined || first.rank === 1) return 1
  const request = { ...place, limit: first.rank, at, margin: 0, positions: [firstWith({ value: first.value })] }
  const [answer] = await storage.ranks({ tenant, user: '' }, [request])
  return (answer?.before[0] ?? 0) + 1
}

async function idsMergedInto(call: Call, tenant: string, users: readonly string[]): Promise<readonly string[]> {
  const merged = await Promise.all(users.map((user) => followMerges(call, { tenant, user })))
  return merged.map(({ key }) => key.user).filter((id, index) => id !== users[index])
}

/**
 * Ranks some users among themselves. Other participants and the leaderboard's limit do not matter. Anonymous users are
 * left out, because a short list of users would tell who has which place.
 */
async function rankAmong(call: Call, part: Part, request: requests.ParsedLeaderboardRequest): Promise<Rankings> {
  const { tenant, leaderboard, run, group, at } = part
  const { offset, limit, among: users = [], viewer } = request
  const read = (ids: readonly string[]) => loadLeaderboardEntries(call.storage, tenant, leaderboard.key, run, ids)
  const found = await read([...new Set(users)])
  const known = new Set(found.map(({ user }) => user))
  const unknown = users.filter((user) => !known.has(user))
  const merged = new Set(await idsMergedInto(call, tenant, unknown))
  const others = [...merged].filter((user) => !known.has(user))
  const entries = others.length === 0 ? found : [...found, ...(await read(others))]
  const alive = entries.filter((entry) => isAlive(entry, at) && (group === null || entry.group === group))
  const small = viewer === undefined ? NO_GROUPS : await readSmallGroups(call, part, alive)
  const seen = await maskFor(
    call,
    part,
    request,
    alive.filter((entry) => !small.has(entry.group)),
  )
  const lines = seen
    .filter(({ isAnonymous }) => request.reveal || isAnonymous !== true)
    .sort(comparePositions)
    .map((entry, index) => ({ ...entry, rank: index + 1 }))
  const rankings = toRankings(leaderboard, lines)
  return { participants: lines.length, rankings: rankings.slice(offset, offset + limit) }
}

const NO_GROUPS: ReadonlySet<string> = new Set()

/** The groups of entries that are too small to be shown. */
async function readSmallGroups(
  { storage }: Call,
  { tenant, leaderboard, run, at }: Part,
  entries: readonly { readonly group: string }[],
): Promise<ReadonlySet<string>> {
  const { key, smallestGroup } = leaderboard
  if (smallestGroup <= 1) return NO_GROUPS
  const groups = [...new Set(entries.map(({ group }) => group))]
  const places = groups.map((group) => ({ leaderboard: key, run, group }))
  const counts = await countInGroups(storage, tenant, places, at)
  return new Set(groups.filter((_, index) => (counts[index] ?? 0) < smallestGroup))
}

export async function listLeaderboards(
  context: Context,
  { includePrivate, includeFinished }: requests.ParsedLeaderboardsRequest,
): Promise<readonly LeaderboardResponse[]> {
  const { game } = await context.games.current(context.storage)
  const today = localDate('UTC', context.now())
  return visibleLeaderboards(game, includePrivate)
    .filter((leaderboard) => includeFinished || statusOn(leaderboard, today) !== 'finished')
    .map((leaderboard) => toLeaderboard(game, leaderboard, findRun(leaderboard, undefined, today), today))
}

const MOST_COUNTED = 10_000

export async function listRuns(
  call: Call,
  name: string,
  { before, limit }: requests.ParsedRunsRequest,
): Promise<LeaderboardRuns> {
  const { game } = await call.games.current(call.storage)
  const leaderboard = knownLeaderboard(game, name)
  const today = localDate('UTC', call.now())
  const first = before === undefined ? {} : { after: toDateText(before) }
  const read = ({ after: from }: After<string>) =>
    loadLeaderboardRuns(call.storage, call.tenant, name, { limit: limit + 1, ...withoutUndefined({ before: from }) })
  const runs: Run[] = []
  for await (const id of readPages(limit + 1, read, (last) => last, first)) {
    const date = parseDate(id.slice(0, 10)) ?? 0
    const run = leaderboard.rankBy === 'streak' ? streakRun(leaderboard) : runOn(leaderboard, date)
    // Runs of an earlier definition have other ids. They cannot be compared, and are not shown.
    if (run?.id === id) runs.push(run)
    if (runs.length > limit) break
  }
  const page = runs.slice(0, limit)
  const last = page.at(-1)
  return {
    runs: page.map(({ from, to }) => ({
      key: toDateText(from),
      start: toDateText(from),
      end: to === null ? null : toDateText(to),
      status: statusOn({ start: from, end: to }, today),
    })),
    before: last === undefined || runs.length <= limit ? null : toDateText(last.from),
  }
}

export async function listGroups(
  call: Call,
  name: string,
  { run: asked, after, limit }: requests.ParsedGroupsRequest,
): Promise<LeaderboardGroups> {
  const { game } = await call.games.current(call.storage)
  const leaderboard = knownLeaderboard(game, name)
  const now = call.now()
  const run = findRun(leaderboard, asked, localDate('UTC', now))
  const place = after === undefined ? {} : { after: readTextCursor(after, 'after') }
  // One item more than the page says whether another page follows.
  const options = { ...place, limit: limit + 1, at: rankedAt(leaderboard, now), most: MOST_COUNTED }
  const groups = await loadLeaderboardGroups(call.storage, call.tenant, leaderboard.key, run.id, options)
  const page = groups.slice(0, limit)
  const last = page.at(-1)
  return {
    groups: page.map(({ group, users }) => ({ values: Object.fromEntries(valuesOfGroup(leaderboard, group)), users })),
    after: last === undefined || groups.length <= limit ? null : toTextCursor(last.place),
  }
}
