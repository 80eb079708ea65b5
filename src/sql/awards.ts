import { type Instant, toDateText } from '../rules/calendar.ts'
import { CHUNK, type Page } from '../storage/reads.ts'
import type { Award, AwardedBoost, UserKey } from '../storage/rows.ts'
import type { Storage } from '../storage/storage.ts'
import { OF_USER, statement } from './database.ts'
import { fromIdHex } from './entry-rows.ts'
import type { DatedValue, EntryCursor, LoggedValue, LoggedValues, TenantCursor, UserValuesOptions } from './log.ts'
import { mapDates, toDay } from './stored-text.ts'
import type { AwardsTable, UserColumns } from './tables.ts'

/** The place of an award of one points system to one user. */
export interface UserAwardCursor extends EntryCursor {
  readonly ordinal: number
}

/** The place of an award in a tenant. */
export interface AwardCursor extends TenantCursor, UserAwardCursor {
  readonly system: string
}

export interface AwardedValue extends DatedValue, UserAwardCursor {}

type AwardsPage = AwardCursor & { readonly tenant: string; readonly limit: number }

/** `date` is null if the entry is gone, which our storages never let happen. */
type ValueRow = AwardCursor & Pick<LoggedValue, 'value'> & { readonly date: LoggedValue['date'] | null }

/**
 * A subquery looks up each award's entry. For a join, Postgres may expect few lines per user, and read all of them for
 * each award.
 */
const VALUES = `at, seq, ordinal, awarded as value, (select l.local_date
    from laurels.log l
    where l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.at = a.at and l.seq = a.seq) as date
  from laurels.awards a`

const OF_TENANT = statement<AwardsPage, ValueRow>(`select user_id as "user", system, ${VALUES} where tenant_id = :tenant
  and (user_id, system, at, seq, ordinal) > (:user, :system, :at, :seq, :ordinal)
  order by user_id, system, at, seq, ordinal limit :limit`)

const OF_SYSTEM = statement<AwardsPage & { readonly until: Instant }, AwardedValue>(`select ${VALUES} where ${OF_USER}
  and system = :system and at <= :until and (at, seq, ordinal) > (:at, :seq, :ordinal)
  order by at, seq, ordinal limit :limit`)

const FIRST: AwardCursor = { user: '', system: '', at: Number.MIN_SAFE_INTEGER, seq: 0, ordinal: 0 }

/** Awards of a tenant in order of user, then points system, then (at, seq, ordinal). */
export async function loadAwardValues(
  storage: Storage,
  tenant: string,
  { after = FIRST, limit = CHUNK }: Page<AwardCursor> = {},
): Promise<LoggedValues<AwardCursor>> {
  const rows = await storage.page(OF_TENANT, { ...after, tenant, limit })
  const values = rows.flatMap(({ system: key, date, ordinal: _, ...row }) =>
    date === null ? [] : [{ ...row, key, date }],
  )
  const last = rows.at(-1)
  if (last === undefined) return { values, last: null }
  const { user, system, at, seq, ordinal } = last
  return { values, last: { user, system, at, seq, ordinal } }
}

/** The next awards of a points system to a user, in order. */
export function loadSystemValues(
  storage: Storage,
  { tenant, user }: UserKey,
  system: string,
  { after = FIRST, until = Number.MAX_SAFE_INTEGER, limit = CHUNK }: UserValuesOptions<UserAwardCursor> = {},
): Promise<readonly AwardedValue[]> {
  return storage.all(OF_SYSTEM, { ...after, tenant, user, system, until, limit })
}

/** Ids are digits, as `toIdHex` makes them. */
export type AwardRow = Omit<AwardsTable, keyof UserColumns>

export function fromAwardRow({ award_id, trigger_id, entry_id, boosts, ...row }: AwardRow): Award {
  const award = { ...row, id: fromIdHex(award_id), trigger: fromIdHex(trigger_id), entryId: fromIdHex(entry_id) }
  return boosts === null ? award : { ...award, boosts: fromBoostsJson(boosts) }
}

function toBoostsJson(boosts: readonly AwardedBoost[]): string {
  const json = boosts.map(({ id, name, start, end, multiplier, rounding }) =>
    mapDates({ id, name, start, end, multiplier, rounding }, toDateText),
  )
  return JSON.stringify(json)
}

function fromBoostsJson(text: string): readonly AwardedBoost[] {
  const json = JSON.parse(text) as readonly { readonly start: string }[]
  return json.map((boost) => mapDates(boost, toDay) as AwardedBoost)
}

export function toAwardColumns(key: UserKey, award: Award): AwardsTable {
  const { id, trigger, entryId, boosts, system, at, seq, ordinal, awarded, total } = award
  return {
    tenant_id: key.tenant,
    user_id: key.user,
    system,
    at,
    seq,
    ordinal,
    award_id: id,
    trigger_id: trigger,
    entry_id: entryId,
    awarded,
    total,
    boosts: boosts === undefined ? null : toBoostsJson(boosts),
  }
}
