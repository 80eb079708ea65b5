import { sql } from 'kysely'
import type {
  AwardValues,
  AwardValuesOptions,
  EventValues,
  EventValuesOptions,
  PointsTotal,
  UserValue,
} from '../../src/storage/storage.ts'
import { type AwardedRow, DATE_OF_AWARD } from './awards.ts'
import { rawStatement, type SqlTraits, type Statement, tableOf } from './database.ts'
import { ofCounted } from './log.ts'
import { toMap } from './stored-text.ts'
import type { LogTable } from './tables.ts'

export interface UserValueQueries {
  readonly ofEvents: Statement<EventValuesRead, EventValueRow>
  readonly ofAwards: Statement<AwardValuesRead, AwardValueRow>
}

type Read<Place> = Place & { readonly tenant_id: string; readonly limit: number }
export type EventValuesRead = Read<Required<EventValuesOptions>['after']>
export type AwardValuesRead = Read<Required<AwardValuesOptions>['after']>

/** `metric` null: the line is no event, or is void. */
export type EventValueRow = Pick<LogTable, 'user_id' | 'at' | 'seq' | 'local_date' | 'metric' | 'value'>
export type AwardValueRow = AwardedRow & { readonly user_id: string; readonly system: string }

export function userValueQueries(traits: SqlTraits): UserValueQueries {
  return {
    ofEvents: rawStatement(
      traits,
      (bind) => sql`select user_id, at, seq, local_date, value, ${ofCounted('metric')} from ${tableOf('log')}
        where tenant_id = ${bind('tenant_id')} and (user_id, at, seq) > (${bind('user')}, ${bind('at')}, ${bind('seq')})
        order by user_id, at, seq limit ${bind('limit')}`,
    ),
    ofAwards: rawStatement(
      traits,
      (bind) => sql`select user_id, system, at, seq, ordinal, awarded, ${DATE_OF_AWARD} from ${tableOf('awards')} a
        where tenant_id = ${bind('tenant_id')} and (user_id, system, at, seq, ordinal)
          > (${bind('user')}, ${bind('system')}, ${bind('at')}, ${bind('seq')}, ${bind('ordinal')})
        order by user_id, system, at, seq, ordinal limit ${bind('limit')}`,
    ),
  }
}

const CHUNK = 1_000
const FIRST = { user: '', at: Number.MIN_SAFE_INTEGER, seq: 0 }

export function toEventValuesRead(
  tenant: string,
  { after = FIRST, limit = CHUNK }: EventValuesOptions = {},
): EventValuesRead {
  return { ...after, tenant_id: tenant, limit }
}

export function toAwardValuesRead(
  tenant: string,
  { after = { ...FIRST, system: '', ordinal: 0 }, limit = CHUNK }: AwardValuesOptions = {},
): AwardValuesRead {
  return { ...after, tenant_id: tenant, limit }
}

export function toEventValues(rows: readonly EventValueRow[]): EventValues {
  const values: UserValue[] = []
  for (const { user_id: user, metric: key, local_date: date, value } of rows)
    if (key !== null) values.push({ user, key, date, value: value ?? 0 })
  const last = rows.at(-1)
  return { values, last: last === undefined ? null : { user: last.user_id, at: last.at, seq: last.seq } }
}

export function toAwardValues(rows: readonly AwardValueRow[]): AwardValues {
  const values: UserValue[] = []
  for (const { user_id: user, system: key, local_date: date, awarded: value } of rows)
    if (date !== null) values.push({ user, key, date, value })
  const last = rows.at(-1)
  if (last === undefined) return { values, last: null }
  const { user_id: user, system, at, seq, ordinal } = last
  return { values, last: { user, system, at, seq, ordinal } }
}

export interface PointsPage {
  readonly tenant_id: string
  readonly system: string
  /** Id of a user; empty for the first page. */
  readonly after: string
  readonly limit: number
}

export interface PointsTotalQueries {
  /** The users after the given one, in order. `total` is null without any points. */
  readonly ofTenant: Statement<PointsPage, TotalRow>
}

interface TotalRow {
  readonly user_id: string
  readonly attributes: string
  readonly total: number | null
}

export function pointsTotalQueries(traits: SqlTraits): PointsTotalQueries {
  return {
    ofTenant: rawStatement(
      traits,
      (bind) => sql`select u.user_id, u.attributes, p.total from ${tableOf('users')} u
        left join ${tableOf('points')} p
          on p.tenant_id = u.tenant_id and p.user_id = u.user_id and p.system = ${bind('system')}
        where u.tenant_id = ${bind('tenant_id')} and u.user_id > ${bind('after')} and u.merged_into is null
        order by u.user_id limit ${bind('limit')}`,
    ),
  }
}

export function toPointsTotal({ user_id, attributes, total }: TotalRow): PointsTotal {
  return { user: user_id, total: total ?? 0, attributes: toMap<string, string>(JSON.parse(attributes)) }
}
