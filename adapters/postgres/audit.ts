import type { StorageAudit } from '../../src/storage-audit.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import type { CallGate } from '../sql/call-gate.ts'
import { toBlockGroup, toGroupColumns } from '../sql/leaderboard-blocks.ts'
import { logOwnerQueries } from '../sql/log-owners.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { toUserColumns, toUserKey } from '../sql/user-rows.ts'
import { counterAudits } from './audit-counters.ts'
import { userAudits } from './audit-users.ts'
import { blockAudits } from './leaderboard-blocks.ts'
import type { Runner } from './runner.ts'

const CHUNK = 1_000
// Before all others.
const FIRST_USER = { tenant: '', user: '' }
const FIRST_GROUP = { tenant: '', leaderboard: '', run: '', group: '' }

/** `written` is called after a user may have been written other than by a commit. */
export function audits(
  enter: CallGate['enter'],
  runner: Runner,
  traits: SqlTraits,
  schema: string,
  written: (key: UserKey) => void,
): StorageAudit {
  const { owners, groups } = logOwnerQueries(traits)
  const users = userAudits(runner, traits, schema)
  const counters = counterAudits(runner, traits, schema)
  const blocks = blockAudits(runner, schema)
  return {
    audit: (key, facts) => enter(() => users.audit(key, facts)),
    repair: (key, facts, version) => enter(() => users.repair(key, facts, version).finally(() => written(key))),
    listOwners: ({ after = FIRST_USER, limit = CHUNK } = {}) =>
      enter(async () => {
        const found = await runner.all(owners, { ...toUserColumns(after), limit })
        return found.map(toUserKey)
      }),
    listCounters: () => enter(counters.listCounters),
    auditCounter: (tenant, kind, key) => enter(() => counters.auditCounter(tenant, kind, key)),
    repairCounter: (tenant, kind, key) => enter(() => counters.repairCounter(tenant, kind, key)),
    listBlockGroups: ({ after = FIRST_GROUP, limit = CHUNK } = {}) =>
      enter(async () => (await runner.all(groups, { ...toGroupColumns(after), limit })).map(toBlockGroup)),
    auditBlocks: (group) => enter(() => blocks.auditBlocks(group)),
    repairBlocks: (group) => enter(() => blocks.repairBlocks(group)),
  }
}
