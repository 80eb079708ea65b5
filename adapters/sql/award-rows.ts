import type { Award, UserKey } from '../../src/storage.ts'
import type { AwardRow } from './awards.ts'
import type { AwardsTable } from './tables.ts'

export type { AwardRow } from './awards.ts'

export function toAward({ award_id, trigger_id, entry_id, system, at, seq, ordinal, awarded, total }: AwardRow): Award {
  return { id: award_id, system, trigger: trigger_id, entryId: entry_id, at, seq, ordinal, awarded, total }
}

// Written out: every event passes here, and spreading into an object with more members is slow.
export function toAwardColumns({ tenant, user }: UserKey, award: Award): AwardsTable {
  return {
    tenant_id: tenant,
    user_id: user,
    system: award.system,
    at: award.at,
    seq: award.seq,
    ordinal: award.ordinal,
    award_id: award.id,
    trigger_id: award.trigger,
    entry_id: award.entryId,
    awarded: award.awarded,
    total: award.total,
  }
}
