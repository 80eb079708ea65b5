import { toSuspension } from '../../answers/users.ts'
import { hiddenBy, leaderboardChoice } from '../../rules/visibility.ts'
import type { Call } from '../../runtime/context.ts'
import { readUserLeaderboard } from '../leaderboards/read-user-leaderboard.ts'
import { knownLeaderboard } from '../named-parts.ts'
import { readUser } from '../users/read-user.ts'
import type { Finding, LeaderboardFact } from './facts.ts'
import type { ParsedSubject } from './requests.ts'

type Asked = Extract<ParsedSubject, { readonly leaderboard: string }>

/** Why a user is on a leaderboard, or not. It holds if other users see a rank of the user. */
export async function explainLeaderboard(
  call: Call,
  id: string,
  { leaderboard, run }: Asked,
): Promise<Finding<LeaderboardFact>> {
  const { game, state } = await readUser(call, id)
  const board = knownLeaderboard(game, leaderboard)
  const { preferences } = state
  const off: LeaderboardFact[] = []
  const suspended = toSuspension(state.suspended)
  if (suspended?.from.includes('leaderboards')) {
    off.push({ type: 'leaderboard_suspended', since: suspended.since, reason: suspended.reason })
  }
  const by = hiddenBy(game, preferences, board)
  if (by !== null) off.push({ type: 'leaderboard_hidden', by })
  if (off.length > 0) return { holds: false, facts: off }

  const place = await readUserLeaderboard(call, id, leaderboard, { run, includePrivate: true, numEvents: 0 })
  const { rank, value, participants, start } = place
  if (value === null) return { holds: false, facts: [{ type: 'leaderboard_no_score', leaderboard, start }] }
  const facts: LeaderboardFact[] = [{ type: 'leaderboard_place', leaderboard, start, rank, value }]
  if (leaderboardChoice(game, preferences) === 'anonymous') {
    facts.push({ type: 'leaderboard_anonymous', by: preferences.leaderboards === null ? 'default' : 'choice' })
  }
  const { smallestGroup } = board
  const isSmall = participants < smallestGroup
  if (isSmall) facts.push({ type: 'leaderboard_small_group', participants, smallestGroup })
  return { holds: rank !== null && !isSmall, facts }
}
