import type { Award, UserKey } from '../../src/storage-rows.ts'
import type { AwardRow } from './awards.ts'
import type { AwardsTable } from './tables.ts'
import { toUserColumns } from './user-rows.ts'

export type { AwardRow } from './awards.ts'

export function toAward({ award_id, trigger_id, entry_id, system, at, seq, ordinal, awarded, total }: AwardRow): Award {
  return { id: award_id, system, trigger: trigger_id, entryId: entry_id, at, seq, ordinal, awarded, total }
}

export function toAwardColumns(key: UserKey, award: Award): AwardsTable {
  return {
    ...toUserColumns(key),
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
