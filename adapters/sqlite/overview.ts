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
import type { Use } from './database.ts'
import { queries } from './queries.ts'

const { overview } = queries

export function overviews(read: Use): StorageOverview {
  return {
    name: 'sqlite',
    activity: (tenant, from, before, deadline) =>
      read(
        (connection) => toStoredActivity(connection.all(overview.activity, { tenant_id: tenant, from, before })),
        deadline,
      ),
    completions: (tenant, achievement, options, deadline) =>
      read((connection) => {
        const asked = toCompletionsRead(tenant, achievement, options)
        return connection.all(overview.completions, asked).map(toCompletionLine)
      }, deadline),
    leaderboardRuns: (tenant, leaderboard, options, deadline) =>
      read((connection) => {
        return connection.all(overview.runs, toRunsRead(tenant, leaderboard, options)).map(({ run }) => run)
      }, deadline),
    leaderboardGroups: (tenant, leaderboard, run, { after, limit, ...counted }, deadline) =>
      read((connection) => {
        const asked = toGroupsRead(toEntriesRead(tenant, leaderboard, run, counted), after, limit)
        return toGroups(connection.all(overview.groups, asked), after, limit)
      }, deadline),
    countEntries: (tenant, leaderboard, run, counted, deadline) =>
      read((connection) => {
        return connection.get(overview.entries, toEntriesRead(tenant, leaderboard, run, counted))?.count ?? 0
      }, deadline),
    backlog: (now, most, deadline) =>
      read((connection) => toBacklog(connection.all(overview.backlog, { now, most }), most), deadline),
  }
}
