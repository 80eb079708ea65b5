import { toDateText } from '../../src/rules/calendar.ts'
import type { Award, AwardedBoost, UserKey } from '../../src/storage/rows.ts'
import { type AwardCursor, CHUNK, type LoggedValue, type Storage } from '../../src/storage/storage.ts'
import { compiler, OF_USER, type SqlDatabase, type SqlTraits } from './database.ts'
import { fromIdHex } from './entry-rows.ts'
import { toDay } from './stored-text.ts'
import type { AwardsTable, LogTable, UserColumns } from './tables.ts'
import { toUserColumns } from './user-rows.ts'

interface AwardsPage extends Omit<AwardCursor, 'user'> {
  readonly tenant_id: string
  readonly user_id: string
  readonly limit: number
}

interface AwardedRow extends Omit<AwardCursor, 'user'>, Pick<AwardsTable, 'user_id' | 'awarded'> {
  /** null: the entry is gone, which our storages never let happen. */
  readonly local_date: LogTable['local_date'] | null
}

/**
 * A subquery looks up each award's entry. For a join, Postgres may expect few lines per user, and read all of them for
 * each award.
 */
const VALUES = `select user_id, system, at, seq, ordinal, awarded, (select l.local_date from laurels.log l
    where l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.at = a.at and l.seq = a.seq) as local_date
  from laurels.awards a`

const FIRST = { user: '', system: '', at: Number.MIN_SAFE_INTEGER, seq: 0, ordinal: 0 }

export function sqlAwards(traits: SqlTraits): (database: SqlDatabase) => Pick<Storage, 'awardValues'> {
  const sql = compiler(traits)
  const ofTenant = sql<AwardsPage, AwardedRow>(`${VALUES} where tenant_id = :tenant_id
    and (user_id, system, at, seq, ordinal) > (:user_id, :system, :at, :seq, :ordinal)
    order by user_id, system, at, seq, ordinal limit :limit`)
  const ofSystem = sql<AwardsPage, AwardedRow>(`${VALUES} where ${OF_USER} and system = :system
    and (at, seq, ordinal) > (:at, :seq, :ordinal) order by at, seq, ordinal limit :limit`)
  return ({ all, page }) => ({
    awardValues: async (tenant, { of, after, limit = CHUNK } = {}) => {
      const { user: user_id, ...place } = { ...(after ?? FIRST), ...of }
      const asked = { ...place, tenant_id: tenant, user_id, limit }
      const rows = of === undefined ? await page(ofTenant, asked) : await all(ofSystem, asked)
      const last = rows.at(-1)
      return { values: rows.flatMap(toValue), last: last === undefined ? null : toCursor(last) }
    },
  })
}

function toValue({
  user_id: user,
  system: key,
  local_date: date,
  awarded,
  at,
  seq,
}: AwardedRow): readonly LoggedValue[] {
  return date === null ? [] : [{ user, key, date, value: awarded, at, seq }]
}

function toCursor({ user_id: user, system, at, seq, ordinal }: AwardedRow): AwardCursor {
  return { user, system, at, seq, ordinal }
}

/** Ids are digits, as `toIdHex` makes them. */
export type AwardRow = Omit<AwardsTable, keyof UserColumns>

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
