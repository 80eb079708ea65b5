import type { Change } from '../../../rules/change.ts'
import type { Entry } from '../../../rules/entry.ts'
import type { Run } from '../../../rules/leaderboard.ts'
import type { UserKey } from '../../../storage-rows.ts'
import type { ScoredDay } from '../../answers/leaderboard.ts'
import { isAlive } from '../../ranks/moves.ts'
import type { Context } from '../../types.ts'
import { readSteps } from './read-steps.ts'
import type { ReadUser } from './read-user.ts'

type Scored = Extract<Change, { readonly type: 'leaderboardScored' }>

/**
 * The days on which the user's value in a run changed, oldest first: nobody keeps these, so the whole log is folded. A
 * streak that was lost shows in the next item, which then starts from null.
 */
export async function readScoredDays(
  context: Context,
  key: UserKey,
  user: ReadUser,
  leaderboard: string,
  run: Run,
): Promise<readonly ScoredDay[]> {
  const days: ScoredDay[] = []
  await readSteps(context.storage, key, user, (_, changes, entry) => {
    for (const change of changes) {
      if (change.type === 'leaderboardScored' && change.leaderboard === leaderboard && change.entry.run === run.id) {
        addScored(days, entry, change)
      }
    }
  })
  // Streaks are kept for a leaderboard that has not started yet.
  return days.filter(({ date, before, value }) => before !== value && date >= run.from)
}

function addScored(days: ScoredDay[], { at, dating: { date } }: Entry, { entry: { value }, previous }: Scored): void {
  const before = previous !== null && isAlive(previous, at) ? previous.value : null
  if (before === value) return
  const last = days.at(-1)
  // A date may come back by a change of zone: it goes on with the day that is open.
  if (last !== undefined && date <= last.date) days[days.length - 1] = { ...last, at, value }
  else days.push({ date, at, before, value })
}
