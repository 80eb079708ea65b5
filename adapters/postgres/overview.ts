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

export function overviews(enter: Entrance['enter'], runner: Reader, { overview }: Queries): StorageOverview {
  return {
    name: 'postgres',
    activity: (tenant, from, before) =>
      enter(async () => toStoredActivity(await runner.all(overview.activity, { tenant_id: tenant, from, before }))),
    completions: (tenant, achievement, options) =>
      enter(async () => {
        const asked = toCompletionsRead(tenant, achievement, options)
        return (await runner.all(overview.completions, asked)).map(toCompletionLine)
      }),
    leaderboardRuns: (tenant, leaderboard, options) =>
      enter(async () => {
        const rows = await runner.all(overview.runs, toRunsRead(tenant, leaderboard, options))
        return rows.map(({ run }) => run)
      }),
    leaderboardGroups: (tenant, leaderboard, run, { after, limit, ...counted }) =>
      enter(async () => {
        const asked = toGroupsRead(toEntriesRead(tenant, leaderboard, run, counted), after, limit)
        return toGroups(await runner.all(overview.groups, asked), after, limit)
      }),
    countEntries: (tenant, leaderboard, run, counted) =>
      enter(async () => {
        const [row] = await runner.all(overview.entries, toEntriesRead(tenant, leaderboard, run, counted))
        return row?.count ?? 0
      }),
    backlog: (now, most) => enter(async () => toBacklog(await runner.all(overview.backlog, { now, most }), most)),
  }
}
