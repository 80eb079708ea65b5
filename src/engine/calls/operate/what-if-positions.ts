import type { Instant } from '../../../rules/calendar.ts'
import type { Game } from '../../../rules/game.ts'
import { isRunOf } from '../../../rules/leaderboard.ts'
import { comparePositions, type Position } from '../../../rules/position.ts'
import type { LeaderboardRow, UserKey } from '../../../storage-rows.ts'
import type { Count } from '../../answers/wire/formats.ts'

/** How many users would have another position. */
export interface WhatIfLeaderboard {
  readonly key: string
  /** Users who would be on it, and are not now. */
  readonly entered: Count
  /** Users who are on it now, and would not be. */
  readonly left: Count
  readonly up: Count
  readonly down: Count
}

export interface WhatIfPositions {
  add(key: UserKey, game: Game, before: readonly LeaderboardRow[], after: readonly LeaderboardRow[]): void
  report(): readonly WhatIfLeaderboard[]
}

/** The newest run of a leaderboard under one game: positions by group. */
interface NewestRun {
  from: string
  limit: number | null
  groups: Map<string, Position[]>
}

/** An id of a run begins with its first date. */
const DATE_LENGTH = 10

/** Keeps the positions of all users in memory, in the newest run of each leaderboard, as of `at`, under both games. */
export function startWhatIfPositions(next: Game, at: Instant): WhatIfPositions {
  const now = new Map<string, NewestRun>()
  const then = new Map<string, NewestRun>()
  return {
    add: ({ tenant, user }, game, before, after) => {
      for (const row of before) if (isRanked(game, row, at)) addPosition(now, game, tenant, user, row)
      for (const row of after) if (isRanked(next, row, at)) addPosition(then, next, tenant, user, row)
    },
    report: () =>
      [...new Set([...now.keys(), ...then.keys()])]
        .sort()
        .map((key) => ({ key, ...compare(ranksOf(now.get(key)), ranksOf(then.get(key))) }))
        .filter(({ entered, left, up, down }) => entered + left + up + down > 0),
  }
}

/** Whether a row belongs to the leaderboard as the game has it, and has not expired. */
function isRanked({ leaderboards }: Game, { leaderboard, run, until }: LeaderboardRow, at: Instant): boolean {
  const definition = leaderboards.get(leaderboard)
  return definition !== undefined && isRunOf(definition, run) && (until === null || until > at)
}

function addPosition(
  runs: Map<string, NewestRun>,
  game: Game,
  tenant: string,
  user: string,
  { leaderboard, run, group, value, reachedAt }: LeaderboardRow,
): void {
  const definition = game.leaderboards.get(leaderboard)
  if (definition === undefined) return
  const from = run.slice(0, DATE_LENGTH)
  let newest = runs.get(leaderboard)
  if (newest === undefined || newest.from < from) {
    newest = { from, limit: definition.maxParticipants, groups: new Map() }
    runs.set(leaderboard, newest)
  }
  if (newest.from !== from) return
  const id = JSON.stringify([tenant, group])
  const positions = newest.groups.get(id)
  const position = { user, value, reachedAt }
  if (positions === undefined) newest.groups.set(id, [position])
  else positions.push(position)
}

function ranksOf(run: NewestRun | undefined): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  for (const [id, positions] of run?.groups ?? []) {
    const ranked = positions.sort(comparePositions).slice(0, run?.limit ?? undefined)
    for (const [index, { user }] of ranked.entries()) ranks.set(JSON.stringify([tenantOf(id), user]), index + 1)
  }
  return ranks
}

function tenantOf(id: string): string {
  const [tenant = ''] = JSON.parse(id) as readonly string[]
  return tenant
}

function compare(now: ReadonlyMap<string, number>, then: ReadonlyMap<string, number>): Omit<WhatIfLeaderboard, 'key'> {
  let up = 0
  let down = 0
  let entered = 0
  for (const [user, rank] of then) {
    const before = now.get(user)
    if (before === undefined) entered += 1
    else if (rank < before) up += 1
    else if (rank > before) down += 1
  }
  const left = [...now.keys()].filter((user) => !then.has(user)).length
  return { entered, left, up, down }
}
