import type { Award } from '../../src/storage.ts'
import type { AwardRow } from './awards.ts'

export type { AwardRow } from './awards.ts'

export function toAward({ award_id, trigger_id, entry_id, system, at, seq, ordinal, awarded, total }: AwardRow): Award {
  return { id: award_id, system, trigger: trigger_id, entryId: entry_id, at, seq, ordinal, awarded, total }
}
