import type { AliasedSelectQueryBuilder, ExpressionBuilder } from 'kysely'
import { toDateText } from '../../src/rules/calendar.ts'
import type { Award, AwardedBoost, UserKey } from '../../src/storage/rows.ts'
import type { AwardCursor, AwardedValues, LoggedValue, ReadAwardedOptions } from '../../src/storage/storage.ts'
import { type SqlTraits, type Statement, statement } from './database.ts'
import { fromIdHex } from './entry-rows.ts'
import { toDay } from './stored-text.ts'
import type { AwardsTable, LogTable, Tables, UserColumns } from './tables.ts'
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
  const { kysely, toHex } = traits
  const rows = kysely
    .selectFrom('awards')
    .select(COLUMNS)
    .select([toHex('award_id').as('award_id'), toHex('trigger_id').as('trigger_id'), toHex('entry_id').as('entry_id')])
  const newest = rows.orderBy('at', 'desc').orderBy('seq', 'desc').orderBy('ordinal', 'desc')
  return {
    readAwarded: readAwarded(traits),
    ofSystem: statement(traits, (bind) =>
      newest
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('system', '=', bind('system'))
        .limit(bind('limit')),
    ),
    ofUser: statement(traits, (bind) =>
      newest.where('tenant_id', '=', bind('tenant_id')).where('user_id', '=', bind('user_id')).limit(bind('limit')),
    ),
  }
}

/**
 * A subquery that looks up each award's entry. For a join, Postgres may estimate a user's lines to be few, and read all
 * of them for each award.
 */
export function dateOfAward(
  eb: ExpressionBuilder<Tables, 'awards'>,
): AliasedSelectQueryBuilder<{ local_date: number }, 'local_date'> {
  return eb
    .selectFrom('log')
    .select('log.local_date')
    .whereRef('log.tenant_id', '=', 'awards.tenant_id')
    .whereRef('log.user_id', '=', 'awards.user_id')
    .whereRef('log.at', '=', 'awards.at')
    .whereRef('log.seq', '=', 'awards.seq')
    .as('local_date')
}

function readAwarded(traits: SqlTraits): AwardQueries['readAwarded'] {
  return statement<AwardsRead, AwardedRow>(traits, (bind) =>
    traits.kysely
      .selectFrom('awards')
      .select(['awards.at', 'awards.seq', 'awards.ordinal', 'awards.awarded', dateOfAward])
      .where('awards.tenant_id', '=', bind('tenant_id'))
      .where('awards.user_id', '=', bind('user_id'))
      .where('awards.system', '=', bind('system'))
      .where((eb) =>
        eb(
          eb.refTuple('awards.at', 'awards.seq', 'awards.ordinal'),
          '>',
          eb.tuple(bind('at'), bind('seq'), bind('ordinal')),
        ),
      )
      .orderBy('awards.at')
      .orderBy('awards.seq')
      .orderBy('awards.ordinal')
      .limit(bind('limit')),
  )
}

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
