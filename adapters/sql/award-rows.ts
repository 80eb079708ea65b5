import { toDateText } from '../../src/rules/calendar.ts'
import type { Award, AwardedBoost, UserKey } from '../../src/storage-rows.ts'
import type { AwardRow } from './awards.ts'
import { fromIdHex } from './packed.ts'
import { toDay } from './stored-text.ts'
import type { AwardsTable } from './tables.ts'
import { toUserColumns } from './user-rows.ts'

export type { AwardRow } from './awards.ts'

export function fromAwardRow(row: AwardRow): Award {
  const { system, at, seq, ordinal, awarded, total, boosts } = row
  const [id, trigger, entryId] = [fromIdHex(row.award_id), fromIdHex(row.trigger_id), fromIdHex(row.entry_id)]
  const award = { id, system, trigger, entryId, at, seq, ordinal, awarded, total }
  return boosts === null ? award : { ...award, boosts: fromBoostsJson(boosts) }
}

type BoostJson = Omit<AwardedBoost, 'start' | 'end'> & { readonly start: string; readonly end: string | null }

function toBoostsJson(boosts: readonly AwardedBoost[]): string {
  const json = boosts.map(({ id, name, start, end, multiplier, rounding }): BoostJson => {
    return { id, name, start: toDateText(start), end: end === null ? null : toDateText(end), multiplier, rounding }
  })
  return JSON.stringify(json)
}

function fromBoostsJson(text: string): readonly AwardedBoost[] {
  const json = JSON.parse(text) as readonly BoostJson[]
  return json.map((boost) => ({
    ...boost,
    start: toDay(boost.start),
    end: boost.end === null ? null : toDay(boost.end),
  }))
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
    boosts: award.boosts === undefined ? null : toBoostsJson(award.boosts),
  }
}
