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
    activity: (tenant, from, before) =>
      read((connection) => toStoredActivity(connection.all(overview.activity, { tenant_id: tenant, from, before }))),
    completions: (tenant, achievement, options) =>
      read((connection) => {
        const asked = toCompletionsRead(tenant, achievement, options)
        return connection.all(overview.completions, asked).map(toCompletionLine)
      }),
    leaderboardRuns: (tenant, leaderboard, options) =>
      read((connection) => {
        return connection.all(overview.runs, toRunsRead(tenant, leaderboard, options)).map(({ run }) => run)
      }),
    leaderboardGroups: (tenant, leaderboard, run, { after, limit, ...counted }) =>
      read((connection) => {
        const asked = toGroupsRead(toEntriesRead(tenant, leaderboard, run, counted), after, limit)
        return toGroups(connection.all(overview.groups, asked), after, limit)
      }),
    countEntries: (tenant, leaderboard, run, counted) =>
      read((connection) => {
        return connection.get(overview.entries, toEntriesRead(tenant, leaderboard, run, counted))?.count ?? 0
      }),
    backlog: (now, most) => read((connection) => toBacklog(connection.all(overview.backlog, { now, most }), most)),
  }
}
