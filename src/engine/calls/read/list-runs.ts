import { parse } from '../../../requests/input.ts'
import { leaderboardKey } from '../../../requests/leaderboards.ts'
import { leaderboardGroupsRequest, leaderboardRunsRequest } from '../../../requests/overview.ts'
import { localDate, parseDate, toDateText } from '../../../rules/calendar.ts'
import type { Leaderboard } from '../../../rules/game.ts'
import { isRunOf, type Run, rankedAt, runOn, statusOn, streakRun, valuesOfGroup } from '../../../rules/leaderboard.ts'
import type { LeaderboardGroups, LeaderboardRuns } from '../../answers/wire/leaderboard.ts'
import { findRun, knownLeaderboard } from '../../ranks/find-leaderboard.ts'
import type { Context } from '../../types.ts'
import { readTextCursor, toTextCursor } from './text-cursor.ts'

const MOST_COUNTED = 10_000

/** The runs of a leaderboard that have entries, the newest first. Throws `unknown_leaderboard`. */
export async function listRuns(
  context: Context,
  tenant: string,
  key: unknown,
  request: unknown = {},
): Promise<LeaderboardRuns> {
  const name = parse(leaderboardKey, key, 'leaderboard key')
  const { before, limit } = parse(leaderboardRunsRequest, request, 'request')
  const { game } = await context.games.current(context.storage)
  const leaderboard = knownLeaderboard(game, name)
  const today = localDate('UTC', context.now())
  const first = before === undefined ? undefined : toDateText(before)
  const runs: Run[] = []
  for await (const run of runsOf(context, tenant, leaderboard, first, limit + 1)) {
    runs.push(run)
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

/**
 * Runs of the leaderboard as it is defined now: those of an earlier definition cannot be compared, and are not shown.
 */
async function* runsOf(
  { storage }: Context,
  tenant: string,
  leaderboard: Leaderboard,
  first: string | undefined,
  limit: number,
): AsyncGenerator<Run> {
  for (let before = first; ; ) {
    const options = { limit, ...(before === undefined ? {} : { before }) }
    const ids = await storage.leaderboardRuns(tenant, leaderboard.key, options)
    for (const id of ids) {
      const run = isRunOf(leaderboard, id) ? toRun(leaderboard, id) : null
      if (run !== null) yield run
    }
    before = ids.at(-1)
    if (before === undefined || ids.length < limit) return
  }
}

function toRun(leaderboard: Leaderboard, id: string): Run | null {
  const date = parseDate(id.slice(0, 10))
  if (date === null) return null
  const run = leaderboard.rankBy === 'streak' ? streakRun(leaderboard) : runOn(leaderboard, date)
  return run?.id === id ? run : null
}

/** The groups of a run, in order of their keys. Throws `unknown_leaderboard`. */
export async function listGroups(
  context: Context,
  tenant: string,
  key: unknown,
  request: unknown = {},
): Promise<LeaderboardGroups> {
  const name = parse(leaderboardKey, key, 'leaderboard key')
  const { run: asked, after, limit } = parse(leaderboardGroupsRequest, request, 'request')
  const { game } = await context.games.current(context.storage)
  const leaderboard = knownLeaderboard(game, name)
  const now = context.now()
  const run = findRun(leaderboard, asked, localDate('UTC', now))
  const place = after === undefined ? {} : { after: readTextCursor(after, 'after') }
  // One item more than the page says whether another page follows.
  const options = { ...place, limit: limit + 1, at: rankedAt(leaderboard, now), most: MOST_COUNTED }
  const groups = await context.storage.leaderboardGroups(tenant, leaderboard.key, run.id, options)
  const page = groups.slice(0, limit)
  const last = page.at(-1)
  return {
    groups: page.map(({ group, users }) => ({ values: Object.fromEntries(valuesOfGroup(leaderboard, group)), users })),
    after: last === undefined || groups.length <= limit ? null : toTextCursor(last.place),
  }
}
