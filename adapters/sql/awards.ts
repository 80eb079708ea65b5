import { type RawBuilder, sql } from 'kysely'
import { toDateText } from '../../src/rules/calendar.ts'
import type { Award, AwardedBoost, UserKey } from '../../src/storage/rows.ts'
import type { AwardCursor, AwardedValues, LoggedValue, ReadAwardedOptions } from '../../src/storage/storage.ts'
import { columnList, rawStatement, type SqlTraits, type Statement, same, tableOf } from './database.ts'
import { fromIdHex } from './entry-rows.ts'
import { toDay } from './stored-text.ts'
import type { AwardsTable, LogTable, UserColumns } from './tables.ts'
import { toUserColumns } from './user-rows.ts'

/** Ids are digits, as `toIdHex` makes them. */
export type AwardRow = Omit<AwardsTable, keyof UserColumns>

type Newest = UserColumns & { readonly limit: number }

export interface AwardQueries {
  /** The awards of a points system, or all awards of a user: the newest first. */
  readonly ofSystem: Statement<Newest & Pick<AwardsTable, 'system'>, AwardRow>
  readonly ofUser: Statement<Newest, AwardRow>
  /** The values of a system's awards after the given place, in order. */
  readonly readAwarded: Statement<AwardsRead, AwardedRow>
}

/** Asks for at most `limit` awards of a points system after a place. */
export type AwardsRead = UserColumns & AwardCursor & { readonly system: string; readonly limit: number }

export interface AwardedRow extends AwardCursor, Pick<AwardsTable, 'awarded'> {
  /** null: the entry is gone, which no storage of ours lets happen. */
  readonly local_date: LogTable['local_date'] | null
}

const COLUMNS = ['system', 'at', 'seq', 'ordinal', 'awarded', 'total', 'boosts'] as const

export function awardQueries(traits: SqlTraits): AwardQueries {
  const { toHex } = traits
  const awards = tableOf('awards')
  const ids = ['award_id', 'trigger_id', 'entry_id'].map((id) => sql`${toHex(id)} as ${sql.id(id)}`)
  const rows = sql`select ${columnList(COLUMNS)}, ${sql.join(ids)} from ${awards}`
  const newestFirst = sql`order by at desc, seq desc, ordinal desc`
  return {
    ofSystem: rawStatement(
      traits,
      (bind) => sql`${rows} where ${same(bind, ['tenant_id', 'user_id', 'system'])}
        ${newestFirst} limit ${bind('limit')}`,
    ),
    ofUser: rawStatement(
      traits,
      (bind) => sql`${rows} where ${same(bind, ['tenant_id', 'user_id'])} ${newestFirst} limit ${bind('limit')}`,
    ),
    readAwarded: rawStatement(
      traits,
      (bind) => sql`select at, seq, ordinal, awarded, ${DATE_OF_AWARD} from ${awards} a
        where ${same(bind, ['tenant_id', 'user_id', 'system'])}
          and (at, seq, ordinal) > (${bind('at')}, ${bind('seq')}, ${bind('ordinal')})
        order by at, seq, ordinal limit ${bind('limit')}`,
    ),
  }
}

/**
 * The local date of an award `a`. A subquery looks up each award's entry. For a join, Postgres may estimate a user's
 * lines to be few, and read all of them for each award.
 */
export const DATE_OF_AWARD: RawBuilder<unknown> = sql`(select l.local_date from ${tableOf('log')} l
  where l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.at = a.at and l.seq = a.seq) as local_date`

const CHUNK = 1_000
const FIRST_AWARD: AwardCursor = { at: Number.MIN_SAFE_INTEGER, seq: 0, ordinal: 0 }

export function toAwardsRead(
  key: UserKey,
  system: string,
  { after = FIRST_AWARD, limit = CHUNK }: ReadAwardedOptions = {},
): AwardsRead {
  const { at, seq, ordinal } = after
  return { ...toUserColumns(key), system, at, seq, ordinal, limit }
}

export function toAwardedValues(rows: readonly AwardedRow[]): AwardedValues {
  const values = rows.flatMap(({ at, seq, local_date, awarded }): readonly LoggedValue[] =>
    local_date === null ? [] : [{ at, seq, date: local_date, value: awarded }],
  )
  const last = rows.at(-1)
  return { values, last: last === undefined ? null : { at: last.at, seq: last.seq, ordinal: last.ordinal } }
}

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
