import type { StorageOverview } from '../../src/storage-overview.ts'
import {
  toBacklog,
  toCompletionLine,
  toCompletionsRead,
  toEntriesRead,
  toGroups,
  toGroupsRead,
  toRunsRead,
  toStoredActivity,
} from '../sql/overview.ts'
import type { Queries } from '../sql/queries.ts'
import type { Entrance } from './entrance.ts'
import type { Reader } from './runner.ts'

/** `by` gives a reader that has until a deadline. */
export function overviews(
  enter: Entrance['enter'],
  by: (deadline: number | undefined) => Reader,
  { overview }: Queries,
): StorageOverview {
  return {
    name: 'postgres',
    activity: (tenant, from, before, deadline) =>
      enter(async () =>
        toStoredActivity(await by(deadline).all(overview.activity, { tenant_id: tenant, from, before })),
      ),
    completions: (tenant, achievement, options, deadline) =>
      enter(async () => {
        const asked = toCompletionsRead(tenant, achievement, options)
        return (await by(deadline).all(overview.completions, asked)).map(toCompletionLine)
      }),
    leaderboardRuns: (tenant, leaderboard, options, deadline) =>
      enter(async () => {
        const rows = await by(deadline).all(overview.runs, toRunsRead(tenant, leaderboard, options))
        return rows.map(({ run }) => run)
      }),
    leaderboardGroups: (tenant, leaderboard, run, { after, limit, ...counted }, deadline) =>
      enter(async () => {
        const asked = toGroupsRead(toEntriesRead(tenant, leaderboard, run, counted), after, limit)
        return toGroups(await by(deadline).all(overview.groups, asked), after, limit)
      }),
    countEntries: (tenant, leaderboard, run, counted, deadline) =>
      enter(async () => {
        const [row] = await by(deadline).all(overview.entries, toEntriesRead(tenant, leaderboard, run, counted))
        return row?.count ?? 0
      }),
    backlog: (now, most, deadline) =>
      enter(async () => toBacklog(await by(deadline).all(overview.backlog, { now, most }), most)),
  }
}
