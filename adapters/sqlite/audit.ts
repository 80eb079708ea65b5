import type { StorageAudit } from '../../src/storage-audit.ts'
import { auditCounterQueries, toCounterColumns, toTenantCounter } from '../sql/audit-counters.ts'
import { toBlockGroup, toGroupColumns } from '../sql/leaderboard-blocks.ts'
import { logOwnerQueries } from '../sql/log-owners.ts'
import { toUserColumns, toUserKey } from '../sql/user-rows.ts'
import { auditUser, repairUser } from './audit-users.ts'
import type { Connection } from './connection.ts'
import type { Use, Write } from './database.ts'
import { auditBlocks, repairBlocks } from './leaderboard-blocks.ts'
import { queries } from './queries.ts'
import type { StateCache } from './state-cache.ts'
import { sqliteTraits } from './traits.ts'

const CHUNK = 1_000
// Before all others.
const FIRST_USER = { tenant: '', user: '' }
const FIRST_GROUP = { tenant: '', leaderboard: '', run: '', group: '' }

const counters = auditCounterQueries(sqliteTraits)
const { owners, groups } = logOwnerQueries(sqliteTraits)

export function audits(read: Use, write: Write, cache: StateCache): StorageAudit {
  /** The cache does not follow rows that somebody changed by hand. */
  const forget = (): void => cache.begin(null)
  return {
    audit: (key, facts) => read((connection) => auditUser(connection, key, facts)),
    repair: (key, facts, version) =>
      write((connection) => repairUser(connection, key, facts, version), undefined, forget),
    listOwners: ({ after = FIRST_USER, limit = CHUNK } = {}) =>
      read((connection) => connection.all(owners, { ...toUserColumns(after), limit }).map(toUserKey)),
    listCounters: () => read((connection) => connection.all(counters.all, {}).map(toTenantCounter)),
    auditCounter: (tenant, kind, key) =>
      read((connection) => {
        const columns = toCounterColumns(tenant, kind, key)
        return connection.get(counters.audit(kind), columns) ?? { stored: 0, counted: 0 }
      }),
    repairCounter: (tenant, kind, key) =>
      write((connection) => repairCounter(connection, toCounterColumns(tenant, kind, key))),
    listBlockGroups: ({ after = FIRST_GROUP, limit = CHUNK } = {}) =>
      read((connection) => connection.all(groups, { ...toGroupColumns(after), limit }).map(toBlockGroup)),
    auditBlocks: (group) => read((connection) => auditBlocks(connection, toGroupColumns(group))),
    repairBlocks: (group) => write((connection) => repairBlocks(connection, toGroupColumns(group))),
  }
}

function repairCounter(connection: Connection, columns: ReturnType<typeof toCounterColumns>): void {
  const { tenant_id, kind, key } = columns
  const { stored, counted } = connection.get(counters.audit(kind), columns) ?? { stored: 0, counted: 0 }
  connection.run(queries.counters.add, { tenant_id, kind, key, count: counted - stored })
  connection.run(queries.counters.removeEmpty, { tenant_id, kind, key })
}
